import type { OptionOrder, Ticker } from '@sathorn/api';
import {
  COINS,
  isCoinCode,
  type Money,
  PRICE_SCALE,
  parseDecimal,
  parseMoney,
  parsePrice,
  parseRate,
  subtract,
} from '@sathorn/money';
import { type OptionSaleTerms, type OptionTerms, optionBidOf, saleSpreadOf, saleUntilMs } from '@sathorn/settlement';

interface SellableOrder {
  readonly terms: OptionTerms;
  readonly sale: OptionSaleTerms;
}

/** The order's terms as the rules read them; undefined for an order that can't be sold. */
export function sellableOf(order: OptionOrder): SellableOrder | undefined {
  const { sale } = order;
  const [stake, payout, feeRate] = [
    parseMoney('USDT', order.quantity),
    parseRate(order.payout),
    parseRate(order.fee_rate),
  ];
  if (!sale || stake === undefined || payout === undefined || feeRate === undefined) return undefined;
  const basisPoints = (share: string): bigint => parseDecimal(share, 4) ?? 0n;
  return {
    terms: {
      direction: order.direction,
      stake,
      payout,
      feeRate,
      acceptedMs: Date.parse(order.start_time),
      durationMs: order.duration * 1_000,
    },
    sale: {
      volatilityBasisPoints: basisPoints(sale.volatility),
      bandBasisPoints: basisPoints(sale.band),
      spreadBasisPoints: basisPoints(sale.spread),
      closedMs: sale.closed_seconds * 1_000,
    },
  };
}

export type LiveBid =
  | { readonly state: 'waiting' | 'closed' | 'worthless' }
  | {
      readonly state: 'open';
      readonly price: Money<'USDT'>;
      readonly profit: Money<'USDT'>;
      readonly spread: Money<'USDT'>;
      readonly tick: string;
    };

/** The price at which the order can be sold at this tick, as the server computes it. */
export function liveBidOf(
  { start_price: startText, name }: Pick<OptionOrder, 'start_price' | 'name'>,
  { terms, sale }: SellableOrder,
  ticker: Pick<Ticker, 'price' | 'at' | 'sequence'> | undefined,
  nowMs: number,
): LiveBid {
  const price = ticker && parsePrice(ticker.price);
  const start = startText === null ? undefined : parsePrice(startText);
  if (ticker === undefined || price === undefined || start === undefined || !isCoinCode(name))
    return { state: 'waiting' };
  const atMs = Date.parse(ticker.at);
  if (atMs <= terms.acceptedMs) return { state: 'waiting' };
  if (Math.max(atMs, nowMs) > saleUntilMs(terms, sale)) return { state: 'closed' };
  const sequence = BigInt(ticker.sequence);
  const step = 10n ** BigInt(PRICE_SCALE - COINS[name].indexDecimals);
  const bid = optionBidOf(terms, sale, { sequence, atMs, price: start }, { sequence, atMs, price, step });
  if (bid === null) return { state: 'worthless' };
  const [profit, spread] = [subtract(bid, terms.stake), saleSpreadOf(terms.stake, sale)];
  return { state: 'open', price: bid, profit, spread, tick: ticker.sequence };
}
