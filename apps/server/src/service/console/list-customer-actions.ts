import { listCustomerActions } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewEntry } from '../../staff/operators/index.ts';
import type { ConsoleModule } from './console.ts';

const PAGE = 30;

export function listCustomerActionsHandler({ customers, operators }: ConsoleModule): Handler {
  return handle(listCustomerActions, async ({ request: { id, page } }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    const rows = await operators.entriesOf(id, page ? BigInt(page) || null : null, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({ items: shown.map(viewEntry), next: rows.length > PAGE && last ? String(last.n) : null });
  });
}
