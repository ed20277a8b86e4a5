import {
  approveApproval,
  type listCoinHistory,
  type listProductHistory,
  type OfferItem,
  type OperatorRole,
  type proposeBrand,
  type proposeCoin,
  type proposeProduct,
  readApproval,
  type readBrandHistory,
  rejectApproval,
  stopOffer,
} from '@sathorn/api';
import { type CallFault, useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../../keys.ts';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { TextArea } from '../../parts/field.tsx';
import { DueClock, KeyHint, Money, Tag } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useList } from '../../parts/use-list.ts';
import { goToRoute, routeHash, useRoute } from '../../route.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useAct } from '../../use-act.ts';
import { ApprovedOffer, OfferDiff } from './diff.tsx';
import { figuresOf, figureText } from './offer-figures.ts';
import { OfferForm } from './offer-form.tsx';
import { OfferTimeline } from './offer-timeline.tsx';

interface OfferCalls {
  readonly page: string;
  readonly history: typeof listProductHistory | typeof listCoinHistory | typeof readBrandHistory;
  readonly propose: typeof proposeProduct | typeof proposeCoin | typeof proposeBrand;
  /** Roles that may propose. */
  readonly makers?: readonly OperatorRole[];
}

/** Versioned terms: the subjects on the left; the selected subject's time line, history and proposal on the right. */
export function OfferPage<Data extends { readonly items: readonly OfferItem[] }>({
  calls,
  title,
  tabs,
  query,
  side,
}: {
  calls: OfferCalls;
  title: string;
  tabs: readonly { readonly name: string; readonly label: string }[];
  query: UseQueryResult<Data, CallFault>;
  side?: (data: Data, tab: string) => ReactNode;
}) {
  const texts = useTexts();
  const { code, t } = texts;
  const { id, filter } = useRoute();
  const tab = tabs.find(({ name }) => name === filter.tab)?.name ?? tabs[0]?.name ?? '';
  const items = (query.data?.items ?? []).filter(({ kind }) => kind === tab);
  const chosen = items.find(({ subject }) => subject === id) ?? items[0];
  useList(
    items.map(({ subject }) => subject),
    chosen?.subject ?? null,
    (next) => next !== null && goToRoute(calls.page, next, { tab }),
  );
  return (
    <>
      <PageHeader
        title={title}
        isStale={query.isError}
        tabs={tabs.map((one) => {
          const waiting = (query.data?.items ?? []).filter(({ kind, waiting: is }) => kind === one.name && is).length;
          return { ...one, ...(waiting > 0 && { count: waiting }) };
        })}
        current={tab}
        onTab={(name) => goToRoute(calls.page, null, { tab: name })}
      />
      <div className="page offer-columns">
        <section className="card split">
          <div className="hd line">
            <h2>{code('offer', tab)}</h2>
          </div>
          <ReadGate query={query}>
            {(data) => (
              <>
                <div className="list scroll">
                  {items.map((item) => (
                    <a
                      key={item.subject}
                      href={routeHash(calls.page, item.subject, { tab })}
                      className={item === chosen ? 'on' : ''}
                      data-chosen={item === chosen ? '' : undefined}
                    >
                      <span className="row sp">
                        <b>{code('offer_subject', item.subject)}</b>
                        <span className="num">{headOf(item, texts)}</span>
                      </span>
                      <span className="c">{t(stateOf(item))}</span>
                    </a>
                  ))}
                </div>
                {side?.(data, tab)}
              </>
            )}
          </ReadGate>
        </section>
        {chosen ? (
          <Subject key={`${chosen.kind}/${chosen.subject}`} item={chosen} calls={calls} />
        ) : (
          query.data && <EmptyState title={t('case.none')} />
        )}
      </div>
    </>
  );
}

/** Returns the figure by which people recognise the product. */
function headOf({ kind, in_force: inForce }: OfferItem, texts: ReturnType<typeof useTexts>): string {
  if (inForce === null) return '–';
  const figures = figuresOf(kind, inForce.fields, texts);
  const figure = figures.find(({ look }) => look === 'rate') ?? figures.find(({ look }) => look === 'flag');
  return figure ? figureText(figure, texts) : '';
}

function stateOf({ waiting, scheduled, in_force: inForce }: OfferItem) {
  if (waiting) return 'terms.state.waiting';
  if (scheduled) return 'terms.state.scheduled';
  if (inForce === null) return 'terms.state.none';
  return inForce.fields.offered === false ? 'terms.state.closed' : 'terms.state.open';
}

