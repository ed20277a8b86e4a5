import { money } from '@sathorn/money';

/** These are published with each channel. */
export const DEPOSIT_SETTINGS = {
  chainMin: money('USDT', 1_000_000n),
  chainMax: money('USDT', 10_000_000_000_000n),
  bahtMin: money('THB', 10_000n),
  bahtMax: money('THB', 200_000_000n),
  /** The house's spread on the rate, in basis points (10^-4). */
  spreadBps: 50n,
  rateHeldMs: 15 * 60_000,
  /** Limit per customer of bank orders that await payment. */
  openOrdersMax: 5,
  /** How long after its rate has expired a bank order still accepts a slip. */
  slipWithinMs: 24 * 3_600_000,
  /** The fee for crediting a deposit below the minimum. */
  recoveryFee: money('USDT', 200_000n),
  demoMax: money('USDT', 100_000_000_000n),
  chainMinutes: 1,
  bankMinutes: 30,
} as const;
