import type { Interval } from '@sathorn/api';
import { type CoinCode, price } from '@sathorn/money';
import type { TickEnvironment } from '@sathorn/proof';
import { type Database, type Queries, statement, type Transaction } from '../../platform/database/index.ts';
import { aggregateBars, type Bar, intervalStartOf } from './candle.ts';
import { readSealedBetween, readSealedFrom, readSealedUpTo } from './sealed-ticks.ts';
import type { PublishedTick } from './tick.ts';

const TICK = `coin, sequence, at, price, environment, jump, body, encode(hash, 'hex') AS hash, encode(signature, 'hex') AS signature, key`;

interface TickRow {
  coin: CoinCode;
  sequence: bigint;
  at: Date;
  price: bigint;
  environment: TickEnvironment;
  jump: boolean;
  body: string;
  hash: string;
  signature: string;
  key: string;
}

function toTick({ body, hash, signature, key, price: units, ...row }: TickRow): PublishedTick {
  return { ...row, price: price(units), text: { body, hash, signature, key } };
}

const insertTicksText = statement(
  'market.insert_ticks',
  `INSERT INTO market.tick (coin, sequence, at, price, environment, jump, body, hash, signature, key)
   SELECT coin, sequence, at, price, environment, jump, body, decode(hash, 'hex'), decode(signature, 'hex'), key
   FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[], $6::boolean[], $7::text[], $8::text[], $9::text[], $10::text[])
     AS t(coin, sequence, at, price, environment, jump, body, hash, signature, key)`,
);

/** Appends each tick to its coin's chain. The database rejects one that does not extend it or has a wrong time. */
export async function insertTicks(transaction: Transaction, ticks: readonly PublishedTick[]): Promise<void> {
  await transaction.query(insertTicksText, [
    ticks.map(({ coin }) => coin),
    ticks.map(({ sequence }) => sequence),
    ticks.map(({ at }) => at),
    ticks.map((tick) => tick.price),
    ticks.map(({ environment }) => environment),
    ticks.map(({ jump }) => jump),
    ticks.map(({ text }) => text.body),
    ticks.map(({ text }) => text.hash),
    ticks.map(({ text }) => text.signature),
    ticks.map(({ text }) => text.key),
  ]);
}

export interface CoinBar {
  readonly coin: CoinCode;
  readonly interval: Interval;
  readonly bar: Bar;
}

const GIVEN_BARS =
  'unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::numeric[], $9::boolean[])';
const saveMinutesText = statement(
  'market.save_history_minutes',
  `INSERT INTO market.candle (coin, interval, at, open, high, low, close, volume, simulated) SELECT * FROM ${GIVEN_BARS}`,
);
// The current wide candles may already contain minutes, all of them later than these.
const saveWideText = statement(
  'market.save_history_wide',
  `INSERT INTO market.candle AS c (coin, interval, at, open, high, low, close, volume, simulated) SELECT * FROM ${GIVEN_BARS}
   ON CONFLICT (coin, interval, at) DO UPDATE SET open = excluded.open, high = greatest(c.high, excluded.high),
     low = least(c.low, excluded.low), volume = c.volume + excluded.volume, simulated = c.simulated OR excluded.simulated`,
);
// A completed minute is added to the wider candles once: when the coin's next minute is first written.
const saveBarsText = statement(
  'market.save_candles',
  `WITH given AS (
     SELECT * FROM ${GIVEN_BARS} AS g(coin, interval, at, open, high, low, close, volume, simulated) WHERE interval = '1m'
   ), ended AS (
     SELECT m.* FROM given g
     CROSS JOIN LATERAL (SELECT * FROM market.candle c WHERE c.coin = g.coin AND c.interval = '1m' ORDER BY at DESC LIMIT 1) m
     WHERE m.at < g.at
   ), rolled_up AS (
     INSERT INTO market.candle AS c (coin, interval, at, open, high, low, close, volume, simulated)
     SELECT e.coin, w.interval, date_bin(w.width, e.at, w.origin), e.open, e.high, e.low, e.close, e.volume, e.simulated
     FROM ended e CROSS JOIN (VALUES ('5m', interval '5 minutes', timestamptz 'epoch'), ('15m', interval '15 minutes', 'epoch'),
       ('30m', interval '30 minutes', 'epoch'), ('1h', interval '1 hour', 'epoch'), ('4h', interval '4 hours', 'epoch'),
       ('1d', interval '1 day', 'epoch'), ('1w', interval '7 days', timestamptz '1970-01-05 00:00:00+00')) AS w(interval, width, origin)
     ON CONFLICT (coin, interval, at) DO UPDATE SET high = greatest(c.high, excluded.high), low = least(c.low, excluded.low),
       close = excluded.close, volume = c.volume + excluded.volume, simulated = c.simulated OR excluded.simulated
   ), updated AS (
     -- Uses UPDATE instead of ON CONFLICT, which would also write a row lock for each row, each second.
     UPDATE market.candle c SET open = g.open, high = g.high, low = g.low, close = g.close, volume = g.volume, simulated = g.simulated
     FROM given g WHERE c.coin = g.coin AND c.interval = g.interval AND c.at = g.at RETURNING c.coin
   )
   INSERT INTO market.candle (coin, interval, at, open, high, low, close, volume, simulated)
   SELECT g.coin, g.interval, g.at, g.open, g.high, g.low, g.close, g.volume, g.simulated FROM given g
   WHERE NOT EXISTS (SELECT FROM updated u WHERE u.coin = g.coin)`,
);

