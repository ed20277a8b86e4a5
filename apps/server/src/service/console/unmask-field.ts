import { unmaskField } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import type { PayeeSnapshot } from '../../money/payees/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { hasRole } from './has-role.ts';

/** How long the console shows the value. */
const SHOWN_MS = 5 * 60_000;
const PER_HOUR = { compliance: 30, finance: 20, support: 10 } as const;
/** The order gives an operator with several roles the widest rights. */
const ROLES = ['compliance', 'finance', 'support'] as const;

class Spent extends Error {}

const wholeOf = (payee: PayeeSnapshot): string =>
  payee.kind === 'wallet' ? `${payee.chain} ${payee.address}` : `${payee.bank} ${payee.number} ${payee.realName}`;

export function unmaskFieldHandler({ database, customers, operators, payees }: ConsoleModule): Handler {
  return handle(unmaskField, async ({ operator, request: { id, field, payee: payeeId, reason }, now }) => {
    const customer = await customers.read(id);
    if (!customer) return refuse('customer_unknown', { field: 'id' });
    // Finance pays, so it may see the payee, but no other personal data.
    if (field !== 'payee' && !hasRole(operator, 'compliance', 'support'))
      return refuse('field_not_yours', { field: 'field' });
    const payee = field === 'payee' ? (await payees.listOf(database, id)).find((one) => one.id === payeeId) : null;
    if (payee === undefined) return refuse('payee_unknown', { field: 'payee' });
    const role = ROLES.find((one) => hasRole(operator, one)) ?? 'support';
    const max = PER_HOUR[role];
    let left: number;
    try {
      left = await database.transaction(async (transaction) => {
        await operators.audit.append(transaction, {
          operator,
          what: 'customer.unmasked',
          on: { kind: 'customer', id: String(id) },
          customer: id,
          after: { field, ...(payee && { payee: payee.id }) },
          note: reason,
        });
        // The count is taken while the log's lock is held, so that concurrent requests see each other.
        const { done } = await operators.countInHour(transaction, operator.id, 'customer.unmasked');
        if (done > max) throw new Spent();
        return max - done;
      });
    } catch (error) {
      if (!(error instanceof Spent)) throw error;
      return refuse('hour_budget_spent', { params: { max: String(max) } });
    }
    const values = {
      phone: customer.phone,
      email: customer.email,
      address: (await customers.sessions(id, now))[0]?.address ?? null,
      payee: payee && wholeOf(payee),
    };
    return accept({ value: values[field], until: new Date(now.getTime() + SHOWN_MS).toISOString(), left });
  });
}
