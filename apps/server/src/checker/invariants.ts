/**
 * The ledger's invariants, each a query that returns its violations. The checker has its own SQL and its own read-only role,
 * so that a fault in the posting code can't hide itself.
 */
export interface Invariant {
  readonly id: string;
  readonly says: string;
  readonly text: string;
}

/** Cheap enough for every ten seconds. */
export const FREQUENT: readonly Invariant[] = [
  {
    id: 'I1',
    says: 'per asset, what was debited was credited, posted and held',
    text: `SELECT asset AS subject FROM ledger.account GROUP BY asset
           HAVING sum(debits_posted) <> sum(credits_posted) OR sum(debits_held) <> sum(credits_held)`,
  },
  {
    id: 'I2',
    says: 'no customer and no pool is below zero, by the rule of the chart',
    text: `SELECT id::text AS subject FROM ledger.account a JOIN ledger.chart c USING (code)
           WHERE a.rule <> c.rule OR (c.rule = 'c' AND debits_held + debits_posted > credits_posted) OR (c.rule = 'd' AND credits_held + credits_posted > debits_posted)`,
  },
  {
    id: 'I8',
    says: 'the options pool holds exactly what open option orders could win, and their stakes are held for it',
    text: `SELECT coalesce(pool.asset, orders.asset) AS subject
           FROM (SELECT asset, debits_held, credits_held FROM ledger.account WHERE owner = 0 AND code = 210) pool
           FULL JOIN (SELECT 'USDT' AS asset, sum(promised) AS promised, sum(stake) AS stake FROM options.orders WHERE status = 'holding') orders USING (asset)
           WHERE coalesce(pool.debits_held, 0) <> coalesce(orders.promised, 0) OR coalesce(pool.credits_held, 0) <> coalesce(orders.stake, 0)`,
  },
  {
    id: 'I8b',
    says: 'the exposure that limits new orders is that of the open ones, minute by minute',
    text: `SELECT coin || ' ' || direction || ' ' || window_ms AS subject FROM options.exposure e
           FULL JOIN (SELECT coin, direction, ends_ms - ends_ms % 60000 AS window_ms, sum(promised) AS promised FROM options.orders WHERE status = 'holding' GROUP BY 1, 2, 3) o
             USING (coin, direction, window_ms)
           WHERE coalesce(e.promised, 0) <> coalesce(o.promised, 0)`,
  },
  {
    id: 'C1',
    says: 'what is kept for contract orders is what the resting ones hold',
    text: `SELECT kept.owner || ' ' || kept.asset AS subject
           FROM (SELECT owner, asset, credits_posted - debits_posted AS units FROM ledger.account WHERE code IN (251, 1005)) kept
           FULL JOIN (SELECT customer_id AS owner, CASE side WHEN 'buy' THEN 'USDT' ELSE coin END AS asset, sum(held) AS units
             FROM contracts.orders WHERE is_live GROUP BY 1, 2) held USING (owner, asset)
           WHERE coalesce(kept.units, 0) <> coalesce(held.units, 0)`,
  },
  {
    id: 'C2',
    says: 'no book is crossed',
    text: `SELECT coin AS subject FROM contracts.orders WHERE is_live GROUP BY coin
           HAVING max(price) FILTER (WHERE side = 'buy') >= min(price) FILTER (WHERE side = 'sell')`,
  },
];

