import { approveCorrection, type CorrectionCase, readCorrection, rejectCorrection, stopCorrection } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../../keys.ts';
import { useOperator } from '../../operator.ts';
import { CasePane } from '../../parts/case-page.tsx';
import { TextArea } from '../../parts/field.tsx';
import { CustomerSeesNote, Facts, GroupedText, KeyHint, Money, Tag } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { routeHash } from '../../route.ts';
import { useAct } from '../../use-act.ts';
import { CorrectionLegs } from './parts.tsx';
import { useCorrectionTexts } from './texts.ts';

const LOOKS = { proposed: 'brand', announced: 'warn', done: 'ok' } as const;

export default function CorrectionPane({ id }: { id: string }) {
  const { dateTime, code } = useTexts();
  const { b, word } = useCorrectionTexts();
  const query = useLiveRead(readCorrection, { id });
  const caseLink = (shown: CorrectionCase) =>
    shown.case_kind === 'dispute'
      ? routeHash('disputes', shown.case_id, { about: shown.is_about_trade ? 'trades' : 'money' })
      : shown.case_kind === 'incident'
        ? routeHash('incidents', shown.case_id)
        : shown.case_kind === 'deposit'
          ? routeHash('deposits', shown.case_id)
          : shown.case_kind === 'kept'
            ? routeHash('customers', shown.customer.id)
            : routeHash('corrections', shown.case_id, { tab: 'journals' });
  return (
    <CasePane
      query={query}
      head={(shown) => (
        <>
          <h2 className="mono">{shown.number}</h2>
          <Tag look={LOOKS[shown.step as 'done']}>{word('step', shown.step)}</Tag>
          <span className="r">
            {b('made_by', { name: shown.made_by.work_name })}
            {shown.checked_by && <> · {b('checked_by', { name: shown.checked_by })}</>}
          </span>
        </>
      )}
      bar={(shown) =>
        shown.step === 'proposed' ? (
          <Decide shown={shown} />
        ) : shown.step === 'announced' ? (
          <Stop shown={shown} />
        ) : null
      }
    >
      {(shown) => (
        <>
          <Facts
            facts={[
              [
                word('kind', shown.kind),
                <span key="amount">
                  <Money of={shown.amount} asset={shown.asset} /> {shown.asset}
                </span>,
              ],
              ...(shown.moved === null
                ? []
                : [
                    [
                      b('moved'),
                      <span key="moved">
                        <Money of={shown.moved} asset={shown.asset} /> {shown.asset}
                      </span>,
                    ] as const,
                  ]),
              [
                b('customer'),
                <a key="customer" href={routeHash('customers', shown.customer.id)}>
                  <bdi>{shown.customer.username}</bdi> · {shown.customer.id}
                </a>,
              ],
              [b('house'), word('account', shown.house)],
              [b('field.reason'), word('why', shown.reason)],
              ...(shown.transfer
                ? [
                    [
                      b('wrong'),
                      <a key="wrong" href={routeHash('corrections', shown.transfer.journal, { tab: 'journals' })}>
                        #{shown.transfer.sequence} · {code('purpose', shown.transfer.purpose)} ·{' '}
                        <Money of={shown.transfer.amount} asset={shown.transfer.asset} /> {shown.transfer.asset}
                      </a>,
                    ] as const,
                  ]
                : []),
              ...(shown.deposit
                ? [
                    [
                      b('lost_deposit'),
                      <a key="deposit" href={routeHash('deposits', shown.deposit)}>
                        {b('open_deposit')}
                      </a>,
                    ] as const,
                  ]
                : []),
              ...(shown.kept ? [[b('kept_receipt'), <GroupedText key="kept" text={shown.kept} />] as const] : []),
              [
                b('case'),
                <a key="case" href={caseLink(shown)}>
                  {word('case', shown.case_kind)} {shown.case_id.slice(0, 8)}
                </a>,
              ],
              [b('made'), dateTime(shown.made_at)],
              ...(shown.step === 'proposed' ? [[b('expires'), dateTime(shown.expires_at)] as const] : []),
              ...(shown.due_at ? [[b('due'), dateTime(shown.due_at)] as const] : []),
              ...(shown.ended_at ? [[b('ended'), dateTime(shown.ended_at)] as const] : []),
              ...(shown.stopped_by ? [[b('stopped_by'), shown.stopped_by.work_name] as const] : []),
              ...(shown.journal
                ? [
                    [
                      b('journal'),
                      <a key="journal" href={routeHash('corrections', shown.journal, { tab: 'journals' })}>
                        {b('open_journal')}
                      </a>,
                    ] as const,
                  ]
                : []),
            ]}
          />
          {shown.legs.length > 0 && <CorrectionLegs legs={shown.legs} isPosted={shown.step === 'done'} />}
          <div className="note">
            <b>{b('words')}</b>
            <p dir="auto">{shown.words}</p>
          </div>
          <CustomerSeesNote>{shown.customer_view}</CustomerSeesNote>
        </>
      )}
    </CasePane>
  );
}

