import { inviteOperator, type OperatorRole } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, TextArea } from '../../parts/field.tsx';
import { Facts } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useProposal } from '../../use-proposal.ts';
import { EnrolmentLinkDialog } from './enrolment-link-dialog.tsx';
import { RoleBoxes } from './role-boxes.tsx';

export function InviteOperatorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts();
  const [asked, setAsked] = useState<{ approval: string; link: string } | null>(null);
  const invite = useProposal(inviteOperator, t('operators.invite'), setAsked);
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly OperatorRole[]>(['support']);
  const faults = invite.refused?.fields ?? {};
  return (
    <>
      <Dialog label={t('operators.invite')} onClose={onClose}>
        {asked ? (
          <EnrolmentLinkDialog {...asked} onClose={onClose} />
        ) : (
          <form
            className="bd col"
            onSubmit={(event) => {
              event.preventDefault();
              const fields = new FormData(event.currentTarget);
              const [customer, reason] = ['customer', 'reason'].map((field) => String(fields.get(field) ?? '').trim());
              void invite.propose({
                work_name: name.trim(),
                roles: roles.join(','),
                reason: reason ?? '',
                ...(customer && { customer }),
              });
            }}
          >
            <h2>{t('operators.invite')}</h2>
            <Field
              label={t('operators.work_name')}
              value={name}
              onChange={({ target }) => setName(target.value)}
              fault={faults.work_name}
              autoComplete="off"
              spellCheck={false}
              required
            />
            <RoleBoxes chosen={roles} onChoose={setRoles} fault={faults.roles} />
            <Field
              name="customer"
              label={t('operators.own_account')}
              fault={faults.customer}
              inputMode="numeric"
              autoComplete="off"
            />
            <TextArea name="reason" label={t('customers.why')} fault={faults.reason} required />
            <p className="c">{t('customers.needs_second')}</p>
            <RefusalNote refused={invite.refused} />
            <div className="row">
              <Button size="small" look="soft" onClick={onClose}>
                {t('act.cancel')}
              </Button>
              <Button type="submit" size="small" busy={invite.isBusy} disabled={roles.length === 0}>
                {t('approvals.ask')}
              </Button>
            </div>
          </form>
        )}
      </Dialog>
      {invite.signing && (
        <StepUp {...invite.signing}>
          <Facts
            facts={[
              [t('operators.person'), name],
              [t('operators.roles'), roles.map((role) => t(`role.${role}`)).join(', ')],
              [t('operators.own_customer'), invite.request?.customer ?? '–'],
              [t('customers.reason'), invite.request?.reason],
            ]}
          />
        </StepUp>
      )}
    </>
  );
}