const columnsOf = (bars: readonly CoinBar[]): unknown[] => [
  bars.map(({ coin }) => coin),
  bars.map(({ interval }) => interval),
  bars.map(({ bar }) => new Date(bar.at)),
  bars.map(({ bar }) => bar.open),
  bars.map(({ bar }) => bar.high),
  bars.map(({ bar }) => bar.low),
  bars.map(({ bar }) => bar.close),
  bars.map(({ bar }) => bar.volume),
  bars.map(({ bar }) => bar.simulated),
];

/**
 * Overwrites one-minute bars, so repeating a write changes nothing. Wider bars are written when a minute has ended:
 * writing them every second would cause most of the database's writes.
 */
export async function saveBars(queries: Queries, bars: readonly CoinBar[]): Promise<void> {
  await queries.query(saveBarsText, columnsOf(bars));
}

/** Writes a coin's bars of all intervals before its first minute; fails if they were written before. */
export async function saveBarHistory(database: Database, bars: readonly CoinBar[]): Promise<void> {
  const minutes = bars.filter(({ interval }) => interval === '1m');
  const wide = bars.filter(({ interval }) => interval !== '1m');
  await database.transaction(async (transaction) => {
    // On a second call the minutes exist and the insert fails; otherwise the wide bars would count them twice.
    await transaction.query(saveMinutesText, columnsOf(minutes));
    await transaction.query(saveWideText, columnsOf(wide));
  });
}

const haveHistoryText = statement(
  'market.have_history',
  `SELECT coin FROM unnest($1::text[]) AS coins(coin)
   WHERE EXISTS (SELECT FROM market.candle c WHERE c.coin = coins.coin AND c.interval = '1w' AND c.at < $2)`,
);
/** The coins with a weekly bar before a time. */
export async function readCoinsWithHistory(
  queries: Queries,
  coins: readonly CoinCode[],
  before: Date,
): Promise<ReadonlySet<CoinCode>> {
  const rows = await queries.query<{ coin: CoinCode }>(haveHistoryText, [coins, before]);
  return new Set(rows.map(({ coin }) => coin));
}

const firstMinuteText = statement(
  'market.read_first_minute',
  `SELECT min(at) AS at FROM market.candle WHERE coin = $1 AND interval = '1m'`,
);
/** The start of a coin's oldest one-minute bar; null without one. */
export async function readFirstBarMinute(queries: Queries, coin: CoinCode): Promise<Date | null> {
  const [row] = await queries.query<{ at: Date | null }>(firstMinuteText, [coin]);
  return row?.at ?? null;
}

interface BarRow extends Omit<Bar, 'at' | 'volume'> {
  coin: CoinCode;
  interval: Interval;
  at: Date;
  volume: string;
}
const toBar = ({ coin, interval, at, volume, ...bar }: BarRow): CoinBar => ({
  coin,
  interval,
  bar: { ...bar, volume: BigInt(volume), at: at.getTime() },
});

const BAR = 'coin, interval, at, open, high, low, close, volume, simulated';
const barsBeforeText = statement(
  'market.read_candles_before',
  `SELECT ${BAR} FROM market.candle WHERE coin = $1 AND interval = $2 AND at < $3 ORDER BY at DESC LIMIT $4`,
);
const newestBarsText = statement(
  'market.read_newest_candles',
  `SELECT c.* FROM unnest($1::text[]) AS coins(coin) CROSS JOIN unnest($2::text[]) AS intervals(interval)
   CROSS JOIN LATERAL (SELECT ${BAR} FROM market.candle WHERE coin = coins.coin AND interval = intervals.interval ORDER BY at DESC LIMIT 1) c`,
);
const minutesSinceText = statement(
  'market.read_minutes_since',
  `SELECT ${BAR} FROM market.candle WHERE coin = ANY($1::text[]) AND interval = '1m' AND at >= $2 ORDER BY at`,
);

