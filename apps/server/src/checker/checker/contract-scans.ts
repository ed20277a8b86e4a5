import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** Rows between the cursors of a page, of one coin. */
const PAGE = (column: 'number' | 'sequence'): string =>
  `coin = ($1::text[])[1] AND ${column} > ($1::text[])[2]::bigint AND ${column} <= ($2::text[])[2]::bigint`;

/** The amount of trade `t`, rounded down. The hold was rounded up, so it covers the amount. */
const AMOUNT =
  'div(t.price::numeric * t.quantity, (SELECT 10::numeric ^ scale FROM ledger.asset WHERE code = ($1::text[])[1]))';
/** The fee on what an order received, rounded up. */
const feeOf = (order: 'maker' | 'taker', received: string): string =>
  `ceil((${received})::numeric * ${order}.${order}_bps / 10000)`;

const isSealForged = ([seal = '', said = '']: readonly string[], keys: KnownKeys): boolean =>
  !keys.isSealed('order', seal, said);

/** The trades that order `of` took. Those that the house took have an index of their own. */
export const TAKEN_BY = (of: string): string =>
  `(SELECT * FROM contracts.trade WHERE taker_customer = ${of}.customer_id AND taker_customer <> 0 AND at_ms = ${of}.accepted_ms AND coin = ${of}.coin AND taker_sequence = ${of}.sequence
    UNION ALL
    SELECT * FROM contracts.trade WHERE ${of}.customer_id = 0 AND taker_customer = 0 AND at_ms = ${of}.accepted_ms AND coin = ${of}.coin AND taker_sequence = ${of}.sequence OFFSET 0)`;

/** Invariants of each order in `o`. Trades of a taker have the time at which its order was accepted. */
const OF_CONTRACT_ORDERS: readonly Invariant[] = [
  {
    id: 'C3',
    says: 'every contract order has dealt what its trades say, and paid their fees',
    text: `SELECT o.coin || '-' || o.sequence AS subject FROM o
           CROSS JOIN LATERAL (
             SELECT coalesce(sum(quantity), 0) AS quantity, coalesce(sum(amount), 0) AS amount, coalesce(sum(price::numeric * quantity), 0) AS value, coalesce(sum(fee), 0) AS fee FROM (
               SELECT quantity, amount, price, maker_fee AS fee FROM contracts.trade WHERE coin = o.coin AND maker_sequence = o.sequence AND maker_customer = o.customer_id
               UNION ALL
               SELECT quantity, amount, price, taker_fee FROM ${TAKEN_BY('o')} taken
             ) fill
           ) dealt
           WHERE (dealt.quantity, dealt.amount, dealt.value, dealt.fee) IS DISTINCT FROM (o.dealt_quantity, o.dealt_amount, o.dealt_value, o.fee)`,
  },
  {
    id: 'C8',
    says: 'every customer’s contract order has the side, price and quantity that it was answered with',
    // Answers of earlier versions contain fewer fields.
    text: `SELECT o.coin || '-' || o.sequence AS subject FROM o ${lateralLookUp('ledger.journal', 'j', 'j.id = o.journal', 'answer')}
           CROSS JOIN LATERAL (SELECT j.answer::jsonb AS said OFFSET 0) told
           WHERE o.customer_id <> 0 AND (CASE WHEN jsonb_typeof(said) = 'object' THEN
             -- An order that has a stop beside it.
             said->'order'->>'id' = o.coin || '-' || o.sequence AND said->'order'->>'side' = o.side AND (said->'order'->>'price')::numeric * 1000000 = o.price
             AND (said->'order'->>'quantity')::numeric * (SELECT 10::numeric ^ scale FROM ledger.asset WHERE code = ($1::text[])[1]) = o.quantity
             ELSE jsonb_array_length(said) = 9 OR (said->>0 = o.coin || '-' || o.sequence AND said->>9 = o.side
             AND coalesce((said->>10)::numeric * 1000000, 0) = coalesce(o.price, 0)
             AND (said->>11)::numeric * (SELECT 10::numeric ^ scale FROM ledger.asset WHERE code = ($1::text[])[1]) = o.quantity) END) IS NOT TRUE`,
  },
  {
    id: 'C9',
    says: 'every contract order is sealed by the process that took it, as it stands',
    text: `SELECT coin || '-' || sequence AS subject, ARRAY[replace(seal::text, '-', ''), concat(coin, ' ', sequence, ' ', customer_id, ' ', journal, ' ', side, ' ', type, ' ',
             time_in_force, ' ', post_only::text, ' ', price, ' ', quantity, ' ', amount, ' ', maker_bps, ' ', taker_bps, ' ', accepted_ms)] AS evidence
           FROM o WHERE seal IS NOT NULL`,
    isBroken: isSealForged,
  },
  {
    id: 'C10',
    says: 'a resting order holds what its open part may cost',
    text: `SELECT o.coin || '-' || o.sequence AS subject FROM o
           WHERE is_live AND CASE side WHEN 'sell' THEN held <> quantity - cut_quantity - dealt_quantity
             ELSE held < ceil(price::numeric * (quantity - cut_quantity - dealt_quantity) / (SELECT 10::numeric ^ scale FROM ledger.asset WHERE code = o.coin)) END`,
  },
  {
    id: 'C15',
    says: 'every order of a regular purchase is one of its executions',
    text: `SELECT o.coin || '-' || o.sequence AS subject FROM o ${lateralLookUp('recurring.execution', 'e', 'e.instruction = o.recurring AND e.number = o.recurring_number')}
           WHERE o.recurring IS NOT NULL AND (e.order_sequence = o.sequence AND e.day = o.recurring_day) IS NOT TRUE`,
  },
  {
    id: 'C6',
    says: 'the house’s market maker posts, or takes at a limit what rests',
    text: `SELECT coin || '-' || sequence AS subject FROM o
           WHERE customer_id = 0 AND NOT (type = 'limit' AND (time_in_force = 'GTC' AND post_only OR time_in_force = 'IOC' AND NOT post_only))`,
  },
];

