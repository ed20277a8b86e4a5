import type { WithdrawalRecord } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { Button, Card, CardHead, Icon, Money, useText } from '@sathorn/ui';
import { LateDispute } from '../parts/disputes/late-dispute.tsx';
import { LateKeptLine } from '../parts/evidence/late-kept-line.tsx';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { CopyMark } from '../parts/money/copy.tsx';
import type { MoneyFact } from '../parts/money/facts.tsx';
import { GroupedAddress } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { RecordFacts, RecordGate } from '../parts/money/record-details.tsx';
import { StaleLine } from '../parts/money/stale-line.tsx';
import { Timeline } from '../parts/money/timeline.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useWithdrawal } from '../parts/money/use-records.ts';
import { PromiseRing } from './promise-ring.tsx';
import { useWithdrawalSteps } from './use-withdrawal-steps.tsx';
import { WithdrawalTexts } from './withdrawal-texts.tsx';
import './withdrawal-details.css';

const loadQuestion = () => import('./staff-question.tsx');
const loadCancel = () => import('./cancel-withdrawal.tsx');

/** `#/pages/Withdraw/orderDetails`: one withdrawal with its promised time, its approvals, and where the money is. */
export default function WithdrawalDetails() {
  return (
    <WithdrawalTexts>
      <Details />
    </WithdrawalTexts>
  );
}

function Details() {
  const { t } = useText<'money' | 'withdrawals'>();
  const { query } = useNavigation();
  return (
    <RecordGate
      setup="withdraw"
      read={useWithdrawal(query.get('id') ?? '')}
      unknown={t('withdrawal.unknown')}
      heights={[136, 270, 160]}
    >
      {(record) => <Withdrawal record={record} />}
    </RecordGate>
  );
}

function Withdrawal({ record }: { record: WithdrawalRecord }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const { navigate } = useNavigation();
  const { usdt } = useMoneyFormats();
  const steps = useWithdrawalSteps(record);
  const isFailed = record.status === 'failed';
  return (
    <>
      <div className="page">
        <StaleLine />
        <Card>
          <Hero record={record} />
          <Stages status={record.status} />
        </Card>
        {isFailed && record.reason && record.reason !== 'cancelled' && (
          <MoneyNote tone="danger" icon="warning" title={t('withdrawal.why')}>
            <p>{t(`withdrawal.reason.${record.reason}`)}</p>
          </MoneyNote>
        )}
        {record.step === 'sent_unknown' && (
          <MoneyNote tone="warn" icon="warning" title={t('withdrawal.sent_unknown')}>
            {t('withdrawal.sent_unknown_lead')}
          </MoneyNote>
        )}
        {record.question !== null && (
          <Late load={loadQuestion}>{(StaffQuestion) => <StaffQuestion record={record} />}</Late>
        )}
        <Card>
          <Timeline steps={steps} />
        </Card>
        {record.hash !== null && <Hash record={record} hash={record.hash} />}
        <Card tight>
          <Facts record={record} />
        </Card>
        <LateKeptLine about="withdrawal" id={record.id} />
        <LateOrderMark id={record.id} />
        <LateDispute kind="withdrawal" id={record.id} />
      </div>
      {record.can_cancel && <Late load={loadCancel}>{(Cancel) => <Cancel record={record} />}</Late>}
      {isFailed && (
        <PageFoot>
          <Button onClick={() => navigate('/pages/Withdraw/Withdraw', { to: record.payee.kind })}>
            {t('withdrawal.again')}
          </Button>
        </PageFoot>
      )}
      <span className="unseen" role="status">
        {t(`withdrawal.status.${record.status}`)} {usdt(record.amount)}
      </span>
    </>
  );
}

