import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Bus } from '../platform/bus/index.ts';
import type { Database, Transaction } from '../platform/database/index.ts';
import type { HoldResolutionKind, HoldResolutionWork } from './journal.ts';
import { resolveHolds } from './ledger-store.ts';

const HALTED = 'LD006';

interface PaymentDependencies {
  readonly database: Database;
  readonly bus: Bus;
}
interface ResolutionDependencies extends PaymentDependencies {
  /** The account that receives the charges. */
  readonly chargedTo: bigint;
}

/** The second way to post; `Ledger.resolveHolds` describes it. */
export async function resolveHoldsInTransaction(
  { chargedTo, ...dependencies }: ResolutionDependencies,
  kind: HoldResolutionKind,
  work: HoldResolutionWork,
): Promise<Decision<null, 'money_halted'>> {
  const decision = await payInTransaction(dependencies, (transaction) =>
    work(transaction, (resolution) => resolveHolds(transaction, kind, resolution, chargedTo)),
  );
  return decision.ok ? accept(null) : decision;
}

/** The third way to post; `Ledger.payMany` describes it. */
export async function payInTransaction(
  { database, bus }: PaymentDependencies,
  work: (transaction: Transaction) => Promise<ReadonlySet<bigint>>,
): Promise<Decision<ReadonlySet<bigint>, 'money_halted'>> {
  try {
    const owners = await database.transaction(work);
    if (owners.size > 0) bus.emit('funds', owners);
    return accept(owners);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === HALTED) return refuse('money_halted');
    throw error;
  }
}
