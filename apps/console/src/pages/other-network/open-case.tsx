import { findCustomers, OTHER_NETWORKS, openDepositCase } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useRef, useState } from 'react';
import { CustomerField } from '../../parts/customer-field.tsx';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { findExactCustomer } from '../../parts/find-exact-customer.ts';
import { RefusalNote } from '../../parts/states.tsx';
import { goToRoute } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { refusedActOf, useAct } from '../../use-act.ts';
import { useNetworkTexts } from './texts.ts';

interface Search {
  readonly typed: string;
  readonly found: { readonly id: string; readonly username: string } | null;
  readonly fault?: string | undefined;
}

async function searchFor(typed: string, unknown: string): Promise<Search> {
  const answer = await callServer(findCustomers, { q: typed });
  if (!answer.ok) {
    const { fields, message } = refusedActOf(answer);
    return { typed, found: null, fault: fields.q ?? message };
  }
  const found = findExactCustomer(answer.data.items, typed);
  return { typed, found, fault: found ? undefined : unknown };
}

/** Opens a case for a transfer on a network that the platform does not read. */
export default function OpenCase({ onClose }: { onClose: () => void }) {
  const n = useNetworkTexts();
  const open = useAct(openDepositCase);
  const [network, setNetwork] = useState<(typeof OTHER_NETWORKS)[number]>('tron');
  const [fields, setFields] = useState({ customer: '', token: 'USDT', amount: '', hash: '', words: '' });
  const [search, setSearch] = useState<Search>({ typed: '', found: null });
  const searching = useRef<{ readonly typed: string; readonly answer: Promise<Search> } | null>(null);
  const faults = open.refused?.fields;
  const typed = fields.customer.trim();
  const isCurrent = typed !== '' && search.typed === typed;
  // Leaving the field and sending the form both search, but only the first of them sends a request.
  const findCustomer = async (): Promise<Search> => {
    if (isCurrent && search.found) return search;
    if (typed === '') return { typed, found: null };
    if (searching.current?.typed !== typed)
      searching.current = { typed, answer: searchFor(typed, n('customer.unknown')) };
    const answer = await searching.current.answer;
    searching.current = null;
    setSearch(answer);
    return answer;
  };
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
          const { found } = await findCustomer();
          if (typed !== '' && !found) return;
          const { amount, hash } = fields;
          const asked = { ...fields, customer: found?.id ?? '', amount: amount.trim(), hash: hash.trim(), network };
          const opened = await open.run(asked);
          if (!opened.ok) return;
          onClose();
          goToRoute('deposits', opened.data.id, { tab: 'wrong_network' });
        }}
      >
        <h2>{n('open_title')}</h2>
        <p className="c">{n('lead')}</p>
        <CustomerField
          label={n('customer')}
          value={fields.customer}
          fault={(isCurrent ? search.fault : undefined) ?? faults?.customer}
          found={isCurrent ? search.found : null}
          onChange={(customer) => setFields({ ...fields, customer })}
          onBlur={() => void findCustomer()}
        />
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
        <RefusalNote refused={open.refused} />
        <Button type="submit" size="small" busy={open.isBusy}>
          {n('open')}
        </Button>
      </form>
    </Dialog>
  );
}