/** Adds the current, unfinished minute to the wider bars. */
function addMinute(bars: readonly Bar[], minute: Bar | undefined, interval: Interval): Bar[] {
  return minute === undefined ? [...bars] : aggregateBars([...bars, minute], interval);
}

/** Bars that start before a time, newest first. */
export async function readBarsBefore(
  queries: Queries,
  coin: CoinCode,
  interval: Interval,
  before: Date,
  limit: number,
): Promise<Bar[]> {
  const rows = await queries.query<BarRow>(barsBeforeText, [coin, interval, before, limit]);
  const bars = rows.map((row) => toBar(row).bar);
  if (interval === '1m') return bars;
  const [minute] = await queries.query<BarRow>(newestBarsText, [[coin], ['1m']]);
  const newest = minute && toBar(minute).bar;
  if (newest === undefined || intervalStartOf(interval, newest.at) >= before.getTime()) return bars;
  return addMinute(bars.reverse(), newest, interval).reverse().slice(0, limit);
}

/** The newest bar of each coin and interval, if there is one. */
export async function readNewestBars(
  queries: Queries,
  coins: readonly CoinCode[],
  intervals: readonly Interval[],
): Promise<CoinBar[]> {
  const rows = await queries.query<BarRow>(newestBarsText, [coins, [...new Set<Interval>(['1m', ...intervals])]]);
  const kept = rows.map(toBar);
  return coins.flatMap((coin) => {
    const of = (interval: Interval) => kept.find((row) => row.coin === coin && row.interval === interval)?.bar;
    const minute = of('1m');
    return intervals.flatMap((interval) => {
      const bar = of(interval);
      const newest = interval === '1m' ? bar : addMinute(bar ? [bar] : [], minute, interval).at(-1);
      return newest === undefined ? [] : { coin, interval, bar: newest };
    });
  });
}

/** Reads the one-minute bars of several coins that start at or after a time, oldest first. */
export async function readMinutesSince(queries: Queries, coins: readonly CoinCode[], since: Date): Promise<CoinBar[]> {
  const rows = await queries.query<BarRow>(minutesSinceText, [coins, since]);
  return rows.map(toBar);
}

export interface TickHead {
  readonly coin: CoinCode;
  readonly sequence: bigint;
  readonly at: Date;
  readonly jumpedAt: Date | null;
}
const headsText = statement(
  'market.read_heads',
  `SELECT coin, sequence, at, jumped_at AS "jumpedAt" FROM market.head WHERE coin = ANY($1::text[])`,
);
export function readTickHeads(queries: Queries, coins: readonly CoinCode[]): Promise<TickHead[]> {
  return queries.query<TickHead>(headsText, [coins]);
}

const lastTicksText = statement(
  'market.read_last_ticks',
  `SELECT t.* FROM unnest($1::text[]) AS coins(coin)
   CROSS JOIN LATERAL (SELECT ${TICK} FROM market.tick WHERE coin = coins.coin ORDER BY sequence DESC LIMIT 1) t`,
);
const tickText = statement('market.read_tick', `SELECT ${TICK} FROM market.tick WHERE coin = $1 AND sequence = $2`);
const firstAfterText = statement(
  'market.read_first_tick_after',
  `SELECT ${TICK} FROM market.tick WHERE coin = $1 AND at > $2 ORDER BY at LIMIT 1`,
);
const lastUpToText = statement(
  'market.read_last_tick_up_to',
  `SELECT ${TICK} FROM market.tick WHERE coin = $1 AND at <= $2 ORDER BY at DESC LIMIT 1`,
);
const betweenText = statement(
  'market.read_ticks_between',
  `SELECT ${TICK} FROM market.tick WHERE coin = $1 AND at >= $2 AND at <= $3 ORDER BY at`,
);
const fromText = statement(
  'market.read_ticks_from',
  `SELECT ${TICK} FROM market.tick WHERE coin = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3`,
);

const many = async (rows: Promise<TickRow[]>): Promise<PublishedTick[]> => (await rows).map(toTick);
const one = async (rows: Promise<TickRow[]>): Promise<PublishedTick | null> => (await many(rows))[0] ?? null;

