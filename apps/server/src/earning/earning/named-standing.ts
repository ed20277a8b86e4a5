import type { StandingBounds, StandingSource } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';

/** The standing order in whose name a subscription is made, and the lock-up or deposit from which. */
export interface NamedStanding {
  readonly instruction: string;
  readonly source: string;
  readonly kind: 'renewal' | 'deposits';
}

/** By the source's id. */
export type Standings = ReadonlyMap<
  string,
  { readonly bounds: StandingBounds | undefined; readonly source: StandingSource | undefined }
>;

/** Reads instructions and their sources, and locks the instructions until the transaction ends. */
export type LockStanding = (queries: Queries, named: readonly NamedStanding[]) => Promise<Standings>;

/** Sends nothing for a batch of customers' own subscriptions. */
export function lockNamedStandings(
  lock: LockStanding | undefined,
  queries: Queries,
  commands: readonly { readonly standing: NamedStanding | null }[],
): Promise<Standings> {
  const named = commands.flatMap(({ standing }) => standing ?? []);
  return lock === undefined || named.length === 0 ? Promise.resolve(new Map()) : lock(queries, named);
}
