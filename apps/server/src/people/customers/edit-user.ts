import { editUser } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { CheckedCode } from './codes/verification-codes.ts';
import { contactMacOf } from './contact-mac.ts';
import { contactsOf } from './contacts-of.ts';
import { readCredential } from './credential-store.ts';
import { findCustomerByContact, lockCustomer, readCustomer, updateContact, updateProfile } from './customer-store.ts';
import type { CustomersModule } from './customers.ts';
import { type Contact, emailContact, phoneContact } from './names/contact.ts';
import { cleanNickname } from './names/nickname.ts';
import { notifyContacts, notifyCustomer } from './notify-customer.ts';
import { checkLoginPassword } from './passwords/check-login-password.ts';
import { checkFactor } from './second-factor/check-factor.ts';
import { viewUser } from './user-view.ts';

interface ContactChange {
  readonly contact: Contact;
  readonly code: CheckedCode;
}

async function decideContact(
  { brand, codes, database }: CustomersModule,
  request: { phone?: string | undefined; email?: string | undefined; code?: string | undefined },
  customer: bigint,
  address: string,
  now: Date,
): Promise<Decision<ContactChange | null, 'code_wrong' | 'contact_taken' | 'malformed_request'>> {
  const { phone, email } = request;
  if (phone === undefined && email === undefined) return accept(null);
  // A code proves only one contact, so only one can be changed per request.
  if (phone !== undefined && email !== undefined) return refuse('malformed_request', { field: 'email' });
  const contact = phone === undefined ? emailContact(email ?? '') : phoneContact(phone, brand.areas);
  if (!contact) return refuse('malformed_request', { field: 'phone' });
  const code = await codes.check({ contact, purpose: 'edit', editor: customer }, request.code ?? '', address, now);
  if (!code) return refuse('code_wrong', { field: 'code' });
  const holder = await findCustomerByContact(database, contact);
  if (holder && holder.id !== customer) return refuse('contact_taken', { field: contact.kind });
  return accept({ contact, code });
}

/**
 * A new phone or email will receive the codes that open the account. So changing one requires the payment password, or
 * the login password if there is no payment password. A stolen session alone must not be enough.
 */
async function checkOwner(
  module: CustomersModule,
  customer: bigint,
  { paypass, password }: { paypass?: string | undefined; password?: string | undefined },
  now: Date,
): Promise<
  Decision<null, 'paypass_wrong' | 'paypass_locked' | 'password_wrong' | 'login_delayed' | 'malformed_request'>
> {
  if (await readCredential(module.database, customer, 'payment')) {
    if (paypass === undefined) return refuse('malformed_request', { field: 'paypass' });
    const checked = await module.paymentPasswords.check(customer, paypass, now);
    return checked.ok || checked.refusal === 'paypass_locked' ? checked : { ...checked, field: 'paypass' };
  }
  if (password === undefined) return refuse('malformed_request', { field: 'password' });
  const checked = await checkLoginPassword(module, customer, password, now);
  if (checked.ok) return accept(null);
  return checked.refusal === 'password_wrong' ? { ...checked, field: 'password' } : checked;
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';

export function editUserHandler(module: CustomersModule): Handler {
  const { codes, database } = module;

  const apply = async (
    id: bigint,
    profile: Partial<Parameters<typeof updateProfile>[2]>,
    change: ContactChange | null,
    now: Date,
  ): Promise<boolean> =>
    database.transaction(async (transaction) => {
      if (change && !(await codes.use(transaction, change.code, now))) return false;
      const customer = await lockCustomer(transaction, id);
      await updateProfile(transaction, id, {
        nickname: profile.nickname ?? customer.nickname,
        currency: profile.currency ?? customer.currency,
        publicWins: profile.publicWins ?? customer.public_wins,
      });
      if (change)
        await updateContact(
          transaction,
          id,
          { ...change.contact, mac: contactMacOf(module.keyedHash, id, change.contact) },
          now,
        );
      return true;
    });

  const notify = async (id: bigint, before: readonly Contact[], language: Language, now: Date): Promise<void> => {
    await notifyCustomer(module, id, 'contact_changed', { at: now.toISOString() }, now);
    // Notifies the old contact, which is still in the owner's hands.
    await notifyContacts(module, id, before, 'contact_changed', language, now);
  };

  return handle(editUser, async ({ request, client, customer: { id }, language, now }) => {
    const { currency, public_wins: publicWins } = request;
    const nickname = request.nickname === undefined ? undefined : cleanNickname(request.nickname, module.brand.name);
    if (nickname === null) return refuse('nickname_refused', { field: 'nickname' });
    const change = await decideContact(module, request, id, client.address, now);
    if (!change.ok) return change;
    const isProfile = [nickname, currency, publicWins].some((given) => given !== undefined);
    if (!isProfile && change.effect === null) return refuse('nothing_to_change');
    if (change.effect) {
      if (!module.hasher.hasRoom()) return refuse('too_many_requests');
      const owner = await checkOwner(module, id, request, now);
      if (!owner.ok) return owner;
      const contact = { kind: 'contact', subject: request.phone ?? request.email ?? '' } as const;
      const proved = await checkFactor(module, id, contact, request.otp, now);
      if (!proved.ok) return proved;
    }

    const before = await readCustomer(database, id);
    const profile = {
      ...(nickname === undefined ? {} : { nickname }),
      ...(currency === undefined ? {} : { currency }),
      ...(publicWins === undefined ? {} : { publicWins: publicWins === 'true' }),
    };
    try {
      if (!(await apply(id, profile, change.effect, now))) return refuse('code_wrong', { field: 'code' });
    } catch (error) {
      if (change.effect && isUniqueViolation(error))
        return refuse('contact_taken', { field: change.effect.contact.kind });
      throw error;
    }
    if (change.effect) await notify(id, contactsOf(before), language, now);
    return accept(await viewUser(module, await readCustomer(database, id)));
  });
}
