import type { ApprovalView } from '@sathorn/api';
import { useTexts } from '../../parts/texts/index.ts';
import { SignedBy } from '../votes/signed-by.tsx';
import { askerName } from './asker-name.ts';
import { useApprovalTexts } from './texts.ts';

/** The people who asked and decided, and the fingerprint of what they saw. */
export function ApprovalHistory({ shown }: { shown: ApprovalView }) {
  const { t, code, dateTime } = useTexts();
  const { say } = useApprovalTexts();
  const steps = [
    { what: t('approvals.asked'), by: askerName(shown, t('customer')), at: shown.made_at, vote: null },
    ...shown.votes.map((vote) => ({
      what: t(vote.decision === 'approve' ? 'approvals.did_approve' : 'approvals.did_reject'),
      by: `${vote.by.work_name} (${code('role', vote.role)})`,
      at: vote.at,
      vote,
    })),
    ...(shown.stopped
      ? [{ what: t('approvals.stopped'), by: shown.stopped.by.work_name, at: shown.stopped.at, vote: null }]
      : []),
  ];
  return (
    <>
      <h3 className="c">{say('story')}</h3>
      <ul className="plain">
        {steps.map(({ what, by, at, vote }) => (
          <li key={`${at} ${by}`} className="row sp sm">
            <span>{what}</span>
            <span className="m">
              {by} · {dateTime(at)} {vote && <SignedBy vote={vote} />}
            </span>
          </li>
        ))}
      </ul>
      <p className="c">
        {t('approvals.exactly')}{' '}
        <span className="mono" title={shown.fingerprint}>
          {shown.fingerprint.slice(0, 8)}…{shown.fingerprint.slice(-8)}
        </span>
      </p>
    </>
  );
}
