import { type Queries, statement, type Transaction } from '../database/index.ts';
import { type CustomerRow, findCustomerRow, listCustomerRows } from './customer-store.ts';
import {
  changeFreeze,
  type FreezeReason,
  type FreezeRow,
  type FreezeScope,
  insertFreeze,
  listFreezes,
} from './freeze-store.ts';
import { contactOf } from './names/contact.ts';
import type { Room } from './room.ts';
import type { ListedSessionRow } from './sessions/session-store.ts';

const PAGE = 30;
/** Exact names and contacts find one customer; a prefix of at least this length finds several. */
const BEGINNING_MIN = 3;

/** What operators may do with a customer's account. The caller logs each act. */
export interface StaffAccess {
  /** Finds by exact id, username, phone or email, or by a username's prefix. Null if the prefix is too short. */
  find(
    query: string | null,
    page: string | null,
  ): Promise<{ readonly rows: CustomerRow[]; readonly next: string | null } | null>;
  read(customer: bigint): Promise<CustomerRow | null>;
  sessions(customer: bigint, now: Date): Promise<readonly ListedSessionRow[]>;
  /** Ends one session, or all. Pass the ids to `announceEnded` after the commit. */
  endSessions(transaction: Transaction, customer: bigint, session: string | null, now: Date): Promise<string[]>;
  announceEnded(sessionIds: readonly string[]): void;
  freezes(customer: bigint): Promise<FreezeRow[]>;
  freeze(
    transaction: Transaction,
    freeze: {
      readonly id: string;
      readonly customer: bigint;
      readonly scopes: FreezeScope[];
      readonly reason: FreezeReason;
      readonly by: { readonly id: bigint; readonly workName: string };
      readonly until: Date;
    },
  ): Promise<FreezeRow>;
  /** Runs in the transaction of the last vote. The database checks the approval. */
  changeFreeze(transaction: Queries, freeze: string, approval: string): Promise<void>;
  setInviteAllowed(transaction: Queries, customer: bigint, isAllowed: boolean): Promise<void>;
}

const setInvites = statement(
  'customers.set_invite_allowed',
  'UPDATE customers.customer SET invite_allowed = $2 WHERE id = $1',
);

export function openStaffAccess(room: Pick<Room, 'database' | 'sessions' | 'brand'>): StaffAccess {
  const { database, sessions, brand } = room;
  return {
    async find(query, page) {
      const wanted = query?.trim() ?? '';
      const contact = wanted === '' ? null : contactOf(wanted, brand.areas);
      const isId = /^[1-9][0-9]{9}$/.test(wanted);
      const isBeginning = wanted !== '' && contact === null && !isId;
      if (isBeginning && wanted.length < BEGINNING_MIN) return null;
      const [ms = '', id = ''] = (page ?? '').split('.');
      const rows = await listCustomerRows(
        database,
        {
          id: isId ? BigInt(wanted) : null,
          contact: contact?.value ?? null,
          beginning: isBeginning ? wanted.toLowerCase() : null,
        },
        ms === '' || id === '' ? null : { at: new Date(Number(ms)), id: BigInt(id) },
        PAGE + 1,
      );
      const shown = rows.slice(0, PAGE);
      const last = shown.at(-1);
      const next = rows.length > PAGE && last ? `${last.created_at.getTime()}.${last.id}` : null;
      return { rows: shown, next };
    },
    read: (customer) => findCustomerRow(database, customer),
    sessions: (customer, now) => sessions.list(customer, now),
    endSessions: (transaction, customer, session, now) =>
      sessions.end(transaction, customer, session === null ? {} : { only: session }, 'staff', now),
    announceEnded: (ids) => sessions.announceEnded(ids),
    freezes: (customer) => listFreezes(database, customer),
    freeze: (transaction, { by, ...freeze }) =>
      insertFreeze(transaction, { ...freeze, made_by: by.id, made_by_name: by.workName }),
    changeFreeze,
    async setInviteAllowed(transaction, customer, isAllowed) {
      await transaction.query(setInvites, [customer, isAllowed]);
    },
  };
}
