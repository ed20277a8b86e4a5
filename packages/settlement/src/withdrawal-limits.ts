import { isMore, type Money, money, subtract, zero } from '@sathorn/money';

/** A customer's certification level. */
export type CertifiedLevel = 'none' | 'primary' | 'advanced';

const usdt = (whole: number): Money<'USDT'> => money('USDT', BigInt(whole) * 1_000_000n);

/**
 * USDT per day. Withdrawals below the first limit never need certification. This promise is published, so no new
 * requirement may be added to such a withdrawal.
 */
const WITHDRAWAL_DAILY_MAX: Readonly<Record<CertifiedLevel, Money<'USDT'>>> = {
  none: usdt(1_000),
  primary: usdt(10_000),
  advanced: usdt(50_000),
};

export interface VipLevel {
  readonly level: number;
  readonly name: string;
  /** The net inflow, held for some days, from which this level applies; see `lastingInflow`. */
  readonly from: Money<'USDT'>;
  /** USDT per day for customers with advanced certification, if this is more than the certification's own limit. */
  readonly withdrawalDailyMax: Money<'USDT'>;
}

/** Level 0 is the start and has no name. The fees of each level are in `CONTRACT_FEES`. */
export const VIP_LEVELS: readonly VipLevel[] = [
  { level: 1, name: 'VIP 1', from: usdt(20), withdrawalDailyMax: usdt(50_000) },
  { level: 2, name: 'VIP 2', from: usdt(1_000), withdrawalDailyMax: usdt(75_000) },
  { level: 3, name: 'VIP 3', from: usdt(5_000), withdrawalDailyMax: usdt(100_000) },
  { level: 4, name: 'VIP 4', from: usdt(20_000), withdrawalDailyMax: usdt(150_000) },
  { level: 5, name: 'VIP 5', from: usdt(60_000), withdrawalDailyMax: usdt(250_000) },
  { level: 6, name: 'VIP 6', from: usdt(200_000), withdrawalDailyMax: usdt(500_000) },
];

/** Daily withdrawal limits per certification, and the VIP levels. */
export interface LevelTerms {
  readonly daily: Readonly<Record<CertifiedLevel, Money<'USDT'>>>;
  readonly levels: readonly VipLevel[];
}
/** The terms of version 1. */
export const FIRST_LEVEL_TERMS: LevelTerms = { daily: WITHDRAWAL_DAILY_MAX, levels: VIP_LEVELS };

/** The highest level whose threshold this held net inflow reaches. */
export function vipLevelOf(deposited: Money<'USDT'>, levels: readonly VipLevel[] = VIP_LEVELS): number {
  return levels.findLast(({ from }) => deposited.units >= from.units)?.level ?? 0;
}

/**
 * The specification's `value`: the amount where a level ends and the next one begins. The app takes the previous
 * level's value as the beginning, and 20 for the first level. The last level has no end, so its value is its beginning.
 */
export function vipValueOf(level: number, levels: readonly VipLevel[] = VIP_LEVELS): Money<'USDT'> {
  const next = levels.find((other) => other.level === level + 1) ?? levels.at(-1);
  if (!next) throw new Error(`there is no VIP level ${level}`);
  return next.from;
}

/**
 * True if a withdrawal is too small for its channel, or leaves nothing after the fee. A customer may withdraw the whole
 * balance even below the minimum: smaller deposits are accepted, and their money would otherwise be locked in.
 */
export const isBelowMinimum = ({
  amount,
  min,
  available,
  received,
}: {
  readonly amount: Money<'USDT'>;
  readonly min: Money<'USDT'>;
  readonly available: Money<'USDT'>;
  /** The amount after the fee, in the asset that is paid out. */
  readonly received: Money;
}): boolean => received.units <= 0n || (isMore(min, amount) && amount.units !== available.units);

/** The unused part of a limit; never below zero. */
export const leftOfLimit = (whole: Money<'USDT'>, used: Money<'USDT'>): Money<'USDT'> =>
  isMore(whole, used) ? subtract(whole, used) : zero('USDT');

/** The daily withdrawal limit of a customer: by certification, and by VIP level if the certification is advanced. */
export function withdrawalDailyMax(
  certified: CertifiedLevel,
  level: number,
  { daily, levels }: LevelTerms = FIRST_LEVEL_TERMS,
): Money<'USDT'> {
  const base = daily[certified];
  const ofLevel = levels.find((other) => other.level === level)?.withdrawalDailyMax;
  return certified === 'advanced' && ofLevel && ofLevel.units > base.units ? ofLevel : base;
}
