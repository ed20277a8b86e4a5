import { readProfile } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { viewProfile } from './profile-view.ts';

/** When each operator's view was last logged: at most hourly, because a page that refreshes is no new view. */
const openedOften = new Map<string, number>();
const SAME_LOOK_MS = 60 * 60_000;
const LOOKS_MAX = 10_000;

export function readProfileHandler(module: ConsoleModule): Handler {
  const { database, customers, operators } = module;
  return handle(readProfile, async ({ operator, request: { id }, now }) => {
    const customer = await customers.read(id);
    if (!customer) return refuse('customer_unknown', { field: 'id' });
    const look = `${operator.sessionId} ${id}`;
    if (now.getTime() - (openedOften.get(look) ?? 0) > SAME_LOOK_MS) {
      await database.transaction((transaction) =>
        operators.audit.append(transaction, {
          operator,
          what: 'customer.opened',
          on: { kind: 'customer', id: String(id) },
          customer: id,
        }),
      );
      if (openedOften.size >= LOOKS_MAX) openedOften.clear();
      openedOften.set(look, now.getTime());
    }
    return accept(await viewProfile(module, customer, operator, now));
  });
}
