import { OTHER_NETWORKS, openDepositCase } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { Refusal } from '../../parts/states.tsx';
import { goTo } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';
import { useNetworkTexts } from './texts.ts';

/** Opens a case for a transfer on a network that the platform does not read. */
export default function OpenCase({ onClose }: { onClose: () => void }) {
  const n = useNetworkTexts();
  const open = useAct(openDepositCase);
  const [network, setNetwork] = useState<(typeof OTHER_NETWORKS)[number]>('tron');
  const [fields, setFields] = useState({ customer: '', token: 'USDT', amount: '', hash: '', words: '' });
  const faults = open.refused?.fields;
  const of = (name: keyof typeof fields) => ({
    label: n(name),
    value: fields[name],
    fault: faults?.[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  });
  return (
    <Dialog label={n('open_title')} onClose={onClose}>
      <form
        className="bd col"
        noValidate
        onSubmit={async (event) => {
          event.preventDefault();
          const { customer, amount, hash } = fields;
          const asked = { ...fields, customer: customer.trim(), amount: amount.trim(), hash: hash.trim(), network };
          const opened = await open.run(asked);
          if (!opened.ok) return;
          onClose();
          goTo('deposits', opened.data.id, { tab: 'wrong_network' });
        }}
      >
        <h2>{n('open_title')}</h2>
        <p className="c">{n('lead')}</p>
        <Field {...of('customer')} inputMode="numeric" dir="ltr" />
        <Select
          label={n('network')}
          value={network}
          options={OTHER_NETWORKS.map((one) => [one, n(`network.${one}`)])}
          onChange={({ target }) => setNetwork(target.value as typeof network)}
        />
        {faults?.network && <p className="da sm">{faults.network}</p>}
        <Field {...of('token')} dir="ltr" />
        <Field {...of('amount')} inputMode="decimal" dir="ltr" />
        <Field {...of('hash')} dir="ltr" spellCheck={false} autoComplete="off" />
        <TextArea {...of('words')} dir="auto" maxLength={500} />
        <Refusal refused={open.refused} />
        <Button type="submit" size="small" busy={open.isBusy}>
          {n('open')}
        </Button>
      </form>
    </Dialog>
  );
}
