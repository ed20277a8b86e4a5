import { planRecovery } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { uuidOfName } from '../ledger/index.ts';
import type { ApprovalKind } from '../operators/index.ts';
import { caseOf, RECOVERY_APPROVAL } from './deposit-case.ts';
import { RECOVERY_CREDIT } from './deposit-kinds.ts';
import type { DepositRoom } from './deposit-room.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import {
  beginRecovery,
  closeNetworkCase,
  type DepositRow,
  findDeposit,
  isInCorrection,
  lockDeposit,
  readToCredit,
} from './deposit-store.ts';
import { networkHashOf } from './network-hash.ts';

const { recoveryFee } = DEPOSIT_SETTINGS;
type Plan = 'credit' | 'return' | 'unrecoverable';

/** Exactly what people decide on. */
const contentOf = (row: DepositRow, plan: Plan, hash: string | null) => ({
  deposit: row.id,
  customer: String(row.customer_id),
  plan,
  reason: row.reason,
  network: row.network,
  token: row.token ?? row.network_token,
  units: row.network_amount ?? String(row.amount),
  fee: plan === 'credit' ? String(recoveryFee) : '0',
  // For another network: the transaction there that returned it.
  to: plan === 'return' ? (row.network === null ? row.return_to : hash) : null,
});

function refusalOf(row: DepositRow, plan: Plan, hash: string | null) {
  if (row.step !== 'recovery') return 'deposit_not_in_recovery' as const;
  if (row.network !== null) {
    if (plan === 'credit') return 'recovery_by_correction' as const;
    return plan === 'return' && hash === null ? ('recovery_hash_missing' as const) : null;
  }
  if (row.block_height === null) return 'deposit_not_in_recovery' as const;
  if (plan === 'return') return row.return_to === null ? ('recovery_wallet_missing' as const) : null;
  if (row.reason !== 'below_minimum') return 'recovery_not_ours' as const;
  return row.amount <= recoveryFee ? ('recovery_below_fee' as const) : null;
}

/** Finance plans, and compliance decides under Approvals. */
export function planRecoveryHandler(room: DepositRoom): Handler {
  const { database, approvals, audit, customers, findWaiting, changed } = room;
  return handle(planRecovery, async ({ request: { id, version, plan, hash: given, note }, operator }) => {
    const before = await findDeposit(database, id);
    if (before?.kind !== 'crypto') return refuse('deposit_unknown', { field: 'id' });
    const { network } = before;
    if (plan === 'unrecoverable' && network === null) return refuse('malformed_request', { field: 'plan' });
    const hash = network === null || given === undefined ? null : networkHashOf(network, given);
    if (
      network === null &&
      plan === 'return' &&
      (await customers.isFrozen(database, before.customer_id, 'withdrawals'))
    )
      return refuse('customer_frozen');
    const refused = await database.transaction(async (transaction) => {
      const row = await lockDeposit(transaction, id);
      if (!row) return 'deposit_unknown' as const;
      const refusal = refusalOf(row, plan, hash);
      if (refusal !== null) return refusal;
      if (row.version !== version) return 'version_stale' as const;
      if (await findWaiting(transaction, RECOVERY_APPROVAL, id)) return 'already_waiting' as const;
      if (network !== null && (await isInCorrection(transaction, id))) return 'case_in_correction' as const;
      await approvals.open(transaction, {
        kind: RECOVERY_APPROVAL,
        subject: id,
        fingerprintOf: contentOf(row, plan, hash),
        need: 1,
        madeBy: operator.id,
        roles: ['compliance'],
        about: [row.customer_id],
      });
      await audit.append(transaction, {
        operator,
        what: 'deposit.recovery_planned',
        on: { kind: 'deposit', id },
        customer: row.customer_id,
        after: contentOf(row, plan, hash),
        ...(note !== undefined && { note }),
      });
      return null;
    });
    if (refused !== null) return refuse(refused);
    await changed([id]);
    const after = await findDeposit(database, id);
    return after ? accept(await caseOf(room, after, operator)) : refuse('deposit_unknown');
  });
}

/** What happens when compliance approves: the platform and its signer carry the plan out. */
export const recoveryKind = ({ customers }: Pick<DepositRoom, 'customers'>): ApprovalKind => ({
  async apply(transaction, { id, subject, content }) {
    const { plan, units, to, token, customer } = JSON.parse(content) as ReturnType<typeof contentOf>;
    const row = await lockDeposit(transaction, subject);
    if (!row || refusalOf(row, plan, to) !== null) return false;
    const { network } = row;
    const now = contentOf(row, plan, to);
    if (now.units !== units || now.token !== token || now.to !== to) return false;
    if (network !== null) {
      if (plan === 'credit' || (await isInCorrection(transaction, subject))) return false;
      const ending = plan === 'return' ? 'returned' : plan;
      return closeNetworkCase(transaction, subject, { ending, hash: to, approval: id });
    }
    if (plan === 'unrecoverable') return false;
    if (plan === 'return' && (await customers.isFrozen(transaction, BigInt(customer), 'withdrawals'))) return false;
    return beginRecovery(transaction, subject, plan, id);
  },
  customerOf: ({ content }) => BigInt((JSON.parse(content) as { customer: string }).customer),
});

/**
 * Credits what people decided to credit. It happens once, because the journal's id is derived from the deposit and its
 * round.
 */
export async function creditRecovered(
  { database, ledger, changed }: Pick<DepositRoom, 'database' | 'ledger' | 'changed'>,
  now: Date,
): Promise<void> {
  for (const deposit of await readToCredit(database)) {
    const id = uuidOfName(`recover ${deposit.id} ${deposit.round}`);
    const command = { deposit, fee: recoveryFee, at: now };
    await ledger.post(RECOVERY_CREDIT, command, { id, digest: RECOVERY_CREDIT.name });
    await changed([deposit.id]);
  }
}