function Hero({ record }: { record: WithdrawalRecord }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const { moment, usdt, second, fiat } = useMoneyFormats();
  const { status } = record;
  if (status === 'failed') {
    return (
      <div className="withdrawal-hero">
        <span className="withdrawal-mark" data-tone="danger">
          <Icon name="cross" size={28} />
        </span>
        <div>
          <p className="withdrawal-hero-title">
            {t(record.reason === 'cancelled' ? 'withdrawal.hero.cancelled' : 'withdrawal.hero.failed')}
          </p>
          <p className="muted num">
            {t('withdrawal.hero.returned', {
              amount: usdt(record.amount),
              time: record.finished_at ? second(record.finished_at) : '',
            })}
          </p>
        </div>
      </div>
    );
  }
  const amount = (
    <p className="withdrawal-hero-amount">
      {record.fiat ? (
        <bdi className="num">{fiat(record.fiat.amount, record.fiat.currency)}</bdi>
      ) : (
        <Money amount={record.actual_amount} asset="USDT" exact fitted />
      )}
    </p>
  );
  if (status === 'success') {
    return (
      <div className="withdrawal-hero">
        <span className="withdrawal-mark" data-tone="success">
          <Icon name="check" size={30} />
        </span>
        <div>
          <p className="muted">{t('withdrawal.hero.success')}</p>
          {amount}
          {record.finished_at && (
            <p className="muted num">{t('withdrawal.hero.at', { time: second(record.finished_at) })}</p>
          )}
        </div>
      </div>
    );
  }
  return (
    <div className="withdrawal-hero">
      <PromiseRing from={record.created_at} to={record.promised_at} />
      <div>
        <p className="muted">{t(`withdrawal.step.${record.step}`)}</p>
        {amount}
        <p className="withdrawal-latest num">{t('withdrawal.hero.latest', { time: moment(record.promised_at) })}</p>
      </div>
    </div>
  );
}

const STAGES = ['review', 'processing', 'success'] as const;

/** The specification's stages: waiting, processing, and the outcome. */
function Stages({ status }: { status: WithdrawalRecord['status'] }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const at = status === 'failed' ? 2 : STAGES.indexOf(status);
  const isOver = status === 'success' || status === 'failed';
  return (
    <ol className="stages" data-ended={isOver ? status : undefined}>
      {STAGES.map((stage, place) => (
        <li key={stage} data-reached={place <= at ? '' : undefined} aria-current={place === at ? 'step' : undefined}>
          {t(place === 2 && status === 'failed' ? 'withdrawal.stage.failed' : `withdrawal.stage.${stage}`)}
        </li>
      ))}
    </ol>
  );
}

function Hash({ record, hash }: { record: WithdrawalRecord; hash: string }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const explorer = record.chain?.explorer?.replace('{hash}', hash);
  return (
    <Card>
      <CardHead title={t('money.hash')} trail={<CopyMark text={hash} label={t('money.copy_hash')} />} />
      <p className="withdrawal-hash mono">{hash}</p>
      {explorer && (
        <a className="money-link withdrawal-explorer" href={explorer} target="_blank" rel="noreferrer">
          {t('money.explorer')}
        </a>
      )}
    </Card>
  );
}

function Facts({ record }: { record: WithdrawalRecord }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const { usdt, fiat, rate } = useMoneyFormats();
  const { payee, chain, fiat: paid } = record;
  const facts: (MoneyFact | null)[] = [
    {
      key: 'to',
      name: t('money.to'),
      value: payee.name,
      note: chain ? (
        <bdi>{chain.name}</bdi>
      ) : (
        <bdi dir="ltr">{[payee.bank, payee.number].filter((part) => part !== null).join(' ')}</bdi>
      ),
    },
    { key: 'amount', name: t('withdrawal.leaves'), value: usdt(record.amount) },
    {
      key: 'fee',
      name: t('money.fee'),
      about: record.status === 'failed' ? t('withdrawal.fee_returned') : undefined,
      value: usdt(record.fee),
    },
    { key: 'actual', name: t('withdrawal.received'), value: usdt(record.actual_amount) },
    paid && {
      key: 'rate',
      name: t('money.rate'),
      value: rate(paid.rate, paid.currency),
      note: fiat(paid.amount, paid.currency),
    },
    record.reference === null
      ? null
      : {
          key: 'reference',
          name: t('withdrawal.bank_reference'),
          value: <span className="mono">{record.reference}</span>,
          copy: { text: record.reference, label: t('money.copy_reference') },
        },
    record.is_internal ? { key: 'way', name: t('withdrawal.way'), value: t('withdrawal.internal_way') } : null,
  ];
  return (
    <>
      <RecordFacts record={record} facts={facts} />
      {payee.address !== null && (
        <div className="withdrawal-address">
          <GroupedAddress address={payee.address} />
        </div>
      )}
    </>
  );
}
