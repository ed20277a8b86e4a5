import {
  COINS,
  type CoinCode,
  lotUnits,
  type Money,
  money,
  mulDiv,
  type Price,
  price,
  type Rounding,
  scaleOf,
  tickUnits,
} from '@sathorn/money';

/**
 * The door between exact amounts and what the book counts: prices in ticks of a coin's published decimals, quantities in
 * its lots, both numbers below 2^53; amounts of USDT never become one.
 */
/** Undefined when the price is not above zero, finer than a tick, or too large to be counted. */
export function ticksOf(coin: CoinCode, value: Price): number | undefined {
  return countOf(value, tickUnits(coin));
}

/** Undefined when the quantity is not above zero, finer than a lot, or too large to be counted. */
export function lotsOf<C extends CoinCode>(quantity: Money<C>): number | undefined {
  return countOf(quantity.units, lotUnits(quantity.asset));
}

export function priceOfTicks(coin: CoinCode, ticks: number): Price {
  return price(BigInt(ticks) * tickUnits(coin));
}

export function quantityOfLots<C extends CoinCode>(coin: C, lots: number): Money<C> {
  return money(coin, BigInt(lots) * lotUnits(coin));
}

/**
 * Ticks × lots in USDT. It is exact but for coins whose price and lot have more than six decimals together (BTC has seven):
 * there the rounding is named. A hold rounded up for the whole order covers its fills rounded down, however it is cut.
 */
export function amountOf(coin: CoinCode, ticks: number, lots: number, rounding: Rounding): Money<'USDT'> {
  const { priceDecimals, lotDecimals } = COINS[coin];
  const parts = 10n ** BigInt(priceDecimals + lotDecimals);
  return money('USDT', mulDiv(BigInt(ticks) * BigInt(lots), 10n ** BigInt(scaleOf('USDT')), parts, rounding));
}

function countOf(units: bigint, unit: bigint): number | undefined {
  if (units <= 0n || units % unit !== 0n) return undefined;
  const count = units / unit;
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(count);
}
