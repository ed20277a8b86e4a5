import type { KeyObject } from 'node:crypto';
import type { DEPOSIT_REASONS, OTHER_NETWORK_ENDINGS } from '@sathorn/api';
import { type Money, money } from '@sathorn/money';
import type { MoneyFlow } from '@sathorn/settlement';
import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';
import { rowSeal } from '../../platform/row-seal.ts';
import type { OtherNetwork } from './network-hash.ts';

export type DepositStep =
  | 'awaiting_slip'
  | 'in_review'
  | 'confirming'
  | 'credited'
  | 'returned'
  | 'reversed'
  | 'recovery'
  | 'recovering'
  | 'closed'
  | 'failed';
export type DepositReason = (typeof DEPOSIT_REASONS)[number];

const { uuid, text, bigint, integer, time, numeric, nullable } = column;
const [usdt, thb] = [column.money('USDT'), column.money('THB')];
const DEPOSIT = {
  id: uuid,
  order_number: text<string>(),
  customer_id: bigint,
  channel: text<string>(),
  kind: text<'crypto' | 'bank' | 'promptpay'>(),
  step: text<DepositStep>(),
  reason: nullable(text<DepositReason>()),
  /** Units of USDT, or of the deposited token if that is another one. */
  amount: numeric,
  version: integer,
  created_at: time,
  finished_at: nullable(time),
  journal: nullable(uuid),
  round: integer,
  shortfall: usdt,
  chain: nullable(text<string>()),
  hash: nullable(text<string>()),
  output: nullable(integer),
  token: nullable(text<string>()),
  sender: nullable(text<string>()),
  address: nullable(text<string>()),
  block_height: nullable(bigint),
  block_hash: nullable(text<string>()),
  in_block_at: nullable(time),
  orphaned_at: nullable(time),
  /** The last block at which everything there had been seen; for money that was counted but not seen. */
  counted_since: nullable(bigint),
  baht: nullable(thb),
  /** The baht that arrived, by the matched line. */
  came: column.computed('(SELECT m.baht FROM deposits.bank_match m WHERE m.deposit = d.id)', nullable(thb)),
  rate: nullable(bigint),
  rate_until: nullable(time),
  reference: nullable(text<string>()),
  slip: nullable(text<string>()),
  bank_line: nullable(uuid),
  /** The house's account that the customer was told to pay to. */
  account: nullable(uuid),
  /** A wallet of the deposit's owner, to which a transfer that cannot be credited by rule may be returned. */
  return_to: nullable(text<string>()),
  return_payee: nullable(text<string>()),
  recovery_plan: nullable(text<'credit' | 'return'>()),
  recovery_fee: usdt,
  /** The transaction that sent the money back, stored as soon as it is signed. */
  sent_back: column.computed(
    '(SELECT b.hash FROM deposits.sent_back b WHERE b.deposit_id = d.id)',
    nullable(text<string>()),
  ),
  /** The network that the opener stated, if the platform does not read it. */
  network: nullable(text<OtherNetwork>()),
  network_hash: nullable(text<string>()),
  network_token: nullable(text<string>()),
  network_amount: nullable(text<string>()),
  opened_by: nullable(bigint),
  opened_note: nullable(text<string>()),
  ending: nullable(text<(typeof OTHER_NETWORK_ENDINGS)[number]>()),
  /** The transaction on that network that returned it. */
  ending_hash: nullable(text<string>()),
  /** The sum that corrections have paid for it. */
  corrected: usdt,
  /** The number of the first other deposit whose slip is the same picture. */
  same_picture: column.computed(
    '(SELECT o.order_number FROM deposits.deposit o WHERE o.slip_digest = d.slip_digest AND o.id <> d.id ORDER BY o.created_at LIMIT 1)',
    nullable(text<string>()),
  ),
  /** The number of another deposit whose slip looks the same. */
  similar_picture: column.computed(
    '(SELECT o.order_number FROM deposits.deposit o WHERE o.id = d.slip_like)',
    nullable(text<string>()),
  ),
  /** The newest block of its chain. */
  head: column.computed('(SELECT c.head FROM deposits.cursor c WHERE c.chain = d.chain)', nullable(bigint)),
};
/** A crypto or bank deposit; columns of the other kind are null. */
export type DepositRow = RowOf<typeof DEPOSIT>;
const DEPOSITS = table<DepositRow>(DEPOSIT);
const FROM = `SELECT ${DEPOSITS.names} FROM deposits.deposit d`;
const query = (name: string, where: string) => {
  const said = statement(`deposits.${name}`, `${FROM} ${where}`);
  return (queries: Queries, ...values: unknown[]): Promise<DepositRow[]> => DEPOSITS.query(queries, said, values);
};

