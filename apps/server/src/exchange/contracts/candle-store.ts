import type { Interval } from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';

/** A candle of trades; volumes in the coin's smallest unit. */
export interface StoredBar {
  readonly interval: Interval;
  /** The start of its interval, in ms since 1970. */
  readonly at: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  /** The part of the volume in which the house's market maker was one side. */
  readonly houseVolume: bigint;
}

interface BarRow extends Omit<StoredBar, 'at' | 'volume' | 'houseVolume'> {
  readonly at: Date;
  readonly volume: string;
  readonly house_volume: string;
}
const barOf = ({ at, volume, house_volume, ...row }: BarRow): StoredBar => ({
  ...row,
  at: at.getTime(),
  volume: BigInt(volume),
  houseVolume: BigInt(house_volume),
});

const BAR = 'interval, at, open, high, low, close, volume, house_volume';

const READ_HEAD = statement('contracts.read_candle_head', 'SELECT number FROM contracts.candle_head WHERE coin = $1');

/** The number of the newest trade that a coin's candles include. */
export async function readCandleHead(queries: Queries, coin: CoinCode): Promise<number> {
  const [row] = await queries.query<{ number: bigint }>(READ_HEAD, [coin]);
  if (row === undefined) throw new Error(`${coin} has no candles`);
  return Number(row.number);
}

/** A trade with the values that candles need. */
export interface CountedTrade {
  readonly number: bigint;
  readonly price: bigint;
  readonly quantity: bigint;
  readonly atMs: bigint;
  readonly house: boolean;
  /** Fees that the house paid: in USDT when it sold, in the coin when it bought. */
  readonly houseFeeUsdt: bigint;
  readonly houseFeeCoin: bigint;
}

const WITH_HOUSE = '0 IN (maker_customer, taker_customer)';
const HOUSE_FEES = `CASE WHEN maker_customer = 0 AND taker_side = 'buy' THEN maker_fee WHEN taker_customer = 0 AND taker_side = 'sell' THEN taker_fee
      ELSE 0 END AS "houseFeeUsdt",
    CASE WHEN maker_customer = 0 AND taker_side = 'sell' THEN maker_fee WHEN taker_customer = 0 AND taker_side = 'buy' THEN taker_fee
      ELSE 0 END AS "houseFeeCoin"`;
const TRADES_AFTER = statement(
  'contracts.read_trades_after',
  `SELECT number, price, quantity, at_ms AS "atMs", ${WITH_HOUSE} AS house, ${HOUSE_FEES}
   FROM contracts.trade WHERE coin = $1 AND number > $2 ORDER BY number LIMIT $3`,
);

/** Oldest first. */
export function readTradesAfter(
  queries: Queries,
  coin: CoinCode,
  number: number,
  limit: number,
): Promise<CountedTrade[]> {
  return queries.query<CountedTrade>(TRADES_AFTER, [coin, number, limit]);
}

interface CandleHeadMove {
  readonly coin: CoinCode;
  readonly before: number;
  readonly after: number;
  readonly houseFeesUsdt: bigint;
  readonly houseFeesCoin: bigint;
}

const MOVE_HEAD = statement(
  'contracts.move_candle_head',
  `UPDATE contracts.candle_head SET number = $3, house_fees_usdt = house_fees_usdt + $4, house_fees_coin = house_fees_coin + $5
   WHERE coin = $1 AND number = $2 RETURNING number`,
);

/** Returns false if another process has counted the same trades; then nothing may be added. */
export async function moveCandleHead(queries: Queries, move: CandleHeadMove): Promise<boolean> {
  const { coin, before, after, houseFeesUsdt, houseFeesCoin } = move;
  const moved = await queries.query(MOVE_HEAD, [coin, before, after, houseFeesUsdt, houseFeesCoin]);
  return moved.length === 1;
}

const ADD_BARS = statement(
  'contracts.add_to_candles',
  `INSERT INTO contracts.candle AS c (coin, interval, at, open, high, low, close, volume, house_volume)
   SELECT $1, interval, to_timestamp(at_ms / 1000.0), open, high, low, close, volume, house_volume
   FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::numeric[], $9::numeric[])
     AS b(interval, at_ms, open, high, low, close, volume, house_volume)
   ON CONFLICT (coin, interval, at) DO UPDATE SET high = greatest(c.high, excluded.high), low = least(c.low, excluded.low),
     close = excluded.close, volume = c.volume + excluded.volume, house_volume = c.house_volume + excluded.house_volume
   RETURNING ${BAR}`,
);

/** Adds new trades to the candles and returns each candle's new state. */
export async function addToCandles(queries: Queries, coin: CoinCode, bars: readonly StoredBar[]): Promise<StoredBar[]> {
  const column = (pick: (bar: StoredBar) => bigint | number | string): string => arrayLiteral(bars.map(pick));
  const rows = await queries.query<BarRow>(ADD_BARS, [
    coin,
    column(({ interval }) => interval),
    column(({ at }) => at),
    column(({ open }) => open),
    column(({ high }) => high),
    column(({ low }) => low),
    column(({ close }) => close),
    column(({ volume }) => volume),
    column(({ houseVolume }) => houseVolume),
  ]);
  return rows.map(barOf);
}

const BARS_BEFORE = statement(
  'contracts.read_candles_before',
  `SELECT ${BAR} FROM contracts.candle WHERE coin = $1 AND interval = $2 AND at < $3 ORDER BY at DESC LIMIT $4`,
);

