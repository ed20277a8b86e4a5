/**
 * Decides about orders that wait for the index: whether one may be placed, when it triggers, and what then goes to the
 * book. The index decides and never the last trade, because an index tick is signed and anybody can verify it.
 *
 * A waiting order holds what it may cost from its acceptance on. It triggers once, by the first tick later than the
 * moment at which it was armed that reaches its trigger price.
 */
import { COINS, type CoinCode, formatMoney, formatPrice, isMore, type Money, money, type Price } from '@sathorn/money';
import {
  type AmountLimits,
  bandPrice,
  CONTRACT_LIMITS,
  contractAmount,
  contractHold,
  priceCollarOf,
} from './contract-terms.ts';
import {
  type ContractRequest,
  type ContractTicket,
  fractionOfLot,
  type LimitTicket,
  readContractTicket,
  refuseOffLot,
  refuseOffStep,
  type TicketRefusal,
} from './contract-ticket.ts';
import type { AllowedOrder } from './decide-contract.ts';
import { accept, type Decision, refuse } from './decision.ts';

/** `stop` follows the market: buys when it rises, sells when it falls. `take_profit` is the opposite. */
export const TRIGGERS = ['stop', 'take_profit'] as const;
export type TriggerKind = (typeof TRIGGERS)[number];

export interface Trigger {
  readonly side: 'buy' | 'sell';
  readonly trigger: TriggerKind;
  readonly triggerPrice: Price;
}

export interface WaitingTicket extends Trigger {
  readonly coin: CoinCode;
  /** The order that goes to the book. */
  readonly order: ContractTicket;
}

export interface WaitingRequest extends ContractRequest {
  readonly trigger: TriggerKind;
  readonly triggerPrice: Price;
}

/** A tick as the decision uses it. */
export interface TriggerTick {
  readonly sequence: bigint;
  readonly atMs: number;
  readonly price: Price;
}

/** True if the order triggers at or above its price, false if at or below. */
export const triggersAbove = ({ side, trigger }: Pick<Trigger, 'side' | 'trigger'>): boolean =>
  (side === 'buy') === (trigger === 'stop');

/** True if this index price reaches the trigger. */
export const reachesTrigger = (order: Trigger, index: Price): boolean =>
  triggersAbove(order) ? index >= order.triggerPrice : index <= order.triggerPrice;

/** True if this tick triggers an order that was armed at `armedMs`. */
export const isDue = (order: Trigger & { readonly armedMs: number }, tick: TriggerTick): boolean =>
  tick.atMs > order.armedMs && reachesTrigger(order, tick.price);

/** The first of these ticks, which are in order, that triggers the order; undefined if none does. */
export const firstTickDue = <T extends TriggerTick>(
  order: Trigger & { readonly armedMs: number },
  ticks: readonly T[],
): T | undefined => ticks.find((tick) => isDue(order, tick));

/** Checks in the order written here; the test's table follows the same order. */
export function readWaitingTicket(
  request: WaitingRequest,
  limits: AmountLimits = CONTRACT_LIMITS,
): Decision<WaitingTicket, TicketRefusal | 'trigger_price_required'> {
  const { coin, side, trigger, triggerPrice } = request;
  if (triggerPrice <= 0n) return refuse('trigger_price_required', { field: 'trigger_price' });
  const offStep = refuseOffStep(coin, triggerPrice, 'trigger_price');
  if (offStep !== null) return offStep;
  const order = readContractTicket(request, limits);
  if (!order.ok) return order;
  // The balance may change while the order waits, so it can never be known to be all of it.
  if (fractionOfLot(order.effect).units > 0n) return refuseOffLot(coin);
  return accept({ coin, side, trigger, triggerPrice, order: order.effect });
}

/** A limit order that takes profit and a stop of the same size. */
export interface PairRequest {
  readonly coin: CoinCode;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: Price;
  readonly triggerPrice: Price;
  /** The stop's limit; undefined for a market order. */
  readonly stopPrice: Price | undefined;
}

export interface Pair {
  readonly limit: LimitTicket;
  readonly stop: WaitingTicket;
}

