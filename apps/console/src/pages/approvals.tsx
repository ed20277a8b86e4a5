import {
  type ApprovalView,
  approveApproval,
  listApprovals,
  readApproval,
  rejectApproval,
  withdrawApproval,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, type LoadPart } from '@sathorn/app/late';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../keys.ts';
import { useOperator } from '../operator.ts';
import { CasePage, Pane } from '../parts/case-page.tsx';
import { TextArea } from '../parts/field.tsx';
import { Clock, Facts, KeyHint, Pips, Tag } from '../parts/parts.tsx';
import { Refusal } from '../parts/states.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { type Texts, useTexts } from '../parts/texts/index.ts';
import { hashOf, useRoute } from '../route.ts';
import { useAct } from '../use-act.ts';

const loadCheckText: LoadPart<{ id: string }> = () => import('./content/check-text.tsx');
const TABS = ['waiting', 'made', 'decided'] as const;
type Tab = (typeof TABS)[number];

export default function Approvals() {
  const { t, code, dateTime } = useTexts();
  const { filter } = useRoute();
  const tab: Tab = TABS.find((name) => name === filter.tab) ?? 'waiting';
  const query = useRead(listApprovals, { status: tab }, { everyMs: 5_000 });
  const counts = query.data?.counts;
  return (
    <CasePage
      page="approvals"
      title={t('nav.approvals')}
      tabs={[
        { name: 'waiting', label: t('approvals.for_you'), count: counts?.waiting },
        { name: 'made', label: t('approvals.made'), count: counts?.made },
        { name: 'decided', label: t('approvals.decided') },
      ]}
      tab={tab}
      query={query}
      items={({ items }) => items}
      empty={t('approvals.none')}
      line={(item) => (
        <>
          <span className="row sp">
            <b>{code('approval', item.kind)}</b>
            <Pips given={given(item)} need={item.need} />
          </span>
          <span className="row sp c">
            <span>{titleOf(item)}</span>
            {item.status === 'waiting' && item.expires_at ? (
              <Clock due={item.expires_at} from={item.made_at} />
            ) : (
              <span>{t(`status.${item.status}`)}</span>
            )}
          </span>
          <span className="c">
            {item.made_by?.work_name ?? t('customer')} · {dateTime(item.made_at)}
          </span>
        </>
      )}
      pane={(id) => <ApprovalPane key={id} id={id} />}
    />
  );
}

const given = ({ votes }: ApprovalView): number => votes.filter(({ decision }) => decision === 'approve').length;

const titleOf = ({ content, subject }: ApprovalView): string =>
  typeof content.username === 'string' ? content.username : subject;

/** Lists each field of the approval's content: its label in the operator's language and its value as signed. */
export function contentFacts(content: Readonly<Record<string, unknown>>, { code, dateTime }: Texts) {
  return Object.entries(content).map(([name, value]) => {
    const text = Array.isArray(value) ? value.map((one) => code('scope', String(one))).join(', ') : String(value);
    const isTime = /^\d{4}-\d\d-\d\dT/.test(text);
    return [code('field', name), isTime ? dateTime(text) : code('reason', text)] as const;
  });
}

function ApprovalPane({ id }: { id: string }) {
  const texts = useTexts();
  const { t, code, dateTime } = texts;
  const operator = useOperator();
  const query = useRead(readApproval, { id }, { everyMs: 5_000 });
  const approve = useAct(approveApproval);
  const reject = useAct(rejectApproval);
  const withdraw = useAct(withdrawApproval);
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
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
      bar={(shown) =>
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
      }
    >
      {(shown) => (
        <>
          {shown.kind === 'content' && shown.status === 'waiting' && (
            <Late load={loadCheckText}>{(CheckText) => <CheckText id={shown.subject} />}</Late>
          )}
          <Facts facts={contentFacts(shown.content, texts)} />
          {shown.reason && (
            <div className="note">
              <b>{t('approvals.reason')}</b>
              <p>
                <bdi>{shown.reason}</bdi>
              </p>
            </div>
          )}
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
          </ul>
          <p className="c">
            {t('approvals.exactly')} <span className="mono break">{shown.fingerprint}</span>
          </p>
          {shown.decided_on === 'subject' && shown.status === 'waiting' && (
            <p className="note">
              {t('approvals.elsewhere')} <a href={hashOf(`${shown.kind}s`, shown.subject)}>{shown.subject}</a>
            </p>
          )}
          {deciding && (
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
              <Facts facts={contentFacts(shown.content, texts)} />
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
        </>
      )}
    </Pane>
  );
}
