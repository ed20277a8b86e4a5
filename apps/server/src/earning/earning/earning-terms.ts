import type { Money, Rate } from '@sathorn/money';
import type { Stage } from '@sathorn/settlement';

/** Product 1 is liquidity; a lock-up's number is its term in days. */
export const LIQUIDITY_PRODUCT = 1;
export const LOCKUP_PRODUCTS = [7, 15, 30, 60, 90] as const;

interface Version {
  readonly product: number;
  readonly version: number;
  /** The first local day on which it is in force. */
  readonly effectiveDay: number;
  readonly isOffered: boolean;
  readonly min: Money<'USDT'>;
}

export interface LiquidityTerms extends Version {
  readonly stages: readonly Stage[];
}

export interface LockupTermsVersion extends Version {
  readonly dailyRate: Rate;
  /** Limit per customer over open orders. */
  readonly max: Money<'USDT'>;
  /** Limit over all customers. */
  readonly quota: Money<'USDT'>;
}

export type EarningTerms = LiquidityTerms | LockupTermsVersion;
export const isLiquidityTerms = (terms: EarningTerms): terms is LiquidityTerms => 'stages' in terms;

/** All versions of all products, in the order in which they were added. */
export class TermsCatalogue {
  readonly #versions: readonly EarningTerms[];
  constructor(versions: readonly EarningTerms[]) {
    this.#versions = versions;
  }

  /** The terms in force on a day: those with the latest start. If several have the same start, the newest version. */
  on(product: number, day: number): EarningTerms | undefined {
    let found: EarningTerms | undefined;
    for (const terms of this.#versions)
      if (
        terms.product === product &&
        terms.effectiveDay <= day &&
        (found === undefined || terms.effectiveDay >= found.effectiveDay)
      )
        found = terms;
    return found;
  }

  liquidityOn(day: number): LiquidityTerms | undefined {
    const terms = this.on(LIQUIDITY_PRODUCT, day);
    return terms && isLiquidityTerms(terms) ? terms : undefined;
  }

  lockupOn(product: number, day: number): LockupTermsVersion | undefined {
    const terms = this.on(product, day);
    return terms && !isLiquidityTerms(terms) ? terms : undefined;
  }

  /** Terms that start after the day, soonest first, without those that are replaced before they start. */
  upcoming(product: number, day: number): EarningTerms[] {
    const days = new Set(
      this.#versions.flatMap((terms) =>
        terms.product === product && terms.effectiveDay > day ? terms.effectiveDay : [],
      ),
    );
    return [...days].sort((a, b) => a - b).flatMap((from) => this.on(product, from) ?? []);
  }

  version(product: number, version: number): EarningTerms | undefined {
    return this.#versions.find((terms) => terms.product === product && terms.version === version);
  }

  /** The next version number of the product. */
  nextVersion(product: number): number {
    return 1 + this.#versions.filter((terms) => terms.product === product).length;
  }
}