function Decide({ shown }: { shown: CorrectionCase }) {
  const { t, code, amount } = useTexts();
  const { b, word } = useCorrectionTexts();
  const operator = useOperator();
  const approve = useAct(approveCorrection);
  const reject = useAct(rejectCorrection);
  const [mode, setMode] = useState<'approve' | 'reject' | null>(null);
  const [note, setNote] = useState('');
  const { decision } = shown;
  const isOwn = shown.made_by.id === operator?.id;
  const mayDecide = decision !== null && decision.refusal === null;
  useKeys({ a: () => mayDecide && setMode('approve'), r: () => mayDecide && setMode('reject') });
  if (isOwn) return <span className="m sm">{b('yours')}</span>;
  if (decision === null) return null;
  if (decision.refusal !== null)
    return (
      <p className="note" data-look="warn">
        {code('refused', decision.refusal)}
      </p>
    );
  const act = shown.kind === 'reverse' ? b('approve_debit') : b('approve');
  return (
    <>
      <Button size="small" look="soft" onClick={() => setMode('reject')}>
        {b('reject')} <KeyHint name="r" />
      </Button>
      <Button size="small" onClick={() => setMode('approve')}>
        {act} <KeyHint name="a" />
      </Button>
      {mode && (
        <StepUp
          decision={{
            op: `approval.${mode}`,
            id: decision.approval,
            fingerprint: decision.fingerprint,
            title: `${mode === 'approve' ? act : b('reject')}: ${shown.number}`,
            act: mode === 'approve' ? act : b('reject'),
          }}
          onClose={() => setMode(null)}
          onConfirmed={async (step_up) => {
            const sent = {
              id: shown.id,
              version: String(shown.version),
              fingerprint: decision.fingerprint,
              step_up,
              ...(note.trim() && { note }),
            };
            const done = mode === 'approve' ? await approve.run(sent) : await reject.run(sent);
            return done.ok ? null : done.refused;
          }}
        >
          <Facts
            facts={[
              [b('customer'), `${shown.customer.username} · ${shown.customer.id}`],
              [word('kind', shown.kind), `${amount(shown.amount)} ${shown.asset}`],
              [b('house'), word('account', shown.house)],
              [b('field.reason'), word('why', shown.reason)],
              ...(shown.kept ? [[b('kept_receipt'), <GroupedText key="kept" text={shown.kept} />] as const] : []),
            ]}
          />
          {mode === 'reject' && (
            <TextArea label={t('approvals.why_reject')} value={note} onChange={({ target }) => setNote(target.value)} />
          )}
        </StepUp>
      )}
    </>
  );
}

function Stop({ shown }: { shown: CorrectionCase }) {
  const { b } = useCorrectionTexts();
  const stop = useAct(stopCorrection);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button size="small" look="danger" onClick={() => setAsked(true)}>
        {b('stop')}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={b('stop')}
          isDanger
          refused={stop.refused}
          isBusy={stop.isBusy}
          onClose={() => setAsked(false)}
          onSend={async (note) => (await stop.run({ id: shown.id, note })).ok}
        >
          <p>{b('stop_why')}</p>
        </ReasonDialog>
      )}
    </>
  );
}