/** Walks all of history. */
export const THOROUGH: readonly Invariant[] = [
  {
    id: 'I3',
    says: 'counters are what the transfers add up to',
    text: `WITH leg AS (
             SELECT t.debit AS account, CASE t.kind WHEN 'h' THEN t.units WHEN 's' THEN 0 ELSE -h.units END AS debits_held,
               CASE WHEN t.kind IN ('s', 'p') THEN t.units ELSE 0 END AS debits_posted, 0 AS credits_held, 0 AS credits_posted
             FROM ledger.transfer t LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
             UNION ALL
             SELECT t.credit, 0, 0, CASE t.kind WHEN 'h' THEN t.units WHEN 's' THEN 0 ELSE -h.units END,
               CASE WHEN t.kind IN ('s', 'p') THEN t.units ELSE 0 END
             FROM ledger.transfer t LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
           ), recomputed AS (
             SELECT account, sum(debits_held) AS dh, sum(debits_posted) AS dp, sum(credits_held) AS ch, sum(credits_posted) AS cp, count(*) AS entries
             FROM leg GROUP BY account
           )
           SELECT a.id::text AS subject FROM ledger.account a LEFT JOIN recomputed r ON r.account = a.id
           WHERE (a.debits_held, a.debits_posted, a.credits_held, a.credits_posted, a.entries)
             IS DISTINCT FROM (coalesce(r.dh, 0), coalesce(r.dp, 0), coalesce(r.ch, 0), coalesce(r.cp, 0), coalesce(r.entries, 0))`,
  },
  {
    id: 'I4',
    says: 'each account’s entries are numbered without a gap and each balance follows from the one before',
    text: `WITH leg AS (
             SELECT t.debit AS account, t.debit_entry AS entry, t.debit_total AS total, t.debit_held AS held,
               CASE WHEN t.kind IN ('s', 'p') THEN -t.units ELSE 0 END AS moved, CASE t.kind WHEN 'h' THEN t.units WHEN 's' THEN 0 ELSE -h.units END AS kept
             FROM ledger.transfer t LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
             UNION ALL
             SELECT t.credit, t.credit_entry, t.credit_total, t.credit_held, CASE WHEN t.kind IN ('s', 'p') THEN t.units ELSE 0 END, 0
             FROM ledger.transfer t
           ), step AS (
             SELECT account, entry, total, held, moved, kept, row_number() OVER w AS n,
               lag(total, 1, 0) OVER w AS total_before, lag(held, 1, 0) OVER w AS held_before
             FROM leg WINDOW w AS (PARTITION BY account ORDER BY entry)
           )
           SELECT DISTINCT account::text AS subject FROM step
           WHERE entry <> n OR total <> total_before + moved OR held <> held_before + kept`,
  },
  {
    id: 'I5',
    says: 'sequences have no gap, every transfer is of its accounts’ asset and belongs to its journal, every resolution fits its hold',
    text: `SELECT 'head' AS subject FROM ledger.head
           WHERE last_sequence <> (SELECT count(*) FROM ledger.transfer) OR last_sequence <> (SELECT coalesce(max(sequence), 0) FROM ledger.transfer)
           UNION ALL
           SELECT t.sequence::text FROM ledger.transfer t LEFT JOIN ledger.journal j ON j.id = t.journal
           WHERE j.id IS NULL OR t.sequence < j.first_sequence OR t.sequence >= j.first_sequence + j.transfers
           UNION ALL
           -- Each transfer being in its own journal, this says that no journal claims more.
           SELECT 'journals' FROM ledger.head WHERE last_sequence <> (SELECT coalesce(sum(transfers), 0) FROM ledger.journal)
           UNION ALL
           SELECT t.sequence::text FROM ledger.transfer t LEFT JOIN ledger.account d ON d.id = t.debit LEFT JOIN ledger.account c ON c.id = t.credit
           WHERE (t.asset = d.asset AND t.asset = c.asset) IS NOT TRUE
           UNION ALL
           SELECT t.sequence::text FROM ledger.transfer t LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
           WHERE t.resolves IS NOT NULL AND (h.kind IS DISTINCT FROM 'h' OR h.debit <> t.debit OR h.credit <> t.credit OR t.units > h.units
             OR (t.kind = 'v' AND t.units <> h.units))`,
  },
  {
    id: 'I7',
    says: 'every option order has the transfers that its state calls for, between its customer and the house, in the journal that it names',
    text: `SELECT o.id::text AS subject FROM options.orders o
           LEFT JOIN ledger.transfer stake ON stake.sequence = o.stake_hold LEFT JOIN ledger.transfer payout ON payout.sequence = o.promised_hold
           LEFT JOIN ledger.transfer stake_end ON stake_end.resolves = o.stake_hold LEFT JOIN ledger.transfer payout_end ON payout_end.resolves = o.promised_hold
           LEFT JOIN ledger.transfer fee ON fee.sequence = payout_end.sequence + 1 AND fee.journal = payout_end.journal AND fee.kind = 's' AND fee.debit = payout_end.credit
           LEFT JOIN ledger.account payer ON payer.id = stake.debit LEFT JOIN ledger.account pool ON pool.id = stake.credit LEFT JOIN ledger.account fees ON fees.id = fee.credit
           WHERE (stake.kind, stake.units, payout.kind, payout.units, payer.owner, payer.code, pool.owner, pool.code, payout.debit, payout.credit)
               IS DISTINCT FROM ('h'::"char", o.stake, 'h'::"char", o.promised, o.customer_id, 1000, 0, 210, stake.credit, stake.debit)
             OR (o.status = 'holding') <> (stake_end.sequence IS NULL AND payout_end.sequence IS NULL)
             OR (o.status <> 'holding' AND (stake_end.kind IS DISTINCT FROM (CASE o.status WHEN 'lost' THEN 'p'::"char" ELSE 'v'::"char" END)
               OR payout_end.kind IS DISTINCT FROM (CASE o.status WHEN 'won' THEN 'p'::"char" ELSE 'v'::"char" END)
               OR stake_end.units IS DISTINCT FROM o.stake OR payout_end.units IS DISTINCT FROM o.promised
               OR stake_end.journal IS DISTINCT FROM o.journal OR payout_end.journal IS DISTINCT FROM o.journal
               OR coalesce(fee.units, 0) <> o.fee OR (o.fee > 0 AND (fees.owner, fees.code) IS DISTINCT FROM (0, 220))))`,
  },
  {
    id: 'I7b',
    says: 'every settled order has the prices of the kept ticks that it names',
    text: `SELECT o.id::text AS subject FROM options.orders o
           LEFT JOIN market.tick s ON s.coin = o.coin AND s.sequence = o.start_sequence LEFT JOIN market.tick e ON e.coin = o.coin AND e.sequence = o.end_sequence
           WHERE o.status <> 'holding' AND ((o.start_sequence IS NOT NULL AND s.price IS DISTINCT FROM o.start_price)
             OR (o.end_sequence IS NOT NULL AND e.price IS DISTINCT FROM o.end_price))`,
  },
  {
    id: 'C3',
    says: 'every contract order has dealt what its trades say, and paid their fees',
    text: `WITH fill AS (
             SELECT coin, maker_sequence AS sequence, maker_customer AS customer_id, quantity, amount, price::numeric * quantity AS value, maker_fee AS fee FROM contracts.trade
             UNION ALL
             SELECT coin, taker_sequence, taker_customer, quantity, amount, price::numeric * quantity, taker_fee FROM contracts.trade
           ), dealt AS (
             SELECT coin, sequence, customer_id, sum(quantity) AS quantity, sum(amount) AS amount, sum(value) AS value, sum(fee) AS fee FROM fill GROUP BY 1, 2, 3
           )
           SELECT coin || '-' || sequence AS subject FROM dealt FULL JOIN contracts.orders o USING (coin, sequence, customer_id)
           WHERE (coalesce(dealt.quantity, 0), coalesce(dealt.amount, 0), coalesce(dealt.value, 0), coalesce(dealt.fee, 0))
             IS DISTINCT FROM (o.dealt_quantity, o.dealt_amount, o.dealt_value, o.fee)`,
  },
  {
    id: 'C4',
    says: 'trades are numbered without a gap, within their orders’ prices, and no order is ahead of its book',
    text: `SELECT b.coin AS subject FROM contracts.book b LEFT JOIN contracts.trade t USING (coin) GROUP BY b.coin, b.trades
           HAVING count(t.number) <> b.trades OR coalesce(max(t.number), 0) <> b.trades
           UNION ALL
           SELECT o.coin FROM contracts.orders o JOIN contracts.book b USING (coin) WHERE o.sequence > b.sequence
           UNION ALL
           SELECT t.coin || '-' || t.number FROM contracts.trade t JOIN contracts.orders o ON o.coin = t.coin AND o.sequence IN (t.maker_sequence, t.taker_sequence)
           WHERE (o.side = 'buy' AND t.price > o.price) OR (o.side = 'sell' AND t.price < o.price)`,
  },
  {
    id: 'C5',
    says: 'the ledger has moved what the trades say, and their fees',
    text: `WITH said AS (
             SELECT coin AS asset, 42 AS code, sum(quantity) AS units FROM contracts.trade GROUP BY coin
             UNION ALL SELECT 'USDT', 42, sum(amount) FROM contracts.trade
             UNION ALL SELECT coin, 43, sum(CASE taker_side WHEN 'buy' THEN taker_fee ELSE maker_fee END) FROM contracts.trade GROUP BY coin
             UNION ALL SELECT 'USDT', 43, sum(CASE taker_side WHEN 'buy' THEN maker_fee ELSE taker_fee END) FROM contracts.trade
           ), moved AS (SELECT asset, code, sum(units) AS units FROM ledger.transfer WHERE code IN (42, 43) GROUP BY asset, code)
           SELECT asset || ' ' || code AS subject FROM said FULL JOIN moved USING (asset, code) WHERE coalesce(said.units, 0) <> coalesce(moved.units, 0)`,
  },
  {
    id: 'C6',
    says: 'the house’s market maker only posts, and never takes',
    text: `SELECT coin || '-' || sequence AS subject FROM contracts.orders
           WHERE customer_id = 0 AND NOT (type = 'limit' AND time_in_force = 'GTC' AND post_only)
           UNION ALL
           SELECT coin || '-' || number FROM contracts.trade WHERE taker_customer = 0`,
  },
  {
    id: 'C7',
    says: 'candles have counted each trade up to their head once, and what the house had to do with it',
    text: `WITH traded AS (
             SELECT h.coin, coalesce(sum(t.quantity), 0) AS volume, coalesce(sum(t.quantity) FILTER (WHERE t.maker_customer = 0), 0) AS house_volume,
               coalesce(sum(t.maker_fee) FILTER (WHERE t.maker_customer = 0 AND t.taker_side = 'buy'), 0) AS fees_usdt,
               coalesce(sum(t.maker_fee) FILTER (WHERE t.maker_customer = 0 AND t.taker_side = 'sell'), 0) AS fees_coin
             FROM contracts.candle_head h LEFT JOIN contracts.trade t ON t.coin = h.coin AND t.number <= h.number GROUP BY h.coin
           )
           SELECT t.coin || ' ' || c.interval AS subject FROM traded t
           JOIN (SELECT coin, interval, sum(volume) AS volume, sum(house_volume) AS house_volume FROM contracts.candle GROUP BY 1, 2) c USING (coin)
           WHERE (c.volume, c.house_volume) IS DISTINCT FROM (t.volume, t.house_volume)
           UNION ALL
           SELECT h.coin FROM contracts.candle_head h JOIN traded t USING (coin) JOIN contracts.book b USING (coin)
           WHERE h.number > b.trades OR (h.house_fees_usdt, h.house_fees_coin) IS DISTINCT FROM (t.fees_usdt, t.fees_coin)
             OR (t.volume > 0 AND (SELECT count(DISTINCT c.interval) FROM contracts.candle c WHERE c.coin = h.coin) <> 8)`,
  },
  {
    id: 'T1',
    says: 'the newest ticks of each coin are numbered without a gap up to its head, each names the hash of the one before, and has the price that its text says',
    text: `SELECT DISTINCT coin AS subject FROM (
             SELECT coin, sequence - lag(sequence) OVER w AS step, body::jsonb->>'prev' AS named, encode(lag(hash) OVER w, 'hex') AS before,
               (body::jsonb->>'px', body::jsonb->>'t') IS DISTINCT FROM (price::text, (extract(epoch FROM at) * 1000)::bigint::text)
                 OR hash <> sha256(convert_to('tick/1' || chr(10) || body, 'UTF8')) AS is_changed
             FROM market.tick WHERE at > (SELECT max(at) FROM market.head) - interval '10 minutes' WINDOW w AS (PARTITION BY coin ORDER BY sequence)
           ) link WHERE step <> 1 OR named IS DISTINCT FROM coalesce(before, named) OR is_changed
           UNION
           SELECT h.coin FROM market.head h
           LEFT JOIN LATERAL (SELECT sequence, at, price, hash FROM market.tick WHERE coin = h.coin ORDER BY sequence DESC LIMIT 1) t ON true
           WHERE (t.sequence, t.at, t.price, t.hash) IS DISTINCT FROM (h.sequence, h.at, h.price, h.hash)`,
  },
];
