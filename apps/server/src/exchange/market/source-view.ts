import type { ExclusionReason, Tick } from '@sathorn/proof';

/** A source's price at the newest second, and whether it was used. */
export interface SourceView {
  readonly name: string;
  readonly family: string;
  /** In its own quote currency; null before the first price. */
  readonly price: bigint | null;
  readonly at: Date | null;
  readonly used: boolean;
  readonly reason: ExclusionReason | null;
}

/** The sources of a second, used ones first. */
export function sourceViews({ used, excluded }: Pick<Tick, 'used' | 'excluded'>): SourceView[] {
  return [
    ...used.map(({ name, family, price, at }) => ({
      name,
      family,
      price,
      at: new Date(at),
      used: true,
      reason: null,
    })),
    ...excluded.map(({ name, family, reason, said }) => ({
      name,
      family,
      price: said?.price ?? null,
      at: said ? new Date(said.at) : null,
      used: false,
      reason,
    })),
  ];
}
