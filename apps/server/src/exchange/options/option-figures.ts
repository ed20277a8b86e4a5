import type { CoinCode } from '@sathorn/money';
import { LATE_VOID_OVER_MS } from '@sathorn/settlement';
import { type Queries, statement } from '../../platform/database/index.ts';

/** Results of the options of one duration. Amounts in units of USDT. */
export interface OptionFigures {
  readonly durationMs: number;
  readonly won: number;
  readonly lost: number;
  readonly tie: number;
  readonly void: number;
  readonly sold: number;
  /** Over won and lost orders: the stakes, and the profit if all had been won. */
  readonly staked: bigint;
  readonly gainable: bigint;
  /** Over all ended orders: the stakes, and the amounts that customers got back. */
  readonly stakedInAll: bigint;
  readonly credited: bigint;
}

interface FiguresRow {
  readonly duration_ms: number;
  readonly won: string;
  readonly lost: string;
  readonly tie: string;
  readonly void: string;
  readonly sold: string;
  readonly staked: string;
  readonly gainable: string;
  readonly staked_in_all: string;
  readonly credited: string;
}

// The bound on `accepted_ms` lets the scan skip older rows, because no option lasts longer than a day.
const FIGURES = statement(
  'options.figures',
  `SELECT duration_ms,
     count(*) FILTER (WHERE status = 'won') AS won, count(*) FILTER (WHERE status = 'lost') AS lost,
     count(*) FILTER (WHERE status = 'tie') AS tie, count(*) FILTER (WHERE status = 'void') AS void,
     count(*) FILTER (WHERE status = 'sold') AS sold,
     coalesce(sum(stake) FILTER (WHERE status IN ('won', 'lost')), 0)::text AS staked,
     coalesce(sum(promised - promised * fee_bps / 10000) FILTER (WHERE status IN ('won', 'lost')), 0)::text AS gainable,
     sum(stake)::text AS staked_in_all, sum(credited + coalesce(v.units, 0))::text AS credited
   FROM options.orders o LEFT JOIN options.voiding v ON v.order_id = o.id
   WHERE status <> 'holding' AND settled_ms >= $1 AND accepted_ms >= $1::bigint - 86400000
   GROUP BY duration_ms ORDER BY duration_ms`,
);

export async function readOptionFigures(queries: Queries, sinceMs: number): Promise<OptionFigures[]> {
  const rows = await queries.query<FiguresRow>(FIGURES, [sinceMs]);
  return rows.map((row) => ({
    durationMs: row.duration_ms,
    won: Number(row.won),
    lost: Number(row.lost),
    tie: Number(row.tie),
    void: Number(row.void),
    sold: Number(row.sold),
    staked: BigInt(row.staked),
    gainable: BigInt(row.gainable),
    stakedInAll: BigInt(row.staked_in_all),
    credited: BigInt(row.credited),
  }));
}

/** Options of one coin that a late price decided. */
export interface LateCounts {
  readonly orders: number;
  readonly won: number;
  readonly lost: number;
}

/** How late the prices were that settled a coin's options, for whom they decided, and why options became void. */
export interface CoinFigures {
  readonly coin: CoinCode;
  readonly orders: number;
  /** Settled by a start or end price whose signed text says that it was published late. */
  readonly late: LateCounts;
  /** Those of them with a price that was later than `LATE_VOID_OVER_MS`. */
  readonly veryLate: LateCounts;
  readonly noStartTick: number;
  readonly noEndTick: number;
  /** Lost orders that their customers had void, because a late price settled them. */
  readonly hadVoid: number;
}

interface CoinFiguresRow {
  readonly coin: CoinCode;
  readonly orders: string;
  readonly late: readonly [orders: string, won: string, lost: string];
  readonly very_late: readonly [orders: string, won: string, lost: string];
  readonly no_start_tick: string;
  readonly no_end_tick: string;
  readonly had_void: string;
}

const LATE = "status <> 'void' AND late_ms > ";
const lateCounts = (overMs: string): string =>
  `ARRAY[count(*) FILTER (WHERE ${LATE}${overMs}), count(*) FILTER (WHERE status = 'won' AND ${LATE}${overMs}),
     count(*) FILTER (WHERE status = 'lost' AND ${LATE}${overMs})]::text[]`;
const COIN_FIGURES = statement(
  'options.coin_figures',
  `SELECT coin, count(*) AS orders, ${lateCounts('0')} AS late, ${lateCounts('$2')} AS very_late,
     count(*) FILTER (WHERE reason = 'no_start_tick') AS no_start_tick, count(*) FILTER (WHERE reason = 'no_end_tick') AS no_end_tick,
     count(v.order_id) AS had_void
   FROM options.orders o LEFT JOIN options.voiding v ON v.order_id = o.id CROSS JOIN LATERAL greatest(start_late_ms, end_late_ms) AS late_ms
   WHERE status <> 'holding' AND settled_ms >= $1 AND accepted_ms >= $1::bigint - 86400000
   GROUP BY coin ORDER BY coin`,
);

