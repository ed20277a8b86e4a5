/** The position of an order or a fill in a list, newest first. */
interface ListCursor {
  readonly atMs: bigint;
  readonly coin: string;
  /** The number on the coin's book, or in its trade list. */
  readonly number: bigint;
}

/** Where a page starts: after a cursor, or after `skip` items from the beginning. */
export interface PagePosition {
  readonly after: ListCursor | null;
  readonly skip: number;
}

const CURSOR = /^([0-9]{10,15})-([A-Z]{2,10})-([0-9]{1,15})$/;
const PAGE_NUMBER = /^[1-9][0-9]*$/;
/**
 * The largest number of rows that a page number may skip, because the database reads all of them. A client that follows
 * `next` has no such limit.
 */
export const PAGE_SKIP_MAX = 10_000;

/** A page number beyond the limit gives an empty page instead of the first page. */
const skipOf = (page: string, size: number): number =>
  PAGE_NUMBER.test(page) ? Math.min((Number(page) - 1) * size, PAGE_SKIP_MAX + 1) : 0;

/** The number of rows to read; none for a page number beyond the limit. */
export const limitAfterSkip = (skip: number, limit: number): number => (skip > PAGE_SKIP_MAX ? 0 : limit);

export const pageCursorAfter = (atMs: number, id: string): string => `${atMs}-${id}`;

/** `page`: the previous page's `next`, or a number from 1 as in the specification; 0 or an empty text is the start. */
export function readPagePosition(page: string | null, size: number): PagePosition {
  const [, ms, coin, number] = CURSOR.exec(page ?? '') ?? [];
  if (!ms || !coin || !number) return { after: null, skip: skipOf(page ?? '', size) };
  return { after: { atMs: BigInt(ms), coin, number: BigInt(number) }, skip: 0 };
}

/** Reads the page position of one coin's trade list, where a cursor is the id of a trade. */
export function readTapePosition(page: string | null, size: number): { before: bigint | null; skip: number } {
  const [, number] = /^[A-Z]{2,10}-([0-9]{1,15})$/.exec(page ?? '') ?? [];
  return number ? { before: BigInt(number), skip: 0 } : { before: null, skip: skipOf(page ?? '', size) };
}
