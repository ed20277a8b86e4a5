import {
  type LockupProduct,
  type LockupSubscriptionQuote,
  listEarningProducts,
  quoteSubscription,
  readEarningBalance,
  subscribeEarning,
  type YieldFund,
} from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { parseRate, type Rate } from '@sathorn/money';
import { lockupIncome, lockupYield } from '@sathorn/settlement';
import { formatDate, formatPercent } from '@sathorn/text';
import { Badge, Button, Card, FactList, Money, Sheet, Skeleton, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LateNotes } from '../parts/offer/late-notes.tsx';
import { EarningAmount } from './earning-amount.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { addDays, amountText, dayText, percentOfWhole, usdtTextOf, usdtUnitsOf, wholeAmountText } from './figures.ts';
import { ClosedNote, EarningFoot, LoadFailed, RulesLink, ShareBar } from './parts.tsx';
import { PaymentsChart } from './payments-chart.tsx';

/** `#/pages/Lock-up/productDetails/productDetails?id=30`: shows every payment before the customer commits. */
export default function LockupProductScreen() {
  return (
    <EarningTexts>
      <Details />
    </EarningTexts>
  );
}

function Details() {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  const { query, redirect } = useNavigation();
  const id = query.get('id') ?? '';
  const list = useRead(listEarningProducts, { type: 'regular' }, { everyMs: 30_000 });
  const data = list.data?.type === 'regular' ? list.data : null;
  const product = data?.products.find((one) => one.id === id);
  const title = product
    ? t('earning.product_title', {
        days: product.days,
        rate: formatPercent(product.daily_rate, presentation, { minDecimals: 3 }),
      })
    : texts.t('screen.lock_up_product');
  return (
    <>
      <PageBar title={title} trail={<RulesLink type="regular" />} />
      {product && data ? (
        <Ticket key={product.id} product={product} fund={data.fund} />
      ) : data ? (
        <LoadFailed
          title={t('earning.product_unknown')}
          act={texts.t('screen.lock_up')}
          onRetry={() => redirect('/pages/Lock-up/Lock-up')}
        />
      ) : list.error ? (
        <LoadFailed title={failureText(list.error.failure, texts)} onRetry={() => void list.refetch()} />
      ) : (
        <div className="page">
          <Card>
            <Skeleton height={150} />
          </Card>
          <Card>
            <Skeleton height={320} />
          </Card>
        </div>
      )}
    </>
  );
}

function Ticket({ product, fund }: { product: LockupProduct; fund: YieldFund }) {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  const [amount, setAmount] = useState('');
  const [isConfirming, setConfirming] = useState(false);
  const balance = useRead(readEarningBalance, { type: 'regular' }, { freshForMs: 0 });
  const quote = useRead(
    quoteSubscription,
    { type: 'regular', product: product.id, amount: amount || '0' },
    { enabled: amount !== '', freshForMs: 0 },
  );
  const quoted = quote.data?.type === 'regular' && amount !== '' ? quote.data : null;
  const refused = amount !== '' && quote.error?.failure.isAnswered ? quote.error.failure : null;
  const units = amount === '' ? 0n : usdtUnitsOf(amount);
  const dailyRate = parseRate(product.daily_rate) ?? (0n as Rate);
  const terms = { principal: units, dailyRate, days: product.days };
  const available = balance.data?.type === 'regular' ? balance.data.available : undefined;
  return (
    <>
      <div className="page">
        <LateNotes pauses={['lockup']} changes={[`lockup/${product.id}`]} consent="earning" />
        <ClosedNote state={product.state} fund={fund} />
        <Card>
          <EarningAmount
            from={available && t('earning.available', { amount: amountText(available, presentation) })}
            value={amount}
            onChange={setAmount}
            available={available}
            max={product.max}
            hint={t('earning.limits_left', {
              min: wholeAmountText(product.min, presentation),
              max: wholeAmountText(product.max, presentation),
              left: wholeAmountText(product.quota_left, presentation),
            })}
            error={refused ? failureText(refused, texts) : undefined}
          />
        </Card>
        {units > 0n && (
          <>
            <Card className="num">
              <div className="row earning-earn">
                <div>
                  <p className="muted">{t('earning.you_earn')}</p>
                  <b className="earning-gain">
                    <Money amount={usdtTextOf(lockupYield(terms))} asset="USDT" exact signed />
                  </b>
                </div>
                <div className="earning-end">
                  <p className="muted">
                    {t('earning.daily_at', {
                      amount: amountText(usdtTextOf(lockupIncome(terms, 1).units), presentation),
                    })}
                  </p>
                  <p>{t('earning.payments', { days: product.days })}</p>
                </div>
              </div>
              {quoted && (
                <>
                  <PaymentsChart terms={terms} firstDay={addDays(quoted.start_date, 1)} />
                  <Payments terms={terms} firstDay={addDays(quoted.start_date, 1)} />
                </>
              )}
            </Card>
            {quoted && <Cover fund={quoted.fund} promised={usdtUnitsOf(quoted.total_income)} />}
          </>
        )}
      </div>
      <EarningFoot
        note={
          quoted
            ? t('earning.locked_until', { day: dayText(quoted.end_date, 'date', presentation) })
            : amount === '' && t('earning.lockup_hint')
        }
      >
        <Button disabled={!quoted || product.state !== 'open'} onClick={() => setConfirming(true)}>
          {quoted
            ? t('earning.lock_button', { amount: amountText(amount, presentation), days: product.days })
            : t('earning.lock')}
        </Button>
      </EarningFoot>
      <Confirm
        isOpen={isConfirming && quoted !== null}
        onClose={() => setConfirming(false)}
        quote={quoted}
        onOutdated={() => void quote.refetch()}
      />
    </>
  );
}

