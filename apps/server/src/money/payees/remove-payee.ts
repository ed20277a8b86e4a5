import { removePayee } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findPayeeRow, removePayeeRow } from './payee-store.ts';
import type { PayeesModule } from './payees.ts';

/** Requires the payment password: otherwise a thief with a session could make the owner wait a day per payee. */
export function removePayeeHandler(module: PayeesModule): Handler {
  const { customers, database } = module;
  return handle(removePayee, async ({ request: { id, paypass }, customer: { id: customer }, now }) => {
    const unknown = refuse('payee_unknown', { field: 'id' });
    if ((await findPayeeRow(database, customer, id)) === null) return unknown;
    if (!(await customers.hasPaymentPassword(customer))) return refuse('paypass_not_set');
    const checked = await customers.checkPaymentPassword(customer, paypass, now);
    if (!checked.ok) return checked.refusal === 'paypass_wrong' ? { ...checked, field: 'paypass' } : checked;
    const name = await removePayeeRow(database, customer, id, now);
    if (name === null) return unknown;
    await module.messages.send(customer, 'payee_removed', { name, at: now.toISOString() }, now).catch(module.onFault);
    return accept({});
  });
}