/** Each coin's last tick, if there is one. */
export function readLastTicks(queries: Queries, coins: readonly CoinCode[]): Promise<PublishedTick[]> {
  return many(queries.query<TickRow>(lastTicksText, [coins]));
}
/*
 * Reads a tick. Older ticks are in segments, except those that open orders wait for, which stay in the table. The table
 * is read first, so that a tick that is sealed in between is found in the segments. If both have it, the table's copy
 * is used, because it has its own signature.
 */
export async function readTick(queries: Queries, coin: CoinCode, sequence: bigint): Promise<PublishedTick | null> {
  const hot = await one(queries.query<TickRow>(tickText, [coin, sequence]));
  return hot ?? (await readSealedFrom(queries, coin, sequence, sequence, 1))[0] ?? null;
}
export async function readFirstTickAfter(queries: Queries, coin: CoinCode, at: Date): Promise<PublishedTick | null> {
  const hot = await one(queries.query<TickRow>(firstAfterText, [coin, at]));
  const next = new Date(at.getTime() + 1);
  const [sealed] = await readSealedBetween(queries, coin, next, hot?.at ?? FAR, SEGMENTS_FOR_ONE);
  return sealed && (hot === null || sealed.sequence < hot.sequence) ? sealed : hot;
}
export async function readLastTickAtOrBefore(
  queries: Queries,
  coin: CoinCode,
  at: Date,
): Promise<PublishedTick | null> {
  const hot = await one(queries.query<TickRow>(lastUpToText, [coin, at]));
  const sealed = await readSealedUpTo(queries, coin, at);
  return sealed && (hot === null || sealed.sequence > hot.sequence) ? sealed : hot;
}
/** Oldest first, both ends inclusive. */
export async function readTicksBetween(
  queries: Queries,
  coin: CoinCode,
  from: Date,
  to: Date,
): Promise<PublishedTick[]> {
  const hot = await many(queries.query<TickRow>(betweenText, [coin, from, to]));
  return merge(await readSealedBetween(queries, coin, from, to), hot);
}
/** A page of ticks from a sequence on, oldest first, with its proof: each page can be verified on its own. */
export async function readTicksFrom(
  queries: Queries,
  coin: CoinCode,
  sequence: bigint,
  limit: number,
): Promise<PublishedTick[]> {
  const hot = await many(queries.query<TickRow>(fromText, [coin, sequence, limit]));
  const sealed = await readSealedFrom(queries, coin, sequence, sequence + BigInt(limit) - 1n);
  return extendToSignedTick(queries, coin, merge(sealed, hot).slice(0, limit));
}

/**
 * Extends ticks, oldest first, up to the next signed one. A sealed tick may have lost its signature. Then only the
 * chain to a later signed tick proves it, and the end of its segment is always signed.
 */
export async function extendToSignedTick(
  queries: Queries,
  coin: CoinCode,
  ticks: readonly PublishedTick[],
): Promise<PublishedTick[]> {
  const last = ticks.at(-1);
  if (last === undefined || last.text.signature !== '') return [...ticks];
  const rest = await readSealedFrom(queries, coin, last.sequence + 1n, last.sequence + SEGMENT_MAX, 1);
  return [...ticks, ...rest.slice(0, rest.findIndex(({ text }) => text.signature !== '') + 1)];
}

/** The maximum number of ticks in a segment. */
const SEGMENT_MAX = 3_600n;
const SEGMENTS_FOR_ONE = 2;
const FAR = new Date(8.64e15);

/** Merges two lists, both in order of sequence. */
function merge(sealed: readonly PublishedTick[], hot: readonly PublishedTick[]): PublishedTick[] {
  if (sealed.length === 0) return [...hot];
  const bySequence = new Map([...sealed, ...hot].map((tick) => [tick.sequence, tick]));
  return [...bySequence.values()].sort((a, b) => Number(a.sequence - b.sequence));
}

const keepOriginText = statement(
  'market.keep_origin',
  'INSERT INTO market.origin (name, seed, started_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
);
const originText = statement(
  'market.read_origin',
  'SELECT seed, started_at AS "startedAt" FROM market.origin WHERE name = $1',
);

interface FeedOrigin {
  readonly seed: string;
  readonly startedAt: Date;
}
/**
 * Returns the origin that was stored first under this name. Only the index stores one; a process that starts earlier
 * uses its own until then.
 */
export async function storeFeedOrigin(
  publishing: Queries | null,
  queries: Queries,
  name: string,
  origin: FeedOrigin,
): Promise<FeedOrigin> {
  await publishing?.query(keepOriginText, [name, origin.seed, origin.startedAt]);
  const [kept] = await queries.query<FeedOrigin>(originText, [name]);
  return kept ?? origin;
}
