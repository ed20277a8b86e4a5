import { freezeOperator, type ListedOperator, removeOperator } from '@sathorn/api';
import { useState } from 'react';
import { TextArea } from '../../parts/field.tsx';
import { Facts } from '../../parts/parts.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';

/** Ends another operator's access at once, temporarily or for good. */
export function StopOperatorDialog({
  person,
  how,
  onClose,
}: {
  person: ListedOperator;
  how: 'freeze' | 'remove';
  onClose: () => void;
}) {
  const { t } = useTexts();
  const freeze = useAct(freezeOperator);
  const remove = useAct(removeOperator);
  const [reason, setReason] = useState('');
  // The state when the dialog opened. If the operator has changed since, the server refuses and the new state must be
  // reviewed.
  const [seen] = useState(person);
  const act = how === 'freeze' ? freeze : remove;
  return (
    <StepUp
      decision={{
        op: `operator.${how}`,
        id: seen.id,
        fingerprint: seen.fingerprint,
        title: `${t(`operators.${how}`)}: ${seen.work_name}`,
        act: t(`operators.${how}`),
      }}
      onClose={onClose}
      onConfirmed={async (step_up) => {
        const done = await act.run({ id: seen.id, reason, fingerprint: seen.fingerprint, step_up });
        return done.ok ? null : done.refused;
      }}
    >
      <Facts
        facts={[
          [t('operators.roles'), seen.roles.map((role) => t(`role.${role}`)).join(', ')],
          [t('operators.sessions'), seen.sessions],
        ]}
      />
      <p className="note">{t(how === 'freeze' ? 'operators.freeze_what' : 'operators.remove_what')}</p>
      <TextArea
        label={t('customers.why')}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        fault={act.refused?.fields.reason}
      />
    </StepUp>
  );
}
