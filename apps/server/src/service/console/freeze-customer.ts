import { randomUUID } from 'node:crypto';
import { freezeCustomer } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { hasRole } from './has-role.ts';
import { customerStateHash, viewProfile } from './profile-view.ts';

const HOUR_MS = 60 * 60_000;
const LONGEST_MS = { compliance: 14 * 24 * HOUR_MS, support: 24 * HOUR_MS };
/** Support may freeze at the customer's request or on signs of an attack. All other reasons belong to compliance. */
const OF_SUPPORT: ReadonlySet<string> = new Set(['customer_asked', 'takeover_suspected']);

type Refusal = 'already_frozen' | 'fingerprint_stale' | 'step_up_required' | 'step_up_expired';

export function freezeCustomerHandler(module: ConsoleModule): Handler {
  const { database, customers, operators, messages } = module;
  return handle(freezeCustomer, async ({ operator, request, now }) => {
    const { id, scopes, reason, note } = request;
    const customer = await customers.read(id);
    if (!customer) return refuse('customer_unknown', { field: 'id' });
    const isCompliance = hasRole(operator, 'compliance');
    if (!isCompliance && !OF_SUPPORT.has(reason)) return refuse('reason_not_yours', { field: 'reason' });
    const until = new Date(request.until);
    const ms = until.getTime() - now.getTime();
    if (ms <= 0 || ms > (isCompliance ? LONGEST_MS.compliance : LONGEST_MS.support))
      return refuse('until_too_far', { field: 'until' });

    const ended: string[] = [];
    const done = await database.transaction(async (transaction): Promise<Decision<null, Refusal>> => {
      const freezes = await customers.freezes(id);
      if (customerStateHash(customer, freezes) !== request.fingerprint) return refuse('fingerprint_stale');
      const covered = new Set(freezes.filter(({ is_active }) => is_active).flatMap((freeze) => freeze.scopes));
      if (scopes.every((scope) => covered.has(scope))) return refuse('already_frozen', { field: 'scopes' });
      const of = { act: 'customer.freeze', subject: String(id), fingerprint: request.fingerprint };
      const confirmed = await operators.stepUps.spend(transaction, operator, of);
      if (!confirmed.ok) return confirmed;
      await customers.freeze(transaction, { id: randomUUID(), customer: id, scopes, reason, by: operator, until });
      if (scopes.includes('sign_in')) ended.push(...(await customers.endSessions(transaction, id, null, now)));
      await operators.audit.append(transaction, {
        operator,
        what: 'customer.frozen',
        on: { kind: 'customer', id: String(id) },
        customer: id,
        reason,
        after: { scopes, until: until.toISOString() },
        ...(note !== undefined && { note }),
      });
      return accept(null);
    });
    if (!done.ok) return done;
    customers.announceEnded(ended);
    await messages.send(id, 'account_frozen', { until: until.toISOString() }, now);
    return accept(await viewProfile(module, customer, operator, now));
  });
}
