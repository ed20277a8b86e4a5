import type { DepositRecord } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { serverNowMs } from '@sathorn/app/stream';
import { durationText, formatCount } from '@sathorn/text';
import { Button, Card, Money, Skeleton, useText } from '@sathorn/ui';
import type { CSSProperties } from 'react';
import { LateDispute } from '../parts/disputes/late-dispute.tsx';
import { ChainName } from '../parts/money/chain-mark.tsx';
import type { MoneyFact } from '../parts/money/facts.tsx';
import { shortAddress, shortHash } from '../parts/money/grouped-address.tsx';
import { MoneyTexts } from '../parts/money/money-texts.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { RecordFacts, RecordGate } from '../parts/money/record-details.tsx';
import { RailMark, railIcon } from '../parts/money/record-rows.tsx';
import { StaleLine } from '../parts/money/stale-line.tsx';
import { Timeline, type TimelineStep } from '../parts/money/timeline.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useDeposit } from '../parts/money/use-records.ts';
import './deposit-details.css';

const loadRecovery = () => import('./deposit-recovery.tsx');
const loadNetworkCase = () => import('./network-case.tsx');

/** With more squares than this, each would be too small to count. */
const SQUARES_MAX = 24;

/** `#/pages/Recharge/orderDetails`: one deposit with its confirmations and its history. */
export default function DepositDetails() {
  return (
    <MoneyTexts>
      <Details />
    </MoneyTexts>
  );
}

function Details() {
  const { t } = useText<'money'>();
  const { query } = useNavigation();
  return (
    <RecordGate
      setup="recharge"
      read={useDeposit(query.get('id') ?? '')}
      unknown={t('deposit.unknown')}
      heights={[132, 210, 200]}
    >
      {(record) => <Deposit record={record} />}
    </RecordGate>
  );
}

function Deposit({ record }: { record: DepositRecord }) {
  const { t } = useText<'money'>();
  const { navigate } = useNavigation();
  const { fiat } = useMoneyFormats();
  const { chain, elsewhere } = record;
  // The value of a token other than USDT is unknown.
  const isOther = record.reason === 'other_token' || record.reason === 'native_coin';
  const isToPay = record.step === 'awaiting_slip' && record.status === 'pending';
  return (
    <div className="page">
      <StaleLine />
      <Card>
        <div className="deposit-hero">
          <div>
            <p className="muted">{t(`deposit.hero.${record.status}`)}</p>
            <p className="deposit-hero-amount">
              {elsewhere ? (
                <Money amount={elsewhere.amount} asset={elsewhere.token} exact fitted />
              ) : isOther && record.reason ? (
                t(`deposit.reason.${record.reason}`)
              ) : (
                <Money amount={record.amount} asset="USDT" exact fitted />
              )}
            </p>
          </div>
          {chain ? (
            <ChainName chain={chain} />
          ) : (
            <span className="marked-name">
              <RailMark icon={railIcon(record.kind)} />
              <span>
                <b>{t(`money.kind.${record.kind}`)}</b>
                {record.fiat && (
                  <span className="cap num">{fiat(record.fiat.came ?? record.fiat.amount, record.fiat.currency)}</span>
                )}
              </span>
            </span>
          )}
        </div>
        <Confirmations record={record} />
      </Card>
      {record.reason && !elsewhere?.ending && (
        <MoneyNote
          tone={record.status === 'completed' ? 'warn' : 'danger'}
          icon="warning"
          title={t(`deposit.reason.${record.reason}`)}
        >
          {t(`deposit.reason_lead.${record.reason}`)}
        </MoneyNote>
      )}
      {record.recovery && (
        <Late load={loadRecovery} waiting={<Skeleton height={120} />}>
          {(Recovery) => <Recovery record={record} />}
        </Late>
      )}
      {elsewhere ? (
        <Late load={loadNetworkCase} waiting={<Skeleton height={300} />}>
          {(NetworkCase) => <NetworkCase record={record} />}
        </Late>
      ) : (
        <>
          <Card>
            <Steps record={record} />
          </Card>
          <Card tight>
            <Facts record={record} />
          </Card>
        </>
      )}
      {isToPay && (
        <Button
          onClick={() =>
            navigate(`/pages/Recharge/${record.kind === 'promptpay' ? 'qrpay' : 'bankpay'}`, { id: record.id })
          }
        >
          {t('deposit.pay_now')}
        </Button>
      )}
      {!isToPay && <LateDispute kind="deposit" id={record.id} />}
      {record.step === 'confirming' && <p className="deposit-foot">{t('deposit.count_may_go_back')}</p>}
    </div>
  );
}

