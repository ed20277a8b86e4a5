import { readBalance } from '@sathorn/api';
import { createPressGuard, useRead } from '@sathorn/app/client';
import { Late, preloadPart, renderNothing, whenPageSettled } from '@sathorn/app/late';
import { useSession } from '@sathorn/app/session';
import { figureSeparator, formatAsset, formatDecimalText, formatPercent } from '@sathorn/text';
import {
  AmountField,
  Button,
  preloadOverlays,
  Skeleton,
  StaleMark,
  TERMINAL_MEDIA_QUERY,
  useMediaQuery,
  useText,
} from '@sathorn/ui';
import { type KeyboardEvent, startTransition, useEffect, useRef, useState } from 'react';
import { useKeys } from '../parts/keys/use-keys.ts';
import {
  keepOptionHabits,
  mayBuyAtOnce,
  QUICK_BUY_OFFERED_AFTER,
  useOptionHabits,
} from '../parts/orders/option-habits.ts';
import { DurationPicker } from './duration-picker.tsx';
import { canPayMinimum, isStakeAllowed, judgeTicket, largestStake, MARKET_FAULTS } from './judge-ticket.ts';
import { preloadHoldingOrders } from './late-holding-orders.tsx';
import { optionDrafts } from './option-drafts.ts';
import { previewOutcome } from './preview-outcome.ts';
import type { OptionMarket } from './use-option-market.ts';
import { preloadEvidence, preloadLostPurchaseSearch, usePurchase } from './use-purchase.ts';
import './option-ticket.css';

const loadConfirmPurchase = () => import('./confirm-purchase.tsx');
const loadOptionOdds = () => import('./option-odds.tsx');
const loadTestMoney = () => import('./test-money.tsx');

/** Preloads the next screens, so that they are ready when needed. */
async function preloadNext(): Promise<void> {
  await whenPageSettled();
  preloadOverlays();
  preloadPart(loadConfirmPurchase);
  preloadHoldingOrders();
  preloadLostPurchaseSearch();
  preloadEvidence();
}

const USDT_DECIMALS = 6;
const PRESETS = ['10', '50', '100', '500'] as const;
const mayBuy = createPressGuard();

/**
 * The purchase form, which stays in view: duration, stake, and two buttons that show their payout and cost. A sheet
 * then repeats everything, unless the customer has switched confirmations off.
 */
