import { quoteSubscription, subscribeEarning } from '@sathorn/api';
import { failureText, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatDate, formatPercent } from '@sathorn/text';
import { Button, Card, FactList, Money, Skeleton, useText } from '@sathorn/ui';
import { ConfirmHead } from './confirm-head.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { amount as amountText, dayText } from './figures.ts';
import { Foot, LoadFailed, Note } from './parts.tsx';
import { useEarningRefresh } from './use-earning-refresh.ts';

/** `#/pages/Liquidity/buyConfirm`: repeats the figures as they will be posted. */
export default function LiquidityBuyConfirm() {
  return (
    <EarningTexts>
      <Confirm />
    </EarningTexts>
  );
}

function Confirm() {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  const { query, redirect, relaunch } = useNavigation();
  const refresh = useEarningRefresh();
  const amount = query.get('amount') ?? '0';
  const { data, error, refetch } = useRead(quoteSubscription, { type: 'liquidity', amount }, { freshForMs: 0 });
  const call = useCall(subscribeEarning);
  const quote = data?.type === 'liquidity' ? data : null;
  const shown = amountText(quote?.amount ?? '0', presentation);

  const confirm = async () => {
    if (!quote) return;
    const answer = await call.submit({ type: 'liquidity', amount: quote.amount, quote: quote.quote });
    refresh();
    if (!answer.ok) {
      void refetch();
      return;
    }
    showToast(t('earning.subscribe_done', { amount: shown }), 'success');
    relaunch('/pages/Liquidity/Liquidity');
  };

  return (
    <>
      <PageBar title={t('earning.confirm')} />
      {error && !quote ? (
        <LoadFailed
          title={failureText(error.failure, texts)}
          onRetry={() => redirect('/pages/Liquidity/buy', { amount })}
        />
      ) : quote ? (
        <div className="page">
          <ConfirmHead
            icon="drop"
            title={t('earning.subscription')}
            amount={quote.amount}
            note={t('earning.into_liquidity')}
          />
          <FactList
            facts={[
              { name: t('earning.starts_earning'), value: dayText(quote.start_date, 'date', presentation) },
              { name: t('earning.first_income'), value: formatDate(quote.first_income_at, 'dateTime', presentation) },
              {
                name: t('earning.in_liquidity_after'),
                value: <Money amount={quote.balance_after} asset="USDT" exact />,
              },
              {
                name: t('earning.your_rate_after'),
                value: formatPercent(quote.rate_after, presentation, { minDecimals: 2, maxDecimals: 2 }),
              },
              { name: t('earning.daily_after'), value: <Money amount={quote.daily_after} asset="USDT" exact /> },
              { name: t('earning.fee'), value: <Money amount="0" asset="USDT" /> },
              {
                name: t('earning.available_after'),
                value: <Money amount={quote.available_after} asset="USDT" exact />,
              },
            ]}
          />
          <Note>{t('earning.subscribe_note')}</Note>
        </div>
      ) : (
        <div className="page">
          <Card>
            <Skeleton height={160} />
          </Card>
          <Card>
            <Skeleton height={260} />
          </Card>
        </div>
      )}
      <Foot>
        <Button disabled={!quote} busy={call.isBusy} onClick={() => void confirm()}>
          {t('earning.subscribe_amount', { amount: shown })}
        </Button>
      </Foot>
    </>
  );
}
