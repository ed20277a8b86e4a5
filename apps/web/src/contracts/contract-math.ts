import { type CoinCode, type Money, money, mulDiv, type Price, scaleOf } from '@sathorn/money';

/** The most whole lots that an amount buys at a price. */
export function quantityForAmount<C extends CoinCode>(
  coin: C,
  amount: Money<'USDT'>,
  price: Price,
  lot: bigint,
): Money<C> {
  if (price <= 0n || lot <= 0n) return money(coin, 0n);
  const units = mulDiv(amount.units, 10n ** BigInt(scaleOf(coin)), price, 'down');
  return money(coin, (units / lot) * lot);
}

/** Decimals of a power-of-ten step: `0.01` and `0.0100` have two, `1` has none. */
export function decimalsOf(step: string): number {
  return step.includes('.') ? (step.replace(/0+$/, '').split('.')[1]?.length ?? 0) : 0;
}
