import type { OwnLimit } from '@sathorn/api';
import type { PlayStanding } from '@sathorn/settlement';
import { arrayLiteral, type Queries, statement, type Transaction } from '../../platform/database/index.ts';

export type OwnPauseKind = 'time_out' | 'self_exclusion';

interface StandingRow {
  readonly customer: bigint;
  readonly pause_kind: OwnPauseKind | null;
  readonly pause_until: Date | null;
  readonly stake_option: bigint | null;
  readonly stake_day: bigint | null;
  readonly loss_day: bigint | null;
  readonly loss_week: bigint | null;
  readonly loss_month: bigint | null;
  readonly time_day: bigint | null;
  readonly staked: bigint;
  readonly largest: bigint;
  readonly lost_day: bigint;
  readonly lost_week: bigint;
  readonly lost_month: bigint;
  readonly minutes: number;
  readonly is_counted: boolean;
  readonly day: bigint;
  readonly day_ends: Date;
  readonly week_ends: Date;
  readonly month_ends: Date;
  readonly open_stakes: bigint;
  readonly open_orders: number;
}

export interface GuardedStanding extends PlayStanding {
  readonly customer: bigint;
  /** The largest stake today. */
  readonly largest: bigint;
  /** When the current day of the brand began, ms. */
  readonly day: bigint;
  readonly openStakes: bigint;
  readonly openOrders: number;
}

interface PendingLimitRow {
  readonly id: string;
  readonly kind: OwnLimit;
  readonly value: bigint | null;
  readonly from_at: Date;
}
interface GuardRow {
  readonly reality_minutes: number | null;
  readonly unseen_minutes: number;
  readonly counts_time: boolean;
}

const READ_STANDING = statement('safeguards.read_standing', 'SELECT * FROM safeguards.standing($1)');
const REFUSE_STOPPED = statement('safeguards.refuse_stopped', 'SELECT safeguards.refuse_stopped($1, $2)');
const READ_GUARD = statement(
  'safeguards.read_guard',
  `SELECT reality_minutes, unseen_minutes,
     reality_minutes IS NOT NULL OR safeguards.in_force(customer, 'time_day', clock_timestamp()) IS NOT NULL AS counts_time
   FROM safeguards.guard WHERE customer = $1`,
);
const READ_PENDING = statement(
  'safeguards.read_pending',
  `SELECT id, kind, value, from_at FROM safeguards.limit_change
   WHERE customer = $1 AND cancelled_at IS NULL AND from_at > clock_timestamp()`,
);
const ADD_GUARD = statement(
  'safeguards.add_guard',
  'INSERT INTO safeguards.guard (customer, zone) VALUES ($1, $2) ON CONFLICT (customer) DO NOTHING',
);
const LOCK_GUARD = statement(
  'safeguards.lock_guard',
  'SELECT customer FROM safeguards.guard WHERE customer = $1 FOR NO KEY UPDATE',
);
const ADD_LIMIT = statement(
  'safeguards.add_limit',
  `INSERT INTO safeguards.limit_change (id, customer, kind, value, asked_at, from_at)
   VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp()) RETURNING asked_at, from_at`,
);
const CANCEL_LIMIT = statement(
  'safeguards.cancel_limit',
  `UPDATE safeguards.limit_change SET cancelled_at = clock_timestamp()
   WHERE id = $1 AND customer = $2 AND cancelled_at IS NULL AND from_at > clock_timestamp() RETURNING id`,
);
const ADD_PAUSE = statement(
  'safeguards.add_pause',
  `INSERT INTO safeguards.pause (id, customer, kind, starts_at, until)
   VALUES ($1, $2, $3, now(), now() + $4::interval) RETURNING until`,
);
const SET_REALITY = statement(
  'safeguards.set_reality',
  'UPDATE safeguards.guard SET reality_minutes = $2, unseen_minutes = 0 WHERE customer = $1',
);
const RESET_UNSEEN = statement(
  'safeguards.reset_unseen',
  'UPDATE safeguards.guard SET unseen_minutes = 0 WHERE customer = $1',
);
const COUNT_MINUTE = statement('safeguards.count_minute', 'SELECT safeguards.count_minute($1, $2) AS is_new');
const READ_PAUSED = statement(
  'safeguards.read_paused',
  'SELECT DISTINCT customer FROM safeguards.pause WHERE customer = ANY ($1) AND until > clock_timestamp()',
);

