import { quoteRedemption, redeemLiquidity } from '@sathorn/api';
import { type Failure, failureText, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatDate, formatPercent } from '@sathorn/text';
import { Button, Card, FactList, ListRow, Money, Skeleton, useText } from '@sathorn/ui';
import { useState } from 'react';
import { PaymentSheet } from '../parts/forms/payment-sheet.tsx';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';
import { ConfirmHead } from './confirm-head.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { amount as amountText, whole } from './figures.ts';
import { Foot, LoadFailed, Note } from './parts.tsx';
import { useEarningRefresh } from './use-earning-refresh.ts';

/** `#/pages/Liquidity/sellConfirm`: repeats the figures in words before the redemption. */
export default function LiquiditySellConfirm() {
  return (
    <EarningTexts>
      <Confirm />
    </EarningTexts>
  );
}

function Confirm() {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  const { query, navigate, redirect, relaunch } = useNavigation();
  const refresh = useEarningRefresh();
  const amount = query.get('amount') ?? '0';
  const speed = query.get('speed') === 'normal' ? 'normal' : 'quick';
  const isQuick = speed === 'quick';
  const { data: quote, error, refetch } = useRead(quoteRedemption, { amount, speed }, { freshForMs: 0 });
  const call = useCall(redeemLiquidity, { quiet: true, withoutOverlay: true });
  const pinFault = usePaymentPasswordFault();
  const [isAsking, setAsking] = useState(false);
  const [wrong, setWrong] = useState<{ sentence: string; attempt: number } | null>(null);
  const shown = amountText(quote?.amount ?? '0', presentation);
  const time = (moment: string) => formatDate(moment, 'dateTime', presentation);

  const confirm = async (paypass: string) => {
    if (!quote) return;
    const answer = await call.submit({ amount: quote.amount, speed, quote: quote.quote, paypass });
    if (!answer.ok) {
      // The sheet stays open for another try, which is the same intention and can't redeem twice.
      if (isAboutPassword(answer) || !answer.isAnswered) {
        setWrong({ sentence: pinFault(answer), attempt: (wrong?.attempt ?? 0) + 1 });
        return;
      }
      setAsking(false);
      if (answer.code === 'paypass_not_set') navigate('/pages/mine/setting/paypass');
      if (answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
      refresh();
      void refetch();
      return;
    }
    refresh();
    setAsking(false);
    showToast(t(isQuick ? 'earning.redeem_done_quick' : 'earning.redeem_done_normal', { amount: shown }), 'success');
    relaunch('/pages/Liquidity/Liquidity');
  };

  return (
    <>
      <PageBar title={t('earning.confirm')} />
      {error && !quote ? (
        <LoadFailed
          title={failureText(error.failure, texts)}
          onRetry={() => redirect('/pages/Liquidity/sell', { amount, speed: 'normal' })}
        />
      ) : quote ? (
        <div className="page">
          <ConfirmHead
            icon={isQuick ? 'bolt' : 'clock'}
            title={t(isQuick ? 'earning.quick_redemption' : 'earning.normal_redemption')}
            amount={quote.amount}
            note={t(isQuick ? 'earning.from_liquidity_now' : 'earning.from_liquidity_later')}
          />
          <FactList
            facts={[
              {
                name: t('earning.arrives'),
                value: isQuick ? t('earning.now_at', { time: time(quote.arrives_at) }) : time(quote.arrives_at),
              },
              ...(isQuick ? [] : [{ name: t('earning.at_latest'), value: time(quote.latest_at) }]),
              isQuick
                ? { name: t('earning.interest_forgone'), value: <Money amount={`-${quote.forgone}`} exact toned /> }
                : { name: t('earning.interest_kept'), value: <Money amount={quote.kept} exact signed toned /> },
              { name: t('earning.fee'), value: <Money amount="0" asset="USDT" /> },
              { name: t('earning.stays'), value: <Money amount={quote.balance_after} asset="USDT" exact /> },
              {
                name: t('earning.your_rate_after'),
                value: formatPercent(quote.rate_after, presentation, { minDecimals: 2, maxDecimals: 2 }),
              },
              {
                name: t('earning.available_after'),
                value: <Money amount={quote.available_after} asset="USDT" exact />,
              },
              ...(isQuick
                ? [{ name: t('earning.cap_after'), value: `${whole(quote.quick_left_after, presentation)} USDT` }]
                : []),
            ]}
          />
          {isQuick && (
            <Card tight>
              <ListRow
                icon="clock"
                title={t('earning.normal_instead')}
                note={t('earning.normal_keeps')}
                onPress={() => redirect('/pages/Liquidity/sellConfirm', { amount, speed: 'normal' })}
              />
            </Card>
          )}
          <Note>{t(isQuick ? 'earning.cap_note' : 'earning.normal_note')}</Note>
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
        <Button disabled={!quote} busy={call.isBusy} onClick={() => setAsking(true)}>
          {t(isQuick ? 'earning.redeem_now' : 'earning.redeem_normal', { amount: shown })}
        </Button>
      </Foot>
      <PaymentSheet
        open={isAsking}
        onClose={() => {
          setAsking(false);
          setWrong(null);
        }}
        title={t(isQuick ? 'earning.redeem_now' : 'earning.redeem_normal', { amount: shown })}
        onPin={(paypass) => void confirm(paypass)}
        busy={call.isBusy}
        refused={wrong}
      />
    </>
  );
}

const isAboutPassword = ({ code }: Failure): boolean =>
  ['paypass_wrong', 'paypass_locked', 'still_loading', 'too_many'].includes(code);
