import { type CoinCode, type Money, money, mulDiv, type Price, RATE_ONE, type Rate, scaleOf } from '@sathorn/money';
import { contractFee } from '@sathorn/settlement';

/** The most whole lots that an amount can buy at a price. */
export function quantityFor<C extends CoinCode>(coin: C, amount: Money<'USDT'>, price: Price, lot: bigint): Money<C> {
  if (price <= 0n || lot <= 0n) return money(coin, 0n);
  const units = mulDiv(amount.units, 10n ** BigInt(scaleOf(coin)), price, 'down');
  return money(coin, (units / lot) * lot);
}

/** Of what is received; rates of fees are whole parts of 10,000. */
export function feeOf<Received extends Money>({ asset, units }: Received, rate: Rate): Received {
  return money(asset, contractFee(units, Number(mulDiv(rate, 10_000n, RATE_ONE, 'up')))) as Received;
}

/** Decimals of a step that is a power of ten: `0.01` has two, `0.0100` too, `1` none. */
export function decimalsOf(step: string): number {
  return step.includes('.') ? (step.replace(/0+$/, '').split('.')[1]?.length ?? 0) : 0;
}
