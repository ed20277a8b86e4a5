import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Bus } from '../bus/index.ts';
import type { Database } from '../database/index.ts';
import type { ResolutionKind, ResolutionWork } from './journal.ts';
import { resolveHolds } from './ledger-store.ts';

const HALTED = 'LD006';

export interface ResolutionDependencies {
  readonly database: Database;
  readonly bus: Bus;
  /** The account that receives charges. */
  readonly chargedTo: bigint;
}

/** The second way into the ledger: see `Ledger.resolveHolds`. */
export async function resolveInTransaction(
  { database, bus, chargedTo }: ResolutionDependencies,
  kind: ResolutionKind,
  work: ResolutionWork,
): Promise<Decision<null, 'money_halted'>> {
  try {
    const owners = await database.transaction((transaction) =>
      work(transaction, (resolution) => resolveHolds(transaction, kind, resolution, chargedTo)),
    );
    if (owners.size > 0) bus.emit('funds', owners);
    return accept(null);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === HALTED) return refuse('money_halted');
    throw error;
  }
}
