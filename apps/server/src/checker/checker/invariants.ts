import { CHAIN_BALANCES, CUSTODY_INVARIANTS, LEFT_THE_WALLET } from './custody-scans.ts';
import { EARNING_SUM_INVARIANTS } from './earning-scans.ts';
import type { Invariant } from './invariant.ts';
import { LIABILITY_INVARIANTS } from './liability-scans.ts';
import { PROMISE_INVARIANTS } from './promise-scans.ts';
import { PUBLIC_LOG_INVARIANTS } from './public-log-scans.ts';
import { BOX_INVARIANTS } from './reward-scans.ts';

/**
 * Cheap enough for every ten seconds. A subject includes the size of the difference, so acknowledging one does not
 * acknowledge a larger one.
 */
export const FREQUENT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    says: 'per asset, what was debited was credited, posted and held',
    text: `SELECT concat_ws(' ', asset, sum(debits_posted) - sum(credits_posted), sum(debits_held) - sum(credits_held)) AS subject FROM ledger.account GROUP BY asset
           HAVING sum(debits_posted) <> sum(credits_posted) OR sum(debits_held) <> sum(credits_held)`,
  },
  {
    id: 'I2',
    says: 'no customer and no pool is below zero, by the rule of the chart, and the house’s accounts are the house’s',
    text: `SELECT id::text AS subject FROM ledger.account a JOIN ledger.chart c USING (code)
           WHERE a.rule <> c.rule OR c.is_house <> (a.owner = 0) OR (c.rule = 'c' AND debits_held + debits_posted > credits_posted) OR (c.rule = 'd' AND credits_held + credits_posted > debits_posted)`,
  },
  {
    id: 'E1',
    says: 'what the house’s equity has paid out was decided by two people, or is the test money of a demonstration',
    isOfPlatform: true,
    text: `SELECT concat_ws(' ', asset, paid - coalesce(decided.units, 0) - CASE WHEN paid > coalesce(decided.units, 0) THEN coalesce(demo.units, 0) ELSE 0 END) AS subject
           FROM (SELECT asset, coalesce(equity.units, 0) AS paid FROM (SELECT asset, debits_posted + debits_held AS units FROM ledger.account WHERE owner = 0 AND code = 100) equity
             FULL JOIN (SELECT DISTINCT asset FROM ledger.capital_decision) named USING (asset)) paid
           LEFT JOIN (SELECT asset, sum(units) AS units FROM ledger.capital_decision GROUP BY asset) decided USING (asset)
           LEFT JOIN (SELECT asset, sum(units) AS units FROM ledger.demo_capital
             WHERE NOT EXISTS (SELECT FROM ledger.deployment WHERE mode = 'live') GROUP BY asset) demo USING (asset)
           WHERE (paid BETWEEN coalesce(decided.units, 0) AND coalesce(decided.units, 0) + coalesce(demo.units, 0)) IS NOT TRUE`,
  },
  {
    id: 'OP3',
    says: 'the head of the operators’ log is its last entry',
    text: `SELECT concat_ws(' ', h.n, e.n) AS subject FROM (SELECT 1) AS one LEFT JOIN operators.log_head h ON true
           LEFT JOIN LATERAL (SELECT n, hash FROM operators.entry ORDER BY n DESC LIMIT 1) e ON true
           WHERE (h.n = coalesce(e.n, 0) AND h.hash = coalesce(e.hash, decode(repeat('00', 32), 'hex'))) IS NOT TRUE`,
    isHalting: false,
  },
  {
    id: 'I8',
    says: 'the options pool holds exactly what open option orders could win, and their stakes are held for it',
    text: `SELECT concat_ws(' ', coalesce(pool.asset, orders.asset), coalesce(pool.debits_held, 0) - coalesce(orders.promised, 0), coalesce(pool.credits_held, 0) - coalesce(orders.stake, 0)) AS subject
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
    says: 'what is kept for contract orders is what the resting and the waiting ones hold',
    text: `SELECT concat_ws(' ', owner, asset, coalesce(kept.units, 0) - coalesce(held.units, 0)) AS subject
           FROM (SELECT owner, asset, credits_posted - debits_posted AS units FROM ledger.account WHERE code IN (251, 1005)) kept
           FULL JOIN (SELECT customer_id AS owner, CASE side WHEN 'buy' THEN 'USDT' ELSE coin END AS asset, sum(held) AS units
             FROM (SELECT customer_id, side, coin, held FROM contracts.orders WHERE is_live
               UNION ALL SELECT customer_id, side, coin, held FROM contracts.waiting WHERE state = 'waiting') open
             GROUP BY 1, 2) held USING (owner, asset)
           WHERE coalesce(kept.units, 0) <> coalesce(held.units, 0)`,
  },
  {
    id: 'C2',
    says: 'no book is crossed',
    text: `SELECT coin AS subject FROM contracts.orders WHERE is_live GROUP BY coin
           HAVING max(price) FILTER (WHERE side = 'buy') >= min(price) FILTER (WHERE side = 'sell')`,
  },
  {
    id: 'C11',
    says: 'no order waits that a tick has triggered',
    // A minute, because a late second may be published so late and the matcher may be replaced.
    text: `SELECT w.coin || '-' || w.sequence AS subject FROM contracts.waiting w
           WHERE w.state = 'waiting' AND EXISTS (SELECT FROM market.tick t JOIN market.head h ON h.coin = t.coin
             WHERE t.coin = w.coin AND t.at > to_timestamp(w.armed_ms / 1000.0) AND t.at < h.at - interval '1 minute'
               AND CASE WHEN (w.side = 'buy') = (w.trigger = 'stop') THEN t.price >= w.trigger_price ELSE t.price <= w.trigger_price END)`,
  },
  {
    id: 'CV1',
    says: 'with real money, what customers own of a coin is covered by what two people counted of it in the last eight days',
    isOfPlatform: true,
    isHalting: false,
    text: `SELECT concat_ws(' ', owed.asset, owed.units - coalesce(counted.units, 0)) AS subject
           FROM (SELECT asset, sum(debits_posted - credits_posted) AS units FROM ledger.account WHERE owner = 0 AND asset IN (SELECT coin FROM contracts.book) GROUP BY asset) owed
           LEFT JOIN LATERAL (
             SELECT min(a.counted) AS units FROM books.attestation a WHERE a.asset = owed.asset AND a.as_of >= (
               SELECT max(b.as_of) FROM books.attestation b WHERE b.asset = owed.asset AND b.as_of BETWEEN now() - interval '8 days' AND now()
                 AND EXISTS (SELECT FROM books.attestation c WHERE (c.asset, c.as_of, c.counted) = (b.asset, b.as_of, b.counted) AND c.operator <> b.operator))
           ) counted ON true
           WHERE owed.units > coalesce(counted.units, 0) AND EXISTS (SELECT FROM ledger.deployment WHERE mode = 'live')`,
  },
  {
    id: 'I5',
    says: 'the head of the ledger is its newest transfer',
    text: `SELECT 'head' AS subject
           WHERE (SELECT max(last_sequence) FROM ledger.head) IS DISTINCT FROM (SELECT coalesce(max(sequence), 0) FROM ledger.transfer) OR (SELECT min(sequence) FROM ledger.transfer) < 1`,
  },
  {
    id: 'C4',
    says: 'each book is where its newest trade and order are',
    text: `SELECT coin AS subject FROM contracts.book b
           WHERE b.trades IS DISTINCT FROM (SELECT coalesce(max(number), 0) FROM contracts.trade WHERE coin = b.coin) OR (SELECT min(number) FROM contracts.trade WHERE coin = b.coin) < 1
             OR b.sequence < (SELECT max(sequence) FROM contracts.orders WHERE coin = b.coin)
             OR b.sequence < (SELECT max(sequence) FROM contracts.waiting WHERE coin = b.coin)`,
  },
  {
    id: 'C7',
    says: 'no candle of trades is ahead of them',
    text: `SELECT coin AS subject FROM contracts.candle_head h JOIN contracts.book b USING (coin)
           WHERE h.number > b.trades OR (h.number = 0 AND EXISTS (SELECT FROM contracts.candle WHERE coin = h.coin AND volume > 0))`,
  },
  CHAIN_BALANCES,
  LEFT_THE_WALLET,
];

/** The promised notice of a worse option offer, as in `offer.kind`, which the database's owner could change. */
const OPTION_NOTICE = `interval '24 hours'`;

/** Invariants over data that does not grow; checked in each thorough round. */
export const MINUTELY_INVARIANTS: readonly Invariant[] = [
  ...EARNING_SUM_INVARIANTS,
  ...BOX_INVARIANTS,
  ...PROMISE_INVARIANTS,
  ...LIABILITY_INVARIANTS,
  ...PUBLIC_LOG_INVARIANTS,
  {
    id: 'A1',
    says: 'whoever opened money again left a name and a reason, and the trace tells whether it is halted',
    text: `SELECT 'resumed ' || id AS subject FROM ledger.halt WHERE event = 'resumed' AND by_name IS NULL
           UNION ALL
           SELECT 'after trace ' || coalesce(newest.id, 0) FROM ledger.head LEFT JOIN (SELECT id, event FROM ledger.halt ORDER BY id DESC LIMIT 1) newest ON true
           WHERE (halted IS NOT NULL) <> (coalesce(newest.event, 'resumed') = 'halted')`,
  },
  {
    id: 'O1',
    says: 'no offer began before it was made, and none that is worse than the one before without its published notice',
    text: `SELECT concat_ws(' ', t.coin, t.seconds, t.id) AS subject FROM options.terms t
           LEFT JOIN LATERAL (SELECT b.* FROM options.terms b WHERE b.coin = t.coin AND b.seconds = t.seconds AND b.id < t.id AND b.effective_from <= t.effective_from AND b.offered
             ORDER BY b.effective_from DESC LIMIT 1) was ON true
           WHERE NOT (SELECT bool_or(virtual_clock) FROM market.guard) AND (t.effective_from < t.created_at - interval '10 seconds'
             OR (was.id IS NOT NULL AND NOT CASE WHEN t.offered
                 THEN t.payout_bps >= was.payout_bps AND t.fee_bps <= was.fee_bps AND t.stake_min <= was.stake_min AND t.stake_max >= was.stake_max
                   AND t.window_exposure_max >= was.window_exposure_max AND t.coin_exposure_max >= was.coin_exposure_max
                 ELSE EXISTS (SELECT FROM options.terms b WHERE b.coin = t.coin AND b.seconds = t.seconds AND b.id < t.id
                   AND b.effective_from <= t.effective_from AND b.effective_from > was.effective_from) END
               AND NOT EXISTS (SELECT FROM offer.version v CROSS JOIN LATERAL jsonb_array_elements(v.fields::jsonb -> 'durations') AS d
                 WHERE v.approval = t.approval AND v.kind = 'option' AND v.subject = t.coin AND v.stopped_at IS NULL
                   AND t.effective_from >= v.effective_from AND t.effective_from >= v.at + ${OPTION_NOTICE} AND (d ->> 'seconds')::integer = t.seconds
                   AND (d ->> 'payout')::numeric * 10000 = t.payout_bps AND (d ->> 'fee')::numeric * 10000 = t.fee_bps)))`,
  },
  {
    id: 'O2',
    says: 'no terms of selling options began before they were made, and all are what people approved, but for the first of a demonstration',
    text: `SELECT concat_ws(' ', t.coin, t.id) AS subject FROM options.sale_terms t
           WHERE NOT (SELECT bool_or(virtual_clock) FROM market.guard) AND (t.effective_from < t.created_at - interval '10 seconds'
             OR NOT CASE WHEN t.approval IS NULL THEN NOT EXISTS (SELECT FROM ledger.deployment WHERE mode = 'live')
                 AND NOT EXISTS (SELECT FROM options.sale_terms b WHERE b.coin = t.coin AND b.id < t.id)
               ELSE EXISTS (SELECT FROM offer.version v CROSS JOIN LATERAL (SELECT v.fields::jsonb AS said) fields
                 WHERE v.approval = t.approval AND v.kind = 'option_sale' AND v.subject = t.coin AND v.stopped_at IS NULL
                   AND t.effective_from >= v.effective_from AND t.effective_from >= v.at + ${OPTION_NOTICE}
                   AND (said ->> 'offered')::boolean = t.offered AND (said ->> 'volatility')::numeric * 10000 = t.vol_bps AND (said ->> 'band')::numeric * 10000 = t.band_bps
                   AND (said ->> 'spread')::numeric * 10000 = t.spread_bps AND (said ->> 'closed_seconds')::numeric * 1000 = t.closed_ms) END)`,
  },
  {
    id: 'T2',
    says: 'the index’s candles of the last day have the highest and the lowest of what they are made of',
    isHalting: false,
    // Checks one-minute candles against their ticks if all ticks are present, longer candles against their minutes, and
    // the longest against their hours. Nothing is bought or settled on a candle, so a violation is reported without
    // halting money.
    text: `WITH moment AS (SELECT max(at) AS now FROM market.head),
             minute AS (SELECT c.* FROM market.candle c, moment WHERE interval = '1m' AND at >= now - interval '1 day' AND at < date_trunc('minute', now)),
             hour AS (SELECT c.* FROM market.candle c, moment WHERE interval = '1h' AND at >= now - interval '21 days' AND at < date_trunc('hour', now)),
             begun AS (SELECT interval, coin, min(at) AS at FROM (TABLE minute UNION ALL TABLE hour) fine GROUP BY 1, 2),
             width(interval, finer, span) AS (VALUES ('5m', '1m', interval '5 minutes'), ('15m', '1m', '15 minutes'), ('30m', '1m', '30 minutes'), ('1h', '1m', '1 hour'),
               ('4h', '1h', '4 hours'), ('1d', '1h', '1 day'), ('1w', '1h', '7 days')),
             made AS (
               SELECT c.coin, c.interval, c.at, c.open, c.high, c.low, c.close, finest.open AS of_open, finest.high AS of_high, finest.low AS of_low, finest.close AS of_close
               FROM width JOIN market.candle c USING (interval) CROSS JOIN moment JOIN begun ON begun.interval = width.finer AND begun.coin = c.coin AND c.at >= begun.at
               CROSS JOIN LATERAL (
                 SELECT (array_agg(f.open ORDER BY f.at))[1] AS open, max(f.high) AS high, min(f.low) AS low, (array_agg(f.close ORDER BY f.at DESC))[1] AS close
                 FROM market.candle f WHERE f.coin = c.coin AND f.interval = width.finer AND f.at >= c.at AND f.at < c.at + span
               ) finest
               WHERE c.at + span <= date_trunc('hour', now) AND c.at >= now - CASE width.finer WHEN '1m' THEN interval '1 day' ELSE interval '21 days' END
               UNION ALL
               SELECT c.coin, c.interval, c.at, c.open, c.high, c.low, c.close, of_ticks.open, of_ticks.high, of_ticks.low, of_ticks.close
               FROM minute c CROSS JOIN moment CROSS JOIN LATERAL (
                 SELECT (array_agg(price ORDER BY at))[1] AS open, max(price) AS high, min(price) AS low, (array_agg(price ORDER BY at DESC))[1] AS close, count(*) AS ticks
                 FROM market.tick WHERE coin = c.coin AND at >= c.at AND at < c.at + interval '1 minute'
               ) of_ticks WHERE c.at >= now - interval '10 minutes' AND of_ticks.ticks = 60
             )
           SELECT concat_ws(' ', coin, interval, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')) AS subject FROM made
           WHERE of_high IS NOT NULL AND (open, high, low, close) IS DISTINCT FROM (of_open, of_high, of_low, of_close)`,
  },
  {
    id: 'G1',
    says: 'no guard of the tables is off or gone',
    text: `SELECT tgrelid::regclass || ' ' || tgname AS subject FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
           WHERE c.relnamespace::regnamespace::text IN ('ledger', 'market', 'options', 'contracts', 'proofs', 'deposits', 'withdrawals', 'treasury') AND tgenabled <> 'O'
           UNION ALL
           SELECT c.oid::regclass::text FROM pg_class c
           WHERE c.relkind = 'r' AND c.relnamespace = 'ledger'::regnamespace AND (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) < 2`,
  },
  {
    id: 'G2',
    says: 'the application writes the ledger by its functions alone',
    text: `SELECT c.oid::regclass::text AS subject FROM pg_class c
           WHERE c.relkind = 'r' AND c.relnamespace = 'ledger'::regnamespace AND (has_table_privilege('sathorn_app', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
             OR has_any_column_privilege('sathorn_app', c.oid, 'INSERT, UPDATE'))`,
  },
  {
    id: 'T1',
    says: 'the newest ticks of each coin are numbered without a gap up to its head, each names the hash of the one before, and has the price that its text says',
    text: `SELECT coin || ' ' || sequence AS subject FROM (
             SELECT coin, sequence, sequence - lag(sequence) OVER w AS step, body::jsonb->>'prev' AS named, encode(lag(hash) OVER w, 'hex') AS before,
               (body::jsonb->>'px', body::jsonb->>'t') IS DISTINCT FROM (price::text, (extract(epoch FROM at) * 1000)::bigint::text)
                 OR hash <> sha256(convert_to('tick/1' || chr(10) || body, 'UTF8')) AS is_changed
             FROM market.tick t WHERE at > (SELECT max(at) FROM market.head) - interval '10 minutes' AND sequence > coalesce(
               (SELECT last_sequence FROM market.sealed_segment s WHERE s.coin = t.coin ORDER BY last_sequence DESC LIMIT 1), 0) WINDOW w AS (PARTITION BY coin ORDER BY sequence)
           ) link WHERE step <> 1 OR named IS DISTINCT FROM coalesce(before, named) OR is_changed
           UNION
           SELECT h.coin || ' head' FROM market.head h
           LEFT JOIN LATERAL (SELECT sequence, at, price, hash FROM market.tick WHERE coin = h.coin ORDER BY sequence DESC LIMIT 1) t ON true
           WHERE (t.sequence, t.at, t.price, t.hash) IS DISTINCT FROM (h.sequence, h.at, h.price, h.hash)`,
  },
  ...CUSTODY_INVARIANTS,
];
