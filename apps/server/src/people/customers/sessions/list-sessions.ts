import { listSessions } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';

export function listSessionsHandler({ sessions }: CustomersModule): Handler {
  return handle(listSessions, async ({ customer, now }) => {
    const rows = await sessions.list(customer.id, now);
    return accept({
      items: rows.map((row) => ({
        id: row.id,
        device: row.device,
        address: row.address,
        current: row.id === customer.sessionId,
        created_at: row.created_at.toISOString(),
        used_at: row.used_at.toISOString(),
      })),
    });
  });
}
