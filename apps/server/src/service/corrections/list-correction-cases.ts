import { listCorrectionCases } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewWrongTransfer } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';

const INCIDENTS_MS = 90 * 86_400_000;

export function listCorrectionCasesHandler(module: CorrectionsDependencies): Handler {
  return handle(listCorrectionCases, async ({ request: { q, transfer: sequence }, now }) => {
    const customer = await module.findCustomer(q.trim());
    if (!customer) return refuse('customer_unknown', { field: 'q' });
    const [transfer, disputes, incidents, deposits] = await Promise.all([
      sequence === undefined ? undefined : module.ledger.transferAt(sequence),
      module.disputesOf(customer.id),
      module.incidentsSince(new Date(now.getTime() - INCIDENTS_MS)),
      module.lostDepositsOf(customer.id),
    ]);
    return accept({
      customer: { id: String(customer.id), username: customer.username },
      transfer: transfer ? viewWrongTransfer(transfer) : null,
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