const byIds = query('read', 'WHERE id = ANY ($1::uuid[])');
export const readDeposits = (queries: Queries, ids: readonly string[]): Promise<DepositRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : byIds(queries, arrayLiteral(ids));

const own = query('read_own', 'WHERE id = $1::uuid AND customer_id = $2');
/** Another customer's deposit gets the same answer as one that does not exist. */
export const readOwnDeposit = async (queries: Queries, id: string, customer: bigint): Promise<DepositRow | undefined> =>
  (await own(queries, id, customer))[0];

const ofHash = query('read_of_hash', 'WHERE chain = $1 AND hash = $2 ORDER BY output');
export const readDepositsOfHash = (queries: Queries, chain: string, hash: string): Promise<DepositRow[]> =>
  ofHash(queries, chain, hash);

const countedAt = query(
  'read_counted_at',
  'WHERE chain = $1 AND address = $2 AND counted_since < $3 AND block_height >= $3 ORDER BY block_height LIMIT 1',
);
/** The surplus that was counted at an address over a range of blocks that includes this one. */
export const readCountedSurplus = async (
  queries: Queries,
  chain: string,
  address: string,
  height: number,
): Promise<DepositRow | undefined> => (await countedAt(queries, chain, address, height))[0];

const pending = query(
  'read_pending',
  "WHERE customer_id = $1 AND step IN ('awaiting_slip', 'in_review', 'confirming') ORDER BY created_at, id LIMIT 100",
);
export const readPendingDeposits = (queries: Queries, customer: bigint): Promise<DepositRow[]> =>
  pending(queries, customer);

const list = query(
  'list_own',
  `WHERE customer_id = $1 AND ($2::text = 'all' OR (step = 'credited' OR ending IS NOT DISTINCT FROM 'credited') = ($2 = 'completed'))
     AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
   ORDER BY created_at DESC, id DESC LIMIT $5 OFFSET $6`,
);
export interface DepositListPlace {
  readonly at: Date;
  readonly id: string;
}
export const listDeposits = (
  queries: Queries,
  customer: bigint,
  status: 'all' | 'completed' | 'undone',
  after: DepositListPlace | null,
  skip: number,
  limit: number,
): Promise<DepositRow[]> => list(queries, customer, status, after?.at ?? null, after?.id ?? null, limit, skip);

const confirming = query(
  'read_confirming',
  "WHERE chain = $1 AND step = 'confirming' ORDER BY block_height NULLS LAST, id LIMIT 1000",
);
export const readConfirmingDeposits = (queries: Queries, chain: string): Promise<DepositRow[]> =>
  confirming(queries, chain);

const creditedSince = query(
  'read_credited_since',
  "WHERE chain = $1 AND step = 'credited' AND block_height >= $2 ORDER BY block_height",
);
export const readDepositsCreditedSince = (queries: Queries, chain: string, height: number): Promise<DepositRow[]> =>
  creditedSince(queries, chain, height);

const movedTokens = query(
  'read_moved_tokens',
  `WHERE chain = $1 AND reason = 'other_token' AND step IN ('recovery', 'recovering') AND block_height IS NULL
   ORDER BY created_at DESC LIMIT 20`,
);
/** Transfers of other tokens whose block left the chain. */
export const readOrphanedTokenDeposits = (queries: Queries, chain: string): Promise<DepositRow[]> =>
  movedTokens(queries, chain);

