import type { Money } from '@sathorn/money';
import type { SignedText } from '@sathorn/proof';
import { arrayLiteral, column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

const { bigint, integer, uuid, time, text, nullable, number } = column;

const [usdt, points] = [column.money('USDT'), column.money('POINTS')];
const PUBLISHED = {
  id: uuid,
  body: text<string>(),
  hash: text<string>(),
  signature: text<string>(),
  key: text<string>(),
  names: column.json<Readonly<Record<string, string>>>(),
  price: points,
  draws_max: integer,
  opens_at: time,
  closes_at: time,
  usdt_max: usdt,
  points_max: points,
  usdt_budget: usdt,
  points_budget: points,
  published_at: time,
};
const BOX = {
  ...PUBLISHED,
  drawn: integer,
  open: integer,
  usdt_paid: usdt,
  points_paid: points,
  is_returned: column.computed('returned_journal IS NOT NULL', column.boolean),
};
/** A box as published, and the progress of its sale. */
export type BoxRow = RowOf<typeof BOX>;
const BOXES = table<BoxRow>(BOX);
const FROM = `SELECT ${BOXES.names} FROM boxes.box b JOIN boxes.standing s ON s.box = b.id`;
const READ_BOXES = statement('boxes.read_boxes', `${FROM} WHERE b.id = ANY ($1::uuid[])`);
export async function readBoxes(queries: Queries, ids: readonly string[]): Promise<Map<string, BoxRow>> {
  const rows = await BOXES.query(queries, READ_BOXES, [arrayLiteral([...new Set(ids)])]);
  return new Map(rows.map((row) => [row.id, row]));
}

const LIST_BOXES = statement(
  'boxes.list_boxes',
  `${FROM} WHERE b.closes_at > $1::timestamptz ORDER BY b.number DESC LIMIT 50`,
);
/** Open boxes and those that closed after the moment, newest first. */
export const listBoxRows = (queries: Queries, closedAfter: Date): Promise<BoxRow[]> =>
  BOXES.query(queries, LIST_BOXES, [closedAfter]);

const COUNT_BOXES = statement('boxes.count', 'SELECT count(*)::integer AS boxes FROM boxes.box');
export async function countBoxes(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ boxes: number }>(COUNT_BOXES);
  return row?.boxes ?? 0;
}

const NEW_BOX = { ...PUBLISHED, funded_journal: uuid, approval: nullable(uuid) };
const NEW_BOXES = table<RowOf<typeof NEW_BOX>>(NEW_BOX);
const INSERT_BOX = statement('boxes.insert_box', NEW_BOXES.insertOneInto('boxes.box'));
const INSERT_STANDING = statement('boxes.insert_standing', 'INSERT INTO boxes.standing (box) VALUES ($1)');
const INSERT_PROMISE = statement(
  'boxes.insert_promise',
  `INSERT INTO boxes.promise (box, commitments) VALUES ($1, decode($2, 'hex')) ON CONFLICT (box) DO NOTHING`,
);
export const insertBoxPromise = (queries: Queries, box: string, commitments: readonly string[]): Promise<unknown> =>
  queries.query(INSERT_PROMISE, [box, commitments.join('')]);

const READ_PROMISE = statement(
  'boxes.read_promise',
  `SELECT encode(commitments, 'hex') AS commitments FROM boxes.promise WHERE box = $1`,
);
/** The commitments in hex, from draw 1 on; null for an older version's box until the settler stores them. */
export async function readBoxPromise(queries: Queries, box: string): Promise<string[] | null> {
  const [row] = await queries.query<{ commitments: string }>(READ_PROMISE, [box]);
  return row === undefined ? null : (row.commitments.match(/.{64}/g) ?? []);
}

const READ_UNPROMISED = statement(
  'boxes.read_unpromised',
  `${FROM}
   WHERE NOT EXISTS (SELECT FROM boxes.promise p WHERE p.box = b.id)`,
);
/** Boxes that an older version published without stored commitments. */
export const readUnpromisedBoxes = (queries: Queries): Promise<BoxRow[]> => BOXES.query(queries, READ_UNPROMISED);

export type NewBox = Omit<RowOf<typeof NEW_BOX>, 'funded_journal'> & { readonly commitments: readonly string[] };
export function insertBox(queries: Queries, { commitments, ...box }: NewBox, journal: string): Promise<unknown>[] {
  return [
    queries.query(INSERT_BOX, NEW_BOXES.valuesOf({ ...box, funded_journal: journal })),
    queries.query(INSERT_STANDING, [box.id]),
    insertBoxPromise(queries, box.id, commitments),
  ];
}

