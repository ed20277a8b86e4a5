import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../keys.ts';
import { may, useOperator } from '../operator.ts';
import { ClaimBar, ClaimTag } from '../parts/claim.tsx';
import { Select, TextArea } from '../parts/field.tsx';
import { Checks, Clock, CustomerSees, Facts, Grouped, KeyHint, Pips, Tag } from '../parts/parts.tsx';
import { Empty, Loaded, Refusal } from '../parts/states.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useList } from '../parts/use-list.ts';
import { goTo, hashOf, useRoute } from '../route.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Top } from '../shell/top.tsx';
import { useAct } from '../use-act.ts';
import {
  approveWithdrawal,
  askAboutWithdrawal,
  listWithdrawals,
  readWithdrawal,
  rejectWithdrawal,
  WITHDRAWAL_TABS,
  type WithdrawalLine,
} from './case-calls.ts';

const REASONS = [
  'payee_name_differs',
  'payee_refused_by_bank',
  'address_risk',
  'takeover_suspected',
  'source_unclear',
  'customer_asked',
  'legal_order',
] as const;

const shortPayee = ({ payee }: WithdrawalLine): string => {
  if (payee.address) return `${payee.address.slice(0, 6)}…${payee.address.slice(-4)}`;
  return `${payee.bank ?? ''} ${payee.number ?? payee.name ?? ''}`.trim();
};
const nameOf = (by: string | { work_name: string }): string => (typeof by === 'string' ? by : by.work_name);

