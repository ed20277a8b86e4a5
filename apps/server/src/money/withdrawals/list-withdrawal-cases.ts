import { listWithdrawalCases } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { viewWithdrawalItems } from './withdrawal-case.ts';
import { WITHDRAWAL_SETTINGS } from './withdrawal-settings.ts';
import { countWithdrawalTabs, listWithdrawalCaseRows } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const PAGE_SIZE = 50;

export function listWithdrawalCasesHandler(module: WithdrawalsModule): Handler[] {
  return allowOnAnyClock(
    handle(listWithdrawalCases, async ({ request: { status = 'review', q, page } }) => {
      const [at = '', id = ''] = page?.split('.') ?? [];
      const after = id ? { at: new Date(Number(at)), id } : null;
      const [rows, counts] = await Promise.all([
        listWithdrawalCaseRows(module.database, status, q ?? null, after, PAGE_SIZE + 1),
        countWithdrawalTabs(module.database),
      ]);
      const shown = rows.slice(0, PAGE_SIZE);
      const last = shown.at(-1);
      return accept({
        items: await viewWithdrawalItems(module, shown),
        next: rows.length > PAGE_SIZE && last ? `${last.created_at.getTime()}.${last.id}` : null,
        counts,
        promised_minutes: WITHDRAWAL_SETTINGS.promiseMinutes,
      });
    }),
  );
}