export interface NewDraw {
  readonly id: string;
  readonly box: string;
  readonly i: number;
  readonly customer: bigint;
  readonly round: number;
  readonly signed: SignedText;
  readonly usdtHold: bigint | null;
  readonly pointsHold: bigint | null;
}
const RESERVE = statement(
  'boxes.reserve',
  `SELECT boxes.reserve($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[], $5::timestamptz, $6::bigint[], $7::text[], $8::text[], $9::text[],
     $10::bigint[], $11::bigint[])`,
);
export const reserveDraws = (queries: Queries, at: Date, draws: readonly NewDraw[]): Promise<unknown> =>
  queries.query(RESERVE, [
    arrayLiteral(draws.map(({ id }) => id)),
    arrayLiteral(draws.map(({ box }) => box)),
    arrayLiteral(draws.map(({ i }) => i)),
    arrayLiteral(draws.map(({ customer }) => customer)),
    at,
    arrayLiteral(draws.map(({ round }) => round)),
    draws.map(({ signed }) => signed.body),
    arrayLiteral(draws.map(({ signed }) => signed.signature)),
    arrayLiteral(draws.map(({ signed }) => signed.key)),
    arrayLiteral(draws.map(({ usdtHold }) => usdtHold)),
    arrayLiteral(draws.map(({ pointsHold }) => pointsHold)),
  ]);

export interface ResolvedDraw {
  readonly id: string;
  readonly journal: string;
  readonly clientSeed: string | null;
  readonly beacon: string | null;
  readonly seed: string;
  readonly number: number;
  readonly prize: number;
  readonly usdt: Money<'USDT'>;
  readonly points: Money<'POINTS'>;
}
const RESOLVE = statement(
  'boxes.resolve',
  `SELECT boxes.resolve($1::uuid[], $2::uuid[], $3::timestamptz, $4::text[], $5::text[], $6::text[], $7::bigint[], $8::integer[], $9::bigint[], $10::bigint[])`,
);
export const resolveDraws = (queries: Queries, at: Date, draws: readonly ResolvedDraw[]): Promise<unknown> =>
  queries.query(RESOLVE, [
    arrayLiteral(draws.map(({ id }) => id)),
    arrayLiteral(draws.map(({ journal }) => journal)),
    at,
    arrayLiteral(draws.map(({ clientSeed }) => clientSeed)),
    arrayLiteral(draws.map(({ beacon }) => beacon)),
    arrayLiteral(draws.map(({ seed }) => seed)),
    arrayLiteral(draws.map((draw) => draw.number)),
    arrayLiteral(draws.map(({ prize }) => prize)),
    arrayLiteral(draws.map((draw) => draw.usdt.units)),
    arrayLiteral(draws.map((draw) => draw.points.units)),
  ]);

const MARK_RETURNED = statement(
  'boxes.mark_returned',
  'UPDATE boxes.standing SET returned_journal = $2 WHERE box = $1 AND returned_journal IS NULL',
);
export const markBudgetReturned = (queries: Queries, box: string, journal: string): Promise<unknown> =>
  queries.query(MARK_RETURNED, [box, journal]);

const READ_ENDED = statement(
  'boxes.read_ended',
  `${FROM}
   WHERE s.returned_journal IS NULL AND s.open = 0 AND (b.closes_at < $1::timestamptz OR s.drawn = b.draws_max)`,
);
/** Boxes whose sale has ended and whose remaining budget has not been returned. */
export const readEndedBoxes = (queries: Queries, now: Date): Promise<BoxRow[]> =>
  BOXES.query(queries, READ_ENDED, [now]);

const INSERT_DECIDED = statement(
  'boxes.insert_decided',
  'INSERT INTO boxes.decided (approval, fields) VALUES ($1, $2)',
);
export async function insertDecidedBox(queries: Queries, approval: string, fields: string): Promise<void> {
  await queries.query(INSERT_DECIDED, [approval, fields]);
}
const READ_DECIDED = statement(
  'boxes.read_decided',
  'SELECT approval, fields, at FROM boxes.decided WHERE box IS NULL AND fault IS NULL ORDER BY at',
);
/** Boxes that two people have approved and that are not published yet. */
export const readDecidedBoxes = (queries: Queries) =>
  queries.query<{ approval: string; fields: string; at: Date }>(READ_DECIDED);
