import { type ApprovalView, approveApproval, rejectApproval, stopApproval, withdrawApproval } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../../keys.ts';
import { useOperator } from '../../operator.ts';
import { TextArea } from '../../parts/field.tsx';
import { KeyHint } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';

/** True if this operator can approve, reject, take back or stop it here. */
export const hasDecideBar = ({ status, may_stop: mayStop }: ApprovalView): boolean => status === 'waiting' || mayStop;

/** The buttons to approve, reject, take back or stop; `children` restate the decision. */
export function DecideBar({ shown, children }: { shown: ApprovalView; children: ReactNode }) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const approve = useAct(approveApproval);
  const reject = useAct(rejectApproval);
  const withdraw = useAct(withdrawApproval);
  const stop = useAct(stopApproval);
  const [deciding, setDeciding] = useState<'approve' | 'reject' | 'stop' | null>(null);
  const [reason, setReason] = useState('');
  const { id, fingerprint } = shown;
  const name = code('approval', shown.kind);
  const isOwn = shown.made_by !== null && shown.made_by.id === operator?.id;
  const mayDecide = shown.status === 'waiting' && shown.refusal === null && shown.decided_on === 'approvals';
  useKeys({
    a: () => mayDecide && setDeciding('approve'),
    r: () => mayDecide && setDeciding('reject'),
  });
  return (
    <>
      {shown.may_stop && (
        <Button size="small" look="danger" onClick={() => setDeciding('stop')}>
          {t('approvals.stop')}
        </Button>
      )}
      {shown.status === 'waiting' && shown.refusal !== null && !isOwn && (
        <p className="note" data-look="warn">
          {code('refused', shown.refusal)}
        </p>
      )}
      {shown.status === 'waiting' && isOwn && (
        <>
          <span className="m sm">{t('approvals.yours')}</span>
          <Button size="small" look="soft" busy={withdraw.isBusy} onClick={() => void withdraw.run({ id })}>
            {t('approvals.withdraw')}
          </Button>
          <RefusalNote refused={withdraw.refused} />
        </>
      )}
      {mayDecide && (
        <>
          <Button size="small" onClick={() => setDeciding('approve')}>
            {t('approvals.approve')} <KeyHint name="a" />
          </Button>
          <Button size="small" look="danger" onClick={() => setDeciding('reject')}>
            {t('approvals.reject')} <KeyHint name="r" />
          </Button>
        </>
      )}
      {(deciding === 'approve' || deciding === 'reject') && (
        <StepUp
          decision={{
            op: `approval.${deciding}`,
            id,
            fingerprint,
            title: `${t(`approvals.${deciding}`)}: ${name}`,
            act: t(`approvals.${deciding}`),
          }}
          onClose={() => setDeciding(null)}
          onConfirmed={async (step_up) => {
            const decision = { id, fingerprint, step_up };
            const done =
              deciding === 'approve' ? await approve.run(decision) : await reject.run({ ...decision, reason });
            return done.ok ? null : done.refused;
          }}
        >
          {children}
          {deciding === 'reject' && (
            <TextArea
              label={t('approvals.why_reject')}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              fault={reject.refused?.fields.reason}
            />
          )}
        </StepUp>
      )}
      {deciding === 'stop' && (
        <ReasonDialog
          title={`${t('approvals.stop')}: ${name}`}
          act={t('approvals.stop')}
          isDanger
          {...stop}
          onSend={async (why) => (await stop.run({ id, reason: why })).ok}
          onClose={() => setDeciding(null)}
        >
          <p className="note">{t('approvals.stop_what', { time: dateTime(shown.effective_from ?? '') })}</p>
        </ReasonDialog>
      )}
    </>
  );
}