/** The limit order is post-only, so it rests before anything can end its stop. */
export function readPair(
  { coin, side, quantity, price, triggerPrice, stopPrice }: PairRequest,
  limits: AmountLimits = CONTRACT_LIMITS,
): Decision<Pair, TicketRefusal | 'trigger_price_required'> {
  const type = stopPrice === undefined ? 'market' : 'limit';
  const stop = readWaitingTicket(
    { coin, side, type, trigger: 'stop', triggerPrice, price: stopPrice, quantity },
    limits,
  );
  if (!stop.ok) return stop;
  const limit = readContractTicket({ coin, side, type: 'limit', price, quantity, postOnly: true }, limits);
  return limit.ok ? accept({ limit: limit.effect as LimitTicket, stop: stop.effect }) : limit;
}

export interface WaitingPlacement {
  readonly ticket: WaitingTicket;
  /** The current index; null while it is stale. */
  readonly index: Price | null;
  /** The number of this customer's waiting orders of the coin. */
  readonly waitingOrders: number;
  /** In units of the asset to pay with, including the hold of an order that this one replaces. */
  readonly available: bigint;
  /** The coin's limits in force; by default the first version. */
  readonly limits?: AmountLimits;
}

export type WaitingRefusal =
  | 'index_stale'
  | 'stop_would_trigger'
  | 'beyond_collar'
  | 'below_minimum'
  | 'above_maximum'
  | 'too_many_orders'
  | 'exceeds_balance';

/**
 * The highest price that a market buy by quantity may pay; null for other orders. It is the band around the trigger
 * price, so that the most that the order may cost is known when it is placed.
 */
export const capOf = ({ coin, side, triggerPrice, order }: WaitingTicket): Price | null =>
  side === 'buy' && order.type === 'market' && order.size.asset !== 'USDT'
    ? bandPrice(coin, 'buy', triggerPrice)
    : null;

/** The most that the order may cost. */
export function waitingHold(ticket: WaitingTicket): Money {
  const { side, order } = ticket;
  if (order.type === 'limit') return contractHold(side, order.price, order.quantity);
  if (order.size.asset === 'USDT') return order.size;
  return contractHold(side, capOf(ticket) ?? ticket.triggerPrice, order.size as Money<CoinCode>);
}

/** Checks in the order written here; the test's table follows the same order. Returns what the order holds. */
export function decideWaiting(placement: WaitingPlacement): Decision<Money, WaitingRefusal> {
  const { ticket, index, available, limits = CONTRACT_LIMITS } = placement;
  const { coin, side, triggerPrice, order } = ticket;
  const text = (price: Price): string => formatPrice(price, COINS[coin].priceDecimals);
  // Without a current index nobody knows whether the price has been reached already.
  if (index === null) return refuse('index_stale');
  if (reachesTrigger(ticket, index))
    return refuse('stop_would_trigger', {
      field: 'trigger_price',
      // The index may have more decimals than prices of the book.
      params: { index: formatPrice(index, COINS[coin].indexDecimals) },
    });
  if (order.type === 'limit') {
    const { min, max } = priceCollarOf(coin, side, triggerPrice);
    if (order.price < min || order.price > max)
      return refuse('beyond_collar', { field: 'price', params: { min: text(min), max: text(max) } });
  } else if (order.size.asset !== 'USDT') {
    const worth = contractAmount(triggerPrice, order.size as Money<CoinCode>, 'up');
    if (isMore(limits.amountMin, worth))
      return refuse('below_minimum', { field: 'quantity', params: { min: formatMoney(limits.amountMin) } });
    if (isMore(worth, limits.amountMax))
      return refuse('above_maximum', { field: 'quantity', params: { max: formatMoney(limits.amountMax) } });
  }
  if (placement.waitingOrders >= CONTRACT_LIMITS.openOrdersMax)
    return refuse('too_many_orders', { params: { max: String(CONTRACT_LIMITS.openOrdersMax) } });
  const held = waitingHold(ticket);
  if (held.units > available)
    return refuse('exceeds_balance', {
      field: order.type === 'market' && order.size.asset === 'USDT' ? 'amount' : 'quantity',
      params: { available: formatMoney(money(held.asset, available)) },
    });
  return accept(held);
}

/**
 * The order for the book when this tick triggers. A market order trades within the band around the tick, and a buy
 * never above its cap, so it never costs more than is held. Its size was checked when it was placed.
 */
export function triggeredOrder(ticket: WaitingTicket, tick: TriggerTick): AllowedOrder {
  const { coin, side, order } = ticket;
  if (order.type === 'limit') return { limit: order.price, size: order.quantity };
  const limit = bandPrice(coin, side, tick.price);
  const cap = capOf(ticket);
  return { limit: cap !== null && cap < limit ? cap : limit, size: order.size };
}
