import { extendFreeze, liftFreeze } from '@sathorn/api';
import { useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { fromLocalInput, toLocalInput } from '../../parts/local-time.ts';
import { Facts } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute } from '../../route.ts';
import { useProposal } from '../../use-proposal.ts';

const DAY_MS = 86_400_000;

export function ChangeFreeze({
  customer,
  freeze,
  isLift,
  onClose,
}: {
  customer: { readonly id: string; readonly username: string };
  freeze: string;
  isLift: boolean;
  onClose: () => void;
}) {
  const { t, timeZone, dateTime } = useTexts();
  const title = t(isLift ? 'customers.lift' : 'customers.extend');
  const onDone = ({ approval }: { approval: string }) => {
    goToRoute('approvals', approval, { tab: 'made' });
    onClose();
  };
  const lift = useProposal(liftFreeze, title, onDone);
  const extend = useProposal(extendFreeze, title, onDone);
  const [until, setUntil] = useState(() => toLocalInput(Date.now() + 7 * DAY_MS, timeZone));
  const { refused, isBusy, signing, request } = isLift ? lift : extend;
  const later = fromLocalInput(until, timeZone)?.toISOString() ?? until;
  return (
    <>
      <ReasonDialog
        title={title}
        act={t('approvals.ask')}
        refused={refused}
        isBusy={isBusy}
        onClose={onClose}
        onSend={(reason) => {
          const asked = { id: customer.id, freeze, reason };
          return isLift ? lift.propose(asked) : extend.propose({ ...asked, until: later });
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
      {signing && (
        <StepUp {...signing}>
          <Facts
            facts={[
              [t('customer'), <bdi key="customer">{customer.username}</bdi>],
              ...(isLift ? [] : ([[t('customers.until'), dateTime(later)]] as const)),
              [t('customers.reason'), request?.reason],
            ]}
          />
        </StepUp>
      )}
    </>
  );
}
