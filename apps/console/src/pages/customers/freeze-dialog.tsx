import { type CustomerProfile, FREEZE_REASONS, FREEZE_SCOPES, freezeCustomer } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { fromLocalInput, toLocalInput } from '../../parts/local-time.ts';
import { CustomerSeesNote, Facts } from '../../parts/parts.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';

const DAY_MS = 86_400_000;

export function FreezeDialog({ profile, onClose }: { profile: CustomerProfile; onClose: () => void }) {
  const { t, dateTime, timeZone } = useTexts();
  const operator = useOperator();
  const isCompliance = hasAnyRole(operator, ['compliance']);
  const freeze = useAct(freezeCustomer);
  const [scopes, setScopes] = useState<readonly string[]>(['sign_in', 'trading', 'withdrawals']);
  const [reason, setReason] = useState<(typeof FREEZE_REASONS)[number]>('takeover_suspected');
  const [until, setUntil] = useState(() => toLocalInput(Date.now() + DAY_MS - 60_000, timeZone));
  const [note, setNote] = useState('');
  const [isSure, setSure] = useState(false);
  const reasons = FREEZE_REASONS.filter(
    (one) => isCompliance || one === 'customer_asked' || one === 'takeover_suspected',
  );
  const end = fromLocalInput(until, timeZone)?.toISOString();
  const form = (
    <>
      <fieldset className="labelled">
        <legend>{t('customers.scopes')}</legend>
        <div className="row wrap">
          {FREEZE_SCOPES.map((scope) => (
            <label key={scope} className="chip" data-on={scopes.includes(scope) ? '' : undefined}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
              />
              {t(`scope.${scope}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <Select
        label={t('customers.reason')}
        value={reason}
        onChange={({ target }) => setReason(target.value as typeof reason)}
        options={reasons.map((one) => [one, t(`reason.${one}`)])}
      />
      <Field
        label={t(isCompliance ? 'customers.until_14' : 'customers.until_1')}
        type="datetime-local"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
        fault={freeze.refused?.fields.until}
      />
      <TextArea label={t('customers.note')} value={note} onChange={({ target }) => setNote(target.value)} />
      {scopes.length > 0 && end && (
        <CustomerSeesNote>
          {t('customers.frozen_text', {
            scopes: scopes.map((scope) => t(`scope.${scope as 'trading'}`)).join(', '),
            reason: t(`reason.${reason}`),
            until: dateTime(end),
          })}
        </CustomerSeesNote>
      )}
    </>
  );
  if (isSure && end) {
    return (
      <StepUp
        decision={{
          op: 'customer.freeze',
          id: profile.id,
          fingerprint: profile.fingerprint,
          title: t('customers.freeze_who', { name: profile.username }),
          act: t('customers.freeze'),
        }}
        onClose={onClose}
        onConfirmed={async (step_up) => {
          const done = await freeze.run({
            id: profile.id,
            scopes: scopes.join(','),
            reason,
            until: end,
            fingerprint: profile.fingerprint,
            step_up,
            ...(note.trim() && { note: note.trim() }),
          });
          return done.ok ? null : done.refused;
        }}
      >
        <Facts
          facts={[
            [t('customers.scopes'), scopes.map((scope) => t(`scope.${scope as 'trading'}`)).join(', ')],
            [t('customers.reason'), t(`reason.${reason}`)],
            [t('customers.until'), dateTime(end)],
          ]}
        />
      </StepUp>
    );
  }
  return (
    <Dialog label={t('customers.freeze')} onClose={onClose}>
      <div className="hd">
        <h2>{t('customers.freeze_who', { name: profile.username })}</h2>
      </div>
      <div className="bd col">
        {form}
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button size="small" disabled={scopes.length === 0 || !end} onClick={() => setSure(true)}>
            {t('customers.freeze')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
