import { readRestoration } from '@sathorn/api';
import { formatDecimal, formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ApprovalRow } from '../../staff/operators/index.ts';
import { RESTORATION_END_APPROVAL } from './end-restoration.ts';
import {
  countUnexplained,
  listForgottenTransfers,
  listUnexplainedTransactions,
  readRestoration as readOpen,
  type UnexplainedTransaction,
} from './restoration-store.ts';
import { readWithdrawals } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const makerOf = (row: ApprovalRow | null) =>
  row && {
    id: row.id,
    made_by: row.made_by === null ? null : { id: String(row.made_by), work_name: row.made_by_name ?? '' },
  };

/** The differences between chain and restored books, with the evidence that a decision about each needs. */
export function readRestorationHandler(module: WithdrawalsModule): Handler {
  const { database, findWaiting, payees, usernameOf } = module;
  const customerOf = async (customer: bigint) => ({ id: String(customer), username: await usernameOf(customer) });
  const viewOf = async (item: UnexplainedTransaction) => {
    const { chain: code, kind, receiver, amount, block_height, at, withdrawals: ids } = item;
    const [withdrawals, holders, waiting] = await Promise.all([
      readWithdrawals(database, ids),
      kind === 'out' && receiver !== null ? payees.holdersOf(database, code, receiver) : [],
      findWaiting(database, 'payout_foreign', item.hash),
    ]);
    return {
      chain: code,
      hash: item.hash,
      kind,
      sender: item.sender,
      receiver,
      amount: kind === 'transaction' ? String(amount) : formatDecimal(amount, 6),
      block_height: String(block_height),
      at: at?.toISOString() ?? null,
      withdrawals: await Promise.all(
        withdrawals.map(async ({ id, order_number, step, customer_id }) => ({
          id,
          order_number,
          step,
          customer: await customerOf(customer_id),
        })),
      ),
      payees: await Promise.all(
        holders.map(async ({ name, customer }) => ({ name, customer: await customerOf(customer) })),
      ),
      approval: makerOf(waiting),
    };
  };

  return handle(readRestoration, async () => {
    const open = await readOpen(database);
    const [{ unread }, items, forgotten, waiting] = await Promise.all([
      countUnexplained(database),
      listUnexplainedTransactions(database),
      listForgottenTransfers(database),
      open && findWaiting(database, RESTORATION_END_APPROVAL, String(open.restoration)),
    ]);
    return accept({
      open: open && {
        id: String(open.restoration),
        since: open.since.toISOString(),
        ends_at: open.ends_at.toISOString(),
        known_at: open.known_at.toISOString(),
      },
      unread: open ? [...unread] : [],
      items: await Promise.all(items.map(viewOf)),
      forgotten: forgotten.map(({ hash, address, index, sender, amount, at }) => ({
        hash,
        address,
        index,
        sender,
        amount: formatMoney(amount),
        at: at.toISOString(),
      })),
      approval: makerOf(waiting),
    });
  });
}
