import { type Queries, statement } from '../../platform/database/index.ts';

interface InvitedRow {
  readonly id: bigint;
  readonly username: string;
  readonly created_at: Date;
}

/** The inviter of each customer: one level, stored in the customer's row for good. */
export interface Invitations {
  /** Newest first. */
  list(
    queries: Queries,
    inviter: bigint,
    before: { readonly at: Date; readonly id: bigint } | null,
    limit: number,
  ): Promise<InvitedRow[]>;
  idsOf(queries: Queries, inviter: bigint): Promise<bigint[]>;
  /** Null if nobody invited this customer. */
  inviterOf(
    queries: Queries,
    customer: bigint,
  ): Promise<{ readonly id: bigint; readonly invite_allowed: boolean } | null>;
  /** True if both customers have signed in from the same device. */
  shareDevice(queries: Queries, one: bigint, other: bigint): Promise<boolean>;
}

const LIST = statement(
  'customers.list_invited',
  `SELECT id, username, created_at FROM customers.customer
   WHERE invited_by = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::bigint)) ORDER BY created_at DESC, id DESC LIMIT $4`,
);
const IDS = statement('customers.list_invited_ids', 'SELECT id FROM customers.customer WHERE invited_by = $1');
const INVITER = statement(
  'customers.find_inviter_of',
  'SELECT i.id, i.invite_allowed FROM customers.customer c JOIN customers.customer i ON i.id = c.invited_by WHERE c.id = $1',
);
const SHARE = statement(
  'customers.share_device',
  'SELECT EXISTS (SELECT FROM customers.device a JOIN customers.device b ON b.key = a.key AND b.customer = $2 WHERE a.customer = $1) AS is_shared',
);

export const invitationStore: Invitations = {
  list: (queries, inviter, before, limit) =>
    queries.query<InvitedRow>(LIST, [inviter, before?.at ?? null, before?.id ?? null, limit]),
  idsOf: async (queries, inviter) => (await queries.query<{ id: bigint }>(IDS, [inviter])).map(({ id }) => id),
  inviterOf: async (queries, customer) =>
    (await queries.query<{ id: bigint; invite_allowed: boolean }>(INVITER, [customer]))[0] ?? null,
  shareDevice: async (queries, one, other) =>
    (await queries.query<{ is_shared: boolean }>(SHARE, [one, other]))[0]?.is_shared ?? false,
};
