import type { RunLineView, TreasuryRun } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import { readOwnerChange, THRESHOLD_MIN } from '@sathorn/treasury';
import type { TreasuryModule } from './treasury.ts';
import {
  type ExaminedRow,
  type RunLineRow,
  type RunRow,
  readExamined,
  readOwners,
  readRunLines,
  readRunSignatures,
} from './treasury-store.ts';

export const usdtText = (units: bigint): string => formatMoney(money('USDT', units));

/** The lines as operators see them, in their order. */
export async function viewLines(
  { database, usernameOf, workNameOf }: TreasuryModule,
  lines: readonly Pick<RunLineRow, 'withdrawal_id' | 'receiver' | 'units'>[],
): Promise<RunLineView[]> {
  const ids = lines.flatMap(({ withdrawal_id: id }) => id ?? []);
  const examined = await readExamined(database, ids);
  const withdrawalOf = async (row: ExaminedRow) => ({
    id: row.id,
    order_number: row.order_number,
    customer: { id: String(row.customer_id), username: await usernameOf(row.customer_id) },
    examined_by: await Promise.all(
      row.examined_by.map(async (id) => ({ id, work_name: await workNameOf(BigInt(id)) })),
    ),
    is_first: row.is_first,
    looks_like: row.looks_like,
  });
  return Promise.all(
    lines.map(async ({ withdrawal_id: id, receiver, units }) => {
      const row = id === null ? undefined : examined.get(id);
      return { withdrawal: row ? await withdrawalOf(row) : null, receiver, amount: usdtText(units) };
    }),
  );
}

/** The change of owners that a run makes, with the threshold after it. */
async function viewChange(
  { database, workNameOf }: TreasuryModule,
  { chain, data }: Pick<RunRow, 'chain' | 'data'>,
): Promise<TreasuryRun['change']> {
  const change = readOwnerChange(data);
  if (change === undefined) return null;
  const known = new Map((await readOwners(database, chain)).map((one) => [one.address, one]));
  const shown = async (address: string) => {
    const id = known.get(address)?.operator ?? null;
    return { address, operator: id === null ? null : { id: String(id), work_name: await workNameOf(id) } };
  };
  const coming = change.kind === 'add' ? change.owner : change.kind === 'swap' ? change.next : null;
  return {
    kind: change.kind,
    previous: change.kind === 'add' ? null : change.previous,
    leaving: change.kind === 'add' ? null : await shown(change.owner),
    coming: coming === null ? null : await shown(coming),
    threshold: change.kind === 'swap' ? THRESHOLD_MIN : change.threshold,
  };
}

export async function viewRuns(module: TreasuryModule, rows: readonly RunRow[]): Promise<TreasuryRun[]> {
  const { database, workNameOf } = module;
  const ids = rows.map(({ id }) => id);
  const [lines, signatures] = await Promise.all([readRunLines(database, ids), readRunSignatures(database, ids)]);
  const staff = async (id: bigint) => ({ id: String(id), work_name: await workNameOf(id) });
  return Promise.all(
    rows.map(async (row) => {
      const own = lines.filter(({ run }) => run === row.id);
      const signed = signatures.filter(({ run }) => run === row.id);
      return {
        id: row.id,
        nonce: String(row.nonce),
        hash: row.hash,
        lines: await viewLines(module, own),
        change: row.kind === 'owners' ? await viewChange(module, row) : null,
        total: usdtText(own.reduce((sum, { units }) => sum + units, 0n)),
        step: row.step,
        opened_by: await staff(row.opened_by),
        opened_at: row.opened_at.toISOString(),
        lapses_at: row.lapses_at.toISOString(),
        signatures: await Promise.all(
          signed.map(async ({ operator, at }) => ({ by: await staff(operator), at: at.toISOString() })),
        ),
        transaction: row.transaction,
      };
    }),
  );
}
