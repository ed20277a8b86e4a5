import { type Queries, statement } from '../../platform/database/index.ts';

export interface PauseRow {
  readonly id: string;
  readonly kind: 'coin' | 'product' | 'channel';
  readonly subject: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly started_at: Date;
  readonly started_by: bigint;
  readonly ended_at: Date | null;
  readonly approval: string | null;
}
const COLUMNS = 'id, kind, subject, texts, started_at, started_by, ended_at, approval';

const OPEN = statement(
  'pauses.read_open',
  `SELECT ${COLUMNS} FROM pauses.pause WHERE ended_at IS NULL ORDER BY started_at`,
);
export const readOpenPauses = (queries: Queries) => queries.query<PauseRow>(OPEN);

const ALL = statement(
  'pauses.list',
  `SELECT ${COLUMNS} FROM pauses.pause ORDER BY ended_at IS NOT NULL, started_at DESC LIMIT 100`,
);
export const listPauseRows = (queries: Queries) => queries.query<PauseRow>(ALL);

const ONE = statement('pauses.read', `SELECT ${COLUMNS} FROM pauses.pause WHERE id = $1`);
export async function readPause(queries: Queries, id: string): Promise<PauseRow | undefined> {
  const [row] = await queries.query<PauseRow>(ONE, [id]);
  return row;
}

const SUMS = statement(
  'pauses.sums',
  `SELECT kind, subject, count(*) AS times, max(started_at) FILTER (WHERE ended_at IS NULL) AS since,
     ceil(sum(extract(epoch FROM least(ended_at, $2) - greatest(started_at, $1))))::bigint AS seconds
   FROM pauses.pause WHERE started_at < $2 AND (ended_at IS NULL OR ended_at > $1)
   GROUP BY kind, subject ORDER BY seconds DESC, kind, subject`,
);
export interface PauseSum {
  readonly kind: PauseRow['kind'];
  readonly subject: string;
  readonly times: bigint;
  /** How many seconds the subject was paused between the two moments. */
  readonly seconds: bigint;
  /** When the current pause began; null if the subject is not paused. */
  readonly since: Date | null;
}
export const sumPauses = (queries: Queries, from: Date, to: Date) => queries.query<PauseSum>(SUMS, [from, to]);

const INSERT = statement(
  'pauses.insert',
  'INSERT INTO pauses.pause (id, kind, subject, texts, started_by) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id',
);
/** Returns false if the subject is already paused. */
export async function insertPause(
  transaction: Queries,
  { id, kind, subject, texts, started_by }: Pick<PauseRow, 'id' | 'kind' | 'subject' | 'texts' | 'started_by'>,
): Promise<boolean> {
  const rows = await transaction.query(INSERT, [id, kind, subject, JSON.stringify(texts), started_by]);
  return rows.length === 1;
}

const END = statement(
  'pauses.end',
  'UPDATE pauses.pause SET ended_at = clock_timestamp(), approval = $2 WHERE id = $1 AND ended_at IS NULL RETURNING id',
);
export async function endPauseRow(transaction: Queries, id: string, approval: string): Promise<boolean> {
  return (await transaction.query(END, [id, approval])).length === 1;
}
