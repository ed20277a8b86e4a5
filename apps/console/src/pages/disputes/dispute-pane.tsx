import { type DisputeCase, proposeAnswer, readDispute, reportFault } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { CasePane } from '../../parts/case-page.tsx';
import { CheckResults, Facts, Money, Tag } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import { useProposal } from '../../use-proposal.ts';
import { AnswerNote, DecideAnswer, DisputeStatement, ProposeAnswer } from './parts.tsx';
import { TickPicture } from './tick-picture.tsx';
import './disputes.css';

export default function DisputePane({ id }: { id: string }) {
  const { t, dateTime, amount, code } = useTexts();
  const operator = useOperator();
  const query = useRead(readDispute, { id }, { freshForMs: 30_000 });
  const isSecond = hasAnyRole(operator, ['compliance']);
  return (
    <CasePane
      query={query}
      head={(shown) => (
        <>
          <h2 className="mono">{shown.id.slice(0, 8)}</h2>
          <Tag look={shown.checks.every(({ ok }) => ok) ? 'ok' : 'danger'}>
            {t('disputes.receipt', { ok: shown.checks.filter(({ ok }) => ok).length, all: shown.checks.length })}
          </Tag>
          {shown.fault && <Tag look="danger">{t('disputes.faulted', { name: shown.fault.by.work_name })}</Tag>}
          <span className="r">
            {shown.first && t('disputes.first', { name: shown.first.work_name })}
            {shown.status === 'second_look' && isSecond && shown.first?.id !== operator?.id && (
              <> · {t('disputes.you_second')}</>
            )}
            {shown.second && <> · {t('disputes.second', { name: shown.second.work_name })}</>}
          </span>
        </>
      )}
      bar={(shown) => (shown.status === 'closed' ? null : <Decide shown={shown} />)}
    >
      {(shown) => {
        const { option } = shown;
        return (
          <>
            <DisputeStatement shown={shown} />
            <div className="row sp wrap">
              <h3>{t('disputes.ticks')}</h3>
              <span className="c">
                {t('disputes.accepted', { at: dateTime(option.start_time), seconds: option.duration })}
              </span>
            </div>
            <TickPicture shown={shown} />
            <Facts
              facts={[
                [
                  t('disputes.start_tick', { n: option.start_sequence ?? '–' }),
                  option.start_price === null ? '–' : amount(option.start_price),
                ],
                [
                  t('disputes.end_tick', { n: option.end_sequence ?? '–' }),
                  option.end_price === null ? '–' : amount(option.end_price),
                ],
                [t('disputes.wins_if'), t(option.direction === 'up' ? 'disputes.up' : 'disputes.down')],
                [
                  t('disputes.recomputed'),
                  <b key="now">
                    {shown.replay.computed === null ? (
                      t('disputes.not_recomputed')
                    ) : (
                      <>
                        {code('status', shown.replay.computed.status)}, <Money of={shown.replay.computed.profit} />
                      </>
                    )}
                  </b>,
                ],
                [
                  t('disputes.settled_as'),
                  <b key="then">
                    {code('status', option.status)}, <Money of={option.profit ?? '0'} />
                  </b>,
                ],
              ]}
            />
            <CheckResults checks={shown.checks} />
            {shown.sources.length > 0 && (
              <>
                <h3 className="c">{t('disputes.sources')}</h3>
                <div className="dispute-sources">
                  {shown.sources.map(({ name, price }) => (
                    <span key={name}>
                      <small className="c">{name}</small>
                      <span className="num">{amount(price)}</span>
                    </span>
                  ))}
                </div>
              </>
            )}
            {shown.answer && shown.first && (
              <AnswerNote
                head={
                  <>
                    {t('disputes.answer_by', { name: shown.first.work_name })} ·{' '}
                    {shown.finding && code('reason', shown.finding)}
                  </>
                }
                answer={shown.answer}
              />
            )}
            <p className="note">{t('disputes.no_choice')}</p>
          </>
        );
      }}
    </CasePane>
  );
}

function Decide({ shown }: { shown: DisputeCase }) {
  const { t, code } = useTexts();
  const operator = useOperator();
  const propose = useProposal(proposeAnswer, t('disputes.propose'));
  const fault = useAct(reportFault);
  const [isReporting, setReporting] = useState(false);
  const { id, language, status, replay, finding } = shown;
  const version = String(shown.version);
  const mayPropose = hasAnyRole(operator, ['support']) && status === 'open';
  const mayReport =
    hasAnyRole(operator, ['compliance']) && replay.finding === 'fault_confirmed' && shown.fault === null;
  return (
    <div className="col grow">
      {mayPropose && (
        <ProposeAnswer
          language={language}
          finding={code('reason', replay.finding)}
          act={propose}
          onSend={(text) => void propose.propose({ id, version, finding: replay.finding, text })}
        />
      )}
      <DecideAnswer shown={shown} finding={finding ? code('reason', finding) : '–'}>
        {mayReport && (
          <Button size="small" look="danger" onClick={() => setReporting(true)}>
            {t('disputes.fault')}
          </Button>
        )}
      </DecideAnswer>
      {isReporting && (
        <ReasonDialog
          title={t('disputes.fault')}
          why={t('disputes.fault_why')}
          isDanger
          refused={fault.refused}
          isBusy={fault.isBusy}
          onSend={async (text) => (await fault.run({ id, version, text })).ok}
          onClose={() => setReporting(false)}
        />
      )}
    </div>
  );
}
