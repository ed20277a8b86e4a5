import { canonicalText } from '@sathorn/proof';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { OfferFields } from './offer-kind.ts';

export interface OfferVersionRow {
  readonly kind: string;
  readonly subject: string;
  readonly version: number;
  readonly effectiveFrom: Date;
  readonly fields: OfferFields;
  readonly approval: string | null;
  readonly at: Date;
  readonly announcedAt: Date | null;
  readonly appliedAt: Date | null;
  readonly stoppedAt: Date | null;
}

interface Stored {
  kind: string;
  subject: string;
  version: number;
  effective_from: Date;
  fields: string;
  approval: string | null;
  at: Date;
  announced_at: Date | null;
  applied_at: Date | null;
  stopped_at: Date | null;
}
const COLUMNS =
  'v.kind, v.subject, v.version, v.effective_from, v.fields, v.approval, v.at, v.announced_at, v.applied_at, v.stopped_at';
const rowOf = (row: Stored): OfferVersionRow => ({
  kind: row.kind,
  subject: row.subject,
  version: row.version,
  effectiveFrom: row.effective_from,
  fields: JSON.parse(row.fields) as OfferFields,
  approval: row.approval,
  at: row.at,
  announcedAt: row.announced_at,
  appliedAt: row.applied_at,
  stoppedAt: row.stopped_at,
});

const CURRENT = statement(
  'offer.read_current',
  `SELECT ${COLUMNS} FROM offer.version v
   WHERE (v.applied_at IS NULL AND v.stopped_at IS NULL)
     OR (v.kind, v.subject, v.version) IN (
       SELECT kind, subject, max(version) FROM offer.version WHERE applied_at IS NOT NULL GROUP BY kind, subject)`,
);
/** The versions in force and the scheduled ones. */
export async function readCurrentVersions(queries: Queries): Promise<OfferVersionRow[]> {
  return (await queries.query<Stored>(CURRENT)).map(rowOf);
}

const LAST = statement(
  'offer.read_last_version',
  'SELECT coalesce(max(version), 0) AS version FROM offer.version WHERE kind = $1 AND subject = $2',
);
export async function readLastVersion(queries: Queries, kind: string, subject: string): Promise<number> {
  const [row] = await queries.query<{ version: number }>(LAST, [kind, subject]);
  return row?.version ?? 0;
}

interface OfferHistoryRow extends OfferVersionRow {
  readonly stoppedBy: bigint | null;
  readonly stopReason: string | null;
}
const HISTORY = statement(
  'offer.read_history',
  `SELECT ${COLUMNS}, v.stopped_by, v.stop_reason
   FROM offer.version v WHERE v.kind = $1 AND v.subject = $2 ORDER BY v.version DESC LIMIT 200`,
);
export async function readVersionHistory(queries: Queries, kind: string, subject: string): Promise<OfferHistoryRow[]> {
  const rows = await queries.query<Stored & { stopped_by: bigint | null; stop_reason: string | null }>(HISTORY, [
    kind,
    subject,
  ]);
  return rows.map((row) => ({ ...rowOf(row), stoppedBy: row.stopped_by, stopReason: row.stop_reason }));
}

const NOTICES = statement(
  'offer.read_notices',
  'SELECT name, extract(epoch FROM notice)::integer AS seconds FROM offer.kind',
);
/** Notice periods from the approval to the effect in ms, by kind; the database enforces the same periods. */
export async function readNoticePeriods(queries: Queries): Promise<Map<string, number>> {
  const rows = await queries.query<{ name: string; seconds: number }>(NOTICES);
  return new Map(rows.map(({ name, seconds }) => [name, seconds * 1_000]));
}

const INSERT = statement(
  'offer.insert_version',
  'INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval) VALUES ($1, $2, $3, $4, $5, $6)',
);
export async function insertOfferVersion(
  queries: Queries,
  row: Pick<OfferVersionRow, 'kind' | 'subject' | 'version' | 'effectiveFrom' | 'fields' | 'approval'>,
): Promise<void> {
  const { kind, subject, version, effectiveFrom, fields, approval } = row;
  await queries.query(INSERT, [kind, subject, version, effectiveFrom, canonicalText(fields), approval]);
}

