import { attestBalance, attestedText, type ResultOf } from '@sathorn/api';
import { COIN_CODES, type CoinCode, formatMoney, parseMoney } from '@sathorn/money';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, Select } from '../../parts/field.tsx';
import { fromLocalInput, toLocalInput } from '../../parts/local-time.ts';
import { Facts } from '../../parts/parts.tsx';
import { sha256 } from '../../parts/sha256.ts';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';
import { useCorrectionTexts } from '../corrections/texts.ts';

type Asset = 'THB' | CoinCode;
const ASSETS: readonly Asset[] = ['THB', ...COIN_CODES];

/** The balance that a first person has signed, which a second person now confirms. */
export type FirstAttestation = Pick<ResultOf<typeof attestBalance>, 'asset' | 'counted' | 'as_of' | 'statement'>;

/**
 * Signs a bank statement's balance or the coins in custody: first the form, then the confirmation of exactly that. A
 * count of coins is valid once two people have signed the same figure and time.
 */
export default function Attest({ first, onClose }: { first: FirstAttestation | null; onClose: () => void }) {
  const { t, amount, dateTime, timeZone } = useTexts();
  const { b } = useCorrectionTexts();
  const attest = useAct(attestBalance);
  const [asset, setAsset] = useState<Asset>(ASSETS.find((one) => one === first?.asset) ?? 'THB');
  const [counted, setCounted] = useState(first?.counted ?? '');
  const [asOf, setAsOf] = useState(first ? toLocalInput(Date.parse(first.as_of), timeZone) : '');
  const [statement, setStatement] = useState(first?.statement ?? '');
  const [asked, setAsked] = useState<{
    asset: Asset;
    counted: string;
    as_of: Date;
    statement: string;
    fingerprint: string;
  } | null>(null);
  if (asked)
    return (
      <StepUp
        decision={{
          op: 'balance.attest',
          id: asked.asset,
          fingerprint: asked.fingerprint,
          title: b('rec.attest'),
          act: b('rec.sign'),
        }}
        onClose={() => setAsked(null)}
        onConfirmed={async (step_up) => {
          const { asset: of, counted: sum, as_of: time, statement: named } = asked;
          const signed = await attest.run({
            asset: of,
            counted: sum,
            as_of: time.toISOString(),
            statement: named,
            step_up,
          });
          // Faults of single fields are shown beside the fields.
          if (signed.ok) onClose();
          return signed.ok || Object.keys(signed.refused.fields).length > 0 ? null : signed.refused;
        }}
      >
        <Facts
          facts={[
            [b('rec.amount'), `${amount(asked.counted)} ${asked.asset}`],
            [b('rec.as_of'), dateTime(asked.as_of.toISOString())],
            [b('rec.statement'), <bdi key="statement">{asked.statement}</bdi>],
          ]}
        />
      </StepUp>
    );
  return (
    <Dialog label={b('rec.attest')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const at = fromLocalInput(asOf, timeZone);
          if (!at) return;
          attest.clear();
          const sum = parseMoney(asset, counted.trim());
          const of = {
            asset,
            // Sent with six decimals, because the signed text has that format. If the text is not an amount, the server
            // reports it.
            counted: sum ? formatMoney(sum) : counted.trim(),
            as_of: at,
            statement: statement.trim(),
          };
          setAsked({ ...of, fingerprint: await sha256(new TextEncoder().encode(attestedText(of))) });
        }}
      >
        <h2>{b('rec.attest')}</h2>
        <p className="c">{b(asset === 'THB' ? 'rec.attest_note' : 'rec.attest_coin_note')}</p>
        <Select
          label={b('rec.asset')}
          value={asset}
          options={ASSETS.map((one) => [one, one])}
          onChange={({ target }) => setAsset(target.value as Asset)}
        />
        <Field
          label={`${b('rec.amount')} (${asset})`}
          inputMode="decimal"
          value={counted}
          fault={attest.refused?.fields.counted}
          onChange={({ target }) => setCounted(target.value)}
        />
        <Field
          label={b('rec.as_of')}
          type="datetime-local"
          value={asOf}
          fault={attest.refused?.fields.as_of}
          onChange={({ target }) => setAsOf(target.value)}
        />
        <Field
          label={b('rec.statement')}
          value={statement}
          maxLength={200}
          fault={attest.refused?.fields.statement}
          onChange={({ target }) => setStatement(target.value)}
        />
        <RefusalNote refused={attest.refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" busy={attest.isBusy} disabled={!counted || !asOf || !statement.trim()}>
            {b('rec.sign')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
