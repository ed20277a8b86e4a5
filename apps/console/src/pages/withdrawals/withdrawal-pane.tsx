import {
  accountForTransaction,
  approveWithdrawal,
  askCustomer,
  giveBackPayout,
  REJECT_REASONS,
  readWithdrawalCase,
  reconcileWithdrawal,
  rejectWithdrawal,
  reportBankFailure,
  reportBankPayment,
  reportLostPayout,
  type WithdrawalCase,
} from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../../keys.ts';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { CasePane } from '../../parts/case-page.tsx';
import { ClaimBar } from '../../parts/claim.tsx';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import {
  CheckResults,
  CustomerSeesNote,
  DueClock,
  Facts,
  GroupedText,
  KeyHint,
  Money,
  Tag,
  VotePips,
} from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { goToRoute, routeHash } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';
import { useProposal } from '../../use-proposal.ts';
import { useWithdrawalTexts } from './texts.ts';

export default function WithdrawalPane({ id }: { id: string }) {
  const { t, code, amount, dateTime } = useTexts();
  const { say } = useWithdrawalTexts();
  const operator = useOperator();
  const query = useLiveRead(readWithdrawalCase, { id });
  const approve = useAct(approveWithdrawal);
  const reject = useAct(rejectWithdrawal);
  const [doing, setDoing] = useState<'approve' | 'reject' | 'ask' | 'paid' | 'failed' | null>(null);
  const [reason, setReason] = useState<(typeof REJECT_REASONS)[number]>('takeover_suspected');
  const [seen, setSeen] = useState<WithdrawalCase | null>(null);
  const shown = query.data;
  const isDecider = hasAnyRole(operator, ['compliance', 'finance']);
  const mayDecide = isDecider && shown?.decision?.refusal === null;
  const begin = (what: 'approve' | 'reject') => {
    if (!shown || !mayDecide) return;
    // Sends the version on the screen. If it is outdated, the server refuses and the page shows the new state.
    setSeen(shown);
    setDoing(what);
  };
  useKeys({
    a: () => begin('approve'),
    r: () => begin('reject'),
    q: () => isDecider && shown?.status === 'review' && setDoing('ask'),
    u: () => shown && goToRoute('customers', shown.customer.id),
  });
  return (
    <CasePane
      query={query}
      head={(item) => (
        <>
          <h2 className="mono">{item.order_number}</h2>
          <Tag look={item.status === 'review' ? 'brand' : undefined}>{code('step', item.step)}</Tag>
          <span className="r">
            {item.status === 'review' && <DueClock due={item.promised_at} from={item.created_at} />}
          </span>
        </>
      )}
      bar={(item) => {
        if (item.decision && isDecider)
          return (
            <>
              {item.decision.what !== 'withdrawal' && <b className="sm">{code('approval', item.decision.what)}</b>}
              {mayDecide ? (
                <>
                  <Button size="small" onClick={() => begin('approve')}>
                    {say('approve')} <Money of={item.actual_amount} /> <KeyHint name="a" />
                  </Button>
                  <Button size="small" look="danger" onClick={() => begin('reject')}>
                    {say('reject')} <KeyHint name="r" />
                  </Button>
                </>
              ) : (
                <p className="note" data-look="warn">
                  {code('refused', item.decision.refusal ?? '')}
                </p>
              )}
              {item.status === 'review' && (
                <Button size="small" look="soft" onClick={() => setDoing('ask')}>
                  {say('ask')} <KeyHint name="q" />
                </Button>
              )}
            </>
          );
        if (isDecider && item.step === 'approved' && item.kind === 'crypto') return <GiveBack item={item} />;
        return (
          hasAnyRole(operator, ['finance']) && item.status === 'processing' && <Payout item={item} onDo={setDoing} />
        );
      }}
    >
      {(item) => (
        <>
          <ClaimBar kind="withdrawal" id={id} />
          <p>
            <span className="amount num">
              <Money of={item.amount} />
            </span>{' '}
            USDT
          </p>
          <p className="c">
            {item.fiat && (
              <>
                ≈ ฿<Money of={item.fiat.amount} /> ·{' '}
              </>
            )}
            {say('gets')} <Money of={item.actual_amount} /> · {say('fee')} <Money of={item.fee} />
          </p>
          <Payee item={item} />
          <Facts
            facts={[
              [
                t('customer'),
                <a key="customer" href={routeHash('customers', item.customer.id)}>
                  <bdi>{item.customer.username}</bdi>
                </a>,
              ],
              [say('promised'), dateTime(item.promised_at)],
              [t('withdrawals.people'), <VotePips key="people" given={item.approvals.length} need={item.people} />],
              [
                say('before'),
                <span key="before">
                  {item.history.count} · <Money of={item.history.total} /> USDT
                </span>,
              ],
              [
                say('deposited'),
                <span key="deposited">
                  <Money of={item.history.deposited} /> USDT
                </span>,
              ],
            ]}
          />
          <CheckResults
            checks={item.checks.map(({ value, ...check }) => ({
              ...check,
              value: value === null ? undefined : check.code === 'no_delay' ? code('delay', value) : value,
            }))}
          />
          {item.delayed_until && (
            <p className="note" data-look="warn">
              {say('delayed', {
                until: dateTime(item.delayed_until),
                reason: code('delay', item.delay_reason ?? ''),
              })}
            </p>
          )}
          {item.waits && (
            <p className="note" data-look={item.waits.for === 'checker' ? undefined : 'warn'}>
              {say('waits', {
                what: say(`waits.${item.waits.for}`),
                since: dateTime(item.waits.since),
              })}
            </p>
          )}
          {item.kind === 'crypto' && isDecider && <AccountFor item={item} />}
          {item.status === 'review' && (
            <CustomerSeesNote>
              {say('sees', {
                promised: dateTime(item.promised_at),
                given: item.approvals.length,
                need: item.people,
              })}
            </CustomerSeesNote>
          )}
          {item.question && (
            <div className="note">
              <b>{say('asked')}</b>
              <p>
                <bdi>{item.question}</bdi>
              </p>
              {item.answer && (
                <p>
                  → <bdi>{item.answer}</bdi>
                </p>
              )}
            </div>
          )}
          <History item={item} />
          {seen?.decision && (doing === 'approve' || doing === 'reject') && (
            <StepUp
              decision={{
                op: doing === 'approve' ? 'approval.approve' : 'approval.reject',
                id: seen.decision.approval,
                fingerprint: seen.decision.fingerprint,
                title:
                  doing === 'approve'
                    ? say('approve_amount', { amount: amount(seen.actual_amount) })
                    : `${say('reject')} ${seen.order_number}`,
                act: t(doing === 'approve' ? 'approvals.approve' : 'approvals.reject'),
              }}
              onClose={() => setDoing(null)}
              onConfirmed={async (step_up) => {
                const decision = {
                  id: seen.id,
                  version: String(seen.version),
                  fingerprint: seen.decision?.fingerprint ?? '',
                  step_up,
                };
                const done =
                  doing === 'approve' ? await approve.run(decision) : await reject.run({ ...decision, reason });
                return done.ok ? null : done.refused;
              }}
            >
              <Facts facts={[[t('customer'), <bdi key="customer">{seen.customer.username}</bdi>]]} />
              <Payee item={seen} />
              {doing === 'reject' && (
                <>
                  <Select
                    label={t('customers.reason')}
                    value={reason}
                    onChange={({ target }) => setReason(target.value as typeof reason)}
                    options={REJECT_REASONS.map((one) => [one, t(`reason.${one}`)])}
                  />
                  <CustomerSeesNote>{t(`reason.${reason}`)}</CustomerSeesNote>
                </>
              )}
            </StepUp>
          )}
          {doing === 'ask' && <Ask item={item} onClose={() => setDoing(null)} />}
          {(doing === 'paid' || doing === 'failed') && (
            <BankReport item={item} isPaid={doing === 'paid'} onClose={() => setDoing(null)} />
          )}
        </>
      )}
    </CasePane>
  );
}

