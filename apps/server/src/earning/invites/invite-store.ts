import { type Money, money } from '@sathorn/money';
import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

export type InviteFinding = 'rewarded' | 'same_device' | 'same_payee' | 'day_full' | 'not_allowed';

const { bigint, integer, text, time, nullable } = column;
const JUDGEMENT = {
  invited: bigint,
  inviter: bigint,
  finding: text<InviteFinding>(),
  points: column.money('POINTS'),
  day: integer,
  place: nullable(integer),
  at: time,
  granted_at: nullable(time),
};
type JudgementRow = RowOf<typeof JUDGEMENT>;
const JUDGEMENTS = table<JudgementRow>(JUDGEMENT);

const LOCK = statement(
  'invites.lock_inviter',
  `SELECT pg_advisory_xact_lock(hashtextextended('invites ' || $1::text, 0))`,
);
const JUDGED = statement(
  'invites.list_judged',
  `SELECT ${JUDGEMENTS.names} FROM invites.judgement WHERE invited = ANY ($1)`,
);
const COUNT = statement(
  'invites.count_rewarded',
  `SELECT count(*) AS rewarded FROM invites.judgement WHERE inviter = $1 AND day = $2 AND finding = 'rewarded'`,
);
const INSERT = statement(
  'invites.insert_judgement',
  `INSERT INTO invites.judgement (invited, inviter, finding, points, day, place, at) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (invited) DO NOTHING`,
);
const WAITING = statement(
  'invites.list_waiting',
  `SELECT ${JUDGEMENTS.names} FROM invites.judgement WHERE finding = 'rewarded' AND granted_at IS NULL ORDER BY at LIMIT 100`,
);
const GRANTED = statement(
  'invites.note_grant',
  'UPDATE invites.judgement SET granted_at = greatest($2, at) WHERE invited = $1 AND granted_at IS NULL',
);
const TOTALS = statement(
  'invites.read_totals',
  'SELECT coalesce(sum(points) FILTER (WHERE granted_at IS NOT NULL), 0)::text AS points FROM invites.judgement WHERE inviter = $1',
);

export async function lockInviter(queries: Queries, inviter: bigint): Promise<void> {
  await queries.query(LOCK, [inviter]);
}
export async function readJudgements(queries: Queries, invited: readonly bigint[]): Promise<Map<bigint, JudgementRow>> {
  const rows = await JUDGEMENTS.query(queries, JUDGED, [invited]);
  return new Map(rows.map((row) => [row.invited, row]));
}
export async function countRewardedInvites(queries: Queries, inviter: bigint, day: number): Promise<number> {
  const [row] = await queries.query<{ rewarded: bigint }>(COUNT, [inviter, day]);
  return Number(row?.rewarded ?? 0n);
}
export async function insertJudgement(queries: Queries, row: Omit<JudgementRow, 'granted_at'>): Promise<void> {
  await queries.query(INSERT, [row.invited, row.inviter, row.finding, row.points.units, row.day, row.place, row.at]);
}
export function listWaitingJudgements(queries: Queries): Promise<JudgementRow[]> {
  return JUDGEMENTS.query(queries, WAITING);
}
export async function markInviteGranted(queries: Queries, invited: bigint, at: Date): Promise<void> {
  await queries.query(GRANTED, [invited, at]);
}
export async function readInvitePoints(queries: Queries, inviter: bigint): Promise<Money<'POINTS'>> {
  const [row] = await queries.query<{ points: string }>(TOTALS, [inviter]);
  return money('POINTS', BigInt(row?.points ?? '0'));
}
