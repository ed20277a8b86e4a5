import { listContracts, placeContract, readBalance, readUser } from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { Late, preloadPart, whenPageSettled } from '@sathorn/app/late';
import { intentKeyOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { parseDecimal, scaleOf } from '@sathorn/money';
import { feesAtLevel } from '@sathorn/settlement';
import { formatAsset, formatPercent } from '@sathorn/text';
import { AmountField, Button, preloadOverlays, Skeleton, StaleMark, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useKeys } from '../parts/keys/use-keys.ts';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { VIBRATE_TAKEN_MS, vibrateDevice } from '../parts/orders/vibrate-device.ts';
import { bookMiddle } from './book-middle.ts';
import { type SideDraft, useContractDraft } from './contract-drafts.ts';
import { receivedFigure, roundToPriceStep } from './contract-figures.ts';
import { decimalsOf } from './contract-math.ts';
import { useContractPreferences } from './contract-preferences.ts';
import { contractRequestOf, isByAmount } from './contract-ticket.ts';
import { storeOwnOrders } from './own-order-store.ts';
import { overpaidShare, priceDistanceText } from './price-distance.ts';
import { PriceField } from './price-field.tsx';
import { reviewTicket } from './review-ticket.ts';
import { SegmentedControl } from './segmented-control.tsx';
import { SizeSlider } from './size-slider.tsx';
import { totalOfSize } from './total-size.ts';
import { BOOK_DEPTH, useBookStore } from './use-book.ts';
import type { ContractMarket } from './use-contract-market.ts';
import { usePlacedOrderText } from './use-placed-order-text.ts';
import './ticket-form.css';

const USDT_DECIMALS = 6;
const loadConfirmOrder = () => import('./confirm-order.tsx');
const loadTicketConditions = () => import('./ticket-conditions.tsx');
const loadWaitingSheet = () => import('./waiting-sheet.tsx');
const loadRecurringSheet = () => import('./recurring-sheet.tsx');

/** Preloads the code for placing an order, because the connection may be lost by then. */
async function preloadNext(): Promise<void> {
  await whenPageSettled();
  preloadOverlays();
  preloadPart(loadConfirmOrder);
}

/** Maps fields of the call to fields of the form, to show the server's refusals. */
const FIELD_NAMES = {
  price: 'price',
  quantity: 'size',
  amount: 'size',
  tif: 'condition',
  post_only: 'condition',
} as const;
type Field = (typeof FIELD_NAMES)[keyof typeof FIELD_NAMES];

interface Refusal {
  /** The refused draft. The message disappears when the draft changes. */
  readonly draft: SideDraft;
  readonly fields: Partial<Record<Field, string>>;
}

/** The order form: side and type, an estimate on the current book, and every fault beside its field. */
export default function TicketForm({ market }: { market: ContractMarket }) {
  const { t, presentation } = useText<'contracts'>();
  const texts = useText();
  const queries = useQueryClient();
  const { terms, code } = market;
  const { draft, ticket, change, chooseSide, forgetSent } = useContractDraft(
    code,
    roundToPriceStep(code, market.index),
    market.lot,
  );
  const [round, setRound] = useState(0);
  const [isTried, setTried] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [isAdvanced, setAdvanced] = useState(false);
  const [isMore, setMore] = useState(false);
  const [isRecurring, setRecurring] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const asksFirst = useContractPreferences((preferences) => preferences.asksFirst);
  const book = useBookStore((books) => books[market.code]);
  const balance = useRead(readBalance, { code: market.code });
  const { data: user } = useRead(readUser, {});
  const place = useCall(placeContract, {
    quiet: true,
    withoutOverlay: true,
    intent: intentKeyOf(`contract ${code} ${ticket.side}`),
  });
  const placedText = usePlacedOrderText();
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => void preloadNext(), []);

  const refused = refusal?.draft === draft ? refusal.fields : {};
  const fees = feesAtLevel(terms?.fees, user?.vip_level);
  const { faults, preview, sizeMax, sizeCap } = reviewTicket(ticket, {
    code,
    isOffered: !market.isClosed,
    buyRefusal: terms?.buy_refusal ?? null,
    tick: market.tick,
    lot: market.lot,
    amountMin: terms?.amount_min,
    amountMax: terms?.amount_max,
    band: terms?.band,
    index: market.index,
    isStale: market.isStale,
    isSilent: market.isSilent,
    bids: book?.bids,
    asks: book?.asks,
    isWholeBook: book !== undefined && book.bids.length < BOOK_DEPTH && book.asks.length < BOOK_DEPTH,
    usdtAvailable: balance.data?.usdt_available,
    coinAvailable: balance.data?.available,
    makerRate: fees?.maker,
    takerRate: fees?.taker,
  });

  const picks = {
    bid: book?.bids[0]?.[0],
    mid: book && bookMiddle(book, market.tick)?.mid,
    ask: book?.asks[0]?.[0],
  };
  const usualRate = ticket.type === 'limit' ? fees?.maker : fees?.taker;
  const isBuy = ticket.side === 'buy';
  const byAmount = isByAmount(ticket);
  const isMarketSale = ticket.type === 'market' && !isBuy;
  const unit = byAmount ? 'USDT' : code;
  const available = isBuy ? balance.data?.usdt_available : balance.data?.available;
  const paid = isBuy ? 'USDT' : code;
  const asset = (name: string, text: string) => assetFigure(name, text, presentation);
  const band = terms ? formatPercent(terms.band, presentation) : '';
  const priceError =
    refused.price ??
    (faults.price === null || (faults.price === 'price_missing' && !isTried)
      ? undefined
      : t(`contracts.fault.${faults.price}`, { step: market.tick }));
  const sizeError =
    refused.size ??
    (faults.size === null || (faults.size === 'size_missing' && !isTried)
      ? undefined
      : t(`contracts.fault.${faults.size}`, {
          step: market.lot,
          min: terms ? asset('USDT', terms.amount_min) : '',
          max: terms ? asset('USDT', terms.amount_max) : '',
          available: available === undefined ? '' : asset(paid, available),
        }));
  const conditionError =
    refused.condition ?? (faults.condition === null ? undefined : t(`contracts.fault.${faults.condition}`));
  const isFaulty = Object.values(faults).some((fault) => fault !== null);

  // Messages with the same `about` replace each other.
  const about = `contract ${code}`;
  const send = async () => {
    const answer = await place.submit(contractRequestOf(code, ticket));
    setConfirming(false);
    void queries.invalidateQueries({ queryKey: readQueryKey(readBalance) });
    if (!answer.ok) {
      const named = Object.entries(answer.fields).flatMap(([name, says]) =>
        name in FIELD_NAMES ? [[FIELD_NAMES[name as keyof typeof FIELD_NAMES], says] as const] : [],
      );
      setRefusal({ draft, fields: Object.fromEntries(named) });
      if (named.length === 0 && answer.code !== 'session_required')
        showToast(answer.isAnswered ? failureText(answer, texts) : t('contracts.unanswered'), 'danger', { about });
      if (!answer.isAnswered) void queries.invalidateQueries({ queryKey: readQueryKey(listContracts) });
      return;
    }
    storeOwnOrders([answer.data]);
    const isNothing = answer.data.status === 'cancelled' && !/[1-9]/.test(answer.data.dealt_quantity);
    if (!isNothing) vibrateDevice(VIBRATE_TAKEN_MS);
    showToast(placedText(answer.data), isNothing ? 'plain' : 'success', { durationMs: 4000, about });
    forgetSent();
    setRound(round + 1);
    setTried(false);
  };
  const ask = () => {
    setTried(true);
    setRefusal(null);
    if (isFaulty || !preview) {
      form.current?.querySelector<HTMLElement>('input[name=price][aria-invalid], input[name=size]')?.focus();
      // The order is valid, but the result of a market order can't be estimated.
      if (!isFaulty) showToast(t('contracts.book_failed'), 'danger');
      return;
    }
    // An order that looks like a typing error needs a confirmation even if the customer has switched confirmations off.
    const isFar = ticket.type === 'limit' && overpaidShare(ticket.side, ticket.price, market.index) !== null;
    if (asksFirst || isFar) setConfirming(true);
    else void send();
  };

  const away = priceDistanceText(ticket.price, market.index);
  const awayShare = away && formatPercent(away.share, presentation, { minDecimals: 2, maxDecimals: 2 });

  const exactTotal = totalOfSize(code, ticket.side, ticket.size, ticket.price);
  const isRounded =
    draft.total !== '' && parseDecimal(draft.total, USDT_DECIMALS) !== parseDecimal(exactTotal, USDT_DECIMALS);
  const sizeScale = byAmount ? USDT_DECIMALS : isMarketSale ? scaleOf(code) : decimalsOf(market.lot);

  const take = (side: 'buy' | 'sell') => {
    chooseSide(side);
    setTried(false);
  };
  const begin = (side: 'buy' | 'sell') => () => {
    // Renders at once, because the other side has its own field to focus.
    flushSync(() => take(side));
    form.current?.querySelector<HTMLElement>('input[name=size]')?.focus();
  };
  useKeys({ b: begin('buy'), s: begin('sell') });

  const closeAdvanced = () => setAdvanced(false);
  const closeConfirm = () => setConfirming(false);
  const closeMore = () => setMore(false);
  const closeRecurring = () => setRecurring(false);

  const feeRate = preview?.feeRate ?? usualRate;
  const outcome = [
    // The form shows the total of a limit order as a field instead.
    ...(ticket.type === 'limit'
      ? []
      : [
          {
            name: byAmount ? t('contracts.quantity') : t('contracts.total'),
            caption: undefined,
            value: preview && (byAmount ? asset(code, preview.quantity) : asset('USDT', preview.total)),
            isAbout: true,
          },
        ]),
    {
      name: t('contracts.fee_name'),
      caption: feeRate && formatPercent(feeRate, presentation, { minDecimals: 2 }),
      value: preview && asset(preview.feeAsset, preview.fee),
      isAbout: true,
    },
    preview && preview.receivedMin !== null
      ? {
          name: t('contracts.receive_min'),
          caption: undefined,
          value: receivedFigure(preview.feeAsset, preview.receivedMin, presentation),
          isAbout: false,
        }
      : {
          name: t('contracts.receive'),
          caption: undefined,
          value: preview && asset(preview.feeAsset, preview.received),
          isAbout: true,
        },
  ];

  return (
    <div ref={form} className="ticket-form" data-form="">
      <SegmentedControl
        legend={t('contracts.side')}
        value={ticket.side}
        onChange={take}
        options={[
          { value: 'buy', label: t('contracts.buy'), look: 'buy' },
          { value: 'sell', label: t('contracts.sell'), look: 'sell' },
        ]}
      />
      <SegmentedControl
        legend={t('contracts.type')}
        value={ticket.type}
        onChange={(type) => {
          change({ type, size: '', total: '' });
          setRound(round + 1);
          setTried(false);
        }}
        options={[
          { value: 'limit', label: t('contracts.limit') },
          { value: 'market', label: t('contracts.market') },
        ]}
      />
      {ticket.type === 'limit' ? (
        <>
          <PriceField
            tick={market.tick}
            value={ticket.price}
            error={priceError}
            onChange={(price) => change({ price })}
          />
          <fieldset className="ticket-picks" aria-label={t('contracts.best_prices')}>
            {(['bid', 'mid', 'ask'] as const).map((name) => (
              <button
                key={name}
                type="button"
                disabled={picks[name] === undefined}
                onClick={() => picks[name] !== undefined && change({ price: picks[name] })}
              >
                {t(`contracts.pick_${name}`)}
              </button>
            ))}
          </fieldset>
          {away && (
            <p className="ticket-away num">{t(`contracts.index_${away.direction}`, { share: awayShare ?? '' })}</p>
          )}
        </>
      ) : (
        <div>
          <p className="ui-field-label">{t('contracts.price')}</p>
          <p className="ticket-at-market">{t('contracts.at_market')}</p>
        </div>
      )}
      <div>
        <div className="ticket-size-head">
          <span aria-hidden="true">{t(byAmount ? 'contracts.spend' : 'contracts.quantity')}</span>
          {ticket.type === 'market' && isBuy && (
            <button
              type="button"
              className="ticket-size-unit"
              onClick={() => {
                change({ sizedBy: byAmount ? 'quantity' : 'amount', size: '' });
                setRound(round + 1);
              }}
            >
              {t('contracts.size_in', { unit: byAmount ? code : 'USDT' })}
            </button>
          )}
        </div>
        <AmountField
          key={`${ticket.side} ${ticket.type} ${unit} ${round}`}
          label={t(byAmount ? 'contracts.spend' : 'contracts.quantity')}
          labelUnseen
          name="size"
          unit={unit}
          // A market sale may sell the whole balance, which is seldom whole lots.
          scale={sizeScale}
          value={ticket.size}
          onChange={(size) => change({ size, total: '' })}
          faultText={(fault) =>
            fault === 'too_fine' && !byAmount
              ? t('contracts.fault.off_lot', { step: market.lot })
              : t(`amount.${fault}`)
          }
          error={sizeError}
        />
        <SizeSlider
          value={ticket.size}
          most={sizeMax}
          cap={sizeCap}
          scale={sizeScale}
          onChange={(size) => change({ size, total: '' })}
        />
      </div>
      {ticket.type === 'limit' && (
        <AmountField
          key={`total ${ticket.side} ${round}`}
          label={t('contracts.total')}
          name="total"
          unit="USDT"
          scale={USDT_DECIMALS}
          value={draft.total === '' ? exactTotal : draft.total}
          onChange={(total) => change({ total, size: '' })}
          faultText={(fault) => t(`amount.${fault}`)}
          hint={
            isRounded
              ? t('contracts.total_rounded', { step: asset(code, market.lot), total: asset('USDT', exactTotal || '0') })
              : undefined
          }
        />
      )}
      <dl className="ticket-figures num">
        <div>
          <dt>{t('contracts.available')}</dt>
          <dd>
            {available !== undefined ? (
              <bdi dir="ltr">
                {paid === 'USDT'
                  ? formatAsset(available, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 })
                  : asset(paid, available)}
              </bdi>
            ) : balance.isError ? (
              '–'
            ) : (
              <Skeleton width={80} height={13} />
            )}
          </dd>
        </div>
        {outcome.map(({ name, caption, value, isAbout }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {caption && <span className="ticket-caption">{caption}</span>}
              <bdi dir="ltr">{value ? (isAbout ? t('contracts.about', { amount: value }) : value) : '–'}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {preview &&
        (preview.has === 'some' || preview.has === 'none') &&
        faults.market === null &&
        faults.size !== 'below_minimum' && (
          <p className="ticket-note">
            {preview.has === 'some'
              ? t('contracts.has_some', { quantity: asset(code, preview.quantity) })
              : t('contracts.has_none')}
          </p>
        )}
      {faults.market && (
        <p className="ticket-note" role="status">
          <StaleMark>{t(`contracts.fault.${faults.market}`, { band })}</StaleMark>
        </p>
      )}
      {ticket.type === 'limit' && conditionError && (
        <p className="ticket-fault" role="alert">
          {conditionError}
        </p>
      )}
      <Button look={isBuy ? 'buy' : 'sell'} busy={place.isBusy} disabled={faults.market !== null} onClick={ask}>
        {t(isBuy ? 'contracts.buy_coin' : 'contracts.sell_coin', { coin: code })}
      </Button>
      {isBuy && <p className="cap">{t('contracts.settled_inside')}</p>}
      <button type="button" className="ticket-advanced" onClick={() => setAdvanced(true)}>
        {t('contracts.advanced')}
        {ticket.type === 'limit' && (ticket.timeInForce !== 'GTC' || ticket.isPostOnly) && (
          <b>{ticket.timeInForce === 'GTC' ? t('contracts.post_only') : ticket.timeInForce}</b>
        )}
      </button>
      <button type="button" className="ticket-advanced" onClick={() => setMore(true)}>
        {t('contracts.more_kinds')}
      </button>
      {isBuy && (
        <button type="button" className="ticket-advanced" onClick={() => setRecurring(true)}>
          {t('contracts.buy_regularly')}
        </button>
      )}
      <Late load={loadRecurringSheet} sheet={{ open: isRecurring, onClose: closeRecurring }}>
        {(RecurringSheet) => <RecurringSheet open={isRecurring} code={market.code} onClose={closeRecurring} />}
      </Late>
      <Late load={loadWaitingSheet} sheet={{ open: isMore, onClose: closeMore }}>
        {(WaitingSheet) => <WaitingSheet open={isMore} market={market} onClose={closeMore} />}
      </Late>
      <Late load={loadTicketConditions} sheet={{ open: isAdvanced, onClose: closeAdvanced }}>
        {(TicketConditions) => (
          <TicketConditions open={isAdvanced} ticket={ticket} onChange={change} onClose={closeAdvanced} />
        )}
      </Late>
      <Late load={loadConfirmOrder} sheet={{ open: isConfirming, onClose: closeConfirm }}>
        {(ConfirmOrder) => (
          <ConfirmOrder
            open={isConfirming}
            code={code}
            ticket={ticket}
            preview={preview}
            band={band}
            index={market.index}
            isPaused={faults.market !== null}
            isBusy={place.isBusy}
            onClose={closeConfirm}
            onConfirm={() => void send()}
          />
        )}
      </Late>
    </div>
  );
}