function Payee({ item }: { item: Pick<WithdrawalCase, 'payee' | 'channel' | 'is_internal'> }) {
  const { say } = useWithdrawalTexts();
  const { payee } = item;
  return (
    <div className="note">
      <b>
        {say('payee')}: <bdi>{payee.name}</bdi>
      </b>
      <p>
        {payee.address ? (
          <GroupedText text={payee.address} />
        ) : (
          <span className="mono">
            {payee.bank} {payee.number} <bdi>{payee.real_name}</bdi>
          </span>
        )}
      </p>
      <p className="c">
        {item.channel}
        {item.is_internal && ` · ${say('internal')}`}
      </p>
    </div>
  );
}

function History({ item }: { item: WithdrawalCase }) {
  const { say } = useWithdrawalTexts();
  const { t, dateTime } = useTexts();
  const steps = [
    { at: item.created_at, what: say('step_asked'), by: t('customer') },
    ...item.approvals.map(({ at, by }) => ({ at, what: t('approvals.did_approve'), by })),
    ...item.attempts.map(({ at, hash }) => ({ at, what: say('step_signed'), by: `${hash.slice(0, 10)}…` })),
    ...(item.finished_at
      ? [{ at: item.finished_at, what: say('step_finished'), by: item.hash ?? item.reference ?? '' }]
      : []),
  ];
  return (
    <>
      <h3 className="c">{t('history')}</h3>
      <ul className="plain">
        {steps.map((step) => (
          <li key={`${step.at} ${step.what} ${step.by}`} className="row sp sm">
            <span className="m num">{dateTime(step.at)}</span>
            <span className="grow">{step.what}</span>
            <span className="m mono trim-inline">{step.by}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * A payout that was sent. An operator reports the result of a bank payment. A payout with an unknown result is
 * investigated and never sent again.
 */
function Payout({ item, onDo }: { item: WithdrawalCase; onDo: (what: 'paid' | 'failed') => void }) {
  const { t } = useTexts();
  const { say } = useWithdrawalTexts();
  const reconcile = useAct(reconcileWithdrawal);
  const lost = useProposal(reportLostPayout, say('lost'));
  return (
    <>
      {item.kind === 'crypto' ? (
        <>
          <Button
            size="small"
            look="soft"
            busy={reconcile.isBusy}
            onClick={() => void reconcile.run({ id: item.id, version: String(item.version) })}
          >
            {say('look')}
          </Button>
          {item.step === 'sent_unknown' && (
            <Button
              size="small"
              look="danger"
              busy={lost.isBusy}
              onClick={() => void lost.propose({ id: item.id, version: String(item.version) })}
            >
              {say('lost')}
            </Button>
          )}
        </>
      ) : (
        <>
          <Button size="small" onClick={() => onDo('paid')}>
            {t('withdrawals.bank_paid')}
          </Button>
          <Button size="small" look="danger" onClick={() => onDo('failed')}>
            {t('withdrawals.bank_failed')}
          </Button>
        </>
      )}
      <RefusalNote refused={reconcile.refused ?? lost.refused} />
      {lost.signing && (
        <StepUp {...lost.signing}>
          <Restated item={item} />
          <p className="c">{say('lost_how')}</p>
        </StepUp>
      )}
      {item.step === 'sent_unknown' && <p className="c">{say('lost_how')}</p>}
    </>
  );
}

/** The withdrawal about which something is proposed. */
function Restated({ item }: { item: WithdrawalCase }) {
  const { t, amount } = useTexts();
  return (
    <>
      <Facts
        facts={[
          [t('customer'), <bdi key="customer">{item.customer.username}</bdi>],
          [item.order_number, amount(item.actual_amount)],
        ]}
      />
      <Payee item={item} />
    </>
  );
}

/** Assigns a transaction that the signer did not send. Until then it stops all payouts, or even money. */
function AccountFor({ item }: { item: WithdrawalCase }) {
  const { say } = useWithdrawalTexts();
  const [isAsked, setAsked] = useState(false);
  const account = useProposal(accountForTransaction, say('foreign'), () => setAsked(true));
  const [hash, setHash] = useState('');
  if (isAsked) return <p className="note">{say('foreign.asked')}</p>;
  return (
    <details open={item.waits?.for === 'foreign_transaction'}>
      <summary>{say('foreign')}</summary>
      <form
        className="col"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const given = String(form.get('hash') ?? '').trim();
          setHash(given);
          void account.propose({ hash: given, ...(form.has('paid') && { withdrawal: item.id }) });
        }}
      >
        <Field name="hash" label={say('foreign.hash')} fault={account.refused?.fields.hash} required />
        {item.step === 'approved' && (
          <label>
            <input type="checkbox" name="paid" /> {say('foreign.paid')}
          </label>
        )}
        <RefusalNote refused={account.refused} />
        <Button type="submit" size="small" busy={account.isBusy}>
          {say('foreign')}
        </Button>
      </form>
      {account.signing && (
        <StepUp {...account.signing}>
          <p className="mono break">{hash}</p>
        </StepUp>
      )}
    </details>
  );
}

/** A payout that is not signed yet. Two people can give the money back. */
function GiveBack({ item }: { item: WithdrawalCase }) {
  const { say } = useWithdrawalTexts();
  const giveBack = useProposal(giveBackPayout, say('give_back'));
  return (
    <>
      <Button
        size="small"
        look="danger"
        busy={giveBack.isBusy}
        onClick={() => void giveBack.propose({ id: item.id, version: String(item.version) })}
      >
        {say('give_back')}
      </Button>
      <RefusalNote refused={giveBack.refused} />
      <p className="c">{say('give_back_how')}</p>
      {giveBack.signing && (
        <StepUp {...giveBack.signing}>
          <Restated item={item} />
        </StepUp>
      )}
    </>
  );
}

function Ask({ item, onClose }: { item: WithdrawalCase; onClose: () => void }) {
  const { say } = useWithdrawalTexts();
  const { t } = useTexts();
  const ask = useAct(askCustomer);
  return (
    <Dialog label={say('ask')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const question = String(new FormData(event.currentTarget).get('question') ?? '');
          if ((await ask.run({ id: item.id, version: String(item.version), question })).ok) onClose();
        }}
      >
        <h2>{say('ask')}</h2>
        <TextArea name="question" label={say('question')} fault={ask.refused?.fields.question} required />
        <RefusalNote refused={ask.refused} />
        <Button type="submit" size="small" busy={ask.isBusy}>
          {t('act.send')}
        </Button>
      </form>
    </Dialog>
  );
}

const BANK_REASONS = ['payee_refused_by_bank', 'payee_name_differs'] as const;

/** Reports what the bank did with a payment. A second operator must confirm the report. */
function BankReport({ item, isPaid, onClose }: { item: WithdrawalCase; isPaid: boolean; onClose: () => void }) {
  const { t } = useTexts();
  const title = t(isPaid ? 'withdrawals.bank_paid' : 'withdrawals.bank_failed');
  const paid = useProposal(reportBankPayment, title, onClose);
  const failed = useProposal(reportBankFailure, title, onClose);
  const [reference, setReference] = useState('');
  const [reason, setReason] = useState<(typeof BANK_REASONS)[number]>('payee_refused_by_bank');
  const { refused, isBusy, signing } = isPaid ? paid : failed;
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={(event) => {
          event.preventDefault();
          const seen = { id: item.id, version: String(item.version) };
          void (isPaid ? paid.propose({ ...seen, reference }) : failed.propose({ ...seen, reason }));
        }}
      >
        <h2>{title}</h2>
        <p className="note">{t('customers.needs_second')}</p>
        {isPaid ? (
          <Field
            name="reference"
            label={t('deposits.reference')}
            value={reference}
            fault={refused?.fields.reference}
            onChange={({ target }) => setReference(target.value)}
            required
          />
        ) : (
          <Select
            label={t('customers.reason')}
            value={reason}
            onChange={({ target }) => setReason(target.value as typeof reason)}
            options={BANK_REASONS.map((one) => [one, t(`reason.${one}`)])}
          />
        )}
        <RefusalNote refused={refused} />
        <Button type="submit" size="small" busy={isBusy}>
          {t('approvals.ask')}
        </Button>
      </form>
      {signing && (
        <StepUp {...signing}>
          <Restated item={item} />
          <p>{isPaid ? <bdi>{reference}</bdi> : t(`reason.${reason}`)}</p>
        </StepUp>
      )}
    </Dialog>
  );
}
