import { changeRoles, type ListedOperator } from '@sathorn/api';
import { useState } from 'react';
import { Facts } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute } from '../../route.ts';
import { useProposal } from '../../use-proposal.ts';
import { RoleBoxes } from './role-boxes.tsx';

export function ChangeRolesDialog({ person, onClose }: { person: ListedOperator; onClose: () => void }) {
  const { t } = useTexts();
  const title = `${t('operators.change_roles')}: ${person.work_name}`;
  const change = useProposal(changeRoles, title, ({ approval }) => {
    goToRoute('approvals', approval, { tab: 'made' });
    onClose();
  });
  const namesOf = (of: readonly ListedOperator['roles'][number][]) =>
    of.map((role) => t(`role.${role}`)).join(', ') || '–';
  const [roles, setRoles] = useState(person.roles as readonly ListedOperator['roles'][number][]);
  return (
    <>
      <ReasonDialog
        title={title}
        act={t('approvals.ask')}
        {...change}
        onClose={onClose}
        onSend={(reason) => change.propose({ id: person.id, roles: roles.join(','), reason })}
      >
        <RoleBoxes chosen={roles} onChoose={setRoles} fault={change.refused?.fields.roles} />
        <p className="c">{t('customers.needs_second')}</p>
      </ReasonDialog>
      {change.signing && (
        <StepUp {...change.signing}>
          <Facts
            facts={[
              [t('operators.roles'), `${namesOf(person.roles)} → ${namesOf(roles)}`],
              [t('customers.reason'), change.request?.reason],
            ]}
          />
        </StepUp>
      )}
    </>
  );
}
