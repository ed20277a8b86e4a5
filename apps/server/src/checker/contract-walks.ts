import type { Invariant } from './invariants.ts';
import type { Walk } from './walk.ts';

const PIECE = `t AS MATERIALIZED (
  SELECT * FROM contracts.trade WHERE coin = ($1::text[])[1] AND number > ($1::text[])[2]::bigint AND number <= ($2::text[])[2]::bigint
)`;

/** What holds of each order; `which` says of which. A taker's trades have the moment at which its order was accepted. */
const ordersOf = (given: string, which: string): readonly Invariant[] => [
  {
    id: 'C3',
    says: 'every contract order has dealt what its trades say, and paid their fees',
    text: `${given} SELECT o.coin || '-' || o.sequence AS subject FROM contracts.orders o
           CROSS JOIN LATERAL (
             SELECT coalesce(sum(quantity), 0) AS quantity, coalesce(sum(amount), 0) AS amount, coalesce(sum(price::numeric * quantity), 0) AS value, coalesce(sum(fee), 0) AS fee FROM (
               SELECT quantity, amount, price, maker_fee AS fee FROM contracts.trade WHERE coin = o.coin AND maker_sequence = o.sequence AND maker_customer = o.customer_id
               UNION ALL
               SELECT quantity, amount, price, taker_fee FROM contracts.trade
               WHERE taker_customer = o.customer_id AND taker_customer <> 0 AND at_ms = o.accepted_ms AND coin = o.coin AND taker_sequence = o.sequence
             ) fill
           ) dealt
           WHERE ${which} AND (dealt.quantity, dealt.amount, dealt.value, dealt.fee) IS DISTINCT FROM (o.dealt_quantity, o.dealt_amount, o.dealt_value, o.fee)`,
  },
  {
    id: 'C6',
    says: 'the house’s market maker only posts',
    text: `${given} SELECT o.coin || '-' || o.sequence AS subject FROM contracts.orders o
           WHERE ${which} AND o.customer_id = 0 AND NOT (o.type = 'limit' AND o.time_in_force = 'GTC' AND o.post_only)`,
  },
];

export const CONTRACT_ORDERS: Walk = {
  name: 'contract orders',
  tables: ['contracts.orders', 'contracts.orders'],
  starts: `SELECT ARRAY[coin, '0'] AS place FROM contracts.book ORDER BY coin`,
  next: `SELECT ARRAY[($1::text[])[1], max(sequence)::text] AS place, count(*) AS rows FROM (
           SELECT sequence FROM contracts.orders WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint ORDER BY sequence LIMIT $2::bigint) piece HAVING count(*) > 0`,
  invariants: ordersOf(
    '',
    'o.coin = ($1::text[])[1] AND o.sequence > ($1::text[])[2]::bigint AND o.sequence <= ($2::text[])[2]::bigint',
  ),
};

