import { buyOption, readBalance, readUser } from '@sathorn/api';
import { formatAsset, formatDecimalText } from '@sathorn/text';
import { AmountField, Button, Card, preloadOverlays, Skeleton, StaleMark, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useCall } from '../../client/use-call.ts';
import { readKey, useRead } from '../../client/use-read.ts';
import { showToast } from '../../shell/toasts.ts';
import { holdOrders } from '../../stream/holding-orders.ts';
import { DurationPicker } from './duration-picker.tsx';
import { preloadHoldingOrders } from './holding-orders-later.tsx';
import { judgeTicket, MARKET_FAULTS } from './judge-ticket.ts';
import { previewOutcome } from './preview-outcome.ts';
import type { OptionMarket } from './use-option-market.ts';
import './option-ticket.css';

const loadConfirm = () => import('./confirm-purchase.tsx');
const ConfirmPurchase = lazy(loadConfirm);

/** What follows the ticket, so that it is there when it is needed. */
function preloadNext(): void {
  preloadOverlays();
  void loadConfirm();
  preloadHoldingOrders();
}

const USDT_DECIMALS = 6;

/** What to buy: how long, how much, up or down; what it can end in, in words; then a sheet that says it all again. */
export function OptionTicket({ market }: { market: OptionMarket }) {
  const { t, presentation } = useText();
  const queries = useQueryClient();
  const [seconds, setSeconds] = useState(60);
  const [amount, setAmount] = useState('');
  const [direction, setDirection] = useState<'up' | 'down'>('up');
  const [isConfirming, setConfirming] = useState(false);
  const [serverFault, setServerFault] = useState<string>();
  const balance = useRead(readBalance, { code: market.code });
  const buy = useCall(buyOption);
  useEffect(preloadNext, []);

  const { durations } = market;
  const terms = durations?.find((offered) => offered.seconds === seconds) ?? durations?.[0];
  const available = balance.data?.usdt_available;
  const fault = judgeTicket({
    amount,
    terms,
    available,
    hasPrice: market.price !== null,
    isStale: market.isStale,
    isSilent: market.isSilent,
  });
  const preview = terms && previewOutcome(amount, terms);
  const figure = (text: string) => formatDecimalText(text, presentation, { minDecimals: 2, maxDecimals: 2 });
  const limit = (text: string) => formatAsset(text, 'USDT', presentation, { maxDecimals: 2 });
  const marketFault = fault !== null && MARKET_FAULTS.has(fault) && durations !== undefined ? fault : null;
  const amountFault = fault === null || MARKET_FAULTS.has(fault) || fault === 'amount_missing' ? null : fault;

  const ask = (chosen: 'up' | 'down') => {
    setDirection(chosen);
    setServerFault(undefined);
    if (fault === null) setConfirming(true);
    else if (fault === 'amount_missing') setServerFault(t('option.fault.amount_missing'));
  };

  const submit = async () => {
    if (!terms) return;
    const answer = await buy.submit({
      code: market.code,
      direction,
      quantity: amount,
      duration: String(terms.seconds),
    });
    if (!answer.ok) {
      setServerFault(answer.fields.quantity);
      // The terms may have changed since they were shown.
      void market.refetch();
      setConfirming(false);
      return;
    }
    setConfirming(false);
    holdOrders([answer.data]);
    showToast(t('option.bought'), 'success');
    void queries.invalidateQueries({ queryKey: readKey(readBalance) });
    void queries.invalidateQueries({ queryKey: readKey(readUser) });
  };

  return (
    <Card className="ticket">
      <DurationPicker durations={durations} value={terms?.seconds ?? seconds} onChange={setSeconds} />
      <AmountField
        label={t('option.stake')}
        labelUnseen
        unit="USDT"
        scale={USDT_DECIMALS}
        name="quantity"
        value={amount}
        onChange={(value) => {
          setAmount(value);
          setServerFault(undefined);
        }}
        available={available}
        max={terms?.max}
        faultText={(what) => t(`amount.${what}`)}
        shareLabel={(percent) => `${formatDecimalText(String(percent), presentation)}%`}
        error={
          serverFault ??
          (amountFault && terms
            ? t(`option.fault.${amountFault}`, {
                min: limit(terms.min),
                max: limit(terms.max),
                available: available ? limit(available) : '',
              })
            : undefined)
        }
      />
      <p className="ticket-available cap num">
        {available === undefined ? (
          <Skeleton width={120} height={14} />
        ) : (
          t('option.available', {
            amount: formatAsset(available, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 }),
          })
        )}
      </p>
      <p className="ticket-outcome num" data-empty={preview ? undefined : ''} aria-live="polite">
        {preview
          ? t('option.outcome', { credit: figure(preview.credit), loss: figure(`-${amount}`) })
          : terms && t('option.limits', { min: limit(terms.min), max: limit(terms.max) })}
      </p>
      {marketFault && (
        <p className="ticket-paused" role="status">
          <StaleMark>{t(`option.fault.${marketFault}`)}</StaleMark>
        </p>
      )}
      <div className="ticket-buttons">
        <Button look="buy" icon="arrow-up" disabled={marketFault !== null || !durations} onClick={() => ask('up')}>
          {t('option.buy_up')}
        </Button>
        <Button look="sell" icon="arrow-down" disabled={marketFault !== null || !durations} onClick={() => ask('down')}>
          {t('option.buy_down')}
        </Button>
      </div>
      {terms && preview && (
        <Suspense fallback={null}>
          <ConfirmPurchase
            open={isConfirming}
            onClose={() => setConfirming(false)}
            onConfirm={submit}
            isBusy={buy.isBusy}
            isPaused={marketFault !== null}
            code={market.code}
            price={market.price}
            direction={direction}
            amount={amount}
            terms={terms}
            preview={preview}
          />
        </Suspense>
      )}
    </Card>
  );
}
