import { column, type Queries, statement, table } from '../../platform/database/index.ts';

/** A message by staff that a second person reads. */
interface SampleRow {
  readonly id: string;
  /** The conversation of the message; null for a notice that an operator wrote. */
  readonly thread: string | null;
  readonly number: number | null;
  readonly operator: bigint;
  readonly why: 'named' | 'picture' | 'drawn';
  readonly at: Date;
  readonly read_by: bigint | null;
  readonly verdict: 'seen' | 'reported' | null;
  readonly note: string | null;
  readonly body: string;
  readonly customer: bigint | null;
}
const { text, integer, bigint, time, nullable } = column;
const SAMPLES = table<SampleRow>({
  id: text(),
  thread: nullable(text()),
  number: nullable(integer),
  operator: bigint,
  why: text<SampleRow['why']>(),
  at: time,
  read_by: nullable(bigint),
  verdict: nullable(text()),
  note: nullable(text()),
  body: text(),
  customer: nullable(bigint),
});
const read = (name: string, where: string) => statement(name, `SELECT ${SAMPLES.names} FROM support.sample s ${where}`);

const WAITING = read('support.list_waiting_samples', 'WHERE read_by IS NULL ORDER BY at, id LIMIT $1');
const REPORTED = read('support.list_reported_samples', `WHERE verdict = 'reported' ORDER BY read_at DESC, id LIMIT $1`);
/** `waiting`: oldest first. `reported`: newest first. */
export const readSamples = (queries: Queries, which: 'waiting' | 'reported', limit: number): Promise<SampleRow[]> =>
  SAMPLES.query(queries, which === 'waiting' ? WAITING : REPORTED, [limit]);

const LOCK = read('support.lock_sample', 'WHERE id = $1 FOR UPDATE');
export const lockSample = async (queries: Queries, id: string): Promise<SampleRow | undefined> =>
  (await SAMPLES.query(queries, LOCK, [id]))[0];

const COUNTS = statement(
  'support.count_samples',
  `SELECT count(*)::integer AS waiting, count(*) FILTER (WHERE at < $1)::integer AS late, min(at) AS oldest
   FROM support.sample WHERE read_by IS NULL`,
);
/** The number of unread samples, and how many of them have waited since before `before`. */
export async function countSamples(
  queries: Queries,
  before: Date,
): Promise<{ waiting: number; late: number; oldest: Date | null }> {
  const [row] = await queries.query<{ waiting: number; late: number; oldest: Date | null }>(COUNTS, [before]);
  return row ?? { waiting: 0, late: 0, oldest: null };
}

const MARK = statement(
  'support.mark_sample',
  `UPDATE support.sample SET read_by = $2, read_at = clock_timestamp(), verdict = $3, note = $4
   WHERE id = $1 AND read_by IS NULL RETURNING id`,
);
/** The database refuses the writer, and a second mark. */
export async function markSampleRead(
  queries: Queries,
  { id }: Pick<SampleRow, 'id'>,
  by: bigint,
  { verdict, note }: { readonly verdict: 'seen' | 'reported'; readonly note: string | null },
): Promise<boolean> {
  return (await queries.query(MARK, [id, by, verdict, note])).length === 1;
}