export const TRADES: Walk = {
  name: 'trades',
  // With their orders and their transfers.
  tables: Array(4).fill('contracts.trade'),
  starts: `SELECT ARRAY[coin, '0'] AS place FROM contracts.book ORDER BY coin`,
  next: `SELECT ARRAY[coin, upto::text] AS place, upto - ($1::text[])[2]::bigint AS rows
         FROM (SELECT coin, least(($1::text[])[2]::bigint + $2::bigint, trades) AS upto FROM contracts.book
           WHERE coin = ($1::text[])[1] AND trades > ($1::text[])[2]::bigint) ahead`,
  invariants: [
    {
      id: 'C4',
      says: 'trades are numbered without a gap, of two orders and within their prices',
      text: `WITH ${PIECE}
             SELECT ($1::text[])[1] || ' ' || ($1::text[])[2] || ' to ' || ($2::text[])[2] AS subject
             FROM t HAVING count(DISTINCT number) <> ($2::text[])[2]::bigint - ($1::text[])[2]::bigint
             UNION ALL
             SELECT t.coin || '-' || t.number FROM t
             CROSS JOIN LATERAL (VALUES (t.maker_sequence, t.maker_customer), (t.taker_sequence, t.taker_customer)) side(sequence, customer)
             LEFT JOIN contracts.orders o ON o.coin = t.coin AND o.sequence = side.sequence AND o.customer_id = side.customer
             WHERE o.sequence IS NULL OR (o.side = 'buy' AND t.price > o.price) OR (o.side = 'sell' AND t.price < o.price)`,
    },
    {
      id: 'C5',
      says: 'the ledger has moved what the trades say, and their fees, from and to whom they say',
      text: `WITH ${PIECE}, taker AS (
               SELECT DISTINCT o.coin, o.sequence, o.customer_id, o.accepted_ms, o.journal FROM t JOIN contracts.orders o ON o.coin = t.coin AND o.sequence = t.taker_sequence
             ), said AS (
               SELECT k.journal, leg.asset, leg.code, leg.debit, leg.credit, sum(leg.units) AS units
               FROM taker k JOIN contracts.trade d ON d.taker_customer = k.customer_id AND d.taker_customer <> 0 AND d.at_ms = k.accepted_ms AND d.coin = k.coin AND d.taker_sequence = k.sequence
               CROSS JOIN LATERAL (SELECT (ARRAY[maker_customer, taker_customer])[n] AS buyer, (ARRAY[taker_customer, maker_customer])[n] AS seller,
                 (ARRAY[maker_fee, taker_fee])[n] AS coins, (ARRAY[taker_fee, maker_fee])[n] AS dollars FROM (SELECT CASE taker_side WHEN 'buy' THEN 2 ELSE 1 END AS n) side) who
               CROSS JOIN LATERAL (VALUES ('USDT', 42, buyer, seller, amount), (d.coin, 42, seller, buyer, quantity), ('USDT', 43, seller, 0, dollars), (d.coin, 43, buyer, 0, coins))
                 AS leg(asset, code, debit, credit, units)
               WHERE leg.units > 0 GROUP BY 1, 2, 3, 4, 5
             ), moved AS (
               SELECT k.journal, x.asset, x.code::integer AS code, d.owner AS debit, c.owner AS credit, sum(x.units) AS units
               FROM taker k JOIN ledger.journal j ON j.id = k.journal
               JOIN ledger.transfer x ON x.sequence >= j.first_sequence AND x.sequence < j.first_sequence + j.transfers AND x.code IN (42, 43)
               JOIN ledger.account d ON d.id = x.debit JOIN ledger.account c ON c.id = x.credit
               GROUP BY 1, 2, 3, 4, 5
             )
             SELECT DISTINCT journal::text AS subject FROM said FULL JOIN moved USING (journal, asset, code, debit, credit) WHERE said.units IS DISTINCT FROM moved.units`,
    },
    {
      id: 'C6',
      says: 'the house’s market maker never takes',
      text: `WITH ${PIECE} SELECT coin || '-' || number AS subject FROM t WHERE taker_customer = 0`,
    },
  ],
  newest: {
    starts: 'SELECT ARRAY[coin, greatest(trades - $1::bigint, 0)::text] AS place FROM contracts.book ORDER BY coin',
    invariants: ordersOf(
      `WITH ${PIECE}, touched AS (SELECT maker_sequence AS sequence FROM t UNION SELECT taker_sequence FROM t)`,
      'o.coin = ($1::text[])[1] AND o.sequence = ANY (ARRAY(SELECT sequence FROM touched))',
    ),
  },
};

/** A place is [coin, number, volume, the house's part of it, the fees that it paid in USDT, and in the coin]. */
export const CANDLES: Walk = {
  name: 'candles',
  tables: ['contracts.trade'],
  starts: `SELECT ARRAY[coin, '0', '0', '0', '0', '0'] AS place FROM contracts.candle_head ORDER BY coin`,
  next: `SELECT ARRAY[p[1], upto.number, p[3]::numeric + coalesce(sum(quantity), 0), p[4]::numeric + coalesce(sum(quantity) FILTER (WHERE maker_customer = 0), 0),
           p[5]::numeric + coalesce(sum(maker_fee) FILTER (WHERE maker_customer = 0 AND taker_side = 'buy'), 0),
           p[6]::numeric + coalesce(sum(maker_fee) FILTER (WHERE maker_customer = 0 AND taker_side = 'sell'), 0)]::text[] AS place,
           upto.number - p[2]::bigint AS rows
         FROM (SELECT $1::text[] AS p) carried
         CROSS JOIN LATERAL (SELECT least(p[2]::bigint + $2::bigint, number) AS number FROM contracts.candle_head WHERE coin = p[1] AND number > p[2]::bigint) upto
         LEFT JOIN contracts.trade t ON t.coin = p[1] AND t.number > p[2]::bigint AND t.number <= upto.number
         GROUP BY p, upto.number`,
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
