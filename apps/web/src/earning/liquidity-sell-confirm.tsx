import { quoteRedemption, redeemLiquidity } from '@sathorn/api';
import { type Failure, failureText, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { assetName, formatDate } from '@sathorn/text';
import { Card, ListRow, Money, useText } from '@sathorn/ui';
import { useState } from 'react';
import { PaymentSheet } from '../parts/forms/payment-sheet.tsx';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';
import { ConfirmPage } from './confirm-page.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { amountText, wholeAmountText } from './figures.ts';
import { EarningNote } from './parts.tsx';
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
      // The sheet stays open for another try, which is the same intention and so cannot redeem twice.
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

  const act = t(isQuick ? 'earning.redeem_now' : 'earning.redeem_normal', { amount: shown });

  return (
    <>
      <ConfirmPage
        quote={quote ?? null}
        error={error}
        onRetry={() => redirect('/pages/Liquidity/sell', { amount, speed: 'normal' })}
        icon={isQuick ? 'bolt' : 'clock'}
        title={t(isQuick ? 'earning.quick_redemption' : 'earning.normal_redemption')}
        note={t(isQuick ? 'earning.from_liquidity_now' : 'earning.from_liquidity_later')}
        facts={(quoted, { fee, rate, available }) => [
          {
            name: t('earning.arrives'),
            value: isQuick ? t('earning.now_at', { time: time(quoted.arrives_at) }) : time(quoted.arrives_at),
          },
          ...(isQuick ? [] : [{ name: t('earning.at_latest'), value: time(quoted.latest_at) }]),
          isQuick
            ? { name: t('earning.interest_forgone'), value: <Money amount={`-${quoted.forgone}`} exact toned /> }
            : { name: t('earning.interest_kept'), value: <Money amount={quoted.kept} exact signed toned /> },
          fee,
          { name: t('earning.stays'), value: <Money amount={quoted.balance_after} asset="USDT" exact /> },
          rate,
          available,
          ...(isQuick
            ? [
                {
                  name: t('earning.cap_after'),
                  value: `${wholeAmountText(quoted.quick_left_after, presentation)} ${assetName('USDT', presentation)}`,
                },
              ]
            : []),
        ]}
        button={{ label: act, isBusy: call.isBusy, onPress: () => setAsking(true) }}
      >
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
        <EarningNote>{t(isQuick ? 'earning.cap_note' : 'earning.normal_note')}</EarningNote>
      </ConfirmPage>
      <PaymentSheet
        open={isAsking}
        onClose={() => {
          setAsking(false);
          setWrong(null);
        }}
        title={act}
        onPin={(paypass) => void confirm(paypass)}
        busy={call.isBusy}
        refused={wrong}
      />
    </>
  );
}

const isAboutPassword = ({ code }: Failure): boolean =>
  ['paypass_wrong', 'paypass_locked', 'still_loading', 'too_many'].includes(code);