const BEGIN = statement(
  'offer.begin_with',
  `INSERT INTO offer.version (kind, subject, version, effective_from, fields, applied_at, announced_at)
   VALUES ($1, $2, 1, $4, $3, $4, $4) ON CONFLICT DO NOTHING`,
);
/** Inserts the terms with which a demo starts, unless there are terms already. */
export async function insertFirstTerms(
  queries: Queries,
  kind: string,
  subject: string,
  fields: OfferFields,
  now: Date,
) {
  if ((await readLastVersion(queries, kind, subject)) === 0)
    await queries.query(BEGIN, [kind, subject, canonicalText(fields), now]);
}

const DUE = statement(
  'offer.read_due',
  `SELECT ${COLUMNS} FROM offer.version v WHERE v.applied_at IS NULL AND v.stopped_at IS NULL AND v.effective_from <= $1
   ORDER BY v.effective_from, v.kind, v.subject LIMIT 1 FOR UPDATE SKIP LOCKED`,
);
/** Locks the first due version, unless another process has locked it. */
export async function lockDueVersion(transaction: Queries, now: Date): Promise<OfferVersionRow | undefined> {
  const [row] = await transaction.query<Stored>(DUE, [now]);
  return row && rowOf(row);
}

const IN_FORCE = statement(
  'offer.read_in_force',
  `SELECT ${COLUMNS} FROM offer.version v WHERE v.kind = $1 AND v.subject = $2 AND v.applied_at IS NOT NULL
   ORDER BY v.version DESC LIMIT 1`,
);
export async function readVersionInForce(
  queries: Queries,
  kind: string,
  subject: string,
): Promise<OfferVersionRow | undefined> {
  const [row] = await queries.query<Stored>(IN_FORCE, [kind, subject]);
  return row && rowOf(row);
}

const APPLIED = statement(
  'offer.mark_applied',
  'UPDATE offer.version SET applied_at = clock_timestamp() WHERE kind = $1 AND subject = $2 AND version = $3 AND applied_at IS NULL AND stopped_at IS NULL RETURNING version',
);
export async function markVersionApplied(
  transaction: Queries,
  { kind, subject, version }: OfferVersionRow,
): Promise<void> {
  const rows = await transaction.query(APPLIED, [kind, subject, version]);
  if (rows.length !== 1) throw new Error(`version ${version} of ${kind}/${subject} was not waiting`);
}

const UNANNOUNCED = statement(
  'offer.read_unannounced',
  `SELECT ${COLUMNS} FROM offer.version v WHERE v.announced_at IS NULL AND v.stopped_at IS NULL ORDER BY v.at LIMIT 1`,
);
export async function readUnannouncedVersion(queries: Queries): Promise<OfferVersionRow | undefined> {
  const [row] = await queries.query<Stored>(UNANNOUNCED);
  return row && rowOf(row);
}

const ANNOUNCED = statement(
  'offer.mark_announced',
  'UPDATE offer.version SET announced_at = clock_timestamp() WHERE kind = $1 AND subject = $2 AND version = $3 AND announced_at IS NULL',
);
export async function markVersionAnnounced(
  queries: Queries,
  { kind, subject, version }: OfferVersionRow,
): Promise<void> {
  await queries.query(ANNOUNCED, [kind, subject, version]);
}

const STOP = statement(
  'offer.stop_version',
  `UPDATE offer.version SET stopped_at = clock_timestamp(), stopped_by = $4, stop_reason = $5
   WHERE kind = $1 AND subject = $2 AND version = $3 AND applied_at IS NULL AND stopped_at IS NULL RETURNING version`,
);
/** Returns false if the version has taken effect or was already stopped. */
export async function stopOfferVersion(
  transaction: Queries,
  which: { readonly kind: string; readonly subject: string; readonly version: number },
  by: bigint,
  reason: string,
): Promise<boolean> {
  const rows = await transaction.query(STOP, [which.kind, which.subject, which.version, by, reason]);
  return rows.length === 1;
}
