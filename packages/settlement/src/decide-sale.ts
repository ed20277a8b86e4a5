/** Decides whether the house takes an open option back at the price that its customer saw. */
import { formatMoney, isMore, type Money } from '@sathorn/money';
import { accept, type Decision, refuse } from './decision.ts';
import { type OptionSaleTerms, optionBidOf, optionWorthOf, type StepTick, saleUntilMs } from './option-bid.ts';
import { OPTION_GAP_MAX_MS, type OptionTerms, type OptionTick } from './option-terms.ts';

/**
 * A sale is taken at the first tick that is this much later than its arrival. The index lags behind the markets by some
 * tenths of a second, and a customer who watches them must not sell at a price that has ended there.
 */
export const SALE_TAKEN_AFTER_MS = 500;
/**
 * The oldest tick that a price may be of, in ms before the arrival: a tick is the newest for a second, it is published
 * some tenths of a second late, and the customer has one second for the tap and its way.
 */
export const QUOTE_AGE_MAX_MS = 2_500;

/** The most that the newest tick may be ahead of the quoted one when the ledger decides, in ms. */
export const QUOTE_BEHIND_MAX_MS = 8_000;

export interface OpenOption {
  readonly status: 'holding' | 'won' | 'lost' | 'tie' | 'void' | 'sold';
  readonly terms: OptionTerms;
  /** Null for an option that was bought without such terms. */
  readonly sale: OptionSaleTerms | null;
  /** The first tick after the acceptance; null while there is none. */
  readonly start: OptionTick | null;
}

export interface Sale {
  /** Undefined if the customer has no such option. */
  readonly order: OpenOption | undefined;
  readonly isIndexStale: boolean;
  /** When the request arrived, and the time of the decision, in ms. */
  readonly arrivedMs: number;
  readonly nowMs: number;
  /** The price that the customer saw, and its tick; undefined if no such tick is stored. */
  readonly price: Money<'USDT'>;
  readonly quoted: StepTick | undefined;
  /** The first tick that is late enough after the arrival, which takes the sale. */
  readonly newest: StepTick | undefined;
  /** Time of the newest tick that is stored at the decision, in ms. */
  readonly headMs: number;
}

export interface SoldOption {
  readonly start: OptionTick;
  readonly end: OptionTick;
  readonly credited: Money<'USDT'>;
}

export type SaleRefusal =
  | 'order_unknown'
  | 'order_settled'
  | 'sale_not_offered'
  | 'index_stale'
  | 'sale_too_early'
  | 'sale_closed'
  | 'sale_worthless'
  | 'price_moved';

/**
 * Checks in the order written here; the test's table follows the same order. The price must be the formula's for a tick
 * that the customer just saw, and at most what holding is worth at a tick that came after the customer's tap: so nobody
 * is paid for knowing more than the index.
 */
export function decideSale(asked: Sale): Decision<SoldOption, SaleRefusal> {
  const { order, arrivedMs, nowMs, price, quoted, newest, headMs } = asked;
  if (order === undefined) return refuse('order_unknown', { field: 'id' });
  if (order.status !== 'holding') return refuse('order_settled');
  const { terms, sale, start } = order;
  if (sale === null) return refuse('sale_not_offered');
  const isMissed = newest === undefined || newest.atMs < arrivedMs + SALE_TAKEN_AFTER_MS;
  if (asked.isIndexStale || isMissed) return refuse('index_stale');
  // Without a timely start tick the option becomes void, and its stake goes back.
  if (start === null || start.atMs > terms.acceptedMs + OPTION_GAP_MAX_MS) return refuse('sale_too_early');
  if (Math.max(newest.atMs, headMs, nowMs) > saleUntilMs(terms, sale)) return refuse('sale_closed');
  const bid = optionBidOf(terms, sale, start, newest);
  if (bid === null) return refuse('sale_worthless');
  const moved = () => refuse('price_moved', { params: { price: formatMoney(bid), tick: newest.sequence.toString() } });
  if (quoted === undefined || quoted.sequence < start.sequence || quoted.sequence > newest.sequence) return moved();
  if (quoted.atMs < arrivedMs - QUOTE_AGE_MAX_MS || quoted.atMs > saleUntilMs(terms, sale)) return moved();
  if (headMs > quoted.atMs + QUOTE_BEHIND_MAX_MS) return moved();
  if (optionBidOf(terms, sale, start, quoted)?.units !== price.units) return moved();
  if (isMore(price, optionWorthOf(terms, sale, start, newest))) return moved();
  return accept({ start, end: quoted, credited: price });
}
