/**
 * Decides whether an order may go to the book, and its maximum cost. An accepted order can always be paid: a limit buy
 * holds its cost at the limit, a sale holds its coins. Only for a market buy by quantity is the cost unknown before
 * matching, and the matcher undoes the order if it is too expensive.
 */
import {
  COINS,
  type CoinCode,
  formatMoney,
  formatPrice,
  isMore,
  type Money,
  money,
  type Price,
  type Rate,
} from '@sathorn/money';
import {
  type AmountLimits,
  bandPrice,
  CONTRACT_LIMITS,
  contractAmount,
  contractHold,
  priceCollarOf,
} from './contract-terms.ts';
import { type ContractTicket, fractionOfLot, type MarketTicket, refuseOffLot } from './contract-ticket.ts';
import { accept, type Decision, refuse } from './decision.ts';

export interface Placement {
  readonly ticket: ContractTicket;
  /** The current index; null while it is stale. Only market orders need it. */
  readonly index: Price | null;
  /**
   * The newest index, however old. It bounds the prices of limit orders. Null when there is none, and for the house's
   * own quotes.
   */
  readonly reference: Price | null;
  /** The number of this customer's open orders on this book. */
  readonly openOrders: number;
  /** In units of the asset to pay with: USDT for a buy, the coin for a sale. */
  readonly available: bigint;
  /** Units of USDT with which the house can buy the part of a lot when a customer sells a whole balance. */
  readonly houseAvailable?: bigint;
  /** The coin's limits in force; by default the first version. */
  readonly limits?: AmountLimits;
}

export type PlacementRefusal =
  | 'index_stale'
  | 'beyond_collar'
  | 'quantity_off_lot'
  | 'no_liquidity'
  | 'below_minimum'
  | 'above_maximum'
  | 'too_many_orders'
  | 'exceeds_balance';

/** The order for the book: `size` in coins, or in USDT for a market buy by amount. */
export interface AllowedOrder {
  /** The worst price at which it may trade. */
  readonly limit: Price;
  readonly size: Money<CoinCode> | Money<'USDT'>;
  /** The part of a lot in the order. The house buys it at this price, because the book counts whole lots. */
  readonly rest?: { readonly quantity: Money<CoinCode>; readonly price: Price };
}

/** A sale for less leaves nothing after the fee, because the fee is at least one unit. */
export const SALE_MIN_USDT = money('USDT', 2n);

/** Checks in the order written here; the test's table follows the same order. */
export function decidePlacement(placement: Placement): Decision<AllowedOrder, PlacementRefusal> {
  const { ticket, index } = placement;
  const isMarket = ticket.type === 'market';
  if (isMarket && index === null) return refuse('index_stale');
  const limit = isMarket ? marketLimit(ticket, index as Price) : ticket.price;
  const size = isMarket ? ticket.size : ticket.quantity;

  if (!isMarket && placement.reference !== null) {
    const { min, max } = priceCollarOf(ticket.coin, ticket.side, placement.reference);
    const text = (bound: Price): string => formatPrice(bound, COINS[ticket.coin].priceDecimals);
    if (limit < min || limit > max)
      return refuse('beyond_collar', { field: 'price', params: { min: text(min), max: text(max) } });
  }

  // Fees are taken in the coin and fills may be small, so a balance is seldom whole lots and may be worth less than the
  // smallest order. A customer can still sell all of it, because whatever can be bought must be sellable again.
  const isAll = isMarket && ticket.side === 'sell' && size.units === placement.available;
  const part = fractionOfLot(ticket);
  if (part.units > 0n && size.units < placement.available) return refuseOffLot(ticket.coin);
  if (isMarket && size.asset !== 'USDT') {
    const { amountMax, ...limits } = placement.limits ?? CONTRACT_LIMITS;
    const amountMin = isAll ? SALE_MIN_USDT : limits.amountMin;
    const worth = contractAmount(index as Price, size as Money<CoinCode>, isAll ? 'down' : 'up');
    if (isMore(amountMin, worth))
      return refuse('below_minimum', { field: 'quantity', params: { min: formatMoney(amountMin) } });
    if (isMore(worth, amountMax))
      return refuse('above_maximum', { field: 'quantity', params: { max: formatMoney(amountMax) } });
  }
  const rests = !isMarket && ticket.timeInForce === 'GTC';
  if (rests && placement.openOrders >= CONTRACT_LIMITS.openOrdersMax)
    return refuse('too_many_orders', { params: { max: String(CONTRACT_LIMITS.openOrdersMax) } });

  const cost = costOf(ticket, limit, size);
  if (cost !== null && cost.units > placement.available) {
    const available = formatMoney(money(cost.asset, placement.available));
    const field = size.asset === 'USDT' ? 'amount' : 'quantity';
    return refuse('exceeds_balance', { field, params: { available } });
  }
  if (part.units === 0n) return accept({ limit, size });
  const rest = { quantity: part, price: bandPrice(ticket.coin, 'buy', index as Price, 0n as Rate) };
  const isPaid = contractHold('buy', rest.price, part).units <= (placement.houseAvailable ?? 0n);
  return isPaid ? accept({ limit, size, rest }) : refuse('no_liquidity');
}

function marketLimit({ coin, side, priceMax }: MarketTicket, index: Price): Price {
  const band = bandPrice(coin, side, index);
  return priceMax !== undefined && priceMax < band ? priceMax : band;
}

/** The maximum cost; null if it is unknown before matching. */
function costOf(ticket: ContractTicket, limit: Price, size: Money<CoinCode> | Money<'USDT'>): Money | null {
  if (size.asset === 'USDT') return size;
  const quantity = size as Money<CoinCode>;
  return ticket.type === 'limit' || ticket.side === 'sell' ? contractHold(ticket.side, limit, quantity) : null;
}
