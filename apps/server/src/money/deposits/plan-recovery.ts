import { planRecovery } from '@sathorn/api';
import { money } from '@sathorn/money';
import { canonicalText } from '@sathorn/proof';
import { accept, type Decision, longestWait, refuse } from '@sathorn/settlement';
import { uuidOfName } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import { houseAddressesAmong } from '../chain/index.ts';
import {
  isPlanCurrent,
  RECOVERY_APPROVAL_KIND,
  type RecoveryPlan,
  recoveryPlanContent,
  viewDepositCase,
} from './deposit-case.ts';
import { RECOVERY_CREDIT_KIND } from './deposit-kinds.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import {
  beginRecovery,
  closeNetworkCase,
  type DepositRow,
  findDeposit,
  isDepositInCorrection,
  lockDeposit,
  readDepositsToCredit,
  readDepositsToReturn,
  reopenDepositCase,
} from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { networkHashOf } from './network-hash.ts';

const { recoveryFee } = DEPOSIT_SETTINGS;
const WAITS_MS = 72 * 3_600_000;
function refusalOf(row: DepositRow, plan: RecoveryPlan, hash: string | null) {
  if (row.step !== 'recovery') return 'deposit_not_in_recovery' as const;
  if (row.network !== null) {
    if (plan === 'credit') return 'recovery_by_correction' as const;
    return plan === 'return' && hash === null ? ('recovery_hash_missing' as const) : null;
  }
  if (row.block_height === null) return 'deposit_not_in_recovery' as const;
  if (plan === 'return') return row.return_to === null ? ('recovery_wallet_missing' as const) : null;
  if (row.reason !== 'below_minimum' && row.reason !== 'counted') return 'recovery_not_ours' as const;
  return row.amount <= recoveryFee.units ? ('recovery_below_fee' as const) : null;
}

/** The wallet of a return; undefined if its owner removed it, or if its address now belongs to the house. */
const walletOf = async ({ payees }: Pick<DepositsModule, 'payees'>, queries: Queries, row: DepositRow) => {
  const { chain, return_to: address } = row;
  if (chain === null || address === null || (await houseAddressesAmong(queries, chain, [address])).has(address))
    return undefined;
  return (await payees.listOf(queries, row.customer_id)).find(
    (one) => one.kind === 'wallet' && one.chain === chain && one.address.toLowerCase() === address,
  );
};

/**
 * Null if a return may go to the named wallet: its owner still has it, and neither it nor their credentials are new.
 * A return has no delay as a withdrawal has, so somebody who took over the account must not choose the wallet.
 */
async function returnRefusal(
  module: Pick<DepositsModule, 'payees' | 'heldUntil'>,
  queries: Queries,
  row: DepositRow,
  now: Date,
): Promise<Decision<never, 'recovery_wallet_missing' | 'return_delayed'> | null> {
  const wallet = await walletOf(module, queries, row);
  if (!wallet) return refuse('recovery_wallet_missing');
  const held = await module.heldUntil(queries, row.customer_id, now);
  const wait = longestWait(
    [
      ['new_payee', wallet.usableFrom],
      ['credentials_changed', held],
    ],
    now,
  );
  return wait && refuse('return_delayed', { params: { until: wait.until.toISOString() } });
}

/** Finance plans here; compliance decides on the page of approvals. */
export function planRecoveryHandler(module: DepositsModule): Handler {
  const { database, approvals, audit, customers, findWaiting, changed } = module;
  return handle(planRecovery, async ({ request: { id, version, plan, hash: given, note }, operator, now }) => {
    const before = await findDeposit(database, id);
    if (before?.kind !== 'crypto') return refuse('deposit_unknown', { field: 'id' });
    if (before.opened_by === operator.id) return refuse('conflict_of_interest');
    const { network } = before;
    if (plan === 'unrecoverable' && network === null) return refuse('malformed_request', { field: 'plan' });
    const hash = network === null || given === undefined ? null : networkHashOf(network, given);
    if (
      network === null &&
      plan === 'return' &&
      (await customers.isFrozen(database, before.customer_id, 'withdrawals'))
    )
      return refuse('customer_frozen');
    if (network === null && plan === 'return' && before.return_to !== null) {
      const refused = await returnRefusal(module, database, before, now);
      if (refused) return refused;
    }
    const refused = await database.transaction(async (transaction) => {
      const row = await lockDeposit(transaction, id);
      if (!row) return 'deposit_unknown' as const;
      const refusal = refusalOf(row, plan, hash);
      if (refusal !== null) return refusal;
      if (row.version !== version) return 'version_stale' as const;
      const waiting = await findWaiting(transaction, RECOVERY_APPROVAL_KIND, id);
      const hasLapsed = waiting?.expires_at != null && waiting.expires_at <= now;
      // The transfer may have left the chain since the plan; then it must be planned again.
      const how = hasLapsed ? 'expired' : waiting && !isPlanCurrent(row, waiting) ? 'stale' : null;
      if (waiting && !(how !== null && (await approvals.close(transaction, waiting.id, how))))
        return 'already_waiting' as const;
      if (network !== null && (await isDepositInCorrection(transaction, id))) return 'case_in_correction' as const;
      const proposed = await approvals.propose(transaction, operator, {
        kind: RECOVERY_APPROVAL_KIND,
        subject: id,
        fingerprintOf: recoveryPlanContent(row, plan, hash),
        roles: ['compliance'],
        about: [row.customer_id],
        expiresAt: new Date(now.getTime() + WAITS_MS),
      });
      if (!proposed.ok) return proposed;
      await audit.append(transaction, {
        operator,
        what: 'deposit.recovery_planned',
        on: { kind: 'deposit', id },
        customer: row.customer_id,
        after: recoveryPlanContent(row, plan, hash),
        ...(note !== undefined && { note }),
      });
      return null;
    });
    if (refused !== null) return typeof refused === 'string' ? refuse(refused) : refused;
    await changed([id]);
    const after = await findDeposit(database, id);
    return after ? accept(await viewDepositCase(module, after, operator)) : refuse('deposit_unknown');
  });
}

