import { findCustomers } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { viewCustomerLine } from './profile-view.ts';

export function findCustomersHandler({ customers }: ConsoleModule): Handler {
  return handle(findCustomers, async ({ request: { q, page } }) => {
    const found = await customers.find(q ?? null, page ?? null);
    if (!found) return refuse('query_too_broad', { field: 'q' });
    const items = await Promise.all(
      found.rows.map(async (row) => {
        const freezes = await customers.freezes(row.id);
        return viewCustomerLine(row, row.frozen_reason !== null || freezes.some(({ is_active: isActive }) => isActive));
      }),
    );
    return accept({ items, next: found.next, total: found.total });
  });
}
