import { type CoinCode, price } from '@sathorn/money';
import { readTick as readBody } from '@sathorn/proof';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { PublishedTick } from './tick.ts';
import { type ChainedText, unpackTicks } from './tick-segment.ts';

/** How many opened segments are cached. Readers that page through history read segments one after the other. */
const KEPT_OPEN = 16;

interface SegmentRow {
  readonly coin: CoinCode;
  readonly firstSequence: bigint;
  readonly previousHash: string;
  readonly lastHash: string;
  readonly signed: number[];
  readonly signatures: string;
  readonly keys: string[];
  readonly bytes: Buffer;
}

const COLUMNS = `coin, first_sequence AS "firstSequence", encode(previous_hash, 'hex') AS "previousHash", encode(last_hash, 'hex') AS "lastHash",
  signed, encode(signatures, 'hex') AS signatures, keys, bytes`;
const bySequenceText = statement(
  'market.read_segments_from',
  `SELECT * FROM (SELECT ${COLUMNS} FROM market.sealed_segment WHERE coin = $1 AND last_sequence >= $2 ORDER BY last_sequence LIMIT $4) s
   WHERE "firstSequence" <= $3`,
);
const byTimeText = statement(
  'market.read_segments_between',
  `SELECT ${COLUMNS} FROM market.sealed_segment WHERE coin = $1 AND last_at >= $2 AND first_at <= $3 ORDER BY last_at LIMIT $4`,
);
const lastUpToText = statement(
  'market.read_segment_up_to',
  // The later segment is included, because it may still begin at or before that time.
  `(SELECT ${COLUMNS} FROM market.sealed_segment WHERE coin = $1 AND last_at <= $2 ORDER BY last_at DESC LIMIT 1)
   UNION ALL (SELECT ${COLUMNS} FROM market.sealed_segment WHERE coin = $1 AND last_at > $2 AND first_at <= $2 ORDER BY last_at LIMIT 1)`,
);

const opened = new Map<string, readonly PublishedTick[]>();

/** A segment's ticks as published; those without their own signature have an empty one. Throws on a damaged segment. */
function openSegment(row: SegmentRow): readonly PublishedTick[] {
  const known = opened.get(row.lastHash);
  if (known !== undefined) return known;
  const texts = unpackTicks(row.bytes, row.previousHash);
  if (texts.at(-1)?.hash !== row.lastHash)
    throw new Error(`the segment of ${row.coin} from ${row.firstSequence} does not end in its hash`);
  const ticks = texts.map((text, nth) => publishedOf(row, text, nth));
  opened.set(row.lastHash, ticks);
  const [oldest] = opened.keys();
  if (opened.size > KEPT_OPEN && oldest !== undefined) opened.delete(oldest);
  return ticks;
}

function publishedOf(row: SegmentRow, { body, hash }: ChainedText, nth: number): PublishedTick {
  const tick = readBody(body);
  const sequence = row.firstSequence + BigInt(nth);
  if (tick === undefined || tick.coin !== row.coin || tick.sequence !== sequence)
    throw new Error(`tick ${sequence} of ${row.coin} is damaged in its segment`);
  const place = row.signed.indexOf(nth + 1);
  return {
    coin: row.coin,
    sequence,
    at: new Date(tick.at),
    price: price(tick.price),
    environment: tick.environment,
    jump: tick.isJump,
    text: {
      body,
      hash,
      signature: place < 0 ? '' : row.signatures.slice(128 * place, 128 * (place + 1)),
      key: row.keys[place] ?? '',
    },
  };
}

async function open(rows: Promise<SegmentRow[]>): Promise<PublishedTick[]> {
  return (await rows).flatMap(openSegment);
}

/** Oldest first: ticks from one sequence to another, from at most `segments` segments. */
export async function readSealedFrom(
  queries: Queries,
  coin: CoinCode,
  from: bigint,
  to: bigint,
  segments = 100,
): Promise<PublishedTick[]> {
  const ticks = await open(queries.query<SegmentRow>(bySequenceText, [coin, from, to, segments]));
  return ticks.filter(({ sequence }) => sequence >= from && sequence <= to);
}

/** Oldest first, both ends inclusive. */
export async function readSealedBetween(
  queries: Queries,
  coin: CoinCode,
  from: Date,
  to: Date,
  segments = 100_000,
): Promise<PublishedTick[]> {
  const ticks = await open(queries.query<SegmentRow>(byTimeText, [coin, from, to, segments]));
  return ticks.filter(({ at }) => at >= from && at <= to);
}

/** The last tick at or before a time. */
export async function readSealedUpTo(queries: Queries, coin: CoinCode, at: Date): Promise<PublishedTick | null> {
  const ticks = await open(queries.query<SegmentRow>(lastUpToText, [coin, at]));
  const before = ticks.filter((tick) => tick.at <= at);
  return before.reduce<PublishedTick | null>((a, b) => (a === null || b.sequence > a.sequence ? b : a), null);
}