/** Candles that start before a time, newest first. */
export async function readTradeBars(
  queries: Queries,
  coin: CoinCode,
  interval: Interval,
  before: Date,
  limit: number,
): Promise<StoredBar[]> {
  return (await queries.query<BarRow>(BARS_BEFORE, [coin, interval, before, limit])).map(barOf);
}

interface HouseTrades {
  readonly coin: CoinCode;
  /** Total fees so far. */
  readonly feesUsdt: bigint;
  readonly feesCoin: bigint;
  /** The amount traded since the given minute. */
  readonly traded: bigint;
  readonly houseTraded: bigint;
}

// Includes the trades that candles have not counted yet, so that fees do not lag behind balances.
const HOUSE_TRADES = statement(
  'contracts.read_house_trades',
  `WITH later AS (
     SELECT h.coin, t.quantity, ${WITH_HOUSE} AS house, ${HOUSE_FEES}
     FROM contracts.candle_head h JOIN contracts.trade t ON t.coin = h.coin AND t.number > h.number
   ), uncounted AS (
     SELECT coin, sum("houseFeeUsdt") AS usdt, sum("houseFeeCoin") AS fees, sum(quantity) AS traded, sum(quantity) FILTER (WHERE house) AS house_traded
     FROM later GROUP BY coin
   ), day AS (
     SELECT coin, sum(volume) AS traded, sum(house_volume) AS house_traded FROM contracts.candle
     WHERE coin IN (SELECT coin FROM contracts.candle_head) AND interval = '1m' AND at >= $1 GROUP BY coin
   )
   SELECT h.coin, h.house_fees_usdt + coalesce(u.usdt, 0) AS "feesUsdt", h.house_fees_coin + coalesce(u.fees, 0) AS "feesCoin",
     coalesce(d.traded, 0) + coalesce(u.traded, 0) AS traded, coalesce(d.house_traded, 0) + coalesce(u.house_traded, 0) AS "houseTraded"
   FROM contracts.candle_head h LEFT JOIN uncounted u USING (coin) LEFT JOIN day d USING (coin)`,
);

/** The trades of the house's market maker per coin; `since` is the start of a minute. */
export async function readHouseTrades(queries: Queries, since: Date): Promise<HouseTrades[]> {
  interface Row {
    readonly coin: CoinCode;
    readonly feesUsdt: string;
    readonly feesCoin: string;
    readonly traded: string;
    readonly houseTraded: string;
  }
  const rows = await queries.query<Row>(HOUSE_TRADES, [since]);
  return rows.map(({ coin, ...sums }) => ({
    coin,
    feesUsdt: BigInt(sums.feesUsdt),
    feesCoin: BigInt(sums.feesCoin),
    traded: BigInt(sums.traded),
    houseTraded: BigInt(sums.houseTraded),
  }));
}

/** The trades of a coin since the given minute. */
export interface DayOfTrades {
  readonly coin: CoinCode;
  /** Null without a trade in this time. */
  readonly high: bigint | null;
  readonly low: bigint | null;
  /** The price of the newest trade ever; null if there is none. */
  readonly last: bigint | null;
  readonly volume: bigint;
  readonly houseVolume: bigint;
  /** The sum of each minute's volume times its last price, both in their smallest units. */
  readonly turnover: bigint;
}

const DAY_OF_TRADES = statement(
  'contracts.read_day_of_trades',
  `SELECT h.coin, max(c.high) AS high, min(c.low) AS low, coalesce(sum(c.volume), 0)::text AS volume,
     coalesce(sum(c.house_volume), 0)::text AS "houseVolume", coalesce(sum(c.volume * c.close), 0)::text AS turnover,
     (SELECT l.close FROM contracts.candle l WHERE l.coin = h.coin AND l.interval = '1m' ORDER BY l.at DESC LIMIT 1) AS last
   FROM contracts.candle_head h LEFT JOIN contracts.candle c ON c.coin = h.coin AND c.interval = '1m' AND c.at >= $1
   GROUP BY h.coin`,
);

export async function readDayOfTrades(queries: Queries, since: Date): Promise<DayOfTrades[]> {
  type Row = Pick<DayOfTrades, 'coin' | 'high' | 'low' | 'last'> &
    Record<'volume' | 'houseVolume' | 'turnover', string>;
  const rows = await queries.query<Row>(DAY_OF_TRADES, [since]);
  return rows.map(({ volume, houseVolume, turnover, ...row }) => ({
    ...row,
    volume: BigInt(volume),
    houseVolume: BigInt(houseVolume),
    turnover: BigInt(turnover),
  }));
}

const BEST_QUOTES = statement(
  'contracts.read_best_quotes',
  `SELECT coin, max(price) FILTER (WHERE side = 'buy') AS bid, min(price) FILTER (WHERE side = 'sell') AS ask
   FROM contracts.orders WHERE is_live AND customer_id = 0 GROUP BY coin`,
);

/** The best resting quotes of the house, by coin. */
export async function readBestQuotes(
  queries: Queries,
): Promise<ReadonlyMap<CoinCode, { bid: bigint | null; ask: bigint | null }>> {
  const rows = await queries.query<{ coin: CoinCode; bid: bigint | null; ask: bigint | null }>(BEST_QUOTES);
  return new Map(rows.map(({ coin, bid, ask }) => [coin, { bid, ask }]));
}
