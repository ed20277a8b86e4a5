import { listDepositCases } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle, onAnyClock } from '../../platform/edge/index.ts';
import { viewDepositCases } from './deposit-case.ts';
import { countTabs, listCases } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';

const PAGE_SIZE = 50;

export function listDepositCasesHandler(module: DepositsModule): Handler[] {
  return onAnyClock(
    handle(listDepositCases, async ({ request: { tab = 'slip', q, page } }) => {
      const [at = '', id = ''] = page?.split('.') ?? [];
      const after = id ? { at: new Date(Number(at)), id } : null;
      const [rows, counts] = await Promise.all([
        listCases(module.database, tab, q ?? null, after, PAGE_SIZE + 1),
        countTabs(module.database),
      ]);
      const shown = rows.slice(0, PAGE_SIZE);
      const last = shown.at(-1);
      return accept({
        items: await viewDepositCases(module, shown),
        next: rows.length > PAGE_SIZE && last ? `${last.created_at.getTime()}.${last.id}` : null,
        counts,
      });
    }),
  );
}
