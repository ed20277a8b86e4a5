import { changePaymentPassword, OWN_SUBJECT } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CheckedCode } from '../codes/verification-codes.ts';
import { contactsOf, trustedContactsOf } from '../contacts-of.ts';
import { insertCredential, lockCredential, replaceCredential } from '../credential-store.ts';
import { type CustomerRow, readCustomer } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyContacts, notifyCustomer } from '../notify-customer.ts';
import { checkFactor } from '../second-factor/check-factor.ts';
import { isCommonPin } from './common-pin.ts';

interface Proof {
  readonly old: string | undefined;
  readonly code: string | undefined;
  readonly address: string;
}

/**
 * Checks the old payment password, or a code sent to one of the customer's own contacts. The effect is the code to use
 * up; null for the password.
 */
async function checkProof(
  module: CustomersModule,
  customer: CustomerRow,
  { old, code, address }: Proof,
  now: Date,
): Promise<Decision<CheckedCode | null, 'paypass_wrong' | 'paypass_locked' | 'code_wrong'>> {
  if (old !== undefined) {
    const checked = await module.paymentPasswords.check(customer.id, old, now);
    return checked.ok || checked.refusal === 'paypass_locked' ? checked : { ...checked, field: 'old' };
  }
  const contact = await module.codes.newestContact(
    trustedContactsOf(customer, module.keyedHash, now),
    customer.id,
    now,
  );
  const checked =
    contact && (await module.codes.check({ contact, purpose: 'edit', editor: customer.id }, code ?? '', address, now));
  return checked ? accept(checked) : refuse('code_wrong', { field: 'code' });
}

export function changePaymentPasswordHandler(module: CustomersModule): Handler {
  const { codes, database, hasher } = module;
  return handle(changePaymentPassword, async ({ request, client, customer: { id }, language, now }) => {
    if (!hasher.hasRoom()) return refuse('too_many_requests');
    const customer = await readCustomer(database, id);
    if (isCommonPin(request.password, customer)) return refuse('paypass_common', { field: 'password' });
    const proof = await checkProof(
      module,
      customer,
      { old: request.old, code: request.code, address: client.address },
      now,
    );
    if (!proof.ok) return proof;
    const change = { kind: 'payment_password', subject: OWN_SUBJECT } as const;
    const proved = await checkFactor(module, id, change, request.otp, now);
    if (!proved.ok) return proved;

    const hash = await hasher.hash(request.password, { customer: id, kind: 'payment' });
    const isDone = await database.transaction(async (transaction) => {
      if (proof.effect && !(await codes.use(transaction, proof.effect, now))) return false;
      // A reset by code also ends a lock, because the password that was guessed is replaced.
      if (await lockCredential(transaction, id, 'payment'))
        await replaceCredential(transaction, id, 'payment', hash, now);
      else await insertCredential(transaction, id, 'payment', hash, now);
      return true;
    });
    if (!isDone) return refuse('code_wrong', { field: 'code' });
    await notifyCustomer(module, id, 'paypass_changed', { at: now.toISOString() }, now);
    await notifyContacts(module, id, contactsOf(customer), 'paypass_changed', language, now);
    return accept({});
  });
}
