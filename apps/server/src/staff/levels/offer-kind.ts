import { FIRST_LEVEL_TERMS, type LevelTerms, VIP_LEVELS } from '@sathorn/settlement';
import { type Fields, type OfferKind, unitsOf, usdtOf } from '../offer/index.ts';

interface Stored {
  readonly levels: readonly { readonly from: string; readonly daily_max: string }[];
}

/** The terms in force: the levels, and the daily limits by certification, which belong to the terms of withdrawals. */
export function levelTermsOf(inForce: (kind: string, subject: string) => Fields | null): LevelTerms {
  const [vip, limits] = [inForce('level', 'vip'), inForce('withdrawal', 'all')];
  return {
    levels:
      vip === null
        ? FIRST_LEVEL_TERMS.levels
        : (vip as unknown as Stored).levels.map(({ from, daily_max: max }, n) => ({
            level: n + 1,
            name: `VIP ${n + 1}`,
            from: usdtOf(from),
            withdrawalDailyMax: usdtOf(max),
          })),
    daily:
      limits === null
        ? FIRST_LEVEL_TERMS.daily
        : {
            none: usdtOf(limits.daily_none),
            primary: usdtOf(limits.daily_primary),
            advanced: usdtOf(limits.daily_advanced),
          },
  };
}

/** The thresholds of VIP levels and their daily withdrawal limits. Fees by level belong to the terms of contracts. */
export const levelOffer: OfferKind = {
  name: 'level',
  page: 'products',
  subjects: ['vip'],
  read(_subject, from) {
    const { length } = VIP_LEVELS;
    const levels = from.list('levels', { min: length, max: length }, (level) => ({
      from: level.usdt('from', 1n),
      daily_max: level.usdt('daily_max', 1n),
    }));
    const rises = (of: (level: (typeof levels)[number]) => string): boolean =>
      levels.every((level, n) => n === 0 || unitsOf(of(level)) >= unitsOf(of(levels[n - 1] ?? level)));
    from.demand(rises((level) => level.from) && rises((level) => level.daily_max), 'levels');
    return { levels };
  },
};
