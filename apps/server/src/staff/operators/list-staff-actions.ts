import { listStaffActions } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listEntriesOfCustomer } from './entry-store.ts';
import { viewEntry } from './entry-view.ts';
import type { OperatorsModule } from './operators.ts';

const PAGE = 30;

const untilOf = (after: unknown): string | null => {
  const until = typeof after === 'object' && after !== null && 'until' in after ? after.until : null;
  return typeof until === 'string' && !Number.isNaN(Date.parse(until)) ? new Date(until).toISOString() : null;
};

/** The log as the customer sees it: the operator's work name, what, when and why. Never the device or the note. */
export function listStaffActionsHandler({ database }: OperatorsModule): Handler {
  return handle(listStaffActions, async ({ customer, request: { page } }) => {
    const rows = await listEntriesOfCustomer(database, customer.id, page ? BigInt(page) || null : null, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({
      items: shown.map(viewEntry).map(({ n, at, what, who, on, reason, after }) => ({
        id: n,
        at,
        what,
        by: who?.work_name ?? null,
        on,
        reason,
        until: untilOf(after),
      })),
      next: rows.length > PAGE && last ? String(last.n) : null,
    });
  });
}
