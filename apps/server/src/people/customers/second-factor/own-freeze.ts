import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Queries, statement } from '../../../platform/database/index.ts';
import type { CredentialRow } from '../credential-store.ts';
import type { CustomerRow } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { isFrozenIn, listFreezes } from '../freeze-store.ts';
import { notifyCustomer } from '../notify-customer.ts';

/** The `frozen_reason` of a freeze by the owner. */
const OWN_FREEZE_REASON = 'own_request';
/** A freeze by the owner lasts at least a day: it may have been forced, or made by a thief with the password. */
const OWN_FREEZE_MS = 24 * 60 * 60 * 1_000;

const keep = statement(
  'customers.keep_own_freeze',
  `INSERT INTO customers.own_freeze (customer, frozen_at, until) VALUES ($1, $2, $3)
   ON CONFLICT (customer) DO UPDATE SET frozen_at = excluded.frozen_at, until = excluded.until`,
);
const read = statement(
  'customers.read_own_freeze',
  'SELECT frozen_at, until FROM customers.own_freeze WHERE customer = $1',
);
// Does not overwrite a freeze that staff may have set in the meantime.
const setReason = statement(
  'customers.set_own_freeze',
  'UPDATE customers.customer SET frozen_reason = $2 WHERE id = $1 AND frozen_reason IS NULL',
);
const clearReason = statement(
  'customers.clear_own_freeze',
  'UPDATE customers.customer SET frozen_reason = NULL WHERE id = $1 AND frozen_reason = $2 RETURNING id',
);

export async function freezeOwnAccount(transaction: Queries, customer: bigint, now: Date): Promise<Date> {
  const until = new Date(now.getTime() + OWN_FREEZE_MS);
  await transaction.query(keep, [customer, now, until]);
  await transaction.query(setReason, [customer, OWN_FREEZE_REASON]);
  return until;
}

async function isFrozenByStaff(queries: Queries, customer: bigint): Promise<boolean> {
  const freezes = await listFreezes(queries, customer);
  return freezes.some(({ is_active: isActive, scopes }) => isActive && scopes.includes('sign_in'));
}

/**
 * Decides whether a correct password or passkey may unfreeze an account that its owner froze: only after 24 hours, and
 * only with a second factor or a password reset by code since the freeze, because the password may be stolen.
 */
export async function liftOwnFreeze(
  module: CustomersModule,
  {
    customer,
    login,
    hasSecondFactor,
  }: { readonly customer: CustomerRow; readonly login: CredentialRow; readonly hasSecondFactor: boolean },
  now: Date,
): Promise<Decision<null, 'account_frozen' | 'frozen_by_you' | 'frozen_needs_proof'>> {
  if (customer.frozen_reason !== OWN_FREEZE_REASON)
    return (await isFrozenIn(module.database, customer.id, 'sign_in')) ? refuse('account_frozen') : accept(null);
  const [freeze] = await module.database.query<{ frozen_at: Date; until: Date }>(read, [customer.id]);
  if (!freeze) return refuse('account_frozen');
  if (now < freeze.until) return refuse('frozen_by_you', { params: { until: freeze.until.toISOString() } });
  if (!hasSecondFactor && login.changed_at <= freeze.frozen_at) return refuse('frozen_needs_proof');
  // A freeze by staff has its own end, so ending the owner's freeze does not shorten it.
  if (await isFrozenByStaff(module.database, customer.id)) return refuse('account_frozen');
  const lifted = await module.database.query(clearReason, [customer.id, OWN_FREEZE_REASON]);
  if (lifted.length > 0) await notifyCustomer(module, customer.id, 'unfrozen_by_you', { at: now.toISOString() }, now);
  return accept(null);
}
