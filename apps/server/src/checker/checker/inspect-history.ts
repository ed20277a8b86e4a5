import type pg from 'pg';
import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';
import type { Piece, Progress } from './progress.ts';
import { type Findings, inSnapshot, runInvariants } from './run-invariants.ts';
import type { Place, Walk } from './walk.ts';
import { WALKS } from './walks.ts';

/**
 * Rows per piece over all tables that it reads. Small, because a long snapshot would keep the database from cleaning up
 * old rows.
 */
const PIECE_ROWS = 20_000;
/**
 * Rows that count as new at startup. The previous process may not have checked them, and the slow pass would reach them
 * late.
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
/** However long the history is, the slow pass is finished in this many parts: the thorough rounds of a day. */
const PASS_PARTS_MAX = 2_160;

export interface Inspecting {
  readonly findings: Findings;
  readonly isAsked?: (invariant: Invariant) => boolean;
  readonly pieceRows?: number;
  /** Without the keys, no signature is verified. */
  readonly keys?: KnownKeys | undefined;
  /** Called after each piece. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Forces query plans that do not depend on the planner's estimates for growing tables. Rows are read by index, or
 * looked up one by one where the query demands it (`lookUp`). With any other plan each piece would cost as much as the
 * whole table. Bitmaps are included, because they read and sort everything before the first row. Rows read for a piece
 * are joined by hashing in memory.
 */
export const BY_INDEX =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off; SET LOCAL work_mem = '32MB'";

const placesOf = async (client: pg.ClientBase, text: string, values: unknown[] = []): Promise<Place[]> =>
  (await client.query<{ place: Place }>(text, values)).rows.map(({ place }) => place);

export const invariantsOf = ({ invariants, newest }: Walk, isNewest: boolean): readonly Invariant[] =>
  isNewest ? [...invariants, ...(newest?.invariants ?? [])] : invariants;

/** Checks the piece after a place, in the caller's snapshot; null if nothing follows. */
async function inspectPiece(
  client: pg.ClientBase,
  walk: Walk,
  from: Place,
  isNewest: boolean,
  { findings, isAsked = () => true, pieceRows = PIECE_ROWS, keys }: Inspecting,
): Promise<{ to: Place; rows: number; isFull: boolean; isWell: boolean } | null> {
  const rowsMax = Math.ceil(pieceRows / walk.tables.length);
  const { rows: ahead } = await client.query<{ place: Place; rows: string }>(walk.next, [from, rowsMax]);
  const [piece] = ahead;
  if (piece === undefined) return null;
  const rows = Number(piece.rows);
  const isWell = await runInvariants(client, invariantsOf(walk, isNewest).filter(isAsked), findings, {
    given: walk.given,
    values: [from, piece.place],
    keys,
  });
  return { to: piece.place, rows, isFull: rows >= rowsMax, isWell };
}

const withBroken = (progress: Progress, piece: Piece): Progress => ({
  ...progress,
  broken: [...progress.broken, piece].slice(-BROKEN_MAX),
});

/** A way that did not exist before, such as a new coin, is checked from its start. */
async function newestPlaces(
  client: pg.ClientBase,
  { name, starts, newest }: Walk & Required<Pick<Walk, 'newest'>>,
  progress: Progress,
  findings: Findings,
): Promise<Place[]> {
  const known = progress.newest[name];
  if (known === undefined) return placesOf(client, newest.starts, [NEW_AT_START]);
  const wayOf = (place: Place): string => place.slice(0, -1).join();
  const ends = new Map((await placesOf(client, newest.starts, [0])).map((place) => [wayOf(place), place]));
  // Happens when somebody deletes the newest rows and everything that refers to them: the remaining rows are
  // consistent.
  const cut = known.filter((place) => BigInt(ends.get(wayOf(place))?.at(-1) ?? 0) < BigInt(place.at(-1) ?? 0));
  if (cut.length > 0)
    findings.add({
      invariant: 'H1',
      says: 'nothing is gone of what was gone over',
      subjects: cut.map((place) => `${name} ${place.join(' ')}`),
    });
  const all = await placesOf(client, starts);
  return all.map((start) => known.find((place) => wayOf(place) === wayOf(start)) ?? start);
}

/** Checks rows added since the last call, up to about this many. */
export const inspectNewest = (
  client: pg.ClientBase,
  before: Progress,
  inspecting: Inspecting & { readonly rows: number },
): Promise<Progress> => inSnapshot(client, (renew) => inspectNewestIn(client, renew, before, inspecting), BY_INDEX);

async function inspectNewestIn(
  client: pg.ClientBase,
  renew: () => Promise<void>,
  before: Progress,
  inspecting: Inspecting & { readonly rows: number },
): Promise<Progress> {
  let progress = before;
  let left = inspecting.rows;
  for (const { newest, ...rest } of WALKS) {
    if (newest === undefined) continue;
    const walk = { ...rest, newest };
    const places = await newestPlaces(client, walk, progress, inspecting.findings);
    const move = (): Progress => ({ ...progress, newest: { ...progress.newest, [walk.name]: [...places] } });
    for (const way of places.keys()) {
      while (left > 0) {
        const from = places[way] ?? [];
        const piece = await inspectPiece(client, walk, from, true, inspecting);
        if (piece === null) break;
        left -= piece.rows;
        places[way] = piece.to;
        progress = move();
        if (!piece.isWell) progress = withBroken(progress, { walk: walk.name, from, to: piece.to, isNewest: true });
        inspecting.onProgress?.(progress);
        // Rows that arrive meanwhile are left to the next round. Following them under load would mean endless queries
        // for a few rows each.
        if (!piece.isFull) break;
        await renew();
      }
    }
    progress = move();
  }
  return progress;
}

/** How many rows the slow pass must check per thorough round, by the planner's estimates of the tables' sizes. */
export async function passRows(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ rows: string | null }>(
    'SELECT sum(greatest(reltuples, 0)) AS rows FROM unnest($1::regclass[]) AS read(id) JOIN pg_class ON oid = id',
    [WALKS.flatMap(({ tables }) => tables)],
  );
  return Math.max(PASS_ROWS_MIN, Math.ceil(Number(rows[0]?.rows ?? 0) / PASS_PARTS_MAX));
}

