import type { INCIDENT_PARTS, INCIDENT_SEVERITIES } from '@sathorn/api';
import { type Queries, statement } from '../../platform/database/index.ts';

export type IncidentTexts = Readonly<Record<string, string>>;

export interface IncidentRow {
  readonly id: string;
  readonly severity: (typeof INCIDENT_SEVERITIES)[number];
  readonly parts: (typeof INCIDENT_PARTS)[number][];
  readonly opened_at: Date;
  readonly opened_by: bigint;
  readonly closed_at: Date | null;
  /** Oldest first. */
  readonly updates: readonly { readonly at: string; readonly by: string; readonly texts: IncidentTexts }[];
}

const READ = `SELECT i.id, i.severity, i.parts, i.opened_at, i.opened_by, i.closed_at,
  (SELECT json_agg(json_build_object('at', u.at, 'by', u.made_by::text, 'texts', u.texts) ORDER BY u.n)
   FROM status.incident_update u WHERE u.incident = i.id) AS updates
  FROM status.incident i`;

const LIST = statement(
  'status.list_incidents',
  `${READ} WHERE i.closed_at IS NULL OR i.closed_at >= $1 ORDER BY i.closed_at IS NULL DESC, i.opened_at DESC, i.id DESC LIMIT $2`,
);
/** Open incidents first, then those closed since the given time, newest first. */
export const listIncidentRows = (queries: Queries, since: Date, limit: number): Promise<IncidentRow[]> =>
  queries.query<IncidentRow>(LIST, [since, limit]);

const ONE = statement('status.read_incident', `${READ} WHERE i.id = $1`);
export const readIncidentRow = async (queries: Queries, id: string): Promise<IncidentRow | undefined> =>
  (await queries.query<IncidentRow>(ONE, [id]))[0];

const NEWEST = statement(
  'status.last_incident',
  'SELECT max(coalesce(closed_at, clock_timestamp())) AS at FROM status.incident',
);
export const readLastIncidentAt = async (queries: Queries): Promise<Date | null> =>
  (await queries.query<{ at: Date | null }>(NEWEST))[0]?.at ?? null;

const INSERT = statement(
  'status.insert_incident',
  'INSERT INTO status.incident (id, severity, parts, opened_by) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id',
);
/** Returns false if an earlier attempt of the same request has opened it. */
export const insertIncident = async (
  queries: Queries,
  { id, severity, parts, by }: { id: string; severity: string; parts: readonly string[]; by: bigint },
): Promise<boolean> => (await queries.query(INSERT, [id, severity, parts, by])).length === 1;

const UPDATE = statement(
  'status.insert_update',
  `INSERT INTO status.incident_update (incident, n, made_by, texts)
   SELECT i.id, 1 + coalesce((SELECT max(n) FROM status.incident_update u WHERE u.incident = i.id), 0), $2, $3
   FROM status.incident i WHERE i.id = $1 AND i.closed_at IS NULL RETURNING n`,
);
const LOCK = statement('status.lock_incident', "SELECT pg_advisory_xact_lock(hashtextextended('incident ' || $1, 0))");
/** Call it in a transaction, because an incident's updates are numbered. False if the incident is closed. */
export const insertIncidentUpdate = async (
  queries: Queries,
  { incident, by, texts }: { incident: string; by: bigint; texts: IncidentTexts },
): Promise<boolean> => {
  await queries.query(LOCK, [incident]);
  return (await queries.query(UPDATE, [incident, by, texts])).length === 1;
};

const CLOSE = statement('status.close_incident', 'SELECT status.close_incident($1, $2) AS done');
export const closeIncidentRow = async (queries: Queries, id: string, approval: string | null): Promise<boolean> =>
  (await queries.query<{ done: boolean }>(CLOSE, [id, approval]))[0]?.done ?? false;
