import { decideReopening } from '@sathorn/settlement';
import type { Database } from '../../platform/database/index.ts';
import type { AuditLog } from '../../staff/operators/index.ts';
import {
  lockDeposit,
  lockSendsFromAddress,
  readDecidedDeposits,
  readDecidedUnits,
  reopenDepositCase,
} from './deposit-store.ts';

/**
 * Opens decided cases again whose transfer, in the chain up to its head, no longer matches what people saw. Until then
 * nothing is credited or sent, because the database compares both with the decision. Returns the ids of the cases.
 */
export async function reopenDecidedCases(
  {
    config: { code },
    database,
    audit,
    onFault,
  }: {
    readonly config: { readonly code: string };
    readonly database: Database;
    readonly audit: AuditLog;
    readonly onFault: (error: unknown) => void;
  },
  now: Date,
): Promise<string[]> {
  const opened: string[] = [];
  for (const { id, order_number: order, chain, address } of await readDecidedDeposits(database, code)) {
    const stale = await database
      .transaction(async (transaction) => {
        await lockSendsFromAddress(transaction, { chain, address });
        const row = await lockDeposit(transaction, id);
        const decided = await readDecidedUnits(transaction, id);
        if (row?.step !== 'recovering' || decided === null) return null;
        const seen = row.block_height === null ? null : row.amount;
        const decision = decideReopening({ decided, seen, isBeingSent: row.sent_back !== null });
        if (!decision.ok || !(await reopenDepositCase(transaction, row, now))) return null;
        await audit.append(transaction, {
          operator: null,
          what: 'deposit.recovery_taken_back',
          on: { kind: 'deposit', id },
          customer: row.customer_id,
          before: { units: String(decided) },
          after: { units: seen === null ? null : String(seen) },
          reason: decision.effect,
        });
        return decision.effect;
      })
      .catch(onFault);
    if (stale == null) continue;
    opened.push(id);
    const what = stale === 'block_left' ? 'its transaction is in no block any more' : 'it pays another amount now';
    onFault(
      new Error(`alarm: deposits of ${code}: two people decided about ${order}, and ${what}; it needs a new decision`),
    );
  }
  return opened;
}
