import { listBankStatements } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import type { DepositsModule } from './deposits.ts';
import { readMatchLimits } from './match-rule.ts';
import { listBankStatementRows } from './statement-store.ts';

const PAGE_SIZE = 20;

export function listBankStatementsHandler({ database, workNameOf, feedReadAt }: DepositsModule): Handler[] {
  const staff = async (id: bigint | null) => (id === null ? null : { id: String(id), work_name: await workNameOf(id) });
  return allowOnAnyClock(
    handle(listBankStatements, async ({ request: { page }, operator }) => {
      const number = Math.max(1, Number(page || '1'));
      const rows = await listBankStatementRows(database, PAGE_SIZE + 1, (number - 1) * PAGE_SIZE);
      const { twoPeopleFrom, unattestedMax } = await readMatchLimits(database);
      return accept({
        items: await Promise.all(
          rows.slice(0, PAGE_SIZE).map(async (row) => ({
            id: row.id,
            account: row.account,
            source: row.source,
            from: row.from_at.toISOString(),
            to: row.to_at.toISOString(),
            opening: formatMoney(row.opening),
            closing: formatMoney(row.closing),
            lines: row.lines,
            received: formatMoney(row.received),
            paid_out: formatMoney(row.paid_out),
            matched: formatMoney(row.matched),
            imported_by: await staff(row.imported_by),
            imported_at: row.imported_at.toISOString(),
            attested_by: await staff(row.attested_by),
            attested_at: row.attested_at?.toISOString() ?? null,
            is_own: row.imported_by === operator.id,
          })),
        ),
        next: rows.length > PAGE_SIZE ? String(number + 1) : null,
        feed: feedReadAt && { read_at: (await feedReadAt())?.toISOString() ?? null },
        limits: { two_people_from: formatMoney(twoPeopleFrom), unattested_max: formatMoney(unattestedMax) },
      });
    }),
  );
}
