import type pg from 'pg';
import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';
import { type Findings, runInvariants, withSnapshot } from './run-invariants.ts';
import type { Scan, ScanCursor } from './scan.ts';
import type { ScanPage, ScanProgress } from './scan-progress.ts';
import { CHECKER_SCANS } from './scans.ts';

/**
 * Rows per page over all tables of a scan. Small, because a long snapshot would keep the database from removing old row
 * versions.
 */
const PAGE_ROWS = 20_000;
/**
 * How many rows count as new at startup. The previous process may not have checked them, and the slow pass would reach
 * them late.
 */
const NEW_AT_START = 100_000;
const BROKEN_MAX = 20;
/**
 * The most new rows per round. Without a limit, a checker that catches up would have no time to check the current
 * state.
 */
export const NEWEST_ROWS_MAX = 400_000;
/** Minimum rows of the slow pass per thorough round. It covers a small history within a minute. */
const PASS_ROWS_MIN = 100_000;
/** The slow pass finishes in at most this many parts, however long the history is: the thorough rounds of a day. */
const PASS_PARTS_MAX = 2_160;

interface InspectionOptions {
  readonly findings: Findings;
  readonly isAsked?: (invariant: Invariant) => boolean;
  readonly pageRows?: number;
  /** Without the keys, no signature is verified. */
  readonly keys?: KnownKeys | undefined;
  /** Called after each page. */
  readonly onProgress?: (progress: ScanProgress) => void;
}

/**
 * Forces query plans that do not depend on the planner's estimates for growing tables. Rows are read by index, or
 * looked up one by one if the query forces it (`lateralLookUp`). With other plans each page would cost as much as the
 * whole table. Bitmap scans are forbidden too, because they read and sort everything before the first row. Rows of a
 * page are joined by hashing in memory.
 */
export const INDEX_ONLY_SETTINGS =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off; SET LOCAL work_mem = '32MB'";

const cursorsOf = async (client: pg.ClientBase, text: string, values: unknown[] = []): Promise<ScanCursor[]> =>
  (await client.query<{ cursor: ScanCursor }>(text, values)).rows.map(({ cursor }) => cursor);

export const invariantsOf = ({ invariants, newest }: Scan, isNewest: boolean): readonly Invariant[] =>
  isNewest ? [...invariants, ...(newest?.invariants ?? [])] : invariants;

/** Checks the page after a cursor, in the caller's snapshot; null if nothing follows. */
async function inspectPage(
  client: pg.ClientBase,
  scan: Scan,
  from: ScanCursor,
  isNewest: boolean,
  { findings, isAsked = () => true, pageRows = PAGE_ROWS, keys }: InspectionOptions,
): Promise<{ to: ScanCursor; rows: number; isFull: boolean; isWell: boolean } | null> {
  const rowsMax = Math.ceil(pageRows / scan.tables.length);
  const { rows: ahead } = await client.query<{ cursor: ScanCursor; rows: string }>(scan.next, [from, rowsMax]);
  const [page] = ahead;
  if (page === undefined) return null;
  const rows = Number(page.rows);
  const isWell = await runInvariants(client, invariantsOf(scan, isNewest).filter(isAsked), findings, {
    given: scan.given,
    values: [from, page.cursor],
    keys,
  });
  return { to: page.cursor, rows, isFull: rows >= rowsMax, isWell };
}

const withBroken = (progress: ScanProgress, page: ScanPage): ScanProgress => ({
  ...progress,
  broken: [...progress.broken, page].slice(-BROKEN_MAX),
});

type NewestScan = Scan & Required<Pick<Scan, 'newest'>>;

/** The scans whose newest rows are checked in every round. */
const NEWEST_SCANS: readonly NewestScan[] = CHECKER_SCANS.flatMap(({ newest, ...scan }) =>
  newest ? { ...scan, newest } : [],
);
/** Reads the ends of all scans in one statement, because most rounds find hardly any new rows. */
const ENDS = NEWEST_SCANS.map(({ name, newest }) => `SELECT '${name}' AS scan, cursor FROM (${newest.starts}) AS ends`);

const partitionOf = (cursor: ScanCursor): string => cursor.slice(0, -1).join();
const placeIn = (cursor: ScanCursor | undefined): bigint => BigInt(cursor?.at(-1) ?? 0);

async function readEnds(client: pg.ClientBase): Promise<ReadonlyMap<string, readonly ScanCursor[]>> {
  const { rows } = await client.query<{ scan: string; cursor: ScanCursor }>(ENDS.join(' UNION ALL '), [0]);
  const ends = Map.groupBy(rows, ({ scan }) => scan);
  return new Map([...ends].map(([scan, of]) => [scan, of.map(({ cursor }) => cursor)]));
}

/** A partition that is new, such as a new coin, is checked from its start. */
async function newestCursors(
  client: pg.ClientBase,
  { name, starts, newest }: NewestScan,
  progress: ScanProgress,
  all: readonly ScanCursor[],
  findings: Findings,
): Promise<ScanCursor[]> {
  const known = progress.newest[name];
  if (known === undefined) return cursorsOf(client, newest.starts, [NEW_AT_START]);
  const ends = new Map(all.map((cursor) => [partitionOf(cursor), cursor]));
  // The end moved back: somebody deleted the newest rows and everything that refers to them, so that the remaining rows
  // are consistent.
  const cut = known.filter((cursor) => placeIn(ends.get(partitionOf(cursor))) < placeIn(cursor));
  if (cut.length > 0)
    findings.add({
      invariant: 'H1',
      says: 'nothing is gone of what was gone over',
      subjects: cut.map((cursor) => `${name} ${cursor.join(' ')}`),
    });
  const knownOf = new Map(known.map((cursor) => [partitionOf(cursor), cursor]));
  const isNew = all.some((cursor) => !knownOf.has(partitionOf(cursor)));
  const begun = isNew ? await cursorsOf(client, starts) : all;
  return begun.map((start) => knownOf.get(partitionOf(start)) ?? start);
}

