import { FIRST_LEVEL_TERMS, type LevelTerms, VIP_LEVELS } from '@sathorn/settlement';
import { type OfferFields, type OfferKind, storedUnitsOf, storedUsdtOf } from '../offer/index.ts';

interface Stored {
  readonly levels: readonly { readonly from: string; readonly daily_max: string }[];
}

/** The terms in force: the levels, and the daily limits by certification, which belong to the terms of withdrawals. */
export function levelTermsOf(inForce: (kind: string, subject: string) => OfferFields | null): LevelTerms {
  const [vip, limits] = [inForce('level', 'vip'), inForce('withdrawal', 'all')];
  return {
    levels:
      vip === null
        ? FIRST_LEVEL_TERMS.levels
        : (vip as unknown as Stored).levels.map(({ from, daily_max: max }, n) => ({
            level: n + 1,
            name: `VIP ${n + 1}`,
            from: storedUsdtOf(from),
            withdrawalDailyMax: storedUsdtOf(max),
          })),
    daily:
      limits === null
        ? FIRST_LEVEL_TERMS.daily
        : {
            none: storedUsdtOf(limits.daily_none),
            primary: storedUsdtOf(limits.daily_primary),
            advanced: storedUsdtOf(limits.daily_advanced),
          },
  };
}

/** The thresholds of VIP levels and their daily withdrawal limits. Fees by level belong to the terms of contracts. */
export const levelOfferKind: OfferKind = {
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
      levels.every((level, n) => n === 0 || storedUnitsOf(of(level)) >= storedUnitsOf(of(levels[n - 1] ?? level)));
    from.demand(rises((level) => level.from) && rises((level) => level.daily_max), 'levels');
    return { levels };
  },
};
