import { attestBalance, attestedText } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { Facts } from '../../parts/parts.tsx';
import { sha256 } from '../../parts/sha256.ts';
import { Refusal } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';
import { useBookTexts } from '../corrections/texts.ts';

/** Signs for what a bank's statement says: first the form, then the confirmation of exactly that. */
export default function Attest({ onClose }: { onClose: () => void }) {
  const { t, amount, dateTime } = useTexts();
  const { b } = useBookTexts();
  const attest = useAct(attestBalance);
  const [counted, setCounted] = useState('');
  const [asOf, setAsOf] = useState('');
  const [statement, setStatement] = useState('');
  const [asked, setAsked] = useState<{
    asset: 'THB';
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
          const { asset, counted: sum, as_of: time, statement: named } = asked;
          const signed = await attest.run({
            asset,
            counted: sum,
            as_of: time.toISOString(),
            statement: named,
            step_up,
          });
          // A fault of a field is shown beside it.
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
          const at = new Date(asOf);
          if (Number.isNaN(at.getTime())) return;
          attest.clear();
          const of = { asset: 'THB', counted: counted.trim(), as_of: at, statement: statement.trim() } as const;
          setAsked({ ...of, fingerprint: await sha256(new TextEncoder().encode(attestedText(of))) });
        }}
      >
        <h2>{b('rec.attest')}</h2>
        <p className="c">{b('rec.attest_note')}</p>
        <Field
          label={`${b('rec.amount')} (THB)`}
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
        <Refusal refused={attest.refused} />
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
