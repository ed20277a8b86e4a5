import { parseMoney, type Rate, rateOf } from '@sathorn/money';

const usdt = (text: string): bigint => parseMoney('USDT', text)?.units ?? 0n;

export interface ChannelFee {
  /** Units of USDT. */
  readonly fixed: bigint;
  readonly rate: Rate;
}

/** Published with each channel; units of USDT. */
export const WITHDRAWAL_SETTINGS = {
  chainFee: { fixed: usdt('1'), rate: rateOf('0.001') },
  bankFee: { fixed: 0n, rate: rateOf('0.002') },
  min: usdt('10'),
  max: usdt('50000'),
  /** Of the rate, what the house keeps, in parts of 10^-4. */
  spreadBps: 50n,
  quoteMs: 60_000,
  promiseMinutes: 120,
  delayMs: 24 * 3_600_000,
} as const;