export default function Withdrawals() {
  const { t, code, amount, dateTime } = useTexts();
  const { id, filter } = useRoute();
  const [find, setFind] = useState(filter.q ?? '');
  const tab = WITHDRAWAL_TABS.find((name) => name === filter.status) ?? 'review';
  const query = useRead(
    listWithdrawals,
    { status: tab, ...(filter.q && { q: filter.q }) },
    { everyMs: 5_000, tries: 0 },
  );
  const at = { status: tab, ...(filter.q && { q: filter.q }) };
  useList(query.data?.items.map((item) => item.id) ?? [], id, (next) => goTo('withdrawals', next, at));
  return (
    <>
      <Top
        title={t('nav.withdrawals')}
        isStale={query.isError}
        tabs={WITHDRAWAL_TABS.map((name) => ({
          name,
          label: t(`withdrawals.tab.${name}`),
          count: query.data?.counts[name],
        }))}
        current={tab}
        onTab={(name) => goTo('withdrawals', null, { status: name })}
      />
      <div className="page two" data-open={id ? '' : undefined}>
        <section className="card split">
          <form
            className="hd"
            onSubmit={(event) => {
              event.preventDefault();
              goTo('withdrawals', null, { status: tab, q: find.trim() });
            }}
          >
            <input
              data-find=""
              className="field grow"
              aria-label={t('act.find')}
              placeholder={t('palette.placeholder')}
              value={find}
              onChange={({ target }) => setFind(target.value)}
            />
            <Button type="submit" size="small" icon="search">
              {t('act.find')}
            </Button>
          </form>
          <Loaded query={query}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title={t('case.none')} />
              ) : (
                <div className="scroll">
                  <table className="tall">
                    <thead>
                      <tr>
                        <th>{t('withdrawals.left')}</th>
                        <th>{t('withdrawals.who')}</th>
                        <th className="num">{t('withdrawals.amount')}</th>
                        <th>{t('withdrawals.to')}</th>
                        <th>{t('withdrawals.people')}</th>
                        <th>{t('withdrawals.taken')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((item) => (
                        <tr
                          key={item.id}
                          className={item.id === id ? 'sel' : ''}
                          data-chosen={item.id === id ? '' : undefined}
                        >
                          <td>
                            {item.status === 'review' ? (
                              <Clock due={item.promised_at} from={item.asked_at} />
                            ) : (
                              <span className="m">{code('status', item.status)}</span>
                            )}
                          </td>
                          <td className="two-lines">
                            <a href={hashOf('withdrawals', item.id, at)}>
                              <b>
                                <bdi>{item.customer.username}</bdi>
                              </b>
                            </a>
                            <small className="mono">{item.id}</small>
                          </td>
                          <td className="num two-lines">
                            <b>{amount(item.amount)}</b>
                            {item.amount_thb && <small>≈ ฿{amount(item.amount_thb)}</small>}
                          </td>
                          <td className="two-lines">
                            <span className="mono">{shortPayee(item)}</span>
                            <small>{item.channel}</small>
                          </td>
                          <td className="two-lines">
                            <Pips given={item.approvals.length} need={item.need} />
                            <small>
                              {item.delayed_until
                                ? dateTime(item.delayed_until)
                                : item.why.map((why) => code('why', why)).join(', ')}
                            </small>
                          </td>
                          <td>
                            <ClaimTag kind="withdrawal" id={item.id} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )
            }
          </Loaded>
        </section>
        {id ? <WithdrawalPane key={id} id={id} /> : <p className="empty wide-only">{t('pane.choose')}</p>}
      </div>
    </>
  );
}

function WithdrawalPane({ id }: { id: string }) {
  const { t, code, amount, dateTime, time } = useTexts();
  const operator = useOperator();
  const query = useRead(readWithdrawal, { id }, { everyMs: 5_000, tries: 0 });
  const approve = useAct(approveWithdrawal);
  const reject = useAct(rejectWithdrawal);
  const ask = useAct(askAboutWithdrawal);
  const [doing, setDoing] = useState<'approve' | 'reject' | 'ask' | null>(null);
  const [reason, setReason] = useState<(typeof REASONS)[number]>('takeover_suspected');
  const shown = query.data;
  // What was on the screen when the decision began: a newer one is refused by its version, and shown then.
  const [seen, setSeen] = useState<typeof shown>(undefined);
  const mayDecide = may(operator, ['compliance', 'finance']) && shown?.status === 'review';
  const begin = (what: 'approve' | 'reject') => {
    if (!mayDecide) return;
    setSeen(shown);
    setDoing(what);
  };
  useKeys({
    a: () => begin('approve'),
    r: () => begin('reject'),
    q: () => mayDecide && setDoing('ask'),
    u: () => shown && goTo('customers', shown.customer.id),
  });
  return (
    <section className="card split pane">
      <Loaded query={query}>
        {(item) => (
          <>
            <div className="hd line wrap">
              <h2 className="mono">{item.id}</h2>
              <Tag look={item.status === 'review' ? 'brand' : undefined}>{code('status', item.status)}</Tag>
              <span className="r">
                {item.status === 'review' && <Clock due={item.promised_at} from={item.asked_at} />}
              </span>
            </div>
            <div className="bd col scroll">
              <ClaimBar kind="withdrawal" id={id} />
              <p>
                <span className="amount num">{amount(item.amount)}</span> USDT
              </p>
              <p className="c">
                {item.amount_thb && `≈ ฿${amount(item.amount_thb)} · `}
                {t('withdrawals.gets')} {amount(item.actual_amount)} · {t('withdrawals.fee')} {amount(item.fee)}
              </p>
              <div className="note">
                <b>
                  {t('withdrawals.payee')}: <bdi>{item.payee.name ?? ''}</bdi>
                </b>
                <p>
                  {item.payee.address ? (
                    <Grouped text={item.payee.address} />
                  ) : (
                    <span className="mono">
                      {item.payee.bank} {item.payee.number}
                    </span>
                  )}
                </p>
                <p className="c">{item.channel}</p>
              </div>
              <Facts
                facts={[
                  [
                    t('customer'),
                    <a key="customer" href={hashOf('customers', item.customer.id)}>
                      <bdi>{item.customer.username}</bdi>
                    </a>,
                  ],
                  [t('withdrawals.promised'), dateTime(item.promised_at)],
                  [t('withdrawals.people'), <Pips key="people" given={item.approvals.length} need={item.need} />],
                ]}
              />
              <Checks checks={item.checks} />
              {item.status === 'review' && (
                <CustomerSees>
                  {t('withdrawals.sees', {
                    promised: dateTime(item.promised_at),
                    given: item.approvals.length,
                    need: item.need,
                  })}
                </CustomerSees>
              )}
              {item.waits_for && <p className="note">{t('withdrawals.asked')}</p>}
              <h3 className="c">{t('history')}</h3>
              <ul className="plain">
                {item.history.map((step) => (
                  <li key={`${step.at} ${step.what}`} className="row sp sm">
                    <span className="m num">{time(step.at)}</span>
                    <span className="grow">{code('what', step.what)}</span>
                    <span className="m">{step.by ?? t('audit.platform')}</span>
                  </li>
                ))}
                {item.approvals.map((one) => (
                  <li key={one.at} className="row sp sm">
                    <span className="m num">{time(one.at)}</span>
                    <span className="grow">{t('approvals.did_approve')}</span>
                    <span className="m">{nameOf(one.by)}</span>
                  </li>
                ))}
              </ul>
            </div>
            {mayDecide && (
              <div className="foot wrap">
                <Button size="small" onClick={() => begin('approve')}>
                  {t('withdrawals.approve')} {amount(item.actual_amount)} <KeyHint name="a" />
                </Button>
                <Button size="small" look="danger" onClick={() => begin('reject')}>
                  {t('withdrawals.reject')} <KeyHint name="r" />
                </Button>
                <Button size="small" look="soft" onClick={() => setDoing('ask')}>
                  {t('withdrawals.ask')} <KeyHint name="q" />
                </Button>
              </div>
            )}
            {seen && (doing === 'approve' || doing === 'reject') && (
              <StepUp
                decision={{
                  op: doing === 'approve' ? 'approval.approve' : 'approval.reject',
                  id: seen.approval ?? seen.id,
                  fingerprint: seen.fingerprint ?? '',
                  title:
                    doing === 'approve'
                      ? t('withdrawals.approve_amount', { amount: amount(seen.actual_amount) })
                      : `${t('withdrawals.reject')} ${seen.id}`,
                  act: t(doing === 'approve' ? 'approvals.approve' : 'approvals.reject'),
                }}
                onClose={() => setDoing(null)}
                onConfirmed={async (step_up) => {
                  const decision = {
                    id: seen.id,
                    version: String(seen.version),
                    fingerprint: seen.fingerprint ?? '',
                    step_up,
                  };
                  const done =
                    doing === 'approve' ? await approve.run(decision) : await reject.run({ ...decision, reason });
                  if (!done.ok && done.refused.code === 'version_stale') void query.refetch();
                  return done.ok ? null : done.refused;
                }}
              >
                <Facts
                  facts={[
                    [t('customer'), <bdi key="customer">{seen.customer.username}</bdi>],
                    [t('withdrawals.gets'), `${amount(seen.actual_amount)} USDT`],
                    [
                      t('withdrawals.to'),
                      seen.payee.address ? (
                        <Grouped key="to" text={seen.payee.address} />
                      ) : (
                        `${seen.payee.bank ?? ''} ${seen.payee.number ?? ''}`
                      ),
                    ],
                  ]}
                />
                {doing === 'reject' && (
                  <>
                    <Select
                      label={t('customers.reason')}
                      value={reason}
                      onChange={({ target }) => setReason(target.value as typeof reason)}
                      options={REASONS.map((one) => [one, t(`reason.${one}`)])}
                    />
                    <CustomerSees>{t(`reason.${reason}`)}</CustomerSees>
                  </>
                )}
              </StepUp>
            )}
            {doing === 'ask' && (
              <Dialog label={t('withdrawals.ask')} onClose={() => setDoing(null)}>
                <form
                  className="bd col"
                  onSubmit={async (event) => {
                    event.preventDefault();
                    const question = String(new FormData(event.currentTarget).get('question') ?? '');
                    if ((await ask.run({ id, version: String(item.version), question })).ok) setDoing(null);
                  }}
                >
                  <h2>{t('withdrawals.ask')}</h2>
                  <TextArea
                    name="question"
                    label={t('withdrawals.question')}
                    fault={ask.refused?.fields.question}
                    required
                  />
                  <Refusal refused={ask.refused} />
                  <Button type="submit" size="small" busy={ask.isBusy}>
                    {t('act.send')}
                  </Button>
                </form>
              </Dialog>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
