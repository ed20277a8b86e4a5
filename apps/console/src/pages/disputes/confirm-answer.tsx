import { approveApproval, rejectApproval } from '@sathorn/api';
import { useState } from 'react';
import { TextArea } from '../../parts/field.tsx';
import { Facts } from '../../parts/parts.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';

/** The second person approves a proposed answer, or sends it back with a reason. */
export function ConfirmAnswer({
  approval,
  decision,
  finding,
  answer,
  onClose,
}: {
  approval: { readonly id: string; readonly fingerprint: string };
  decision: 'approve' | 'reject';
  finding: string;
  answer: string | null;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const approve = useAct(approveApproval);
  const reject = useAct(rejectApproval);
  const [why, setWhy] = useState('');
  const { id, fingerprint } = approval;
  const act = t(decision === 'approve' ? 'disputes.confirm' : 'disputes.send_back');
  return (
    <StepUp
      decision={{ op: `approval.${decision}`, id, fingerprint, title: act, act }}
      onClose={onClose}
      onConfirmed={async (step_up) => {
        const confirmed = { id, fingerprint, step_up };
        const done =
          decision === 'approve' ? await approve.run(confirmed) : await reject.run({ ...confirmed, reason: why });
        return done.ok ? null : done.refused;
      }}
    >
      <Facts
        facts={[
          [t('field.finding'), finding],
          [t('field.answer'), <bdi key="answer">{answer}</bdi>],
        ]}
      />
      {decision === 'reject' && (
        <TextArea
          label={t('approvals.why_reject')}
          value={why}
          fault={reject.refused?.fields.reason}
          onChange={({ target }) => setWhy(target.value)}
        />
      )}
    </StepUp>
  );
}
