import { randomBytes, randomInt } from 'node:crypto';
import type { PracticeTicket } from '@sathorn/proof';
import { accept, refuse } from '@sathorn/settlement';
import { DEFAULT_LANGUAGE, isLanguage } from '@sathorn/text';
import { type Queries, statement } from '../../../platform/database/index.ts';
import { createCustomer } from '../create-customer.ts';
import { readCredential } from '../credential-store.ts';
import { findCustomerByContact, readCustomer } from '../customer-store.ts';
import type { CustomersModule, PracticeAccounts } from '../customers.ts';
import type { Contact } from '../names/contact.ts';
import { deviceOf } from '../sessions/device.ts';
import { startSession } from '../sessions/start-session.ts';
import { viewUser } from '../user-view.ts';

const useTicket = statement('customers.use_practice_ticket', 'SELECT customers.use_practice_ticket($1, $2) AS is_new');

async function isNewTicket(queries: Queries, { nonce, untilMs }: PracticeTicket): Promise<boolean> {
  const [row] = await queries.query<{ is_new: boolean }>(useTicket, [nonce, new Date(untilMs)]);
  return row?.is_new === true;
}

/** Nobody can write to this address: `.invalid` never resolves. */
const contactOf = (who: string): Contact => ({ kind: 'email', value: `${who}@practice.invalid` });

/** Nobody knows it, so the ticket is the only way in. */
const unknownPassword = (): string => randomBytes(24).toString('base64url');

async function openAccount(module: CustomersModule, { who, language }: PracticeTicket, now: Date): Promise<bigint> {
  const found = await findCustomerByContact(module.database, contactOf(who));
  if (found) return found.id;
  const username = `practice_${String(randomInt(10 ** 11)).padStart(11, '0')}`;
  const created = await createCustomer(
    module,
    {
      username,
      nickname: username,
      contacts: [contactOf(who)],
      currency: module.brand.currency,
      language: isLanguage(language) ? language : DEFAULT_LANGUAGE,
      invitedBy: null,
      password: unknownPassword(),
      paypass: unknownPassword(),
      prepare: async () => null,
    },
    now,
  );
  if (created.ok) return created.effect.customer.id;
  // Another ticket of this pseudonym has just opened it.
  const twin = await findCustomerByContact(module.database, contactOf(who));
  if (!twin) throw new Error(`no practice account could be opened: ${created.refusal}`);
  return twin.id;
}

export function openPracticeAccounts(module: CustomersModule): PracticeAccounts {
  const { database, keyedHash } = module;
  return {
    pseudonymOf: (customer) => keyedHash('practice', String(customer)).subarray(0, 16).toString('hex'),
    async take(ticket, now) {
      if (!(await isNewTicket(database, ticket))) return refuse('practice_ticket_used');
      return accept(await openAccount(module, ticket, now));
    },
    async signIn(customer, client, appKey, now) {
      const login = await readCredential(database, customer, 'login');
      const device = deviceOf(client, appKey, keyedHash);
      const passwordHash = login?.hash ?? '';
      const token = await startSession(
        module,
        { customer, passwordHash, device, isNewDevice: false, factor: 'registration' },
        now,
      );
      if (token === null) throw new Error(`practice account ${customer} has no login`);
      return { token, user: await viewUser(module, await readCustomer(database, customer)) };
    },
  };
}