/** Checks rows added since the last call, up to about this many. */
export const inspectNewestRows = (
  client: pg.ClientBase,
  before: ScanProgress,
  inspecting: InspectionOptions & { readonly rows: number },
): Promise<ScanProgress> =>
  withSnapshot(client, (renew) => inspectNewestIn(client, renew, before, inspecting), INDEX_ONLY_SETTINGS);

async function inspectNewestIn(
  client: pg.ClientBase,
  renew: () => Promise<void>,
  before: ScanProgress,
  inspecting: InspectionOptions & { readonly rows: number },
): Promise<ScanProgress> {
  let progress = before;
  let left = inspecting.rows;
  const allEnds = await readEnds(client);
  for (const scan of NEWEST_SCANS) {
    const ends = allEnds.get(scan.name) ?? [];
    const cursors = await newestCursors(client, scan, progress, ends, inspecting.findings);
    const endOf = new Map(ends.map((end) => [partitionOf(end), placeIn(end)]));
    const move = (): ScanProgress => ({ ...progress, newest: { ...progress.newest, [scan.name]: [...cursors] } });
    for (const [partition, cursor] of cursors.entries()) {
      if (placeIn(cursor) >= (endOf.get(partitionOf(cursor)) ?? 0n)) continue;
      while (left > 0) {
        const from = cursors[partition] ?? [];
        const page = await inspectPage(client, scan, from, true, inspecting);
        if (page === null) break;
        left -= page.rows;
        cursors[partition] = page.to;
        progress = move();
        if (!page.isWell) progress = withBroken(progress, { scan: scan.name, from, to: page.to, isNewest: true });
        inspecting.onProgress?.(progress);
        // Leaves rows that arrive during the round to the next one. Following them under load would mean endless
        // queries for a few rows each.
        if (!page.isFull) break;
        await renew();
      }
    }
    progress = move();
  }
  return progress;
}

/** How many rows the slow pass must check per thorough round, by the planner's estimates of the tables' sizes. */
export async function readRowsPerSlowPass(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ rows: string | null }>(
    'SELECT sum(greatest(reltuples, 0)) AS rows FROM unnest($1::regclass[]) AS read(id) JOIN pg_class ON oid = id',
    [CHECKER_SCANS.flatMap(({ tables }) => tables)],
  );
  return Math.max(PASS_ROWS_MIN, Math.ceil(Number(rows[0]?.rows ?? 0) / PASS_PARTS_MAX));
}

/** Continues the slow pass for about this many rows, or to its end. */
export const inspectHistory = (
  client: pg.ClientBase,
  before: ScanProgress,
  inspecting: InspectionOptions & { readonly rows: number },
): Promise<ScanProgress> =>
  withSnapshot(client, (renew) => inspectHistoryIn(client, renew, before, inspecting), INDEX_ONLY_SETTINGS);

async function inspectHistoryIn(
  client: pg.ClientBase,
  renew: () => Promise<void>,
  before: ScanProgress,
  inspecting: InspectionOptions & { readonly rows: number },
): Promise<ScanProgress> {
  let progress = before;
  let left = inspecting.rows;
  while (left > 0) {
    const { scan: number, partition, cursor } = progress.pass;
    const scan = CHECKER_SCANS[number];
    if (scan === undefined)
      return { ...progress, pass: { scan: 0, partition: 0, cursor: null }, passed: new Date().toISOString() };
    const from = cursor ?? (await cursorsOf(client, scan.starts))[partition];
    if (from === undefined) {
      progress = { ...progress, pass: { scan: number + 1, partition: 0, cursor: null } };
      continue;
    }
    const page = await inspectPage(client, scan, from, false, inspecting);
    if (page === null) {
      progress = { ...progress, pass: { scan: number, partition: partition + 1, cursor: null } };
      continue;
    }
    left -= page.rows * scan.tables.length;
    progress = { ...progress, pass: { scan: number, partition, cursor: page.to } };
    if (!page.isWell) progress = withBroken(progress, { scan: scan.name, from, to: page.to, isNewest: false });
    inspecting.onProgress?.(progress);
    if (page.isFull) await renew();
  }
  return progress;
}

/** Checks pages again in which something was wrong last time, and forgets those that are now correct. */
export async function inspectBrokenPages(
  client: pg.ClientBase,
  before: ScanProgress,
  { findings, isAsked = () => true, keys }: InspectionOptions,
): Promise<ScanProgress> {
  const broken: ScanPage[] = [];
  for (const page of before.broken) {
    const scan = CHECKER_SCANS.find(({ name }) => name === page.scan);
    if (scan === undefined) continue;
    const invariants = invariantsOf(scan, page.isNewest).filter(isAsked);
    const asked = { given: scan.given, values: [page.from, page.to], keys };
    const isWell = await withSnapshot(
      client,
      () => runInvariants(client, invariants, findings, asked),
      INDEX_ONLY_SETTINGS,
    );
    if (!isWell) broken.push(page);
  }
  return { ...before, broken };
}
