import type { DurationTerms } from '@sathorn/api';
import { type CoinCode, formatMoney, formatRate, type Money } from '@sathorn/money';
import { type SaleColumns, saleTermsText } from './option-order.ts';
import type { OptionOfferRow, SaleTermsRow } from './option-store.ts';

/** The offers with the terms of selling, as stored. */
export interface StoredOffers {
  readonly rows: readonly OptionOfferRow[];
  readonly sales: readonly SaleTermsRow[];
}

export const NO_SALE: SaleColumns = {
  sell_vol_bps: null,
  sell_band_bps: null,
  sell_spread_bps: null,
  sell_closed_ms: null,
};

/** The offers at a moment: for each coin and duration the newest row in force. */
export class OptionOffers {
  readonly #inForce = new Map<CoinCode, Map<number, OptionOfferRow>>();
  readonly #sales = new Map<CoinCode, SaleTermsRow>();

  /** Expects rows oldest first within a coin and duration. */
  constructor({ rows, sales }: StoredOffers, now: Date) {
    for (const row of sales) if (row.effectiveFrom <= now) this.#sales.set(row.coin, row);
    for (const row of rows) {
      if (row.effectiveFrom > now) continue;
      const durations = this.#inForce.get(row.coin) ?? new Map<number, OptionOfferRow>();
      durations.set(row.seconds, row);
      this.#inForce.set(row.coin, durations);
    }
  }

  /** The current offers, shortest duration first. */
  ofCoin(coin: CoinCode): OptionOfferRow[] {
    const rows = [...(this.#inForce.get(coin)?.values() ?? [])];
    return rows.filter(({ isOffered }) => isOffered).sort((a, b) => a.seconds - b.seconds);
  }

  /** The terms of selling that a purchase takes now. */
  saleOf(coin: CoinCode): SaleColumns {
    const row = this.#sales.get(coin);
    if (!row?.isOffered) return NO_SALE;
    const { sell_vol_bps, sell_band_bps, sell_spread_bps, sell_closed_ms } = row;
    return { sell_vol_bps, sell_band_bps, sell_spread_bps, sell_closed_ms };
  }

  isOpen(coin: CoinCode): boolean {
    return [...(this.#inForce.get(coin)?.values() ?? [])].some(({ isOffered }) => isOffered);
  }

  of(coin: CoinCode, seconds: number): OptionOfferRow | undefined {
    const row = this.#inForce.get(coin)?.get(seconds);
    return row?.isOffered ? row : undefined;
  }

  /** The smallest stake over all coins and durations; if nothing is offered, the smallest of the last offers. */
  stakeMin(): Money {
    const rows = [...this.#inForce.values()].flatMap((durations) => [...durations.values()]);
    const offered = rows.filter(({ isOffered }) => isOffered);
    const [first, ...others] = (offered.length > 0 ? offered : rows).map(({ offer }) => offer.stakeMin);
    if (first === undefined) throw new Error('there are no terms of options');
    return others.reduce((least, stake) => (stake.units < least.units ? stake : least), first);
  }
}

export function durationTermsOf({ seconds, offer }: OptionOfferRow, sale: SaleColumns): DurationTerms {
  const terms = saleTermsText(sale);
  return {
    ...(terms && { sale: terms }),
    seconds,
    payout: formatRate(offer.payout),
    fee: formatRate(offer.feeRate),
    min: formatMoney(offer.stakeMin),
    max: formatMoney(offer.stakeMax),
  };
}