/** Continues the slow pass for about this many rows, or to its end. */
export const inspectHistory = (
  client: pg.ClientBase,
  before: Progress,
  inspecting: Inspecting & { readonly rows: number },
): Promise<Progress> => inSnapshot(client, (renew) => inspectHistoryIn(client, renew, before, inspecting), BY_INDEX);

async function inspectHistoryIn(
  client: pg.ClientBase,
  renew: () => Promise<void>,
  before: Progress,
  inspecting: Inspecting & { readonly rows: number },
): Promise<Progress> {
  let progress = before;
  let left = inspecting.rows;
  while (left > 0) {
    const { walk: number, way, place } = progress.pass;
    const walk = WALKS[number];
    if (walk === undefined)
      return { ...progress, pass: { walk: 0, way: 0, place: null }, passed: new Date().toISOString() };
    const from = place ?? (await placesOf(client, walk.starts))[way];
    if (from === undefined) {
      progress = { ...progress, pass: { walk: number + 1, way: 0, place: null } };
      continue;
    }
    const piece = await inspectPiece(client, walk, from, false, inspecting);
    if (piece === null) {
      progress = { ...progress, pass: { walk: number, way: way + 1, place: null } };
      continue;
    }
    left -= piece.rows * walk.tables.length;
    progress = { ...progress, pass: { walk: number, way, place: piece.to } };
    if (!piece.isWell) progress = withBroken(progress, { walk: walk.name, from, to: piece.to, isNewest: false });
    inspecting.onProgress?.(progress);
    if (piece.isFull) await renew();
  }
  return progress;
}

/** Checks pieces again in which something was wrong last time, and forgets those that are now correct. */
export async function inspectBroken(
  client: pg.ClientBase,
  before: Progress,
  { findings, isAsked = () => true, keys }: Inspecting,
): Promise<Progress> {
  const broken: Piece[] = [];
  for (const piece of before.broken) {
    const walk = WALKS.find(({ name }) => name === piece.walk);
    if (walk === undefined) continue;
    const invariants = invariantsOf(walk, piece.isNewest).filter(isAsked);
    const asked = { given: walk.given, values: [piece.from, piece.to], keys };
    const isWell = await inSnapshot(client, () => runInvariants(client, invariants, findings, asked), BY_INDEX);
    if (!isWell) broken.push(piece);
  }
  return { ...before, broken };
}
