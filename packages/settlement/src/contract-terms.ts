import {
  type CoinCode,
  type Money,
  money,
  mulDiv,
  type Price,
  priceStepUnits,
  RATE_ONE,
  type Rate,
  type Rounding,
  rateFromBasisPoints,
  scaleOf,
  share,
} from '@sathorn/money';

/** Fee rates in basis points of the amount received. */
export interface ContractFees {
  readonly makerBps: number;
  readonly takerBps: number;
}

/** Fees by VIP level, from 0, in their first version. An order keeps the fees that applied when it was accepted. */
export const CONTRACT_FEES: readonly ContractFees[] = [
  { makerBps: 10, takerBps: 15 },
  { makerBps: 9, takerBps: 14 },
  { makerBps: 8, takerBps: 12 },
  { makerBps: 6, takerBps: 10 },
  { makerBps: 4, takerBps: 8 },
  { makerBps: 2, takerBps: 6 },
  { makerBps: 1, takerBps: 5 },
];

/** Limits of one order. */
export interface AmountLimits {
  readonly amountMin: Money<'USDT'>;
  readonly amountMax: Money<'USDT'>;
}

export const CONTRACT_LIMITS = {
  /** Limit of one order. */
  amountMin: money('USDT', 1_000_000n),
  amountMax: money('USDT', 1_000_000_000_000n),
  /** A market order may trade at most this far from the index, in parts of 10,000. */
  bandBps: 200n,
  /**
   * A limit order's price may be at most this much worse for its owner than the index, in parts of 10,000. A worse
   * price is a typing error or a hidden transfer to another account.
   */
  collarBps: 1_000n,
  /** A limit order's price may be this much better than the index. It then rests until the market reaches it. */
  restingCollarBps: 5_000n,
  /** Limit per customer and coin. */
  openOrdersMax: 200,
} as const;

const ALL_BPS = 10_000n;

/** The fees of a customer's level: its row, or the row of the nearest lower level. */
export function feesAtLevel<Row extends { readonly level: number }>(
  fees: readonly Row[] | undefined,
  level: number | undefined,
): Row | undefined {
  if (!fees || level === undefined) return undefined;
  return fees.filter((row) => row.level <= level).toSorted((a, b) => b.level - a.level)[0];
}

/** Rounded up, but never more than the received amount. */
export function contractFee<Received extends Money>(received: Received, rate: Rate): Received {
  return share(received, rate, 'up') as Received;
}

/**
 * price × quantity. Holds are rounded up and payments down, so a hold covers its fills however they split the order.
 */
export function contractAmount(price: Price, quantity: Money<CoinCode>, rounding: Rounding): Money<'USDT'> {
  return money('USDT', mulDiv(price, quantity.units, 10n ** BigInt(scaleOf(quantity.asset)), rounding));
}

/** A resting order's hold: its full cost at its limit. */
export function contractHold(side: 'buy' | 'sell', limit: Price, quantity: Money<CoinCode>): Money {
  return side === 'buy' ? contractAmount(limit, quantity, 'up') : quantity;
}

const BAND = rateFromBasisPoints(CONTRACT_LIMITS.bandBps);

/** The last price at which a market order may trade, rounded to a price step inside the band around the index. */
export function bandPrice(coin: CoinCode, side: 'buy' | 'sell', index: Price, band: Rate = BAND): Price {
  const priceStep = priceStepUnits(coin);
  const end =
    side === 'buy'
      ? (mulDiv(index, RATE_ONE + band, RATE_ONE, 'down') / priceStep) * priceStep
      : mulDiv(mulDiv(index, RATE_ONE - band, RATE_ONE, 'up'), 1n, priceStep, 'up') * priceStep;
  return end as Price;
}

/** The lowest and highest price of a limit order, as whole price steps, both inclusive. */
export function priceCollarOf(
  coin: CoinCode,
  side: 'buy' | 'sell',
  index: Price,
): { readonly min: Price; readonly max: Price } {
  const priceStep = priceStepUnits(coin);
  const { collarBps, restingCollarBps } = CONTRACT_LIMITS;
  const [below, above] = side === 'buy' ? [restingCollarBps, collarBps] : [collarBps, restingCollarBps];
  const min = mulDiv(mulDiv(index, ALL_BPS - below, ALL_BPS, 'up'), 1n, priceStep, 'up') * priceStep;
  const max = (mulDiv(index, ALL_BPS + above, ALL_BPS, 'down') / priceStep) * priceStep;
  return { min: min as Price, max: max as Price };
}

/**
 * Average price of the fills, rounded to the nearest price step; null without fills. `value` is the sum of price ×
 * quantity in their units. For display only.
 */
export function averagePrice(coin: CoinCode, value: bigint, quantity: bigint): Price | null {
  if (quantity === 0n) return null;
  const priceStep = priceStepUnits(coin);
  const step = quantity * priceStep;
  return (((value + step / 2n) / step) * priceStep) as Price;
}