export async function readCoinFigures(queries: Queries, sinceMs: number): Promise<CoinFigures[]> {
  const rows = await queries.query<CoinFiguresRow>(COIN_FIGURES, [sinceMs, LATE_VOID_OVER_MS]);
  const counts = ([orders, won, lost]: CoinFiguresRow['late']): LateCounts => ({
    orders: Number(orders),
    won: Number(won),
    lost: Number(lost),
  });
  return rows.map((row) => ({
    coin: row.coin,
    orders: Number(row.orders),
    late: counts(row.late),
    veryLate: counts(row.very_late),
    noStartTick: Number(row.no_start_tick),
    noEndTick: Number(row.no_end_tick),
    hadVoid: Number(row.had_void),
  }));
}

/** How long orders waited from arrival to acceptance, in ms. */
export interface WaitFigures {
  readonly orders: number;
  readonly median: number;
  readonly p99: number;
  /** The 10th and the 90th percentile of customers' own medians. */
  readonly quickTenth: number;
  readonly slowTenth: number;
}

const WAITS = statement(
  'options.wait_figures',
  `WITH waited AS (SELECT customer_id, waited_ms FROM options.orders WHERE accepted_ms >= $1 AND waited_ms IS NOT NULL),
     own AS (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY waited_ms) AS median FROM waited GROUP BY customer_id)
   SELECT count(*)::integer AS orders, percentile_disc(0.5) WITHIN GROUP (ORDER BY waited_ms) AS median,
     percentile_disc(0.99) WITHIN GROUP (ORDER BY waited_ms) AS p99,
     (SELECT percentile_disc(0.1) WITHIN GROUP (ORDER BY median) FROM own) AS quick_tenth,
     (SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY median) FROM own) AS slow_tenth
   FROM waited`,
);

interface WaitsRow {
  readonly orders: number;
  readonly median: number;
  readonly p99: number;
  readonly quick_tenth: number;
  readonly slow_tenth: number;
}

/** Null without orders. */
export async function readWaitFigures(queries: Queries, sinceMs: number): Promise<WaitFigures | null> {
  const [row] = await queries.query<WaitsRow>(WAITS, [sinceMs]);
  if (row === undefined || row.orders === 0) return null;
  const { orders, median, p99, quick_tenth: quickTenth, slow_tenth: slowTenth } = row;
  return { orders, median, p99, quickTenth, slowTenth };
}

/** Customers' net results in units of USDT: the amounts that they got back minus their stakes. */
export interface NetResultSums {
  readonly customers: number;
  readonly ahead: number;
  readonly behind: number;
  readonly total: bigint;
  /** The median result; null without customers. */
  readonly median: bigint | null;
  /** Customers with a profit, best first. */
  readonly best: readonly { readonly customer: bigint; readonly orders: number; readonly net: bigint }[];
}

const BEST_MAX = 500;
const STANDINGS = statement(
  'options.standings',
  `WITH result AS (
     SELECT o.customer_id, count(*) AS orders, sum(o.credited + coalesce(v.units, 0) - o.stake) AS net
     FROM options.orders o LEFT JOIN options.voiding v ON v.order_id = o.id
     WHERE o.status <> 'holding' AND o.settled_ms >= $1 AND o.accepted_ms >= $1::bigint - 86400000
     GROUP BY o.customer_id
   )
   SELECT count(*) AS customers, count(*) FILTER (WHERE net > 0) AS ahead, count(*) FILTER (WHERE net < 0) AS behind,
     coalesce(sum(net), 0)::text AS total, (percentile_disc(0.5) WITHIN GROUP (ORDER BY net))::text AS median,
     (SELECT coalesce(json_agg(json_build_object('customer', customer_id::text, 'orders', orders, 'net', net::text) ORDER BY net DESC, customer_id), '[]')
      FROM (SELECT * FROM result WHERE net > 0 ORDER BY net DESC, customer_id LIMIT $2) best) AS best
   FROM result`,
);

interface StandingsRow {
  readonly customers: string;
  readonly ahead: string;
  readonly behind: string;
  readonly total: string;
  readonly median: string | null;
  readonly best: readonly { customer: string; orders: number; net: string }[];
}

export async function readNetResultSums(queries: Queries, sinceMs: number): Promise<NetResultSums> {
  const [row] = await queries.query<StandingsRow>(STANDINGS, [sinceMs, BEST_MAX]);
  if (!row) throw new Error('standings without a row');
  return {
    customers: Number(row.customers),
    ahead: Number(row.ahead),
    behind: Number(row.behind),
    total: BigInt(row.total),
    median: row.median === null ? null : BigInt(row.median),
    best: row.best.map(({ customer, orders, net }) => ({ customer: BigInt(customer), orders, net: BigInt(net) })),
  };
}