const TOTAL = statement(
  'deposits.completed_total',
  "SELECT coalesce(sum(amount), 0)::text AS units FROM deposits.deposit WHERE customer_id = $1 AND step = 'credited'",
);
/** The sum of the deposits that were credited and not reversed. */
export async function sumCompletedDeposits(queries: Queries, customer: bigint): Promise<Money<'USDT'>> {
  const [row] = await queries.query<{ units: string }>(TOTAL, [customer]);
  return money('USDT', BigInt(row?.units ?? 0));
}

const INFLOWS = statement(
  'deposits.read_inflows',
  'SELECT at, units::text AS units FROM deposits.inflow WHERE customer = $1',
);
/** Deposits that count for a level: credited ones, and bank money only if two people approved it. */
export async function readInflows(queries: Queries, customer: bigint): Promise<MoneyFlow[]> {
  const rows = await queries.query<{ at: Date; units: string }>(INFLOWS, [customer]);
  return rows.map(({ at, units }) => ({ at, units: BigInt(units) }));
}

const SEEN_COLUMNS = {
  id: uuid,
  order_number: text<string>(),
  customer_id: bigint,
  channel: text<string>(),
  step: text<'confirming' | 'recovery'>(),
  reason: nullable(text<DepositReason>()),
  amount: numeric,
  created_at: time,
  finished_at: nullable(time),
  chain: text<string>(),
  hash: text<string>(),
  output: integer,
  token: text<string>(),
  sender: text<string>(),
  address: text<string>(),
  block_height: bigint,
  block_hash: text<string>(),
  in_block_at: time,
};
/** One deposit as read from the chain. */
export type SeenDeposit = RowOf<typeof SEEN_COLUMNS>;
const SEEN = table<SeenDeposit & { readonly kind: 'crypto' }>({ ...SEEN_COLUMNS, kind: text() });
// After a reorganisation the transaction may be in another block, so the row is updated. A credited deposit stays
// credited while its amount is unchanged; one that was reversed or given up is confirmed again.
const SEE = statement(
  'deposits.see',
  `${SEEN.insertInto('deposits.deposit AS d')}
   ON CONFLICT (chain, hash, output) WHERE kind = 'crypto' DO UPDATE SET
     block_height = excluded.block_height, block_hash = excluded.block_hash, in_block_at = excluded.in_block_at, orphaned_at = NULL,
     step = CASE WHEN d.step IN ('failed', 'reversed') THEN excluded.step ELSE d.step END,
     reason = CASE WHEN d.step IN ('failed', 'reversed', 'confirming') THEN excluded.reason ELSE d.reason END,
     finished_at = CASE WHEN d.step IN ('failed', 'reversed') THEN excluded.finished_at ELSE d.finished_at END,
     amount = CASE WHEN d.step = 'credited' THEN d.amount ELSE excluded.amount END,
     version = d.version + 1
   WHERE d.block_hash IS DISTINCT FROM excluded.block_hash AND d.address = excluded.address
     AND (d.step <> 'credited' OR d.amount = excluded.amount)
   RETURNING id`,
);
/** Returns the ids of deposits that are new or have moved to another block. */
export async function storeSeenDeposits(queries: Queries, rows: readonly SeenDeposit[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const seen = rows.map((row) => ({ ...row, kind: 'crypto' as const }));
  return (await queries.query<{ id: string }>(SEE, SEEN.values(seen))).map(({ id }) => id);
}

const ORPHAN = statement(
  'deposits.orphan',
  `UPDATE deposits.deposit SET block_height = NULL, block_hash = NULL, in_block_at = NULL, orphaned_at = $3, version = version + 1,
     reason = CASE step WHEN 'confirming' THEN 'reorganised' ELSE reason END
   WHERE chain = $1 AND block_height > $2 AND step IN ('confirming', 'recovery', 'recovering') RETURNING id`,
);
/**
 * Blocks above this height left the chain, so their deposits have no block now. Decided deposits keep their decision
 * until the new blocks have been read; credited ones are then checked one by one.
 */
export async function orphanDeposits(queries: Queries, chain: string, above: number, at: Date): Promise<string[]> {
  return (await queries.query<{ id: string }>(ORPHAN, [chain, above, at])).map(({ id }) => id);
}

const GIVE_UP = statement(
  'deposits.give_up',
  `UPDATE deposits.deposit SET step = 'failed', reason = 'reorganised', finished_at = $2, version = version + 1
   WHERE chain = $1 AND step IN ('confirming', 'recovery') AND block_height IS NULL AND orphaned_at < $3 RETURNING id`,
);
/** Ends deposits that have been in no block for so long, also cases, because nothing is left to decide. */
export async function expireOrphanedDeposits(
  queries: Queries,
  chain: string,
  at: Date,
  before: Date,
): Promise<string[]> {
  return (await queries.query<{ id: string }>(GIVE_UP, [chain, at, before])).map(({ id }) => id);
}

const RECOVER = statement(
  'deposits.set_aside',
  `UPDATE deposits.deposit SET step = 'recovery', reason = $2, finished_at = $3, version = version + 1
   WHERE id = $1 AND step = 'confirming' RETURNING id`,
);
/** Sets a deposit aside for an operator, because the rules do not allow crediting it. */
export async function setDepositAside(queries: Queries, id: string, reason: DepositReason, at: Date): Promise<void> {
  await queries.query(RECOVER, [id, reason, at]);
}

const CREDIT = statement('deposits.credit', 'SELECT deposits.credit($1, $2, $3, NULL, $4, $5)');
const REVERSE = statement('deposits.reverse', 'SELECT deposits.reverse($1, $2, $3, $4)');
const KEEP_REVERSAL = statement(
  'deposits.keep_reversal',
  `INSERT INTO deposits.reversal (deposit_id, round, credit, journal, amount, shortfall, block_height, at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** Runs in the ledger's transaction. The database rejects it if the row has changed since the decision. */
export async function writeDepositCredit(
  queries: Queries,
  { deposit, journal, at, key }: { deposit: DepositRow; journal: string; at: Date; key: KeyObject },
): Promise<void> {
  const { id, customer_id, chain, hash, output, token, address, amount, block_hash: block } = deposit;
  // The checker's SQL composes the same text.
  const seal = rowSeal(key, `${id} ${customer_id} ${chain} ${hash} ${output} ${token} ${address} ${amount} ${journal}`);
  await queries.query(CREDIT, [id, block, journal, at, seal]);
}

export async function writeDepositReversal(
  queries: Queries,
  { deposit, journal, shortfall, at }: { deposit: DepositRow; journal: string; shortfall: Money<'USDT'>; at: Date },
): Promise<void> {
  await Promise.all([
    queries.query(KEEP_REVERSAL, [
      deposit.id,
      deposit.round,
      deposit.journal,
      journal,
      deposit.amount,
      shortfall.units,
      deposit.block_height,
      at,
    ]),
    queries.query(REVERSE, [deposit.id, deposit.journal, shortfall.units, at]),
  ]);
}

const MATCH = statement('deposits.match', 'SELECT deposits.match($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)');
/**
 * Runs in the ledger's transaction. The database rejects it if the deposit or its bank line has changed since the
 * decision.
 */
export async function writeDepositMatch(
  queries: Queries,
  { id, version }: Pick<DepositRow, 'id' | 'version'>,
  to: {
    line: string;
    amount: Money<'USDT'>;
    rate: bigint;
    journal: string;
    at: Date;
    by: bigint;
    approval: { id: string; by: bigint } | null;
    signed: { stepUp: string; version: number };
  },
): Promise<void> {
  const { line, amount, rate, journal, at, by, approval, signed } = to;
  const two = [approval?.id ?? null, approval?.by ?? null, signed.stepUp, signed.version];
  await queries.query(MATCH, [id, version, line, amount.units, rate, journal, at, by, ...two]);
}

const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Accepts an id from a request, which may not be a valid one. */
export const findDeposit = async (queries: Queries, id: string): Promise<DepositRow | undefined> =>
  IS_UUID.test(id) ? (await readDeposits(queries, [id]))[0] : undefined;

const locked = query('lock', 'WHERE id = $1::uuid FOR UPDATE');
export const lockDeposit = async (queries: Queries, id: string): Promise<DepositRow | undefined> =>
  (await locked(queries, id))[0];

/** True for a bank order whose money may still be matched with it: one that waits, or that ended without its money. */
export const isMatchableDeposit = ({ kind, step }: Pick<DepositRow, 'kind' | 'step'>): boolean =>
  kind !== 'crypto' && ['awaiting_slip', 'in_review', 'returned', 'failed'].includes(step);

const END = statement(
  'deposits.return',
  `UPDATE deposits.deposit SET step = 'returned', reason = $3, finished_at = $4, version = version + 1
   WHERE id = $1 AND version = $2 AND kind <> 'crypto' AND step IN ('awaiting_slip', 'in_review') RETURNING id`,
);
export async function returnBankDeposit(
  queries: Queries,
  { id, version }: Pick<DepositRow, 'id' | 'version'>,
  reason: DepositReason,
  at: Date,
): Promise<boolean> {
  return (await queries.query(END, [id, version, reason, at])).length === 1;
}

const EXPIRE = statement(
  'deposits.expire',
  `UPDATE deposits.deposit SET step = 'failed', reason = 'expired', finished_at = $2, version = version + 1
   WHERE step = 'awaiting_slip' AND created_at < $1 RETURNING id`,
);
/** Expires bank orders for which no slip was sent. */
export async function expireBankOrders(queries: Queries, before: Date, at: Date): Promise<string[]> {
  return (await queries.query<{ id: string }>(EXPIRE, [before, at])).map(({ id }) => id);
}

const TABS = {
  slip: "step IN ('awaiting_slip', 'in_review')",
  chain: "step = 'confirming'",
  wrong_network: "step IN ('recovery', 'recovering', 'reversed')",
  credited: "step = 'credited'",
} as const;
export type DepositTab = keyof typeof TABS;
const lists = new Map(
  (Object.keys(TABS) as DepositTab[]).map((tab) => {
    const [direction, beyond] = tab === 'slip' || tab === 'chain' ? ['ASC', '>'] : ['DESC', '<'];
    return [
      tab,
      query(
        `list_${tab}`,
        `WHERE ${TABS[tab]} AND ($1::text IS NULL OR order_number = upper($1) OR hash = lower($1) OR network_hash = $1 OR reference = upper($1) OR customer_id::text = $1)
           AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) ${beyond} ($2, $3::uuid))
         ORDER BY date_trunc('milliseconds', created_at) ${direction}, id ${direction} LIMIT $4`,
      ),
    ] as const;
  }),
);
export const listDepositCaseRows = (
  queries: Queries,
  tab: DepositTab,
  q: string | null,
  after: DepositListPlace | null,
  limit: number,
): Promise<DepositRow[]> =>
  lists.get(tab)?.(queries, q, after?.at ?? null, after?.id ?? null, limit) ?? Promise.resolve([]);

const COUNT_TABS = statement(
  'deposits.count_tabs',
  `SELECT ${(Object.keys(TABS) as DepositTab[]).map((tab) => `(SELECT count(*) FROM deposits.deposit WHERE ${TABS[tab]})::integer AS ${tab}`).join(', ')}`,
);
export async function countDepositTabs(queries: Queries): Promise<Record<DepositTab, number>> {
  const [row] = await queries.query<Record<DepositTab, number>>(COUNT_TABS);
  if (!row) throw new Error('no counts');
  return row;
}

const NAME_WALLET = statement(
  'deposits.name_wallet',
  `UPDATE deposits.deposit SET return_to = $2, return_payee = $3, version = version + 1 WHERE id = $1 AND step = 'recovery' RETURNING id`,
);
/** The database refuses a different address while a decision about one is pending. */
export async function setReturnWallet(
  queries: Queries,
  id: string,
  wallet: { readonly address: string; readonly name: string },
): Promise<boolean> {
  return (await queries.query(NAME_WALLET, [id, wallet.address, wallet.name])).length === 1;
}

const BEGIN_RECOVERY = statement(
  'deposits.begin_recovery',
  `UPDATE deposits.deposit SET step = 'recovering', recovery_plan = $2, recovery_approval = $3, recovery_fee = $4, finished_at = NULL, version = version + 1
   WHERE id = $1 AND step = 'recovery' AND block_height IS NOT NULL RETURNING id`,
);
/** Runs in the transaction of the last vote; the database requires that vote, for exactly this content. */
export async function beginRecovery(
  queries: Queries,
  id: string,
  { plan, approval, fee }: { plan: 'credit' | 'return'; approval: string; fee: Money<'USDT'> },
): Promise<boolean> {
  return (await queries.query(BEGIN_RECOVERY, [id, plan, approval, fee.units])).length === 1;
}

const toCredit = query(
  'read_recovering',
  "WHERE step = 'recovering' AND recovery_plan = 'credit' AND block_height IS NOT NULL LIMIT 100",
);
export const readDepositsToCredit = (queries: Queries): Promise<DepositRow[]> => toCredit(queries);

const toReturn = query('read_returning', "WHERE step = 'recovering' AND recovery_plan = 'return' LIMIT 100");
/** Returns that people decided on; some of them may be in progress. */
export const readDepositsToReturn = (queries: Queries): Promise<DepositRow[]> => toReturn(queries);

const IS_RULE_DUE = statement(
  'deposits.is_rule_due',
  `SELECT EXISTS (SELECT FROM deposits.deposit WHERE step = 'recovering' AND (recovery_plan = 'return' OR recovery_plan = 'credit' AND block_height IS NOT NULL))
     OR EXISTS (SELECT FROM deposits.shortfall WHERE units > 0) AS is`,
);
/** True if there is something to credit, to return or to take back. */
export async function hasDueRecovery(queries: Queries): Promise<boolean> {
  const [row] = await queries.query<{ is: boolean }>(IS_RULE_DUE);
  return row?.is === true;
}

const decided = query('read_decided', "WHERE chain = $1 AND step = 'recovering' ORDER BY id LIMIT 1000");
/** Transfers of a chain that people decided on and that are not credited or returned yet. */
export const readDecidedDeposits = (queries: Queries, chain: string): Promise<DepositRow[]> => decided(queries, chain);

const DECIDED_UNITS = statement(
  'deposits.decided_units',
  'SELECT deposits.decided_units(recovery_approval)::text AS units FROM deposits.deposit WHERE id = $1',
);
/** The units that people decided on; null when nobody has. */
export async function readDecidedUnits(queries: Queries, id: string): Promise<bigint | null> {
  const [row] = await queries.query<{ units: string | null }>(DECIDED_UNITS, [id]);
  return row?.units == null ? null : BigInt(row.units);
}

// Locks the sends before the row, in the order in which the signer's insert locks both.
const LOCK_SENDS = statement(
  'deposits.lock_sends',
  "SELECT pg_advisory_xact_lock(hashtextextended('sends:' || $1 || $2, 0))",
);
type AtAddress = Pick<DepositRow, 'chain' | 'address'>;
export const lockSendsFromAddress = (transaction: Queries, { chain, address }: AtAddress): Promise<unknown> =>
  transaction.query(LOCK_SENDS, [chain, address]);

const TAKE_BACK = statement(
  'deposits.take_back',
  `UPDATE deposits.deposit SET step = 'recovery', recovery_plan = NULL, recovery_approval = NULL, finished_at = $2, version = version + 1
   WHERE id = $1 AND step = 'recovering' RETURNING id`,
);
/**
 * Opens a decided case again. The database refuses that once a return is being sent, and for a credit whose transfer is
 * unchanged since the decision.
 */
export async function reopenDepositCase(
  transaction: Queries,
  row: Pick<DepositRow, 'id' | 'chain' | 'address'>,
  at: Date,
): Promise<boolean> {
  await lockSendsFromAddress(transaction, row);
  return (await transaction.query(TAKE_BACK, [row.id, at])).length === 1;
}

const CREDIT_RECOVERED = statement('deposits.credit_recovered', 'SELECT deposits.credit_recovered($1, $2, $3, $4)');
export async function writeRecoveredCredit(
  queries: Queries,
  { id, fee, journal, at }: { id: string; fee: Money<'USDT'>; journal: string; at: Date },
): Promise<void> {
  await queries.query(CREDIT_RECOVERED, [id, fee.units, journal, at]);
}

const SENT_BACK = statement(
  'deposits.end_return',
  `UPDATE deposits.deposit SET step = 'returned', finished_at = $2, version = version + 1 WHERE id = $1 AND step = 'recovering' RETURNING id`,
);
/** The database checks that the return was sent. */
export async function endDepositReturn(queries: Queries, id: string, at: Date): Promise<boolean> {
  return (await queries.query(SENT_BACK, [id, at])).length === 1;
}

const OPEN_CASE = statement(
  'deposits.open_case',
  `INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, reason, amount, created_at, finished_at, network, network_hash, network_token,
     network_amount, opened_by, opened_note)
   VALUES ($1, $2, $3, $4, 'crypto', 'recovery', 'other_network', $5, $6, $6, $4, $7, $8, $9, $10, $11)
   ON CONFLICT (network, network_hash, customer_id) WHERE network IS NOT NULL DO NOTHING RETURNING id`,
);
interface NewNetworkCase {
  readonly id: string;
  readonly orderNumber: string;
  readonly customer: bigint;
  readonly network: OtherNetwork;
  readonly hash: string;
  readonly token: string;
  /** A decimal, as the opener stated it. */
  readonly amount: string;
  /** Units of USDT that a correction may pay at most; 0 for any other token. */
  readonly units: bigint;
  readonly by: bigint;
  readonly words: string;
  readonly at: Date;
}
/** Returns false if the customer has a case of this transaction already. */
export async function openNetworkCase(queries: Queries, one: NewNetworkCase): Promise<boolean> {
  const { id, orderNumber, customer, network, units, at, hash, token, amount, by, words } = one;
  const values = [id, orderNumber, customer, network, units, at, hash, token, amount, by, words];
  return (await queries.query(OPEN_CASE, values)).length === 1;
}

const CLOSE_CASE = statement(
  'deposits.close_case',
  `UPDATE deposits.deposit SET step = 'closed', ending = $2, ending_hash = $3, recovery_approval = $4, finished_at = clock_timestamp(), version = version + 1
   WHERE id = $1 AND step = 'recovery' AND network IS NOT NULL RETURNING id`,
);
/** Runs in the transaction of the last vote; the database requires that vote. */
export const closeNetworkCase = async (
  queries: Queries,
  id: string,
  { ending, hash, approval }: { ending: 'returned' | 'unrecoverable'; hash: string | null; approval: string },
): Promise<boolean> => (await queries.query(CLOSE_CASE, [id, ending, hash, approval])).length === 1;

const CORRECTED = statement(
  'deposits.corrected',
  `UPDATE deposits.deposit SET step = 'closed', ending = 'credited', corrected = corrected + $2, version = version + 1,
     finished_at = CASE step WHEN 'closed' THEN finished_at ELSE $3 END
   WHERE id = $1 AND network IS NOT NULL AND (step = 'recovery' OR ending = 'credited') RETURNING id`,
);
/** Runs in the correction's transaction, for which the database checks. Other deposits keep their ending. */
export async function markDepositCorrected(
  queries: Queries,
  id: string,
  { asset, units }: Money,
  at: Date,
): Promise<boolean> {
  if (asset !== 'USDT') throw new TypeError(`deposit ${id} can’t be corrected in ${asset}`);
  return (await queries.query(CORRECTED, [id, units, at])).length === 1;
}

const IN_CORRECTION = statement('deposits.in_correction', 'SELECT deposits.used_by_corrections($1) > 0 AS used');
/** Returns true if somebody has proposed a correction of this deposit, or if one was posted. */
export const isDepositInCorrection = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.query<{ used: boolean }>(IN_CORRECTION, [id]))[0]?.used === true;
