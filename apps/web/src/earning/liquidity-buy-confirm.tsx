import { quoteSubscription, subscribeEarning } from '@sathorn/api';
import { useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Money, useText } from '@sathorn/ui';
import { ConfirmPage } from './confirm-page.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { amountText, dayText } from './figures.ts';
import { EarningNote } from './parts.tsx';
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
    <ConfirmPage
      quote={quote}
      error={error}
      onRetry={() => redirect('/pages/Liquidity/buy', { amount })}
      icon="drop"
      title={t('earning.subscription')}
      note={t('earning.into_liquidity')}
      facts={(quoted, { fee, rate, available }) => [
        { name: t('earning.starts_earning'), value: dayText(quoted.start_date, 'date', presentation) },
        { name: t('earning.first_income'), value: formatDate(quoted.first_income_at, 'dateTime', presentation) },
        { name: t('earning.in_liquidity_after'), value: <Money amount={quoted.balance_after} asset="USDT" exact /> },
        rate,
        { name: t('earning.daily_after'), value: <Money amount={quoted.daily_after} asset="USDT" exact /> },
        fee,
        available,
      ]}
      button={{
        label: t('earning.subscribe_amount', { amount: shown }),
        isBusy: call.isBusy,
        onPress: () => void confirm(),
      }}
    >
      <EarningNote>{t('earning.subscribe_note')}</EarningNote>
    </ConfirmPage>
  );
}
