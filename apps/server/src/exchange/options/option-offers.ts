import type { DurationTerms } from '@sathorn/api';
import { type CoinCode, formatMoney, formatRate, type Money } from '@sathorn/money';
import type { OptionOfferRow } from './option-store.ts';

/** The offers at a moment: for each coin and duration the newest row in force. */
export class OptionOffers {
  readonly #inForce = new Map<CoinCode, Map<number, OptionOfferRow>>();

  /** Expects rows oldest first within a coin and duration. */
  constructor(rows: readonly OptionOfferRow[], now: Date) {
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

export function durationTermsOf({ seconds, offer }: OptionOfferRow): DurationTerms {
  return {
    seconds,
    payout: formatRate(offer.payout),
    fee: formatRate(offer.feeRate),
    min: formatMoney(offer.stakeMin),
    max: formatMoney(offer.stakeMax),
  };
}