const MARK_DECIDED = statement(
  'boxes.mark_decided',
  'UPDATE boxes.decided SET box = $2, fault = $3 WHERE approval = $1 AND box IS NULL AND fault IS NULL',
);
export async function markDecidedBox(
  queries: Queries,
  approval: string,
  { box, fault }: { readonly box: string | null; readonly fault: string | null },
): Promise<void> {
  await queries.query(MARK_DECIDED, [approval, box, fault]);
}

const DRAW = {
  id: uuid,
  box: uuid,
  i: integer,
  customer_id: bigint,
  reserved_at: time,
  round: number,
  body: text<string>(),
  signature: text<string>(),
  key: text<string>(),
  usdt_hold: nullable(bigint),
  points_hold: nullable(bigint),
  client_seed: nullable(text<string>()),
  resolved_at: nullable(time),
  resolved_journal: nullable(uuid),
  beacon: nullable(text<string>()),
  seed: nullable(text<string>()),
  number: nullable(number),
  prize: nullable(integer),
};
export type DrawRow = RowOf<typeof DRAW>;
const DRAWS = table<DrawRow>(DRAW);

const READ_DRAW = statement(
  'boxes.read_draw',
  `SELECT ${DRAWS.names} FROM boxes.draw WHERE id = $1 AND ($2::bigint IS NULL OR customer_id = $2)`,
);
/** Another customer's draw gets the same answer as a missing one. With `customer` null, reads any customer's. */
export async function readDraw(queries: Queries, id: string, customer: bigint | null): Promise<DrawRow | undefined> {
  const [row] = await DRAWS.query(queries, READ_DRAW, [id, customer]);
  return row;
}

const LIST_DRAWS = statement(
  'boxes.list_draws',
  `SELECT ${DRAWS.names} FROM boxes.draw WHERE customer_id = $1 AND ($2::timestamptz IS NULL OR (reserved_at, id) < ($2, $3::uuid))
   ORDER BY reserved_at DESC, id DESC LIMIT $4`,
);
export const listDrawRows = (
  queries: Queries,
  customer: bigint,
  before: { readonly at: Date; readonly id: string } | null,
  limit: number,
): Promise<DrawRow[]> => DRAWS.query(queries, LIST_DRAWS, [customer, before?.at ?? null, before?.id ?? null, limit]);

const READ_DUE = statement(
  'boxes.read_due',
  `SELECT ${DRAWS.names} FROM boxes.draw WHERE resolved_at IS NULL ORDER BY reserved_at LIMIT $1`,
);
/** Open draws, oldest first. */
export const readOpenDraws = (queries: Queries, limit: number): Promise<DrawRow[]> =>
  DRAWS.query(queries, READ_DUE, [limit]);

const IS_WAITING = statement(
  'boxes.is_waiting',
  `SELECT EXISTS (${READ_UNPROMISED.text}) OR EXISTS (SELECT FROM boxes.draw WHERE resolved_at IS NULL)
     OR EXISTS (${READ_ENDED.text}) OR EXISTS (${READ_DECIDED.text}) AS is`,
);
/** True if any of these queries would return a row; most rounds of the settler have nothing to do. */
export async function hasDueBoxWork(queries: Queries, now: Date): Promise<boolean> {
  const [row] = await queries.query<{ is: boolean }>(IS_WAITING, [now]);
  return row?.is === true;
}

const READ_DRAWS_OF = statement(
  'boxes.read_draws_of',
  `SELECT ${DRAWS.names} FROM boxes.draw WHERE box = $1 ORDER BY i`,
);
export const readDrawsOfBox = (queries: Queries, box: string): Promise<DrawRow[]> =>
  DRAWS.query(queries, READ_DRAWS_OF, [box]);

const COUNT_PRIZES = statement(
  'boxes.count_prizes',
  'SELECT prize, count(*)::integer AS given FROM boxes.draw WHERE box = $1 AND prize IS NOT NULL GROUP BY prize',
);
export async function countPrizes(queries: Queries, box: string): Promise<Map<number, number>> {
  const rows = await queries.query<{ prize: number; given: number }>(COUNT_PRIZES, [box]);
  return new Map(rows.map(({ prize, given }) => [prize, given]));
}

const SEED_DRAW = statement(
  'boxes.seed_draw',
  `UPDATE boxes.draw SET client_seed = $2, seeded_at = $3::timestamptz WHERE id = $1 AND client_seed IS NULL AND resolved_at IS NULL RETURNING id`,
);
/** Returns false if the draw already has a seed or is resolved. */
export async function setDrawSeed(queries: Queries, id: string, seed: string, at: Date): Promise<boolean> {
  return (await queries.query<{ id: string }>(SEED_DRAW, [id, seed, at])).length > 0;
}
