import type { LedgerTransfer } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import type { AccountKey, TransferView } from '../../ledger/index.ts';
import type { BooksDependencies } from './books.ts';

export async function viewTransfers(
  { usernameOf }: Pick<BooksDependencies, 'usernameOf'>,
  transfers: readonly TransferView[],
): Promise<LedgerTransfer[]> {
  const owners = new Set(transfers.flatMap(({ debit, credit }) => [debit.owner, credit.owner]));
  owners.delete(0n);
  const names = new Map(await Promise.all([...owners].map(async (id) => [id, await usernameOf(id)] as const)));
  const accountOf = ({ owner, name }: AccountKey): LedgerTransfer['debit'] => ({
    name,
    customer: owner === 0n ? null : { id: String(owner), username: names.get(owner) ?? '' },
  });
  return transfers.map((one) => ({
    sequence: String(one.sequence),
    journal: one.journal,
    kind: one.kind,
    purpose: one.code,
    debit: accountOf(one.debit),
    credit: accountOf(one.credit),
    asset: one.debit.asset,
    amount: formatMoney(money(one.debit.asset, one.units)),
    resolves: one.resolves === null ? null : String(one.resolves),
    at: one.at.toISOString(),
  }));
}
