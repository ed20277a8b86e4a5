import { uuidOfName } from '../../ledger/index.ts';
import { PAY_INSIDE_KIND } from './withdrawal-kinds.ts';
import {
  advanceStep,
  lockWithdrawal,
  readWithdrawal,
  setWithdrawalApproval,
  type WithdrawalRow,
} from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/** The content that operators approve. */
export const approvalContentOf = (row: WithdrawalRow) => ({
  id: row.id,
  customer: String(row.customer_id),
  channel: row.channel,
  amount: String(row.amount.units),
  fee: String(row.fee.units),
  baht: row.baht && String(row.baht.units),
  payee: row.payee_id,
  chain: row.chain,
  address: row.address,
});

/** True if a payment run of the treasury pays this withdrawal, and not the hot wallet. */
const isPaidByTreasury = (
  { people, receiver, chain: code }: Pick<WithdrawalRow, 'people' | 'receiver' | 'chain'>,
  chain: WithdrawalsModule['chain'],
): boolean =>
  people > 0 && receiver === null && chain !== null && code === chain.config.code && chain.config.treasury !== null;

/** Opens the approval that the withdrawal needs, once, whichever process comes first. */
async function askForPeople({ database, approvals, chain }: WithdrawalsModule, { id }: WithdrawalRow): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await lockWithdrawal(transaction, id);
    if (!row || row.approval !== null || row.people === 0) return;
    const { id: approval } = await approvals.open(transaction, {
      kind: 'withdrawal',
      subject: id,
      fingerprintOf: approvalContentOf(row),
      // Two others sign the payment run of the treasury or the bank afterwards.
      need: row.people === 2 && row.kind === 'crypto' && !isPaidByTreasury(row, chain) ? 2 : 1,
      madeBy: null,
      roles: ['finance', 'compliance'],
      about: [row.customer_id, ...(row.receiver === null ? [] : [row.receiver])],
    });
    await setWithdrawalApproval(transaction, id, approval);
  });
}

/**
 * Does the steps that need no operator: ends the delay, passes small withdrawals, pays other customers internally. Each
 * step is its own transaction with its own id, so repeating it has no effect.
 */
export async function advanceWithdrawal(module: WithdrawalsModule, id: string, now: Date): Promise<void> {
  const {
    database,
    ledger,
    changed,
    kinds: { pass },
  } = module;
  let row = await readWithdrawal(database, id);
  if (!row) return;
  const again = async (): Promise<void> => {
    row = await readWithdrawal(database, id);
  };
  if (row.people > 0 && row.approval === null) {
    await askForPeople(module, row);
    await again();
  }
  if (row?.step === 'delayed' && row.delayed_until !== null && row.delayed_until <= now) {
    await database.transaction((transaction) =>
      advanceStep(transaction, id, ['delayed'], 'first_check', null, null, now),
    );
    await again();
  }
  // After a restoration customers may request money that has already left, so this waits until the chain is read.
  if ((await module.heldSince(database)) !== null) return changed([id]);
  const frozen = await module.customers.readFrozen(database, [row?.customer_id ?? 0n]);
  if (row?.step === 'first_check' && row.people === 0 && frozen.size === 0) {
    await ledger.post(pass, { id, at: now }, { id: uuidOfName(`pass ${id}`), digest: pass.name });
    await again();
  }
  if (row?.step === 'approved' && row.receiver !== null)
    await ledger.post(
      PAY_INSIDE_KIND,
      { id, at: now },
      { id: uuidOfName(`inside ${id}`), digest: PAY_INSIDE_KIND.name },
    );
  await changed([id]);
}
