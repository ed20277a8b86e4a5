import { listDepositCases } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { viewDepositItems } from './deposit-case.ts';
import { countDepositTabs, listDepositCaseRows } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';

const PAGE_SIZE = 50;

export function listDepositCasesHandler(module: DepositsModule): Handler[] {
  return allowOnAnyClock(
    handle(listDepositCases, async ({ request: { tab = 'slip', q, page } }) => {
      const [at = '', id = ''] = page?.split('.') ?? [];
      const after = id ? { at: new Date(Number(at)), id } : null;
      const [rows, counts] = await Promise.all([
        listDepositCaseRows(module.database, tab, q ?? null, after, PAGE_SIZE + 1),
        countDepositTabs(module.database),
      ]);
      const shown = rows.slice(0, PAGE_SIZE);
      const last = shown.at(-1);
      return accept({
        items: await viewDepositItems(module, shown),
        next: rows.length > PAGE_SIZE && last ? `${last.created_at.getTime()}.${last.id}` : null,
        counts,
      });
    }),
  );
}