export function OptionTicket({ market }: { market: OptionMarket }) {
  const { t, presentation } = useText();
  const { seconds, amount, again } = optionDrafts.use(market.code);
  const [direction, setDirection] = useState<'up' | 'down'>('up');
  const [isConfirming, setConfirming] = useState(false);
  const [isLastConfirmation, setLastConfirmation] = useState(false);
  const [serverFault, setServerFault] = useState<string>();
  const balance = useRead(readBalance, { code: market.code });
  const { buy, isBusy, doubt } = usePurchase(market.code);
  const isTerminal = useMediaQuery(TERMINAL_MEDIA_QUERY);
  const customer = useSession(({ user }) => user?.id ?? null);
  const { atOnceFor, purchases } = useOptionHabits();
  const isAtOnce = customer !== null && atOnceFor === customer;
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
  const hint =
    available === undefined ? (
      <Skeleton width={120} height={14} />
    ) : (
      [
        // The fee takes the place of the limits, because another line would move the buttons.
        preview && !amountFault && t('option.fee_if_won', { fee: figure(preview.fee) }),
        t('option.available', {
          amount: formatAsset(available, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 }),
        }),
        terms &&
          (!preview || amountFault) &&
          t('option.limits', { min: formatDecimalText(terms.min, presentation), max: limit(terms.max) }),
      ]
        .filter(Boolean)
        .join(figureSeparator(presentation))
    );
  const outcome =
    preview && !amountFault
      ? [t('option.get', { credit: figure(preview.credit) }), t('option.lose', { stake: figure(amount) })]
      : [terms ? t('hub.payout', { rate: formatPercent(terms.payout, presentation) }) : '\u00a0'];

  const ask = (chosen: 'up' | 'down') => {
    setDirection(chosen);
    setServerFault(undefined);
    if (fault === null) {
      if (isAtOnce && available !== undefined && mayBuyAtOnce(amount, available)) {
        // A double tap must be only one purchase.
        if (mayBuy()) void submit(chosen);
        return;
      }
      // The press is shown before the sheet is rendered.
      return startTransition(() => setConfirming(true));
    }
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
  const submit = async (chosen: 'up' | 'down') => {
    if (!terms) return;
    const refused = await buy(
      { code: market.code, direction: chosen, quantity: amount, duration: String(terms.seconds) },
      { payout: terms.payout, fee: terms.fee },
    );
    closeConfirm();
    if (!refused) {
      if (purchases <= QUICK_BUY_OFFERED_AFTER) keepOptionHabits({ purchases: purchases + 1 });
      return;
    }
    setServerFault(refused.fields.quantity);
    // The terms may have changed since they were shown.
    void market.refetch();
  };
  const isOffered = purchases === QUICK_BUY_OFFERED_AFTER && !isAtOnce && customer !== null;
  const confirm = () => {
    if (isOffered && isLastConfirmation) keepOptionHabits({ atOnceFor: customer });
    void submit(direction);
  };

  const latest = useRef(ask);
  latest.current = ask;
  const isReady = terms !== undefined && available !== undefined;
  // Repeats a purchase from a result as soon as the data to check it is loaded.
  useEffect(() => {
    if (again === null || !isReady) return;
    optionDrafts.change(market.code, { again: null });
    latest.current(again);
  }, [again, isReady, market.code]);

  const isPaused = marketFault !== null || !durations;
  const press = (chosen: 'up' | 'down') => () => {
    if (!isPaused && !isBusy) ask(chosen);
  };
  useKeys({ u: press('up'), d: press('down') });

  const way = (chosen: 'up' | 'down') => (
    <Button
      look={chosen === 'up' ? 'buy' : 'sell'}
      icon={chosen === 'up' ? 'arrow-up' : 'arrow-down'}
      disabled={isPaused}
      busy={isBusy && direction === chosen}
      onClick={press(chosen)}
    >
      <b>{t(chosen === 'up' ? 'option.buy_up' : 'option.buy_down')}</b>
      {outcome.map((line) => (
        <span key={line} className="ticket-outcome num">
          {line}
        </span>
      ))}
    </Button>
  );

  return (
    <section className="ticket" ref={card} aria-label={t('option.ticket')} onKeyDown={onKeyDown}>
      <DurationPicker
        durations={durations}
        value={terms?.seconds ?? seconds}
        onChange={(seconds) => {
          keepOptionHabits({ seconds });
          optionDrafts.change(market.code, { seconds });
        }}
      />
      <AmountField
        label={t('option.stake')}
        labelUnseen
        lead={
          <span className="ticket-stake" aria-hidden="true">
            {t('option.stake')}
          </span>
        }
        unit="USDT"
        scale={USDT_DECIMALS}
        name="quantity"
        value={amount}
        onChange={(amount) => {
          optionDrafts.change(market.code, { amount });
          setServerFault(undefined);
        }}
        presets={{
          amounts: PRESETS,
          most: available === undefined || !terms ? undefined : largestStake(available, terms),
          mostLabel: t('option.max'),
          isAllowed: (stake) =>
            terms !== undefined && available !== undefined && isStakeAllowed(stake, available, terms),
        }}
        faultText={(what) => t(`amount.${what}`)}
        error={error}
      />
      {terms && available !== undefined && !canPayMinimum(available, terms) && (
        <Late load={loadTestMoney} failed={renderNothing} />
      )}
      <div className="ticket-buttons">
        {way('up')}
        {way('down')}
        {/* The text covers the disabled buttons instead of moving them, because a button must not move under a
            finger. */}
        {marketFault && (
          <p className="ticket-paused" role="status">
            <StaleMark>{t(`option.fault.${marketFault}`)}</StaleMark>
          </p>
        )}
      </div>
      <p className="ticket-hint num">{hint}</p>
      {doubt && <p className="ticket-doubt">{t(`option.${doubt}`)}</p>}
      {/* Below the buttons, so that they do not move when it loads. */}
      {isTerminal && terms && (
        <Late load={loadOptionOdds} failed={renderNothing}>
          {(OptionOdds) => <OptionOdds amount={amount} terms={terms} preview={amountFault ? undefined : preview} />}
        </Late>
      )}
      {terms && preview && (
        <Late load={loadConfirmPurchase} sheet={{ open: isConfirming, onClose: closeConfirm }}>
          {(ConfirmPurchase) => (
            <ConfirmPurchase
              open={isConfirming}
              onClose={closeConfirm}
              onConfirm={confirm}
              isBusy={isBusy}
              isPaused={marketFault !== null}
              code={market.code}
              price={market.price}
              direction={direction}
              amount={amount}
              terms={terms}
              preview={preview}
              isAsked={isAtOnce}
              last={isOffered ? { isChosen: isLastConfirmation, choose: setLastConfirmation } : undefined}
            />
          )}
        </Late>
      )}
    </section>
  );
}