function Confirmations({ record }: { record: DepositRecord }) {
  const { t, presentation } = useText<'money'>();
  const { block } = useMoneyFormats();
  const { confirmations, confirmations_needed: needed, block_height: height, credit_height: creditHeight } = record;
  if (confirmations === null || needed === null || record.status === 'failed') return null;
  const count = Math.min(confirmations, needed);
  const values = { count: formatCount(count, presentation), needed: formatCount(needed, presentation) };
  const leftMs = msLeft(record);
  return (
    <div className="confirmations">
      <p className="row num">
        <b>{t('deposit.confirmed_of', values)}</b>
        {record.status === 'pending' && leftMs !== null && (
          <span className="muted">{t('money.about', { what: durationText(leftMs / 1000, presentation) })}</span>
        )}
      </p>
      <div
        className="confirmations-squares"
        role="progressbar"
        aria-label={t('deposit.confirmations')}
        aria-valuemin={0}
        aria-valuemax={needed}
        aria-valuenow={count}
        style={{ '--count': Math.min(needed, SQUARES_MAX) } as CSSProperties}
      >
        {squares(count, needed).map((state, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a square is identified by its place only.
          <i key={place} data-state={state} />
        ))}
      </div>
      {height !== null && (
        <p className="row cap num">
          <span>{t('deposit.block', { height: block(height) })}</span>
          {creditHeight !== null && record.status === 'pending' && (
            <span>{t('deposit.yours_at', { height: block(creditHeight) })}</span>
          )}
        </p>
      )}
    </div>
  );
}

/** Returns one square per confirmation, or per group of confirmations when there are too many. */
function squares(count: number, needed: number): ('done' | 'now' | 'todo')[] {
  const shown = Math.min(needed, SQUARES_MAX);
  const done = Math.floor((count * shown) / Math.max(1, needed));
  return Array.from({ length: shown }, (_, place) => (place < done ? 'done' : place === done ? 'now' : 'todo'));
}

/** Estimates the time left from the confirmations so far; null before the second confirmation. */
function msLeft({ confirmations, confirmations_needed: needed, in_block_at: at }: DepositRecord): number | null {
  if (confirmations === null || needed === null || at === null || confirmations < 2) return null;
  const perBlock = Math.max(0, serverNowMs() - Date.parse(at)) / confirmations;
  return perBlock * Math.max(0, needed - confirmations);
}

