import { COINS, type CoinCode, type Money, money, mulDiv, type Rounding, scaleOf } from '@sathorn/money';

/**
 * What the book counts, ticks × lots, in USDT. It is exact but for coins whose price and lot have more than six decimals together (BTC
 * has seven): there the rounding is named. A hold rounded up for the whole order covers its fills rounded down, however it is cut.
 */
export function amountOf(coin: CoinCode, ticks: number, lots: number, rounding: Rounding): Money<'USDT'> {
  const { priceDecimals, lotDecimals } = COINS[coin];
  const parts = 10n ** BigInt(priceDecimals + lotDecimals);
  return money('USDT', mulDiv(BigInt(ticks) * BigInt(lots), 10n ** BigInt(scaleOf('USDT')), parts, rounding));
}
