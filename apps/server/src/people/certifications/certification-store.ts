import type { CertificationReason, DocumentSide, DocumentType } from '@sathorn/identity';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';

export type CertificationLevel = 'primary' | 'advanced';
type ApplicationState = 'review' | 'sent_back' | 'verified' | 'refused';

export interface ApplicationRow {
  readonly id: string;
  readonly customer: bigint;
  readonly level: CertificationLevel;
  readonly document_type: DocumentType;
  readonly sealed: Buffer;
  readonly digest: Buffer;
  readonly state: ApplicationState;
  readonly version: number;
  readonly submitted_at: Date;
  readonly decided_at: Date | null;
  readonly decided_by: bigint | null;
  readonly reasons: readonly CertificationReason[];
  readonly sides: readonly DocumentSide[];
}
export interface ApplicationPictureRow {
  readonly application: string;
  readonly side: DocumentSide;
  readonly file: string;
}

const COLUMNS =
  'id, customer, level, document_type, sealed, digest, state, version, submitted_at, decided_at, decided_by, reasons, sides';

const LOCK = statement(
  'certifications.lock_customer',
  `SELECT pg_advisory_xact_lock(hashtextextended('certifications ' || $1::text, 0))`,
);
const INSERT = statement(
  'certifications.insert_application',
  `INSERT INTO certifications.application (id, customer, level, document_type, sealed, digest, submitted_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const INSERT_PICTURES = statement(
  'certifications.insert_pictures',
  'INSERT INTO certifications.picture (application, side, file) SELECT $1, side, file FROM unnest($2::text[], $3::text[]) AS p(side, file)',
);
const LATEST = statement(
  'certifications.latest_applications',
  `SELECT DISTINCT ON (level) ${COLUMNS} FROM certifications.application WHERE customer = $1 ORDER BY level, submitted_at DESC, id`,
);
const HISTORY = statement(
  'certifications.list_history',
  `SELECT ${COLUMNS} FROM certifications.application WHERE customer = $1 ORDER BY submitted_at DESC, id LIMIT 50`,
);
const FIND = statement(
  'certifications.find_application',
  `SELECT ${COLUMNS} FROM certifications.application WHERE id = $1`,
);
const FIND_LOCKED = statement(
  'certifications.lock_application',
  `SELECT ${COLUMNS} FROM certifications.application WHERE id = $1 FOR UPDATE`,
);
const PICTURES = statement(
  'certifications.list_pictures',
  'SELECT application, side, file FROM certifications.picture WHERE application = ANY ($1) ORDER BY application, side',
);
const LIST = statement(
  'certifications.list_applications',
  `SELECT ${COLUMNS} FROM certifications.application
   WHERE ($1::text IS NULL OR level = $1) AND (state = 'review') = $2
     AND ($3::timestamptz IS NULL OR CASE WHEN $2 THEN (submitted_at, id) > ($3, $4) ELSE (submitted_at, id) < ($3, $4) END)
   ORDER BY CASE WHEN $2 THEN submitted_at END, CASE WHEN NOT $2 THEN submitted_at END DESC, CASE WHEN $2 THEN id END, id DESC
   LIMIT $5`,
);
const COUNTS = statement(
  'certifications.count_waiting',
  `SELECT count(*) AS waiting, min(submitted_at) AS oldest FROM certifications.application WHERE state = 'review'`,
);
const DECIDE = statement(
  'certifications.decide',
  `UPDATE certifications.application
   SET state = $3, version = version + 1, decided_at = $4, decided_by = $5, reasons = $6, sides = $7, step_up = $8
   WHERE id = $1 AND version = $2 AND state = 'review' RETURNING id`,
);
const VERIFIED_SINCE = statement(
  'certifications.list_verified_since',
  `SELECT customer FROM certifications.application WHERE level = 'primary' AND state = 'verified' AND decided_at >= $1`,
);
const CERTIFIED_AMONG = statement(
  'certifications.certified_among',
  `SELECT DISTINCT customer FROM (
     SELECT DISTINCT ON (customer, level) customer, state FROM certifications.application WHERE customer = ANY($1::bigint[])
     ORDER BY customer, level, submitted_at DESC, id) latest
   WHERE state = 'verified'`,
);
const CLAIM_DOCUMENT = statement(
  'certifications.claim_document',
  'INSERT INTO certifications.document (digest, customer) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING',
);
const DOCUMENT_OWNER = statement(
  'certifications.document_owner',
  'SELECT customer FROM certifications.document WHERE digest = $1',
);
const OTHERS_WITH = statement(
  'certifications.others_with_document',
  `SELECT count(DISTINCT customer) AS others FROM certifications.application WHERE digest = $1 AND customer <> $2`,
);

const LOCK_OPERATOR = statement(
  'certifications.lock_viewer',
  `SELECT pg_advisory_xact_lock(hashtextextended('certifications.viewer ' || $1::text, 0))`,
);
const COUNT_VIEWS = statement(
  'certifications.count_views',
  'SELECT count(*) AS views, min(opened_at) AS first FROM certifications.viewing WHERE operator = $1 AND opened_at > $2',
);
const INSERT_VIEW = statement(
  'certifications.insert_view',
  'INSERT INTO certifications.viewing (ticket_hash, application, side, operator, opened_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
);
const USE_VIEW = statement(
  'certifications.use_view',
  `UPDATE certifications.viewing SET used_at = $3
   WHERE ticket_hash = $1 AND operator = $2 AND used_at IS NULL AND expires_at > $3 RETURNING application, side, opened_at`,
);

/** Serialises concurrent applications by the same customer. */
export async function lockApplicant(queries: Queries, customer: bigint): Promise<void> {
  await queries.query(LOCK, [customer]);
}

export async function insertApplication(
  queries: Queries,
  row: Pick<ApplicationRow, 'id' | 'customer' | 'level' | 'document_type' | 'sealed' | 'digest' | 'submitted_at'>,
  pictures: ReadonlyMap<DocumentSide, string>,
): Promise<void> {
  await queries.query(INSERT, [
    row.id,
    row.customer,
    row.level,
    row.document_type,
    row.sealed,
    row.digest,
    row.submitted_at,
  ]);
  await queries.query(INSERT_PICTURES, [row.id, [...pictures.keys()], [...pictures.values()]]);
}

/** The customer's latest application for each level. */
export async function readLatestApplications(
  queries: Queries,
  customer: bigint,
): Promise<{ readonly primary: ApplicationRow | null; readonly advanced: ApplicationRow | null }> {
  const rows = await queries.query<ApplicationRow>(LATEST, [customer]);
  const of = (level: CertificationLevel): ApplicationRow | null => rows.find((row) => row.level === level) ?? null;
  return { primary: of('primary'), advanced: of('advanced') };
}

export function listApplicationHistory(queries: Queries, customer: bigint): Promise<ApplicationRow[]> {
  return queries.query<ApplicationRow>(HISTORY, [customer]);
}

export async function findApplication(queries: Queries, id: string): Promise<ApplicationRow | null> {
  const [row] = await queries.query<ApplicationRow>(FIND, [id]);
  return row ?? null;
}

export async function lockApplication(queries: Queries, id: string): Promise<ApplicationRow | null> {
  const [row] = await queries.query<ApplicationRow>(FIND_LOCKED, [id]);
  return row ?? null;
}

export function readApplicationPictures(
  queries: Queries,
  applications: readonly string[],
): Promise<ApplicationPictureRow[]> {
  return queries.query<ApplicationPictureRow>(PICTURES, [applications]);
}

export interface ApplicationFilter {
  readonly level: CertificationLevel | null;
  /** True lists the applications that await a decision, oldest first; false lists decided ones, newest first. */
  readonly isWaiting: boolean;
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly limit: number;
}

export function listApplications(queries: Queries, wanted: ApplicationFilter): Promise<ApplicationRow[]> {
  const { level, isWaiting, after, limit } = wanted;
  return queries.query<ApplicationRow>(LIST, [level, isWaiting, after?.at ?? null, after?.id ?? null, limit]);
}

export async function countWaitingApplications(queries: Queries): Promise<{ waiting: number; oldest: Date | null }> {
  const [row] = await queries.query<{ waiting: bigint; oldest: Date | null }>(COUNTS);
  return { waiting: Number(row?.waiting ?? 0n), oldest: row?.oldest ?? null };
}

export interface ApplicationDecision {
  readonly state: Exclude<ApplicationState, 'review'>;
  readonly by: bigint;
  readonly reasons: readonly CertificationReason[];
  readonly sides: readonly DocumentSide[];
  /** The confirmation under which an approval was signed. */
  readonly stepUp?: string;
}

/** False if it has been decided meanwhile or its version differs. */
export async function decideApplication(
  queries: Queries,
  { id, version }: Pick<ApplicationRow, 'id' | 'version'>,
  { state, by, reasons, sides, stepUp }: ApplicationDecision,
  now: Date,
): Promise<boolean> {
  return (await queries.query(DECIDE, [id, version, state, now, by, reasons, sides, stepUp ?? null])).length > 0;
}

/** The customer for whom this document was verified, or null. */
export async function readDocumentOwner(queries: Queries, digest: Buffer): Promise<bigint | null> {
  const [row] = await queries.query<{ customer: bigint }>(DOCUMENT_OWNER, [digest]);
  return row?.customer ?? null;
}

/**
 * False if this document was verified for another customer. The database lets only one of two concurrent claims
 * through.
 */
export async function claimDocument(queries: Queries, digest: Buffer, customer: bigint): Promise<boolean> {
  await queries.query(CLAIM_DOCUMENT, [digest, customer]);
  return (await readDocumentOwner(queries, digest)) === customer;
}

export async function readVerifiedSince(queries: Queries, since: Date): Promise<bigint[]> {
  return (await queries.query<{ customer: bigint }>(VERIFIED_SINCE, [since])).map(({ customer }) => customer);
}

/** Returns the customers whose latest application for some level is verified. */
export async function readCertifiedAmong(queries: Queries, customers: readonly bigint[]): Promise<Set<bigint>> {
  const rows = await queries.query<{ customer: bigint }>(CERTIFIED_AMONG, [arrayLiteral(customers)]);
  return new Set(rows.map(({ customer }) => customer));
}

export async function countOtherOwners(queries: Queries, digest: Buffer, customer: bigint): Promise<number> {
  const [row] = await queries.query<{ others: bigint }>(OTHERS_WITH, [digest, customer]);
  return Number(row?.others ?? 0n);
}

interface PictureViewTicket {
  readonly ticketHash: Buffer;
  readonly application: string;
  readonly side: DocumentSide;
  readonly operator: bigint;
}

/** Serialises one operator's views, so that concurrent ones cannot exceed the hourly limit. */
export async function lockViewingOperator(queries: Queries, operator: bigint): Promise<void> {
  await queries.query(LOCK_OPERATOR, [operator]);
}

export async function countPictureViews(
  queries: Queries,
  operator: bigint,
  since: Date,
): Promise<{ views: number; first: Date | null }> {
  const [row] = await queries.query<{ views: bigint; first: Date | null }>(COUNT_VIEWS, [operator, since]);
  return { views: Number(row?.views ?? 0n), first: row?.first ?? null };
}

export async function insertViewTicket(
  queries: Queries,
  view: PictureViewTicket,
  openedAt: Date,
  expiresAt: Date,
): Promise<void> {
  await queries.query(INSERT_VIEW, [view.ticketHash, view.application, view.side, view.operator, openedAt, expiresAt]);
}

/** Null for a ticket that was used, has expired or belongs to another operator. */
export async function takeViewTicket(
  queries: Queries,
  ticketHash: Buffer,
  operator: bigint,
  now: Date,
): Promise<Pick<PictureViewTicket, 'application' | 'side'> | null> {
  const [row] = await queries.query<Pick<PictureViewTicket, 'application' | 'side'>>(USE_VIEW, [
    ticketHash,
    operator,
    now,
  ]);
  return row ?? null;
}
