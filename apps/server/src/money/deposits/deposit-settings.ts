import { parseMoney } from '@sathorn/money';

const usdt = (text: string): bigint => parseMoney('USDT', text)?.units ?? 0n;
const baht = (text: string): bigint => parseMoney('THB', text)?.units ?? 0n;

/** Published with each channel. Amounts in units of USDT for chains and of THB for banks. */
export const DEPOSIT_SETTINGS = {
  chainMin: usdt('1'),
  chainMax: usdt('10000000'),
  bahtMin: baht('100'),
  bahtMax: baht('2000000'),
  /** The house's share of the rate, in basis points (10^-4). */
  spreadBps: 50n,
  rateHeldMs: 15 * 60_000,
  /** Limit per customer of bank orders that await payment. */
  openOrdersMax: 5,
  /** How long after its rate expires a bank order still accepts a slip. */
  slipWithinMs: 24 * 3_600_000,
  /** The fee for crediting a deposit below the minimum. */
  recoveryFee: usdt('0.2'),
  demoMax: usdt('100000'),
  chainMinutes: 1,
  bankMinutes: 30,
} as const;
