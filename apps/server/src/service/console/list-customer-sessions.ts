import { listCustomerSessions } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { maskAddress } from './mask.ts';

export function listCustomerSessionsHandler({ customers }: ConsoleModule): Handler {
  return handle(listCustomerSessions, async ({ request: { id }, now }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    const rows = await customers.sessions(id, now);
    return accept(
      rows.map((row) => ({
        id: row.id,
        device: row.device,
        address: maskAddress(row.address),
        created_at: row.created_at.toISOString(),
        used_at: row.used_at.toISOString(),
      })),
    );
  });
}
