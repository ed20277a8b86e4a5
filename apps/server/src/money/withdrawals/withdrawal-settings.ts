import { type Money, money, rateOf, zero } from '@sathorn/money';
import type { WithdrawalFee } from '@sathorn/settlement';

const usdt = (whole: bigint): Money<'USDT'> => money('USDT', whole * 1_000_000n);

/** The terms that two people can change, published with each channel. */
export interface ChannelTerms {
  readonly chainFee: WithdrawalFee;
  readonly bankFee: WithdrawalFee;
  readonly min: Money<'USDT'>;
  readonly max: Money<'USDT'>;
  /** The house's spread on the rate, in parts of 10^-4. */
  readonly spreadBps: bigint;
}

/** The terms of version 1. */
export const FIRST_CHANNEL_TERMS: ChannelTerms = {
  chainFee: { fixed: usdt(1n), rate: rateOf('0.001') },
  bankFee: { fixed: zero('USDT'), rate: rateOf('0.002') },
  min: usdt(10n),
  max: usdt(50_000n),
  spreadBps: 50n,
};

export const WITHDRAWAL_SETTINGS = {
  quoteMs: 60_000,
  promiseMinutes: 120,
  delayMs: 24 * 3_600_000,
} as const;