function Subject({ item, calls }: { item: OfferItem; calls: OfferCalls }) {
  const texts = useTexts();
  const { t, code, dateTime } = texts;
  const operator = useOperator();
  const [isProposing, setProposing] = useState(false);
  const mayPropose = hasAnyRole(operator, calls.makers ?? ['finance', 'admin']) && !item.waiting && !item.scheduled;
  const query = useRead(calls.history as typeof listProductHistory, {
    kind: item.kind as 'lockup',
    subject: item.subject,
  });
  useKeys({ e: () => mayPropose && setProposing(true) });
  const since = (iso: string): string => (Date.parse(iso) > 0 ? dateTime(iso) : t('terms.first'));
  return (
    <>
      <div className="offer-middle scroll">
        <ReadGate query={query}>
          {({ items, usage }) => (
            <>
              <section className="card">
                <div className="hd line">
                  <h2>
                    {code('offer_subject', item.subject)} · {t('terms.over_time')}
                  </h2>
                  <span className="r c">{t('terms.future_only')}</span>
                </div>
                <OfferTimeline items={items} />
              </section>
              <section className="card">
                <div className="hd line">
                  <h2>{t('history')}</h2>
                </div>
                <ScrollRegion label={t('history')}>
                  <table>
                    <thead>
                      <tr>
                        <th>{t('field.version')}</th>
                        <th>{t('terms.effective')}</th>
                        <th>{t('terms.change')}</th>
                        <th>{t('terms.made')}</th>
                        <th>{t('terms.checked')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((version, n) => (
                        <tr key={version.version} className={version.status === 'scheduled' ? 'sel' : ''}>
                          <td>
                            <b>v{version.version}</b>
                          </td>
                          <td>{since(version.effective_from)}</td>
                          <td>
                            {version.status === 'stopped'
                              ? `${t('terms.stopped')}: ${version.stopped_by} · ${version.stop_reason}`
                              : changeOf(item.kind, items.slice(n + 1), version, texts)}
                          </td>
                          <td>{version.made_by ?? '–'}</td>
                          <td>
                            {version.checked_by.join(', ') ||
                              t(version.status === 'first' ? 'terms.first' : 'terms.state.waiting')}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </ScrollRegion>
              </section>
              {usage.length > 0 && (
                <section className="card">
                  <div className="hd line">
                    <h2>{t('terms.usage')}</h2>
                    <span className="r c">{t('terms.usage_note')}</span>
                  </div>
                  <table>
                    <thead>
                      <tr>
                        <th>{t('field.version')}</th>
                        <th className="num">{t('terms.orders')}</th>
                        <th className="num">{t('terms.invested')}</th>
                        <th className="num">{t('terms.reserved')}</th>
                        <th>{t('terms.last_ends')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {usage.map((row) => (
                        <tr key={row.version}>
                          <td>v{row.version}</td>
                          <td className="num">{row.orders}</td>
                          <td className="num">
                            <Money of={row.amount} />
                          </td>
                          <td className="num">
                            <Money of={row.reserved} />
                          </td>
                          <td>{row.last_ends && texts.date(row.last_ends)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </section>
              )}
            </>
          )}
        </ReadGate>
      </div>
      <section className="card split pane">
        <div className="hd line">
          <h2>
            {code('offer', item.kind)} {code('offer_subject', item.subject)}
          </h2>
          <span className="r c">{t('terms.notice', { hours: String(item.notice_hours) })}</span>
        </div>
        {isProposing ? (
          <OfferForm item={item} propose={calls.propose} onDone={() => setProposing(false)} />
        ) : item.waiting ? (
          <Waiting id={item.waiting.id} />
        ) : item.scheduled ? (
          <Scheduled item={item} scheduled={item.scheduled} />
        ) : (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach it to scroll it */}
            <section className="bd col scroll" tabIndex={0} aria-label={t('terms.now')}>
              <dl className="kv">
                {(item.in_force === null ? [] : figuresOf(item.kind, item.in_force.fields, texts)).map((figure) => (
                  <div key={figure.path}>
                    <dt>{figure.label}</dt>
                    <dd>{figureText(figure, texts)}</dd>
                  </div>
                ))}
              </dl>
            </section>
            {mayPropose && (
              <div className="foot">
                <Button size="small" onClick={() => setProposing(true)}>
                  {t('terms.propose')} <KeyHint name="e" />
                </Button>
              </div>
            )}
          </>
        )}
      </section>
    </>
  );
}

type Version = { readonly fields: Readonly<Record<string, unknown>>; readonly status: string };

function changeOf(
  kind: string,
  older: readonly Version[],
  version: Version,
  texts: ReturnType<typeof useTexts>,
): string {
  const before = older.find(({ status }) => status !== 'stopped');
  if (!before) return texts.t('terms.first');
  const old = new Map(figuresOf(kind, before.fields, texts).map((figure) => [figure.label, figureText(figure, texts)]));
  const changed = figuresOf(kind, version.fields, texts).filter((one) => old.get(one.label) !== figureText(one, texts));
  const words = changed
    .slice(0, 2)
    .map((one) => `${one.label}: ${old.get(one.label) ?? '–'} → ${figureText(one, texts)}`);
  return changed.length > 2 ? `${words.join(', ')} +${changed.length - 2}` : words.join(', ');
}

function Scheduled({ item, scheduled }: { item: OfferItem; scheduled: NonNullable<OfferItem['scheduled']> }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const stop = useAct(stopOffer);
  const [isStopping, setStopping] = useState(false);
  return (
    <>
      <div className="bd col scroll">
        <p className="row">
          <Tag look="brand">{t('terms.state.scheduled')}</Tag>
          <span className="c">
            {scheduled.announced_at
              ? t('terms.announced', { at: dateTime(scheduled.announced_at) })
              : t('terms.announcing')}
          </span>
        </p>
        <OfferDiff
          kind={item.kind}
          before={item.in_force?.fields ?? null}
          after={scheduled.fields}
          from={scheduled.effective_from}
        />
      </div>
      {hasAnyRole(operator, ['compliance', 'finance', 'admin']) && (
        <div className="foot">
          <Button size="small" look="danger" onClick={() => setStopping(true)}>
            {t('terms.stop')}
          </Button>
        </div>
      )}
      {isStopping && (
        <ReasonDialog
          title={t('terms.stop')}
          refused={stop.refused}
          isBusy={stop.isBusy}
          isDanger
          onClose={() => setStopping(false)}
          onSend={async (reason) => {
            const version = String(scheduled.version);
            return (await stop.run({ kind: item.kind as 'lockup', subject: item.subject, version, reason })).ok;
          }}
        >
          <p>{t('terms.stop_note')}</p>
        </ReasonDialog>
      )}
    </>
  );
}

function Waiting({ id }: { id: string }) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const query = useRead(readApproval, { id }, { everyMs: 5_000 });
  const approve = useAct(approveApproval);
  const reject = useAct(rejectApproval);
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
  const [reason, setReason] = useState('');
  const mayDecide = query.data?.refusal === null;
  useKeys({ a: () => mayDecide && setDeciding('approve'), r: () => mayDecide && setDeciding('reject') });
  return (
    <ReadGate query={query}>
      {(shown) => (
        <>
          <div className="bd col scroll">
            <p className="row">
              <Tag look="brand">{t('terms.needs_one')}</Tag>
              {shown.expires_at && <DueClock due={shown.expires_at} from={shown.made_at} />}
            </p>
            <p className="c">
              {t('approvals.asked')}: <b>{shown.made_by?.work_name}</b>, {dateTime(shown.made_at)}
            </p>
            <ApprovedOffer content={shown.content} />
            <div className="note">
              <b>{t('approvals.reason')}</b>
              <p>
                <bdi>{shown.reason}</bdi>
              </p>
            </div>
            <p className="c">
              {t('approvals.exactly')} <span className="mono break">{shown.fingerprint}</span>
            </p>
          </div>
          <div className="foot wrap">
            {shown.refusal !== null && (
              <p className="note" data-look="warn">
                {shown.made_by?.id === operator?.id ? t('approvals.yours') : code('refused', shown.refusal)}
              </p>
            )}
            {mayDecide && (
              <>
                <Button size="small" look="danger" onClick={() => setDeciding('reject')}>
                  {t('approvals.reject')} <KeyHint name="r" />
                </Button>
                <Button size="small" onClick={() => setDeciding('approve')}>
                  {t('approvals.approve')} <KeyHint name="a" />
                </Button>
              </>
            )}
          </div>
          {deciding && (
            <StepUp
              decision={{
                op: deciding === 'approve' ? 'approval.approve' : 'approval.reject',
                id,
                fingerprint: shown.fingerprint,
                title: t(deciding === 'approve' ? 'approvals.approve' : 'approvals.reject'),
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
              <ApprovedOffer content={shown.content} />
              {deciding === 'reject' && (
                <TextArea
                  label={t('approvals.why_reject')}
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                />
              )}
            </StepUp>
          )}
        </>
      )}
    </ReadGate>
  );
}
