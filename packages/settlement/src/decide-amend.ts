/**
 * Decides what a change of a resting order does. A smaller size alone keeps the order and its place in the queue. A
 * changed price ends the order and places its open part again, at the end of the new level: the order's text is sealed
 * and signed, so it never gets another price.
 */
import {
  type CoinCode,
  formatDecimal,
  formatMoney,
  lotUnits,
  type Money,
  money,
  type Price,
  parseMoney,
  scaleOf,
} from '@sathorn/money';
import { type AmountLimits, CONTRACT_LIMITS, contractAmount, contractHold } from './contract-terms.ts';
import { type LimitTicket, refuseOffLot, refuseOffStep } from './contract-ticket.ts';
import { accept, type Decision, refuse } from './decision.ts';

/** A resting order. `quantity` is as ordered, `cut` what was taken back of it since, `dealt` what was filled. */
export interface RestingContract {
  readonly coin: CoinCode;
  readonly side: 'buy' | 'sell';
  readonly price: Price;
  readonly quantity: bigint;
  readonly cut: bigint;
  readonly dealt: bigint;
  readonly held: bigint;
  readonly postOnly: boolean;
}

/** The request as received: the new price, the new size including what is already filled, or both. */
export interface AmendRequest {
  readonly price?: Price | undefined;
  readonly quantity?: string | undefined;
}

export type AmendRefusal =
  | 'nothing_changes'
  | 'price_required'
  | 'price_off_tick'
  | 'quantity_malformed'
  | 'quantity_off_lot'
  | 'quantity_not_less'
  | 'quantity_dealt'
  | 'below_minimum';

export type Amendment =
  /** `cut` is taken back of the order, and `released` of its hold. */
  | { readonly do: 'shrink'; readonly cut: bigint; readonly released: bigint }
  /** The order ends, and this one takes its place. It must pass `decidePlacement` like any new order. */
  | { readonly do: 'replace'; readonly ticket: LimitTicket };

/** Checks in the order written here; the test's table follows the same order. */
export function decideAmend(
  order: RestingContract,
  request: AmendRequest,
  limits: AmountLimits = CONTRACT_LIMITS,
): Decision<Amendment, AmendRefusal> {
  const { coin, side, dealt } = order;
  const price = request.price ?? order.price;
  const size = order.quantity - order.cut;
  if (price <= 0n) return refuse('price_required', { field: 'price' });
  const offStep = refuseOffStep(coin, price);
  if (offStep !== null) return offStep;

  const asked = request.quantity === undefined ? money(coin, size) : parseMoney(coin, request.quantity);
  if (asked === undefined || asked.units <= 0n) return refuse('quantity_malformed', { field: 'quantity' });
  if (asked.units % lotUnits(coin) !== 0n) return refuseOffLot(coin);
  if (asked.units > size)
    return refuse('quantity_not_less', { field: 'quantity', params: { max: amountText(coin, size) } });
  if (asked.units <= dealt)
    return refuse('quantity_dealt', { field: 'quantity', params: { dealt: amountText(coin, dealt) } });
  const isSamePrice = price === order.price;
  if (isSamePrice && asked.units === size)
    return refuse('nothing_changes', { field: request.price === undefined ? 'quantity' : 'price' });

  const open: Money<CoinCode> = money(coin, asked.units - dealt);
  if (contractAmount(price, open, 'up').units < limits.amountMin.units)
    return refuse('below_minimum', { field: 'quantity', params: { min: formatMoney(limits.amountMin) } });
  if (!isSamePrice) {
    const { postOnly } = order;
    return accept({
      do: 'replace',
      ticket: { coin, side, type: 'limit', price, quantity: open, timeInForce: 'GTC', postOnly },
    });
  }
  // The hold was rounded up once and fills down, so it is never less than the hold of what stays open.
  const released = order.held - contractHold(side, price, open).units;
  return accept({ do: 'shrink', cut: size - asked.units, released });
}

const amountText = (coin: CoinCode, units: bigint): string => formatDecimal(units, scaleOf(coin));