/** The first payments, a gap, and the last payment with the principal. */
function Payments({
  terms,
  firstDay,
}: {
  terms: { principal: bigint; dailyRate: Rate; days: number };
  firstDay: string;
}) {
  const { t, presentation } = useText<'earning'>();
  const [isWhole, setWhole] = useState(false);
  const all = Array.from({ length: terms.days }, (_, n) => n + 1);
  const shown = isWhole ? all : [1, 2, terms.days];
  const between = all.slice(2, -1).reduce((sum, n) => sum + lockupIncome(terms, n).units, 0n);
  return (
    <ul className="earning-payments">
      {shown.map((nth) => (
        <li key={nth}>
          {!isWhole && nth === terms.days && terms.days > 3 && (
            <button type="button" className="earning-between" onClick={() => setWhole(true)}>
              <span>{t('earning.more_days', { days: terms.days - 3 })}</span>
              <Plus units={between} />
            </button>
          )}
          <div className="row">
            <span>
              {dayText(addDays(firstDay, nth - 1), 'weekday', presentation)}{' '}
              <span className="muted">{t('earning.nth_day', { nth })}</span>
            </span>
            <span className="earning-end">
              <Plus units={lockupIncome(terms, nth).units} />
              {nth === terms.days && (
                <b> {t('earning.and_back', { amount: amountText(usdtTextOf(terms.principal), presentation) })}</b>
              )}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

const Plus = ({ units }: { units: bigint }) => <Money amount={usdtTextOf(units)} exact signed />;

function Cover({ fund, promised }: { fund: YieldFund; promised: bigint }) {
  const { t, presentation } = useText<'earning'>();
  const [free, reserved] = [usdtUnitsOf(fund.available), usdtUnitsOf(fund.reserved)];
  return (
    <Card>
      <div className="row">
        <h2 className="earning-card-title">{t('earning.cover')}</h2>
        <Badge tone="success" mark="check">
          {t('earning.funded')}
        </Badge>
      </div>
      <ShareBar share={percentOfWhole(reserved + promised, free + reserved)} tone="success" />
      <p className="row muted num">
        <span>{t('earning.promised', { amount: wholeAmountText(usdtTextOf(reserved + promised), presentation) })}</span>
        <span>{t('earning.held', { amount: wholeAmountText(usdtTextOf(free + reserved), presentation) })}</span>
      </p>
      <p className="cap num">{t('earning.set_aside', { amount: amountText(usdtTextOf(promised), presentation) })}</p>
    </Card>
  );
}

function Confirm({
  isOpen,
  onClose,
  quote,
  onOutdated,
}: {
  isOpen: boolean;
  onClose: () => void;
  quote: LockupSubscriptionQuote | null;
  onOutdated: () => void;
}) {
  const { t, presentation } = useText<'earning'>();
  const { redirect } = useNavigation();
  const queries = useQueryClient();
  const call = useCall(subscribeEarning);
  const confirm = async () => {
    if (!quote) return;
    const answer = await call.submit({
      type: 'regular',
      product: quote.product,
      amount: quote.amount,
      quote: quote.quote,
    });
    for (const read of [readEarningBalance, listEarningProducts])
      void queries.invalidateQueries({ queryKey: readQueryKey(read) });
    if (!answer.ok) {
      onOutdated();
      return;
    }
    showToast(t('earning.lock_done', { amount: amountText(quote.amount, presentation) }), 'success');
    redirect('/pages/Lock-up/record/record', { id: answer.data.id });
  };
  return (
    <Sheet open={isOpen} onClose={onClose} title={t('earning.confirm')} blocking={call.isBusy}>
      {quote && (
        <div className="stack">
          <FactList
            facts={[
              { name: t('earning.amount'), value: <Money amount={quote.amount} asset="USDT" exact /> },
              { name: t('earning.term'), value: t('earning.term_days', { days: quote.days }) },
              {
                name: t('earning.daily_rate'),
                value: formatPercent(quote.daily_rate, presentation, { minDecimals: 3 }),
              },
              { name: t('earning.daily_income'), value: <Money amount={quote.daily_income} asset="USDT" exact /> },
              { name: t('earning.first_day'), value: dayText(quote.start_date, 'date', presentation) },
              {
                name: t('earning.first_income'),
                value: formatDate(quote.first_income_at, 'dateTime', presentation),
              },
              { name: t('earning.total_income'), value: <Money amount={quote.total_income} asset="USDT" exact /> },
              { name: t('earning.principal_back'), value: formatDate(quote.ends_at, 'dateTime', presentation) },
              {
                name: t('earning.available_after'),
                value: <Money amount={quote.available_after} asset="USDT" exact />,
              },
            ]}
          />
          <p className="muted">{t('earning.lock_note')}</p>
          <Button busy={call.isBusy} onClick={() => void confirm()}>
            {t('earning.lock_button', { amount: amountText(quote.amount, presentation), days: quote.days })}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
