import { extendFreeze, liftFreeze } from '@sathorn/api';
import { useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { fromLocalInput, toLocalInput } from '../../parts/local-time.ts';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute } from '../../route.ts';
import { useAct } from '../../use-act.ts';

const DAY_MS = 86_400_000;

export function ChangeFreeze({
  id,
  freeze,
  isLift,
  onClose,
}: {
  id: string;
  freeze: string;
  isLift: boolean;
  onClose: () => void;
}) {
  const { t, timeZone } = useTexts();
  const lift = useAct(liftFreeze);
  const extend = useAct(extendFreeze);
  const [until, setUntil] = useState(() => toLocalInput(Date.now() + 7 * DAY_MS, timeZone));
  const { refused, isBusy } = isLift ? lift : extend;
  return (
    <ReasonDialog
      title={t(isLift ? 'customers.lift' : 'customers.extend')}
      act={t('approvals.ask')}
      refused={refused}
      isBusy={isBusy}
      onClose={onClose}
      onSend={async (reason) => {
        const asked = { id, freeze, reason };
        const done = isLift
          ? await lift.run(asked)
          : await extend.run({ ...asked, until: fromLocalInput(until, timeZone)?.toISOString() ?? until });
        if (done.ok) goToRoute('approvals', done.data.approval, { tab: 'made' });
        return done.ok;
      }}
    >
      <p className="note">{t('customers.needs_second')}</p>
      {!isLift && (
        <Field
          label={t('customers.until')}
          type="datetime-local"
          value={until}
          onChange={({ target }) => setUntil(target.value)}
          fault={refused?.fields.until}
        />
      )}
    </ReasonDialog>
  );
}
