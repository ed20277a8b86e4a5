import { listCorrectionCases } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { wrongOf } from './correction-view.ts';
import type { CorrectionsRoom } from './room.ts';

const INCIDENTS_MS = 90 * 86_400_000;

export function listCorrectionCasesHandler(room: CorrectionsRoom): Handler {
  return handle(listCorrectionCases, async ({ request: { q, transfer: sequence }, now }) => {
    const customer = await room.findCustomer(q.trim());
    if (!customer) return refuse('customer_unknown', { field: 'q' });
    const [transfer, disputes, incidents, deposits] = await Promise.all([
      sequence === undefined ? undefined : room.ledger.transferAt(sequence),
      room.disputesOf(customer.id),
      room.incidentsSince(new Date(now.getTime() - INCIDENTS_MS)),
      room.lostDepositsOf(customer.id),
    ]);
    return accept({
      customer: { id: String(customer.id), username: customer.username },
      transfer: transfer ? wrongOf(transfer) : null,
      disputes: [...disputes],
      incidents: incidents.map(({ id, severity, opened_at: at, closed_at: closed }) => ({
        id,
        severity,
        is_open: closed === null,
        at: at.toISOString(),
      })),
      deposits: [...deposits],
    });
  });
}