/** The consequences of compliance's approval: the platform and its signer carry the plan out. */
export const recoveryApprovalKind = (
  module: Pick<DepositsModule, 'customers' | 'payees' | 'heldUntil'> & { readonly clock: Clock },
): ApprovalKind => ({
  async apply(transaction, { id, subject, content }) {
    const { plan, to, fee } = JSON.parse(content) as ReturnType<typeof recoveryPlanContent>;
    const row = await lockDeposit(transaction, subject);
    if (!row || refusalOf(row, plan, to) !== null) return false;
    const { network } = row;
    if (canonicalText(recoveryPlanContent(row, plan, to)) !== content) return false;
    if (network !== null) {
      if (plan === 'credit' || (await isDepositInCorrection(transaction, subject))) return false;
      const ending = plan === 'return' ? 'returned' : plan;
      return closeNetworkCase(transaction, subject, { ending, hash: to, approval: id });
    }
    if (plan === 'unrecoverable') return false;
    if (
      plan === 'return' &&
      ((await module.customers.isFrozen(transaction, row.customer_id, 'withdrawals')) ||
        (await returnRefusal(module, transaction, row, module.clock.now())))
    )
      return false;
    return beginRecovery(transaction, subject, { plan, approval: id, fee: money('USDT', BigInt(fee)) });
  },
  isConcerned: async (queries, { subject }, operator) =>
    (await findDeposit(queries, subject))?.opened_by === operator.id,
  customerOf: ({ content }) => BigInt((JSON.parse(content) as { customer: string }).customer),
});

/**
 * Credits what people decided to credit. It happens once, because the journal's id is derived from the deposit and its
 * round.
 */
export async function creditRecoveredDeposits(
  {
    database,
    ledger,
    changed,
    onFault,
  }: Pick<DepositsModule, 'database' | 'ledger' | 'changed'> & { readonly onFault: (error: unknown) => void },
  now: Date,
): Promise<void> {
  for (const deposit of await readDepositsToCredit(database)) {
    const id = uuidOfName(`recover ${deposit.id} ${deposit.round}`);
    const command = { deposit, fee: deposit.recovery_fee, at: now };
    // A deposit that differs from its decision must not block the others.
    await ledger.post(RECOVERY_CREDIT_KIND, command, { id, digest: RECOVERY_CREDIT_KIND.name }).catch(onFault);
    await changed([deposit.id]);
  }
}

/** Cancels returns that have not been sent and whose wallet its owner has removed. Each then needs another plan. */
export async function reopenUnsentReturns(
  module: Pick<DepositsModule, 'database' | 'payees' | 'audit' | 'changed'> & {
    readonly onFault: (error: unknown) => void;
  },
  now: Date,
): Promise<void> {
  const { database, audit, changed, onFault } = module;
  for (const row of await readDepositsToReturn(database)) {
    if (row.sent_back !== null) continue;
    const wallet = await walletOf(module, database, row);
    // The owner may have added the wallet again.
    if (wallet && wallet.usableFrom <= now) continue;
    await database
      .transaction(async (transaction) => {
        if (!(await reopenDepositCase(transaction, row, now))) return;
        await audit.append(transaction, {
          operator: null,
          what: 'deposit.recovery_taken_back',
          on: { kind: 'deposit', id: row.id },
          customer: row.customer_id,
          reason: 'wallet_removed',
        });
      })
      .catch(onFault);
    await changed([row.id]);
  }
}
