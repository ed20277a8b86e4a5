import { normaliseWord } from '@sathorn/identity';
import { statement } from '../../platform/database/index.ts';
import { readCredential } from './credential-store.ts';
import { countCustomerRows, findCustomerRow, listCustomerRows } from './customer-store.ts';
import type { CustomersModule, StaffAccess } from './customers.ts';
import {
  findFactorReset,
  listEarlierResets,
  listFactorResetRows,
  readFactorResetFacts,
} from './factor-reset/factor-reset-store.ts';
import { applyFreezeChange, insertFreeze, listFreezes } from './freeze-store.ts';
import { contactOf } from './names/contact.ts';
import {
  countRecoveryCodes,
  listPasskeys,
  readCredentialsChangedAt,
  readSecondFactorRow,
} from './second-factor/second-factor-store.ts';

const PAGE = 30;
/** A prefix of at least this length finds several customers; exact names and contacts find one. */
const BEGINNING_MIN = 3;

const setInvites = statement(
  'customers.set_invite_allowed',
  'UPDATE customers.customer SET invite_allowed = $2 WHERE id = $1',
);

export function openStaffAccess(
  module: Pick<CustomersModule, 'database' | 'sessions' | 'brand' | 'antiPhishing'>,
): StaffAccess {
  const { database, sessions, brand, antiPhishing } = module;
  return {
    async find(query, page) {
      const wanted = normaliseWord(query ?? '');
      const contact = wanted === '' ? null : contactOf(wanted, brand.areas);
      const isId = /^[1-9][0-9]{9}$/.test(wanted);
      const isBeginning = wanted !== '' && contact === null && !isId;
      if (isBeginning && wanted.length < BEGINNING_MIN) return null;
      const [ms = '', id = ''] = (page ?? '').split('.');
      const by = {
        id: isId ? BigInt(wanted) : null,
        contact: contact?.value ?? null,
        beginning: isBeginning ? wanted.toLowerCase() : null,
      };
      const after = ms === '' || id === '' ? null : { at: new Date(Number(ms)), id: BigInt(id) };
      const [rows, total] = await Promise.all([
        listCustomerRows(database, by, after, PAGE + 1),
        countCustomerRows(database, by),
      ]);
      const shown = rows.slice(0, PAGE);
      const last = shown.at(-1);
      const next = rows.length > PAGE && last ? `${last.created_at.getTime()}.${last.id}` : null;
      return { rows: shown, next, total };
    },
    read: (customer) => findCustomerRow(database, customer),
    sessions: (customer, now) => sessions.list(customer, now),
    endSessions: (transaction, customer, session, now) =>
      sessions.end(transaction, customer, session === null ? {} : { only: session }, 'staff', now),
    announceEnded: (ids) => sessions.announceEnded(ids),
    freezes: (customer) => listFreezes(database, customer),
    freeze: (transaction, { by, ...freeze }) =>
      insertFreeze(transaction, { ...freeze, made_by: by.id, made_by_name: by.workName }),
    changeFreeze: applyFreezeChange,
    factorResets: (isWaiting) => listFactorResetRows(database, isWaiting),
    async factorReset(id) {
      const row = await findFactorReset(database, id);
      if (!row) return null;
      const { customer } = row;
      const [earlier, factor, passkeys, codes, facts, login, changedAt, word] = await Promise.all([
        listEarlierResets(database, customer, row.asked_at),
        readSecondFactorRow(database, customer),
        listPasskeys(database, customer),
        countRecoveryCodes(database, customer),
        readFactorResetFacts(database, customer),
        readCredential(database, customer, 'login'),
        readCredentialsChangedAt(database, customer),
        antiPhishing.read(database, customer),
      ]);
      return {
        row,
        earlier,
        authenticatorSince: factor?.confirmed_at ?? null,
        passkeys: passkeys.length,
        recoveryCodes: codes.unused,
        factorUsedAt: facts.factor_used_at,
        passwordChangedAt: login?.changed_at ?? null,
        credentialsChangedAt: changedAt,
        hasWord: word !== null,
      };
    },
    async setInviteAllowed(transaction, customer, isAllowed) {
      await transaction.query(setInvites, [customer, isAllowed]);
    },
  };
}
