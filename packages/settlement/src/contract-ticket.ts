/**
 * Checks everything about a request that needs no book, balance or index price: which fields may be combined, and
 * whether they are multiples of the coin's price step and lot.
 */
import {
  type CoinCode,
  formatDecimal,
  formatMoney,
  isMore,
  lotUnits,
  type Money,
  money,
  PRICE_SCALE,
  type Price,
  parseMoney,
  priceStepUnits,
  scaleOf,
} from '@sathorn/money';
import { type AmountLimits, CONTRACT_LIMITS, contractAmount } from './contract-terms.ts';
import { accept, type Decision, type Refusing, refuse } from './decision.ts';

export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** The request as received. */
export interface ContractRequest {
  readonly coin: CoinCode;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly price?: Price | undefined;
  /** A decimal string, parsed later because its asset is the coin. */
  readonly quantity?: string | undefined;
  readonly amount?: Money<'USDT'> | undefined;
  readonly timeInForce?: TimeInForce | undefined;
  readonly postOnly?: boolean | undefined;
}

interface TicketBase {
  readonly coin: CoinCode;
  readonly side: 'buy' | 'sell';
}
export interface LimitTicket extends TicketBase {
  readonly type: 'limit';
  readonly price: Price;
  readonly quantity: Money<CoinCode>;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
}
export interface MarketTicket extends TicketBase {
  readonly type: 'market';
  readonly timeInForce: 'IOC' | 'FOK';
  /** In coins, or in USDT for a buy by amount. */
  readonly size: Money<CoinCode> | Money<'USDT'>;
  /** The highest price of a buy, within the band. Only regular purchases have one. */
  readonly priceMax?: Price;
}
export type ContractTicket = LimitTicket | MarketTicket;

export type TicketRefusal =
  | 'price_required'
  | 'price_not_allowed'
  | 'price_off_tick'
  | 'time_in_force_not_allowed'
  | 'amount_not_allowed'
  | 'quantity_required'
  | 'quantity_malformed'
  | 'quantity_off_lot'
  | 'below_minimum'
  | 'above_maximum';

/** Checks in the order written here; the test's table follows the same order. */
export function readContractTicket(
  request: ContractRequest,
  limits: AmountLimits = CONTRACT_LIMITS,
): Decision<ContractTicket, TicketRefusal> {
  const { coin, side, type, price, timeInForce, amount } = request;
  const postOnly = request.postOnly ?? false;
  const isMarket = type === 'market';

  if (isMarket && price !== undefined) return refuse('price_not_allowed', { field: 'price' });
  if (!isMarket && (price === undefined || price <= 0n)) return refuse('price_required', { field: 'price' });
  const offStep = price === undefined ? null : refuseOffStep(coin, price);
  if (offStep !== null) return offStep;
  if (isMarket ? timeInForce === 'GTC' || postOnly : postOnly && (timeInForce ?? 'GTC') !== 'GTC')
    return refuse('time_in_force_not_allowed', { field: postOnly ? 'post_only' : 'tif' });

  if (amount !== undefined) {
    // Only a market buy may give the amount to spend instead of a quantity, and such an order cannot be fill-or-kill.
    if (!isMarket || side !== 'buy' || request.quantity !== undefined || timeInForce === 'FOK')
      return refuse('amount_not_allowed', { field: 'amount' });
    return within(amount, limits, 'amount') ?? accept({ coin, side, type, timeInForce: 'IOC', size: amount });
  }
  if (request.quantity === undefined) return refuse('quantity_required', { field: 'quantity' });
  const quantity = parseMoney(coin, request.quantity);
  if (quantity === undefined || quantity.units <= 0n) return refuse('quantity_malformed', { field: 'quantity' });
  // A market sale may include a part of a lot if it sells the owner's whole balance, which `decidePlacement` checks.
  if (!(isMarket && side === 'sell') && quantity.units % lotUnits(coin) !== 0n) return refuseOffLot(coin);

  if (price === undefined)
    return accept({ coin, side, type: 'market', timeInForce: timeInForce === 'FOK' ? 'FOK' : 'IOC', size: quantity });
  return (
    within(contractAmount(price, quantity, 'up'), limits, 'quantity') ??
    accept({ coin, side, type: 'limit', price, quantity, timeInForce: timeInForce ?? 'GTC', postOnly })
  );
}

/** Null if the price is whole price steps. */
export function refuseOffStep(coin: CoinCode, price: Price, field = 'price'): Refusing<'price_off_tick'> | null {
  const step = priceStepUnits(coin);
  if (price % step === 0n) return null;
  return refuse('price_off_tick', {
    field,
    params: { tick: formatDecimal(step, PRICE_SCALE).replace(/\.?0+$/, '') },
  });
}

export function refuseOffLot(coin: CoinCode): Refusing<'quantity_off_lot'> {
  const lot = formatDecimal(lotUnits(coin), scaleOf(coin)).replace(/\.?0+$/, '');
  return refuse('quantity_off_lot', { field: 'quantity', params: { lot } });
}

/** The part of a lot that a market sale includes; zero for all other orders. */
export function fractionOfLot({ coin, side, ...ticket }: ContractTicket): Money<CoinCode> {
  const isSale = ticket.type === 'market' && side === 'sell';
  return money(coin, isSale ? ticket.size.units % lotUnits(coin) : 0n);
}

function within(amount: Money<'USDT'>, { amountMin, amountMax }: AmountLimits, field: string) {
  if (isMore(amountMin, amount)) return refuse('below_minimum', { field, params: { min: formatMoney(amountMin) } });
  if (isMore(amount, amountMax)) return refuse('above_maximum', { field, params: { max: formatMoney(amountMax) } });
  return null;
}