export const CONTRACT_ORDER_SCAN: Scan = {
  name: 'contract orders',
  tables: ['contracts.orders', 'contracts.orders'],
  starts: `SELECT ARRAY[coin, '0'] AS cursor FROM contracts.book ORDER BY coin`,
  next: `SELECT ARRAY[($1::text[])[1], max(sequence)::text] AS cursor, count(*) AS rows FROM (
           SELECT sequence FROM contracts.orders WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint ORDER BY sequence LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: { o: `SELECT * FROM contracts.orders WHERE ${PAGE('sequence')}` },
  invariants: OF_CONTRACT_ORDERS,
};

/** True if the tick `t` reaches the trigger price of the waiting order `w`. */
const REACHES = (price: string): string =>
  `CASE WHEN (w.side = 'buy') = (w.trigger = 'stop') THEN ${price} >= w.trigger_price ELSE ${price} <= w.trigger_price END`;

/** How many ticks before its own an order's ticks are read again. While it waits, C11 looks at every tick. */
const LOOK_BACK = 3_600;

/** Waiting orders. A row is read again with the newest, because it changes once after later ones were added. */
export const WAITING_SCAN: Scan = {
  name: 'waiting orders',
  tables: ['contracts.waiting', 'contracts.waiting'],
  starts: `SELECT ARRAY[coin, '0'] AS cursor FROM contracts.book ORDER BY coin`,
  next: `SELECT ARRAY[($1::text[])[1], max(sequence)::text] AS cursor, count(*) AS rows FROM (
           SELECT sequence FROM contracts.waiting WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint ORDER BY sequence LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: { w: `SELECT * FROM contracts.waiting WHERE ${PAGE('sequence')}` },
  invariants: [
    {
      id: 'C12',
      says: 'every triggered order names the first tick that reaches its price after it was armed',
      text: `SELECT w.coin || '-' || w.sequence AS subject FROM w
             WHERE w.tick IS NOT NULL AND (w.tick_ms > w.armed_ms AND ${REACHES('w.tick_price')}
               AND EXISTS (SELECT FROM market.kept_tick(w.coin, w.tick) k WHERE k.price = w.tick_price AND k.at = to_timestamp(w.tick_ms / 1000.0))
               AND NOT EXISTS (SELECT FROM market.tick t WHERE t.coin = w.coin AND t.sequence >= w.tick - ${LOOK_BACK} AND t.sequence < w.tick
                 AND t.at > to_timestamp(w.armed_ms / 1000.0) AND ${REACHES('t.price')})
               AND NOT EXISTS (SELECT FROM market.sealed_segment s CROSS JOIN LATERAL unnest(s.seconds, s.prices) WITH ORDINALITY AS t(second, price, nth)
                 -- A segment has at most an hour, so one that ends later begins after the tick.
                 WHERE s.coin = w.coin AND s.last_sequence >= w.tick - ${LOOK_BACK} AND s.last_sequence < w.tick + ${LOOK_BACK} AND s.first_sequence + nth - 1 < w.tick
                   AND s.first_at + second * interval '1 second' > to_timestamp(w.armed_ms / 1000.0) AND ${REACHES('t.price')})) IS NOT TRUE`,
    },
    {
      id: 'C13',
      says: 'a triggered order became the one order that was asked for, at its own rates',
      text: `SELECT w.coin || '-' || w.sequence AS subject FROM w
             ${lateralLookUp('contracts.orders', 'o', 'o.coin = w.coin AND o.sequence = w.order_sequence')}
             WHERE w.state = 'triggered' AND (o.waiting = w.sequence AND o.customer_id = w.customer_id AND o.side = w.side AND o.type = w.type
               AND o.time_in_force = w.time_in_force AND o.post_only = w.post_only AND o.price IS NOT DISTINCT FROM w.price
               AND o.amount IS NOT DISTINCT FROM w.amount AND (w.quantity IS NULL OR o.quantity = w.quantity)
               AND o.maker_bps = w.maker_bps AND o.taker_bps = w.taker_bps) IS NOT TRUE`,
    },
    {
      id: 'C14',
      says: 'every waiting order is sealed by the process that took it, as it stands',
      text: `SELECT coin || '-' || sequence AS subject, ARRAY[replace(seal::text, '-', ''), concat('waiting ', coin, ' ', sequence, ' ', customer_id, ' ', journal, ' ', side, ' ', trigger, ' ',
               trigger_price, ' ', type, ' ', time_in_force, ' ', post_only::text, ' ', price, ' ', quantity, ' ', amount, ' ', maker_bps, ' ', taker_bps, ' ', accepted_ms, ' ', armed_ms, ' ',
               replaces, ' ', pair)] AS evidence FROM w WHERE seal IS NOT NULL`,
      isBroken: isSealForged,
    },
  ],
  newest: {
    starts: 'SELECT ARRAY[coin, greatest(sequence - $1::bigint, 0)::text] AS cursor FROM contracts.book ORDER BY coin',
    invariants: [],
  },
};

export const TRADE_SCAN: Scan = {
  name: 'trades',
  // A trade's order and transfers count as further reads.
  tables: Array(4).fill('contracts.trade'),
  starts: `SELECT ARRAY[coin, '0'] AS cursor FROM contracts.book ORDER BY coin`,
  next: `SELECT ARRAY[coin, upto::text] AS cursor, upto - ($1::text[])[2]::bigint AS rows
         FROM (SELECT coin, least(($1::text[])[2]::bigint + $2::bigint, trades) AS upto FROM contracts.book
           WHERE coin = ($1::text[])[1] AND trades > ($1::text[])[2]::bigint) ahead`,
  given: {
    t: `SELECT * FROM contracts.trade WHERE ${PAGE('number')}`,
    o: `SELECT o.* FROM (SELECT maker_sequence AS sequence FROM t UNION SELECT taker_sequence FROM t) touched
        ${lateralLookUp('contracts.orders', 'o', 'o.coin = ($1::text[])[1] AND o.sequence = touched.sequence')} WHERE o.sequence IS NOT NULL`,
  },
  invariants: [
    {
      id: 'C4',
      says: 'trades are numbered without a gap, of two orders that meet, within their prices and at their rates',
      text: `SELECT ($1::text[])[1] || ' ' || ($1::text[])[2] || ' to ' || ($2::text[])[2] AS subject
             FROM t HAVING count(DISTINCT number) <> ($2::text[])[2]::bigint - ($1::text[])[2]::bigint
             UNION ALL
             SELECT t.coin || '-' || t.number FROM t
             LEFT JOIN o maker ON maker.sequence = t.maker_sequence AND maker.customer_id = t.maker_customer
             LEFT JOIN o taker ON taker.sequence = t.taker_sequence AND taker.customer_id = t.taker_customer
             WHERE (taker.side = t.taker_side AND maker.side = CASE t.taker_side WHEN 'buy' THEN 'sell' WHEN 'sell' THEN 'buy' END
               AND CASE maker.side WHEN 'buy' THEN t.price <= maker.price ELSE t.price >= maker.price END
               AND ((taker.type = 'market' AND taker.price IS NULL) OR CASE taker.side WHEN 'buy' THEN t.price <= taker.price ELSE t.price >= taker.price END)
               AND t.quantity > 0 AND t.amount = ${AMOUNT}
               AND t.maker_fee = ${feeOf('maker', "CASE maker.side WHEN 'buy' THEN t.quantity ELSE t.amount END")}
               AND t.taker_fee = ${feeOf('taker', "CASE taker.side WHEN 'buy' THEN t.quantity ELSE t.amount END")}) IS NOT TRUE`,
    },
    {
      id: 'C5',
      says: 'the ledger has moved what the trades say, and their fees, from and to whom they say',
      text: `WITH taker AS MATERIALIZED (
               SELECT o.coin, o.sequence, o.customer_id, o.accepted_ms, o.journal FROM (SELECT DISTINCT taker_sequence AS sequence FROM t) taken JOIN o USING (sequence)
             ), dealt AS MATERIALIZED (
               SELECT k.journal, d.coin, d.quantity, d.amount,
                 CASE taker_side WHEN 'buy' THEN taker_customer ELSE maker_customer END AS buyer, CASE taker_side WHEN 'buy' THEN maker_customer ELSE taker_customer END AS seller,
                 CASE taker_side WHEN 'buy' THEN taker_fee ELSE maker_fee END AS coins, CASE taker_side WHEN 'buy' THEN maker_fee ELSE taker_fee END AS dollars
               FROM taker k CROSS JOIN LATERAL ${TAKEN_BY('k')} d
             ), moved AS MATERIALIZED (
               SELECT k.journal, x.asset, x.code, x.debit, x.credit, x.units FROM taker k ${lateralLookUp('ledger.journal', 'j', 'j.id = k.journal')}
               CROSS JOIN LATERAL (SELECT * FROM ledger.transfer WHERE sequence >= j.first_sequence AND sequence < j.first_sequence + j.transfers AND code IN (42, 43) OFFSET 0) x
             ), account AS MATERIALIZED (
               SELECT a.id, a.owner FROM (SELECT debit AS id FROM moved UNION SELECT credit FROM moved) touched ${lateralLookUp('ledger.account', 'a', 'a.id = touched.id')}
             )
             SELECT DISTINCT journal::text AS subject FROM (
               SELECT journal, 'USDT' AS asset, 42 AS code, buyer AS debit, seller AS credit, amount::numeric AS units FROM dealt
               UNION ALL SELECT journal, coin, 42, seller, buyer, quantity FROM dealt
               UNION ALL SELECT journal, 'USDT', 43, seller, 0, dollars FROM dealt
               UNION ALL SELECT journal, coin, 43, buyer, 0, coins FROM dealt
               UNION ALL SELECT x.journal, x.asset, x.code, d.owner, c.owner, -x.units FROM moved x LEFT JOIN account d ON d.id = x.debit LEFT JOIN account c ON c.id = x.credit
             ) leg GROUP BY journal, asset, code, debit, credit HAVING sum(units) <> 0`,
    },
  ],
  newest: {
    starts: 'SELECT ARRAY[coin, greatest(trades - $1::bigint, 0)::text] AS cursor FROM contracts.book ORDER BY coin',
    invariants: OF_CONTRACT_ORDERS,
  },
};

/** A cursor is [coin, number, volume, the house's share of it, its fees in USDT, and its fees in the coin]. */
export const CANDLE_SCAN: Scan = {
  name: 'candles',
  tables: ['contracts.trade'],
  starts: `SELECT ARRAY[coin, '0', '0', '0', '0', '0'] AS cursor FROM contracts.candle_head ORDER BY coin`,
  next: `SELECT ARRAY[p[1], upto.number, p[3]::numeric + coalesce(sum(quantity), 0), p[4]::numeric + coalesce(sum(quantity) FILTER (WHERE 0 IN (maker_customer, taker_customer)), 0),
           p[5]::numeric + coalesce(sum(CASE WHEN maker_customer = 0 AND taker_side = 'buy' THEN maker_fee WHEN taker_customer = 0 AND taker_side = 'sell' THEN taker_fee END), 0),
           p[6]::numeric + coalesce(sum(CASE WHEN maker_customer = 0 AND taker_side = 'sell' THEN maker_fee WHEN taker_customer = 0 AND taker_side = 'buy' THEN taker_fee END), 0)]::text[] AS cursor,
           upto.number - p[2]::bigint AS rows
         FROM (SELECT $1::text[] AS p) carried
         CROSS JOIN LATERAL (SELECT least(p[2]::bigint + $2::bigint, number) AS number FROM contracts.candle_head WHERE coin = p[1] AND number > p[2]::bigint) upto
         LEFT JOIN LATERAL (SELECT * FROM contracts.trade WHERE coin = p[1] AND number > p[2]::bigint AND number <= upto.number OFFSET 0) t ON true
         GROUP BY p, upto.number`,
  given: {},
  invariants: [
    {
      id: 'C7',
      says: 'candles have counted each trade up to their head once, and what the house had to do with it',
      text: `WITH traded AS (
               SELECT h.*, p[3]::numeric AS volume, p[4]::numeric AS house_volume, p[5]::numeric AS fees_usdt, p[6]::numeric AS fees_coin
               FROM (SELECT $2::text[] AS p, $1::text[] AS before) told JOIN contracts.candle_head h ON h.coin = p[1] AND h.number = p[2]::bigint
             )
             SELECT coin || ' ' || c.interval AS subject FROM traded t
             JOIN (SELECT coin, interval, sum(volume) AS volume, sum(house_volume) AS house_volume FROM contracts.candle WHERE coin = ($2::text[])[1] GROUP BY 1, 2) c USING (coin)
             WHERE (c.volume, c.house_volume) IS DISTINCT FROM (t.volume, t.house_volume)
             UNION ALL
             SELECT t.coin FROM traded t
             WHERE (t.house_fees_usdt, t.house_fees_coin) IS DISTINCT FROM (t.fees_usdt, t.fees_coin)
               OR (t.volume > 0 AND (SELECT count(DISTINCT c.interval) FROM contracts.candle c WHERE c.coin = t.coin) <> 8)`,
    },
  ],
};
