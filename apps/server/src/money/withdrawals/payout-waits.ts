import type { PayoutStop, PayoutWait } from '@sathorn/settlement';
import { arrayLiteral, type Database, type Queries, statement } from '../../platform/database/index.ts';
import { approvalContentOf } from './advance-withdrawal.ts';
import { readRestoration } from './restoration-store.ts';
import { lockWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const FORGET = statement(
  'withdrawals.forget_waits',
  'DELETE FROM withdrawals.waiting WHERE withdrawal_id <> ALL ($1::uuid[])',
);
const KEEP = statement(
  'withdrawals.keep_wait',
  `INSERT INTO withdrawals.waiting (withdrawal_id, waits_for) VALUES ($1, $2)
   ON CONFLICT (withdrawal_id) DO UPDATE SET waits_for = EXCLUDED.waits_for, since = clock_timestamp() WHERE waiting.waits_for <> EXCLUDED.waits_for`,
);
const STAND = statement(
  'withdrawals.stand_still',
  `INSERT INTO withdrawals.standstill (chain, reason) VALUES ($1, $2)
   ON CONFLICT (chain) DO UPDATE SET reason = EXCLUDED.reason, since = clock_timestamp() WHERE standstill.reason <> EXCLUDED.reason`,
);
const GO_ON = statement('withdrawals.go_on', 'DELETE FROM withdrawals.standstill WHERE chain = $1');
const READ_STOP = statement(
  'withdrawals.read_stop',
  'SELECT reason FROM withdrawals.standstill ORDER BY reason LIMIT 1',
);
/** The reason that stops all payouts of a chain; null if there is none. */
export const readPayoutStop = async (queries: Queries): Promise<PayoutStop | null> =>
  // Known even before the signer has checked, or without a signer.
  (await readRestoration(queries)) !== null
    ? 'restoration'
    : ((await queries.query<{ reason: PayoutStop }>(READ_STOP, []))[0]?.reason ?? null);

/** Stores the reasons for which the signer says that payouts wait. They are shown to people and decide nothing. */
export const storePayoutWaits = (
  database: Database,
  chain: string,
  waits: readonly { readonly id: string; readonly waitsFor: PayoutWait }[],
  stop: PayoutStop | null,
): Promise<void> =>
  database.transaction(async (transaction) => {
    await transaction.query(FORGET, [arrayLiteral(waits.map(({ id }) => id))]);
    for (const { id, waitsFor } of waits) await transaction.query(KEEP, [id, waitsFor]);
    if (stop === null) await transaction.query(GO_ON, [chain]);
    else await transaction.query(STAND, [chain, stop]);
  });

const READ = statement(
  'withdrawals.read_wait',
  `SELECT waits_for, since FROM withdrawals.waiting JOIN withdrawals.withdrawal w ON w.id = withdrawal_id
   WHERE withdrawal_id = $1 AND w.step = 'approved'`,
);
export const readPayoutWait = async (
  queries: Queries,
  id: string,
): Promise<{ readonly waits_for: PayoutWait; readonly since: Date } | null> =>
  (await queries.query<{ waits_for: PayoutWait; since: Date }>(READ, [id]))[0] ?? null;

const UNRELEASED = statement(
  'withdrawals.read_unreleased',
  'SELECT id FROM withdrawals.unreleased ORDER BY created_at',
);
/** Opens approvals by two people for payouts that the signer may not pay alone. */
export async function askForPayoutReleases(module: WithdrawalsModule): Promise<void> {
  const { database } = module;
  // A payout whose approval cannot be opened must not block the others.
  for (const { id } of await database.query<{ id: string }>(UNRELEASED, []))
    await askForRelease(module, id).catch(module.onFault);
}

async function askForRelease(module: WithdrawalsModule, id: string): Promise<void> {
  const { database, approvals, changed } = module;
  await database.transaction(async (transaction) => {
    const row = await lockWithdrawal(transaction, id);
    // Checks again under the lock, because another process may have opened the approval in the meantime.
    if (row?.step !== 'approved' || (await module.findWaiting(transaction, 'payout_release', id)) !== null) return;
    await approvals.open(transaction, {
      kind: 'payout_release',
      subject: id,
      fingerprintOf: approvalContentOf(row),
      need: 2,
      madeBy: null,
      roles: ['finance', 'compliance'],
      about: [row.customer_id],
    });
  });
  await changed([id]);
}
