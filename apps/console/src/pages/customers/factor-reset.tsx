import {
  approveApproval,
  type FactorResetCase,
  type FactorResetLine,
  readFactorReset,
  rejectApproval,
  stopApproval,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { TextArea } from '../../parts/field.tsx';
import { DueClock, Facts, Tag, VotePips } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { ReadGate } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import { useCustomerTexts } from './texts.ts';

export function FactorResetState({
  reset: { state, stopped_by: by, asked_at: from, due_at: due },
}: {
  reset: FactorResetLine;
}) {
  const { t } = useTexts();
  if (state === 'waiting') return <DueClock due={due} from={from} />;
  return (
    <Tag look={state === 'done' ? 'ok' : undefined}>
      {by === null ? t(`reset.state.${state}`) : t(`reset.stopped_by.${by}`)}
    </Tag>
  );
}

/** The evidence of one reset. It stands alone, so that the page of approvals can show it too. */
export function FactorResetFacts({ reset }: { reset: FactorResetCase }) {
  const { say } = useCustomerTexts();
  const { t, dateTime } = useTexts();
  const time = (at: string | null) => (at === null ? say('never') : dateTime(at));
  const isKnown = (is: boolean) => <Tag look={is ? 'ok' : 'warn'}>{t(is ? 'reset.known' : 'reset.new')}</Tag>;
  return (
    <div className="col">
      <Facts
        facts={[
          [say('asked'), dateTime(reset.asked_at)],
          [say('due'), dateTime(reset.due_at)],
          [
            say('device'),
            <span key="device" className="row">
              <bdi>{reset.device}</bdi> {isKnown(reset.is_known_device)}
            </span>,
          ],
          [
            say('network'),
            <span key="network" className="row">
              <span className="mono">{reset.address}</span> {isKnown(reset.is_known_network)}
            </span>,
          ],
          [
            say('sessions'),
            reset.session_used_at ? `${reset.open_sessions} · ${dateTime(reset.session_used_at)}` : say('none'),
          ],
          [say('told'), reset.contacts.length > 0 ? reset.contacts.join(', ') : say('none')],
          [say('word'), t(reset.has_word ? 'reset.yes' : 'reset.no')],
          [say('authenticator'), time(reset.authenticator_since)],
          [say('passkeys'), reset.passkeys],
          [say('codes'), reset.recovery_codes],
          [say('used'), time(reset.factor_used_at)],
          [say('password'), time(reset.password_changed_at)],
          [say('credentials'), time(reset.credentials_changed_at)],
        ]}
      />
      {reset.open_sessions > 0 && reset.state === 'waiting' && (
        <p className="note" data-look="warn">
          {say('session_warns')}
        </p>
      )}
      {reset.earlier.length > 0 && (
        <>
          <h3 className="c">{say('earlier')}</h3>
          <ul className="plain">
            {reset.earlier.map((one) => (
              <li key={one.id} className="row sp sm">
                <span>{dateTime(one.asked_at)}</span>
                <FactorResetState reset={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** One reset with the decisions that this operator may make. Every read is logged, so it is read only once. */
export function FactorReset({ id }: { id: string }) {
  const { say } = useCustomerTexts();
  const { t, code, dateTime } = useTexts();
  const query = useRead(readFactorReset, { id }, { freshForMs: 600_000 });
  const approve = useAct(approveApproval);
  const reject = useAct(rejectApproval);
  const stop = useAct(stopApproval);
  const [deciding, setDeciding] = useState<'approve' | 'reject' | 'stop' | null>(null);
  const [reason, setReason] = useState('');
  const done = () => void query.refetch();
  return (
    <section className="card">
      <ReadGate query={query} rows={8}>
        {(reset) => {
          const { approval } = reset;
          const mayVote = reset.state === 'waiting' && approval.status === 'waiting' && approval.refusal === null;
          return (
            <>
              <div className="hd">
                <h2>{say('title')}</h2>
                <span className="r row">
                  <VotePips
                    given={approval.votes.filter(({ decision }) => decision === 'approve').length}
                    need={approval.need}
                  />
                  <FactorResetState reset={reset} />
                </span>
              </div>
              <div className="bd col">
                <p className="note">{t('reset.rule')}</p>
                <FactorResetFacts reset={reset} />
                {approval.votes.length > 0 && (
                  <ul className="plain">
                    {approval.votes.map((vote) => (
                      <li key={vote.by.id} className="row sp sm">
                        <span>{t(vote.decision === 'approve' ? 'approvals.did_approve' : 'approvals.did_reject')}</span>
                        <span className="m">
                          {vote.by.work_name} · {dateTime(vote.at)}
                        </span>
                      </li>
                    ))}
                  </ul>
                )}
                {reset.state === 'waiting' && approval.status === 'waiting' && approval.refusal !== null && (
                  <p className="note" data-look="warn">
                    {code('refused', approval.refusal)}
                  </p>
                )}
                <div className="row">
                  {mayVote && (
                    <>
                      <Button size="small" onClick={() => setDeciding('approve')}>
                        {t('approvals.approve')}
                      </Button>
                      <Button size="small" look="danger" onClick={() => setDeciding('reject')}>
                        {t('approvals.reject')}
                      </Button>
                    </>
                  )}
                  {approval.may_stop && reset.state === 'waiting' && (
                    <Button size="small" look="danger" onClick={() => setDeciding('stop')}>
                      {t('approvals.stop')}
                    </Button>
                  )}
                </div>
              </div>
              {(deciding === 'approve' || deciding === 'reject') && (
                <StepUp
                  decision={{
                    op: deciding === 'approve' ? 'approval.approve' : 'approval.reject',
                    id: approval.id,
                    fingerprint: approval.fingerprint,
                    title: `${t(deciding === 'approve' ? 'approvals.approve' : 'approvals.reject')}: ${say('title')}`,
                    act: t(deciding === 'approve' ? 'approvals.approve' : 'approvals.reject'),
                  }}
                  onClose={() => setDeciding(null)}
                  onConfirmed={async (step_up) => {
                    const decision = { id: approval.id, fingerprint: approval.fingerprint, step_up };
                    const voted =
                      deciding === 'approve' ? await approve.run(decision) : await reject.run({ ...decision, reason });
                    if (!voted.ok) return voted.refused;
                    done();
                    return null;
                  }}
                >
                  <p>
                    <bdi>{reset.customer.username}</bdi> · {reset.customer.id}
                  </p>
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
                  title={`${t('approvals.stop')}: ${say('title')}`}
                  act={t('approvals.stop')}
                  isDanger
                  {...stop}
                  onSend={async (why) => {
                    const { ok } = await stop.run({ id: approval.id, reason: why });
                    if (ok) done();
                    return ok;
                  }}
                  onClose={() => setDeciding(null)}
                />
              )}
            </>
          );
        }}
      </ReadGate>
    </section>
  );
}
