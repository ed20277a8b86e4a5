import { money } from '@sathorn/money';
import type { Reward, SignedDay } from '@sathorn/settlement';
import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';
import { ladderRewardsOf, type SignInLadder } from './sign-in-ladder.ts';

const { bigint, integer, uuid, time, text } = column;
const points = column.money('POINTS');

const READ_LADDERS = statement(
  'rewards.read_ladders',
  'SELECT version, effective_day, points::text[] AS points, usdt::text[] AS usdt FROM rewards.ladder ORDER BY version',
);
export async function readLadders(queries: Queries): Promise<SignInLadder[]> {
  const rows = await queries.query<{ version: number; effective_day: number; points: string[]; usdt: string[] }>(
    READ_LADDERS,
  );
  return rows.map(({ version, effective_day, ...row }) => ({
    version,
    effectiveDay: effective_day,
    ...ladderRewardsOf(row.points.map(BigInt), row.usdt.map(BigInt)),
  }));
}

const INSERT_LADDER = statement(
  'rewards.insert_ladder',
  'INSERT INTO rewards.ladder (version, effective_day, points, usdt, approval) VALUES ($1, $2, $3::bigint[], $4::bigint[], $5)',
);
export async function insertLadder(queries: Queries, ladder: SignInLadder, approval: string | null): Promise<void> {
  const { version, effectiveDay } = ladder;
  const rewards = [ladder.points, ladder.usdt].map((each) => arrayLiteral(each.map(({ units }) => units)));
  await queries.query(INSERT_LADDER, [version, effectiveDay, ...rewards, approval]);
}

const SIGN_IN = {
  customer_id: bigint,
  day: integer,
  id: uuid,
  rung: integer,
  version: integer,
  points,
  usdt: column.money('USDT'),
  at: time,
};
export type SignInRow = RowOf<typeof SIGN_IN>;
const SIGN_INS = table<SignInRow>(SIGN_IN);
const INSERT_SIGN_INS = statement('rewards.insert_sign_ins', SIGN_INS.insertInto('rewards.sign_in'));
export const insertSignIns = (queries: Queries, rows: readonly SignInRow[]): Promise<unknown> =>
  queries.query(INSERT_SIGN_INS, SIGN_INS.values(rows));

const READ_LAST = statement(
  'rewards.read_last_sign_ins',
  `SELECT DISTINCT ON (customer_id) customer_id, day, rung FROM rewards.sign_in
   WHERE customer_id = ANY ($1::bigint[]) ORDER BY customer_id, day DESC`,
);
/** Each customer's last sign-in day. */
export async function readLastSignIns(queries: Queries, customers: readonly bigint[]): Promise<Map<bigint, SignedDay>> {
  const rows = await queries.query<{ customer_id: bigint; day: number; rung: number }>(READ_LAST, [
    arrayLiteral([...new Set(customers)]),
  ]);
  return new Map(rows.map(({ customer_id, day, rung }) => [customer_id, { day, rung }]));
}

const READ_SIGNED_DAYS = statement(
  'rewards.read_signed_days',
  'SELECT day, rung FROM rewards.sign_in WHERE customer_id = $1 AND day >= $2 ORDER BY day',
);
export const readSignedDays = (queries: Queries, customer: bigint, from: number): Promise<SignedDay[]> =>
  queries.query<SignedDay>(READ_SIGNED_DAYS, [customer, from]);

const GRANT_REASONS = ['invite', 'activity'] as const;
const GRANT = {
  id: uuid,
  customer_id: bigint,
  points,
  reason: text<(typeof GRANT_REASONS)[number]>(),
  ref: text<string>(),
  at: time,
};
export type GrantRow = RowOf<typeof GRANT>;
const GRANTS = table<GrantRow>(GRANT);
const INSERT_GRANTS = statement('rewards.insert_grants', GRANTS.insertInto('rewards.grant_of_points'));
export const insertGrants = (queries: Queries, rows: readonly GrantRow[]): Promise<unknown> =>
  queries.query(INSERT_GRANTS, GRANTS.values(rows));

const LOCKED = statement(
  'rewards.read_locked',
  'SELECT asset, units::text AS units FROM rewards.locked WHERE customer_id = $1',
);
/** The rewards that are locked until the customer is certified. */
export async function readLockedRewards(queries: Queries, customer: bigint): Promise<Reward> {
  const rows = await queries.query<{ asset: string; units: string }>(LOCKED, [customer]);
  const of = (asset: string): bigint => BigInt(rows.find((row) => row.asset === asset)?.units ?? 0);
  return { usdt: money('USDT', of('USDT')), points: money('POINTS', of('POINTS')) };
}

const LOCKED_CUSTOMERS = statement(
  'rewards.list_locked_customers',
  'SELECT DISTINCT customer_id FROM rewards.locked WHERE customer_id > $1 ORDER BY customer_id LIMIT 500',
);
export const readLockedCustomers = async (queries: Queries, after: bigint): Promise<bigint[]> =>
  (await queries.query<{ customer_id: bigint }>(LOCKED_CUSTOMERS, [after])).map(({ customer_id }) => customer_id);

const RELEASE = statement('rewards.release_locked', 'SELECT rewards.release_locked($1) AS released');
/** Runs in the certification's transaction; otherwise the database refuses. Releases nothing while money is halted. */
export const releaseLockedRewards = async (queries: Queries, customer: bigint): Promise<boolean> =>
  (await queries.query<{ released: boolean }>(RELEASE, [customer]))[0]?.released === true;
