import { readBalance } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, nothing, preload, settled } from '@sathorn/app/late';
import { draftsOf } from '@sathorn/app/session';
import { formatAsset, formatDecimalText } from '@sathorn/text';
import { AmountField, Button, Card, preloadOverlays, Skeleton, StaleMark, useText } from '@sathorn/ui';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSystemConfig } from '../shell/config.ts';
import { DurationPicker } from './duration-picker.tsx';
import { canPayMinimum, judgeTicket, MARKET_FAULTS } from './judge-ticket.ts';
import { preloadHoldingOrders } from './late-holding-orders.tsx';
import { previewOutcome } from './preview-outcome.ts';
import type { OptionMarket } from './use-option-market.ts';
import { preloadEvidence, preloadSearch, usePurchase } from './use-purchase.ts';
import { keepDuration, usualDuration } from './usual-duration.ts';
import './option-ticket.css';

const loadConfirmPurchase = () => import('./confirm-purchase.tsx');
const loadTestMoney = () => import('./test-money.tsx');

/** Loads the next screens ahead, so that they are ready when needed. */
async function preloadNext(): Promise<void> {
  await settled();
  preloadOverlays();
  preload(loadConfirmPurchase);
  preloadHoldingOrders();
  preloadSearch();
  preloadEvidence();
}

const USDT_DECIMALS = 6;
const drafts = draftsOf('option', { seconds: usualDuration(), amount: '' });

/**
 * The purchase form: duration, stake, up or down, and the possible results in words; then a sheet that repeats
 * everything.
 */
export function OptionTicket({ market }: { market: OptionMarket }) {
  const { t, presentation } = useText();
  const { seconds, amount } = drafts.use(market.code);
  const [direction, setDirection] = useState<'up' | 'down'>('up');
  const [isConfirming, setConfirming] = useState(false);
  const [serverFault, setServerFault] = useState<string>();
  const balance = useRead(readBalance, { code: market.code });
  const { buy, isBusy, doubt } = usePurchase(market.code);
  const isDemo = useSystemConfig()?.mode === 'demo';
  const card = useRef<HTMLElement>(null);
  useEffect(() => void preloadNext(), []);

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
  const figure = (text: string) => formatDecimalText(text, presentation, { minDecimals: 2, maxDecimals: 6 });
  const limit = (text: string) => formatAsset(text, 'USDT', presentation, { maxDecimals: 2 });
  const marketFault = fault !== null && MARKET_FAULTS.has(fault) && durations !== undefined ? fault : null;
  const amountFault = fault === null || MARKET_FAULTS.has(fault) || fault === 'amount_missing' ? null : fault;
  const error =
    serverFault ??
    (amountFault && terms
      ? t(`option.fault.${amountFault}`, {
          min: limit(terms.min),
          max: limit(terms.max),
          available: available ? limit(available) : '',
        })
      : undefined);
  const availableText =
    available &&
    t('option.available', { amount: formatAsset(available, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 }) });

  const ask = (chosen: 'up' | 'down') => {
    setDirection(chosen);
    setServerFault(undefined);
    if (fault === null) return setConfirming(true);
    if (fault === 'amount_missing') setServerFault(t('option.fault.amount_missing'));
    card.current?.querySelector<HTMLInputElement>('input[name=quantity]')?.focus();
  };

  // The direction is not chosen yet, so Enter moves from the amount to the two buttons, or shows the fault.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || !(event.target as HTMLElement).matches('input[name=quantity]')) return;
    event.preventDefault();
    if (fault === null) card.current?.querySelector<HTMLElement>('.ticket-buttons > button')?.focus();
    else if (fault === 'amount_missing') setServerFault(t('option.fault.amount_missing'));
  };

  const closeConfirm = () => setConfirming(false);
  const submit = async () => {
    if (!terms) return;
    const refused = await buy(
      { code: market.code, direction, quantity: amount, duration: String(terms.seconds) },
      { payout: terms.payout, fee: terms.fee },
    );
    closeConfirm();
    if (!refused) return;
    setServerFault(refused.fields.quantity);
    // The terms may have changed since they were shown.
    void market.refetch();
  };

  return (
    <Card className="ticket" ref={card} onKeyDown={onKeyDown}>
      <DurationPicker
        durations={durations}
        value={terms?.seconds ?? seconds}
        onChange={(seconds) => {
          keepDuration(seconds);
          drafts.change(market.code, { seconds });
        }}
      />
      <AmountField
        label={t('option.stake')}
        labelUnseen
        unit="USDT"
        scale={USDT_DECIMALS}
        name="quantity"
        value={amount}
        onChange={(amount) => {
          drafts.change(market.code, { amount });
          setServerFault(undefined);
        }}
        available={available}
        max={terms?.max}
        faultText={(what) => t(`amount.${what}`)}
        hint={availableText ?? <Skeleton width={120} height={14} />}
        error={error}
      />
      {isDemo && terms && available !== undefined && !canPayMinimum(available, terms) && (
        <Late load={loadTestMoney} failed={nothing} />
      )}
      {/* An error takes the place of the available balance, which then moves down here, so that the layout does not
   shift. */}
      <p className="ticket-outcome num" data-quiet={preview && !error ? undefined : ''} aria-live="polite">
        {error
          ? availableText
          : preview
            ? t('option.outcome', { credit: figure(preview.credit), loss: figure(`-${amount}`) })
            : terms && t('option.limits', { min: limit(terms.min), max: limit(terms.max) })}
      </p>
      <div className="ticket-buttons">
        <Button look="buy" icon="arrow-up" disabled={marketFault !== null || !durations} onClick={() => ask('up')}>
          {t('option.buy_up')}
        </Button>
        <Button look="sell" icon="arrow-down" disabled={marketFault !== null || !durations} onClick={() => ask('down')}>
          {t('option.buy_down')}
        </Button>
        {/* Covers the disabled buttons instead of moving them, because they must not move under a finger. */}
        {marketFault && (
          <p className="ticket-paused" role="status">
            <StaleMark>{t(`option.fault.${marketFault}`)}</StaleMark>
          </p>
        )}
      </div>
      {doubt && <p className="ticket-doubt">{t(`option.${doubt}`)}</p>}
      {terms && preview && (
        <Late load={loadConfirmPurchase} sheet={{ open: isConfirming, onClose: closeConfirm }}>
          {(ConfirmPurchase) => (
            <ConfirmPurchase
              open={isConfirming}
              onClose={closeConfirm}
              onConfirm={submit}
              isBusy={isBusy}
              isPaused={marketFault !== null}
              code={market.code}
              price={market.price}
              direction={direction}
              amount={amount}
              terms={terms}
              preview={preview}
            />
          )}
        </Late>
      )}
    </Card>
  );
}
