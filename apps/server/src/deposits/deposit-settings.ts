import { parseMoney } from '@sathorn/money';

const usdt = (text: string): bigint => parseMoney('USDT', text)?.units ?? 0n;
const baht = (text: string): bigint => parseMoney('THB', text)?.units ?? 0n;

/** Published with each channel. Units of USDT on a chain, of THB at a bank. */
export const DEPOSIT_SETTINGS = {
  chainMin: usdt('1'),
  chainMax: usdt('10000000'),
  bahtMin: baht('100'),
  bahtMax: baht('2000000'),
  /** From here on two people match a slip. */
  twoPeopleFromBaht: baht('2000000'),
  /** Of the rate, what the house keeps, in parts of 10^-4. */
  spreadBps: 50n,
  rateHeldMs: 15 * 60_000,
  /** Bank orders that wait for their money. */
  openOrdersMax: 5,
  /** How long a bank order waits for its slip behind the rate's end. */
  slipWithinMs: 24 * 3_600_000,
  /** Crediting what is below the minimum. */
  recoveryFee: usdt('0.2'),
  demoMax: usdt('100000'),
  chainMinutes: 1,
  bankMinutes: 30,
} as const;