/** Returns only customers with a guard, which few have. */
export async function readGuardedStandings(queries: Queries, customers: readonly bigint[]): Promise<GuardedStanding[]> {
  const rows = await queries.query<StandingRow>(READ_STANDING, [arrayLiteral(customers)]);
  return rows.map((row) => ({
    customer: row.customer,
    pause: row.pause_kind && row.pause_until && { kind: row.pause_kind, until: row.pause_until },
    limits: {
      stakeOption: row.stake_option,
      stakeDay: row.stake_day,
      loss: { day: row.loss_day, week: row.loss_week, month: row.loss_month },
      timeDay: row.time_day === null ? null : Number(row.time_day),
    },
    staked: row.staked,
    largest: row.largest,
    lost: { day: row.lost_day, week: row.lost_week, month: row.lost_month },
    minutes: row.minutes,
    isMinuteCounted: row.is_counted,
    ends: { day: row.day_ends, week: row.week_ends, month: row.month_ends },
    day: row.day,
    openStakes: row.open_stakes,
    openOrders: row.open_orders,
  }));
}

/** Sends the query immediately when called, because a batch pipelines its statements. */
export async function refuseStoppedPlays(queries: Queries, stakes: ReadonlyMap<bigint, bigint>): Promise<void> {
  await queries.query(REFUSE_STOPPED, [arrayLiteral([...stakes.keys()]), arrayLiteral([...stakes.values()])]);
}

export async function readGuard(queries: Queries, customer: bigint): Promise<GuardRow | undefined> {
  const [row] = await queries.query<GuardRow>(READ_GUARD, [customer]);
  return row;
}

export const readPendingLimits = (queries: Queries, customer: bigint): Promise<PendingLimitRow[]> =>
  queries.query<PendingLimitRow>(READ_PENDING, [customer]);

/** Locks the customer's settings until the transaction ends. */
export async function lockGuard(transaction: Transaction, customer: bigint, timeZone: string): Promise<void> {
  await transaction.query(ADD_GUARD, [customer, timeZone]);
  await transaction.query(LOCK_GUARD, [customer]);
}

/** Adds a limit; the database decides when it takes effect. */
export async function addOwnLimitRow(
  transaction: Transaction,
  id: string,
  customer: bigint,
  kind: OwnLimit,
  value: bigint | null,
): Promise<{ readonly asked_at: Date; readonly from_at: Date }> {
  const [row] = await transaction.query<{ asked_at: Date; from_at: Date }>(ADD_LIMIT, [id, customer, kind, value]);
  if (!row) throw new Error('a limit was not written');
  return row;
}

export async function cancelOwnLimitRow(queries: Queries, id: string, customer: bigint): Promise<boolean> {
  return (await queries.query(CANCEL_LIMIT, [id, customer])).length > 0;
}

export async function addOwnPauseRow(
  transaction: Transaction,
  id: string,
  customer: bigint,
  kind: OwnPauseKind,
  length: string,
): Promise<Date> {
  const [row] = await transaction.query<{ until: Date }>(ADD_PAUSE, [id, customer, kind, length]);
  if (!row) throw new Error('a pause was not written');
  return row.until;
}

export async function setRealityMinutes(
  transaction: Transaction,
  customer: bigint,
  minutes: number | null,
): Promise<void> {
  await transaction.query(SET_REALITY, [customer, minutes]);
}

export async function resetUnseenMinutes(queries: Queries, customer: bigint): Promise<void> {
  await queries.query(RESET_UNSEEN, [customer]);
}

export async function addPlayedMinute(queries: Queries, customer: bigint, day: bigint): Promise<void> {
  await queries.query(COUNT_MINUTE, [customer, day]);
}

/** Returns the customers of these who take a break or are excluded. */
export async function readPausedCustomers(
  queries: Queries,
  customers: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const rows = await queries.query<{ customer: bigint }>(READ_PAUSED, [arrayLiteral(customers)]);
  return new Set(rows.map(({ customer }) => customer));
}
