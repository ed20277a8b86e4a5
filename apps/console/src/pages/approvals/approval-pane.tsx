import {
  type ApprovalView,
  approveApproval,
  readApproval,
  rejectApproval,
  stopApproval,
  withdrawApproval,
} from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../../keys.ts';
import { useOperator } from '../../operator.ts';
import { Pane } from '../../parts/case-page.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Facts, KeyHint, Pips, Tag } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { Refusal } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLive } from '../../parts/use-live.ts';
import { hashOf } from '../../route.ts';
import { useAct } from '../../use-act.ts';
import { ApprovedOffer } from '../offer/diff.tsx';
import { contentFacts } from './content-facts.ts';
import { EnrolmentCode } from './enrolment-code.tsx';
import { given } from './given.ts';

const loadCheckText: LoadPart<{ id: string }> = () => import('../content/check-text.tsx');
/** Kinds whose approver reads an enrolment code to a person. */
const HAS_CODE: ReadonlySet<string> = new Set(['operator_invite', 'operator_device']);

function Content({ kind, content }: Pick<ApprovalView, 'kind' | 'content'>) {
  const texts = useTexts();
  return kind === 'offer' ? <ApprovedOffer content={content} /> : <Facts facts={contentFacts(kind, content, texts)} />;
}

export function ApprovalPane({ id }: { id: string }) {
  const texts = useTexts();
  const { t, code, dateTime } = texts;
  const operator = useOperator();
  const query = useLive(readApproval, { id });
  const approve = useAct(approveApproval);
  const reject = useAct(rejectApproval);
  const withdraw = useAct(withdrawApproval);
  const stop = useAct(stopApproval);
  const [deciding, setDeciding] = useState<'approve' | 'reject' | 'stop' | null>(null);
  const [reason, setReason] = useState('');
  const approval = query.data;
  const mayDecide = approval !== undefined && approval.refusal === null && approval.decided_on === 'approvals';
  useKeys({
    a: () => mayDecide && setDeciding('approve'),
    r: () => mayDecide && setDeciding('reject'),
  });
  return (
    <Pane
      query={query}
      head={(shown) => (
        <>
          <h2>{code('approval', shown.kind)}</h2>
          <Tag look={shown.status === 'waiting' ? 'brand' : undefined}>{t(`status.${shown.status}`)}</Tag>
          <span className="r">
            <Pips given={given(shown)} need={shown.need} />
          </span>
        </>
      )}
      bar={(shown) => {
        if (shown.may_stop)
          return (
            <Button size="small" look="danger" onClick={() => setDeciding('stop')}>
              {t('approvals.stop')}
            </Button>
          );
        return (
          shown.status === 'waiting' && (
            <>
              {shown.refusal !== null && shown.made_by?.id !== operator?.id && (
                <p className="note" data-look="warn">
                  {code('refused', shown.refusal)}
                </p>
              )}
              {shown.made_by?.id === operator?.id && (
                <>
                  <span className="m sm">{t('approvals.yours')}</span>
                  <Button size="small" look="soft" busy={withdraw.isBusy} onClick={() => void withdraw.run({ id })}>
                    {t('approvals.withdraw')}
                  </Button>
                  <Refusal refused={withdraw.refused} />
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
            </>
          )
        );
      }}
    >
      {(shown) => (
        <>
          {shown.kind === 'content' && shown.status === 'waiting' && (
            <Late load={loadCheckText}>{(CheckText) => <CheckText id={shown.subject} />}</Late>
          )}
          <Content kind={shown.kind} content={shown.content} />
          {shown.reason && (
            <div className="note">
              <b>{t('approvals.reason')}</b>
              <p>
                <bdi>{shown.reason}</bdi>
              </p>
            </div>
          )}
          {shown.effective_from && <Facts facts={[[t('approvals.effective'), dateTime(shown.effective_from)]]} />}
          {shown.status === 'approved' &&
            HAS_CODE.has(shown.kind) &&
            shown.votes.some(({ by }) => by.id === operator?.id) && <EnrolmentCode approval={id} />}
          <h3 className="c">{t('history')}</h3>
          <ul className="plain">
            <li className="row sp sm">
              <span>{t('approvals.asked')}</span>
              <span className="m">
                {shown.made_by?.work_name ?? t('customer')} · {dateTime(shown.made_at)}
              </span>
            </li>
            {shown.votes.map((vote) => (
              <li key={vote.by.id} className="row sp sm">
                <span>{t(vote.decision === 'approve' ? 'approvals.did_approve' : 'approvals.did_reject')}</span>
                <span className="m">
                  {vote.by.work_name} ({t(`role.${vote.role}` as 'role.admin')}) · {dateTime(vote.at)}
                </span>
              </li>
            ))}
            {shown.stopped && (
              <li className="row sp sm">
                <span>{t('approvals.stopped')}</span>
                <span className="m">
                  {shown.stopped.by.work_name} · {dateTime(shown.stopped.at)}
                </span>
              </li>
            )}
          </ul>
          <p className="c">
            {t('approvals.exactly')} <span className="mono break">{shown.fingerprint}</span>
          </p>
          {shown.decided_on === 'subject' && shown.status === 'waiting' && (
            <p className="note">
              {t('approvals.elsewhere')} <a href={hashOf(`${shown.kind}s`, shown.subject)}>{shown.subject}</a>
            </p>
          )}
          {(deciding === 'approve' || deciding === 'reject') && (
            <StepUp
              decision={{
                op: deciding === 'approve' ? 'approval.approve' : 'approval.reject',
                id,
                fingerprint: shown.fingerprint,
                title: `${t(deciding === 'approve' ? 'approvals.approve' : 'approvals.reject')}: ${code('approval', shown.kind)}`,
                act: t(deciding === 'approve' ? 'approvals.approve' : 'approvals.reject'),
              }}
              onClose={() => setDeciding(null)}
              onConfirmed={async (step_up) => {
                const decision = { id, fingerprint: shown.fingerprint, step_up };
                const done =
                  deciding === 'approve' ? await approve.run(decision) : await reject.run({ ...decision, reason });
                return done.ok ? null : done.refused;
              }}
            >
              <Content kind={shown.kind} content={shown.content} />
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
              title={`${t('approvals.stop')}: ${code('approval', shown.kind)}`}
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
      )}
    </Pane>
  );
}
