import { changeRoles, type ListedOperator } from '@sathorn/api';
import { useState } from 'react';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute } from '../../route.ts';
import { useAct } from '../../use-act.ts';
import { RoleBoxes } from './role-boxes.tsx';

export function ChangeRolesDialog({ person, onClose }: { person: ListedOperator; onClose: () => void }) {
  const { t } = useTexts();
  const change = useAct(changeRoles);
  const [roles, setRoles] = useState(person.roles as readonly ListedOperator['roles'][number][]);
  return (
    <ReasonDialog
      title={`${t('operators.change_roles')}: ${person.work_name}`}
      act={t('approvals.ask')}
      {...change}
      onClose={onClose}
      onSend={async (reason) => {
        const done = await change.run({ id: person.id, roles: roles.join(','), reason });
        if (done.ok) goToRoute('approvals', done.data.approval, { tab: 'made' });
        return done.ok;
      }}
    >
      <RoleBoxes chosen={roles} onChoose={setRoles} fault={change.refused?.fields.roles} />
      <p className="c">{t('customers.needs_second')}</p>
    </ReasonDialog>
  );
}
