import { parseMoney, rateOf } from '@sathorn/money';
import type { WithdrawalFee } from '@sathorn/settlement';

const usdt = (text: string): bigint => parseMoney('USDT', text)?.units ?? 0n;

/** The terms that two people can change, published with each channel; in units of USDT. */
export interface ChannelTerms {
  readonly chainFee: WithdrawalFee;
  readonly bankFee: WithdrawalFee;
  readonly min: bigint;
  readonly max: bigint;
  /** Of the rate, what the house keeps, in parts of 10^-4. */
  readonly spreadBps: bigint;
}

/** The terms of version 1. */
export const FIRST_CHANNEL_TERMS: ChannelTerms = {
  chainFee: { fixed: usdt('1'), rate: rateOf('0.001') },
  bankFee: { fixed: 0n, rate: rateOf('0.002') },
  min: usdt('10'),
  max: usdt('50000'),
  spreadBps: 50n,
};

export const WITHDRAWAL_SETTINGS = {
  quoteMs: 60_000,
  promiseMinutes: 120,
  delayMs: 24 * 3_600_000,
} as const;
