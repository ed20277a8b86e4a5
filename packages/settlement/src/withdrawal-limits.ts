import { type Money, money } from '@sathorn/money';

/** How far a customer is certified. */
export type Certified = 'none' | 'primary' | 'advanced';

const usdt = (whole: number): Money<'USDT'> => money('USDT', BigInt(whole) * 1_000_000n);

/**
 * USDT a day. What is below the first needs no certification, ever: it is published, and nothing newly demanded at a
 * withdrawal may stand in front of it.
 */
export const WITHDRAWAL_DAILY_MAX: Readonly<Record<Certified, Money<'USDT'>>> = {
  none: usdt(1_000),
  primary: usdt(10_000),
  advanced: usdt(50_000),
};

export interface VipLevel {
  readonly level: number;
  readonly name: string;
  /** Completed deposits at which it begins. */
  readonly from: Money<'USDT'>;
  /** A day, for customers with advanced certification, where it is more than that gives. */
  readonly withdrawalDailyMax: Money<'USDT'>;
}

/** Level 0 is everybody's and has no name; fees by level are `CONTRACT_FEES`. */
export const VIP_LEVELS: readonly VipLevel[] = [
  { level: 1, name: 'VIP 1', from: usdt(20), withdrawalDailyMax: usdt(50_000) },
  { level: 2, name: 'VIP 2', from: usdt(1_000), withdrawalDailyMax: usdt(75_000) },
  { level: 3, name: 'VIP 3', from: usdt(5_000), withdrawalDailyMax: usdt(100_000) },
  { level: 4, name: 'VIP 4', from: usdt(20_000), withdrawalDailyMax: usdt(150_000) },
  { level: 5, name: 'VIP 5', from: usdt(60_000), withdrawalDailyMax: usdt(250_000) },
  { level: 6, name: 'VIP 6', from: usdt(200_000), withdrawalDailyMax: usdt(500_000) },
];

/** Limits by certification, and levels. */
export interface LevelTerms {
  readonly daily: Readonly<Record<Certified, Money<'USDT'>>>;
  readonly levels: readonly VipLevel[];
}
/** The terms of version 1. */
export const FIRST_LEVEL_TERMS: LevelTerms = { daily: WITHDRAWAL_DAILY_MAX, levels: VIP_LEVELS };

/** The level of somebody whose completed deposits come to this: the highest that has begun. */
export function vipLevelOf(deposited: Money<'USDT'>, levels: readonly VipLevel[] = VIP_LEVELS): number {
  return levels.findLast(({ from }) => deposited.units >= from.units)?.level ?? 0;
}

/**
 * `value` of the specification: where a level ends, which is where the next begins. The app takes the value before as
 * the beginning, and 20 for the first. The last level doesn't end, so it says where it begins.
 */
export function vipValueOf(level: number, levels: readonly VipLevel[] = VIP_LEVELS): Money<'USDT'> {
  const next = levels.find((other) => other.level === level + 1) ?? levels.at(-1);
  if (!next) throw new Error(`there is no VIP level ${level}`);
  return next.from;
}

/** USDT a day that may leave: by certification, and by level where it is advanced. */
export function withdrawalDailyMax(
  certified: Certified,
  level: number,
  { daily, levels }: LevelTerms = FIRST_LEVEL_TERMS,
): Money<'USDT'> {
  const base = daily[certified];
  const ofLevel = levels.find((other) => other.level === level)?.withdrawalDailyMax;
  return certified === 'advanced' && ofLevel && ofLevel.units > base.units ? ofLevel : base;
}