function Steps({ record }: { record: DepositRecord }) {
  const { t } = useText<'money'>();
  const { second, block, fiat, usdt } = useMoneyFormats();
  const { step, status } = record;
  const isFailed = status === 'failed';
  const hasArrived = status === 'completed';
  const steps: TimelineStep[] = [];
  if (record.kind === 'crypto') {
    steps.push({
      key: 'seen',
      title: t('deposit.line.seen'),
      time: second(record.created_at),
      note: t('deposit.line.seen_note'),
      state: 'done',
    });
    steps.push({
      key: 'block',
      title: t('deposit.line.block'),
      time: record.in_block_at ? second(record.in_block_at) : undefined,
      note: record.block_height ? t('deposit.block', { height: block(record.block_height) }) : undefined,
      state: record.block_height ? 'done' : isFailed ? 'failed' : 'now',
    });
    if (step === 'confirming')
      steps.push({
        key: 'confirming',
        title: t('deposit.line.confirming'),
        time: t('money.now'),
        note: t('deposit.line.confirming_note'),
        state: 'now',
      });
  } else {
    steps.push({
      key: 'ordered',
      title: t('deposit.line.ordered'),
      time: second(record.created_at),
      note: record.fiat && fiat(record.fiat.amount, record.fiat.currency),
      state: 'done',
    });
    steps.push({
      key: 'slip',
      title: t('deposit.line.slip'),
      note: record.has_slip || hasArrived ? undefined : t('deposit.line.slip_note'),
      state: record.has_slip || hasArrived ? 'done' : isFailed ? 'failed' : 'now',
    });
    // If the customer never sent a slip, the deposit ended without the matching step.
    if (!isFailed || record.has_slip)
      steps.push({
        key: 'review',
        title: t('deposit.line.review'),
        note: step === 'in_review' ? t('deposit.line.review_note') : undefined,
        state: hasArrived || isFailed ? 'done' : step === 'in_review' ? 'now' : 'todo',
      });
  }
  if (isFailed || step === 'recovering' || step === 'reversed')
    steps.push({
      key: 'ended',
      title: t(step === 'returned' && record.recovery ? 'deposit.step.sent_back' : `deposit.step.${step}`),
      time: record.finished_at ? second(record.finished_at) : undefined,
      state: step === 'recovery' || step === 'recovering' ? 'now' : record.recovery ? 'done' : 'failed',
    });
  else
    steps.push({
      key: 'credited',
      title: t('deposit.line.credited'),
      time: record.finished_at ? second(record.finished_at) : undefined,
      note: t('deposit.line.credited_note', { amount: usdt(record.amount) }),
      state: hasArrived ? 'done' : 'todo',
    });
  return <Timeline steps={steps} />;
}

function Facts({ record }: { record: DepositRecord }) {
  const { t } = useText<'money'>();
  const { usdt, fiat, rate } = useMoneyFormats();
  const { hash, from, address, chain, fiat: paid, recovery } = record;
  const explorer = hash !== null ? chain?.explorer?.replace('{hash}', hash) : undefined;
  const facts: (MoneyFact | null)[] = [
    hash === null
      ? null
      : {
          key: 'hash',
          name: t('money.hash'),
          value: explorer ? (
            <a className="money-link mono" href={explorer} target="_blank" rel="noreferrer">
              {shortHash(hash)}
            </a>
          ) : (
            <span className="mono">{shortHash(hash)}</span>
          ),
          copy: { text: hash, label: t('money.copy_hash') },
        },
    from === null
      ? null
      : { key: 'from', name: t('money.from'), value: <span className="mono">{shortAddress(from)}</span> },
    address === null
      ? null
      : {
          key: 'to',
          name: t('money.to'),
          value: t('deposit.to_own'),
          note: <bdi className="mono">{shortAddress(address)}</bdi>,
        },
    paid && {
      key: 'paid',
      name: t('deposit.paid'),
      value: fiat(paid.came ?? paid.amount, paid.currency),
      note: rate(paid.rate, paid.currency),
    },
    paid && { key: 'reference', name: t('money.reference'), value: <span className="mono">{paid.reference}</span> },
    recovery && record.reason !== 'below_minimum' && record.reason !== 'counted'
      ? {
          key: 'units',
          name: t('deposit.recover.units'),
          value: <bdi className="num">{recovery.units}</bdi>,
          ...(recovery.token !== null && { note: <bdi className="mono">{shortAddress(recovery.token)}</bdi> }),
        }
      : null,
    recovery?.hash
      ? {
          key: 'back',
          name: t('deposit.recover.hash'),
          value: <span className="mono">{shortHash(recovery.hash)}</span>,
          copy: { text: recovery.hash, label: t('money.copy_hash') },
        }
      : null,
    { key: 'fee', name: t('money.fee'), value: usdt(record.step === 'credited' ? (recovery?.fee ?? '0') : '0') },
  ];
  return <RecordFacts record={record} facts={facts} />;
}
