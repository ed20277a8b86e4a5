import { formatMoney, zero } from '@sathorn/money';
import type { BankPayment } from '@sathorn/treasury';
import type { Queries } from '../../../platform/database/index.ts';
import { findUnauthorised } from '../find-unauthorised.ts';
import { readBankPayable, readWithdrawals, type WithdrawalRow } from '../withdrawal-store.ts';
import { unsealCard } from '../withdrawal-view.ts';
import type { WithdrawalsModule } from '../withdrawals.ts';

/** The largest number of payments to consider for one file. */
const CONSIDERED_MAX = 2_000;

/**
 * Returns the payments that the checker has scanned without a finding since their money was taken. No signer verifies
 * votes before a bank pays, so the checker must find a vote that nobody signed before that.
 */
export async function clearedOf(
  { ledger, clearedUpTo }: WithdrawalsModule,
  rows: readonly WithdrawalRow[],
): Promise<ReadonlySet<string>> {
  const upTo = clearedUpTo();
  if (upTo === null || rows.length === 0) return new Set();
  const ends = await ledger.transfersOfHolds(rows.map(({ hold }) => hold));
  const taken = new Set(
    ends.flatMap(({ resolves, sequence }) => (sequence <= upTo && resolves !== null ? [resolves] : [])),
  );
  return new Set(rows.flatMap(({ id, hold }) => (taken.has(hold) ? [id] : [])));
}

/** Approved payments in no run, oldest first: those that somebody authorised, and the ids of the others. */
export async function findBankPayable(
  module: WithdrawalsModule,
): Promise<{ readonly rows: readonly WithdrawalRow[]; readonly unauthorised: readonly string[] }> {
  const open = await readBankPayable(module.database, CONSIDERED_MAX);
  const unauthorised = await findUnauthorised(module, module.database, open);
  return { rows: open.filter(({ id }) => !unauthorised.includes(id)), unauthorised };
}

/** The withdrawals of a run, in the order of its lines. */
export async function readBankRows(queries: Queries, ids: readonly string[]): Promise<WithdrawalRow[]> {
  const rows = new Map((await readWithdrawals(queries, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** The payments of a file. */
export const readPaymentsOf = (
  { sealer }: Pick<WithdrawalsModule, 'sealer'>,
  rows: readonly WithdrawalRow[],
): BankPayment[] =>
  rows.map((row) => {
    const card = unsealCard(sealer, row);
    return {
      withdrawal: row.id,
      reference: row.order_number,
      bank: card?.bank ?? '',
      branch: card?.ifsc ?? '',
      account: card?.number ?? '',
      name: card?.realName ?? '',
      amount: formatMoney(row.baht ?? zero('THB')),
    };
  });
