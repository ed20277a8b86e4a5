import { isCoinCode } from '@sathorn/money';
import { indexStepOf, priceOfSale } from '@sathorn/proof';
import type { Invariant } from './invariant.ts';
import { PROMISED_TERMS_INVARIANT } from './promise-scans.ts';
import { GUARDED_ORDER_INVARIANTS } from './safeguard-scans.ts';
import { lateralLookUp, type Scan } from './scan.ts';
import { TERMS_SIGNATURE_INVARIANT } from './signature-scans.ts';

/** The oldest such account, because a second one that somebody has created would make the subquery fail. */
const HOUSE_ACCOUNT = (code: number): string =>
  `(SELECT min(id) FROM ledger.account WHERE owner = 0 AND code = ${code} AND asset = 'USDT')`;
/** The pattern of a hash in hex. */
const HASH = '_'.repeat(64);

/**
 * The signed text of an order as a pattern, so that a text in another notation does not match. No column may itself
 * contain pattern characters. The customer's nonce has no column, nor has the arrival of older orders.
 */
const NONCE = '"nonce":"%",';
const LATEST = '"latest":"%",';
const SALE = `"sell_band_bps":"' || coalesce(sell_band_bps::text, '') || '","sell_closed":"' || coalesce(sell_closed_ms::text, '')
  || '","sell_spread_bps":"' || coalesce(sell_spread_bps::text, '') || '","sell_vol_bps":"' || coalesce(sell_vol_bps::text, '') || '",`;
const TERMS = `CASE WHEN coin || direction || origin ~ '^[A-Za-z0-9]+$' THEN '{"accepted":"' || accepted_ms || '","acct":"${HASH}","arrived":"' || coalesce((accepted_ms - waited_ms)::text, '%') || '","asset":"USDT","dir":"' || direction
  || '","dur":"' || duration_ms || '","entry_rule":"first t>accepted","env":"' || origin || '","eq":"refund","exit_rule":"last t<=accepted+dur","fee_bps":"' || fee_bps
  || '","hold":"' || stake_hold || '",${LATEST}"max_gap":"3000",${NONCE}"order":"' || id || '","rate_bps":"' || payout_bps || '",${SALE}"stake":"' || stake || '","sym":"' || coin
  || 'USDT","terms":"${HASH}","v":"opt/5"}' END`;
/** Each older version lacks one thing more: the terms of selling, the latest acceptance, the hold, the arrival. */
const WITHOUT_SALE = `regexp_replace(told.pattern, '"sell_band_bps":"","sell_closed":"","sell_spread_bps":"","sell_vol_bps":"",', '')`;
const WITHOUT_LATEST = `replace(${WITHOUT_SALE}, '${LATEST}', '')`;
const WITHOUT_HOLD = `regexp_replace(${WITHOUT_LATEST}, '"hold":"[0-9]+",', '')`;
const WITHOUT_ARRIVAL = `replace(regexp_replace(${WITHOUT_HOLD}, '"arrived":"[0-9%]+",', ''), '${NONCE}', '')`;
const TERMS_OF_VERSION = `CASE right(line, 7) WHEN 'opt/4"}' THEN replace(${WITHOUT_SALE}, 'opt/5"}', 'opt/4"}')
  WHEN 'opt/3"}' THEN replace(${WITHOUT_LATEST}, 'opt/5"}', 'opt/3"}')
  WHEN 'opt/2"}' THEN replace(${WITHOUT_HOLD}, 'opt/5"}', 'opt/2"}')
  WHEN 'opt/1"}' THEN replace(${WITHOUT_ARRIVAL}, 'opt/5"}', 'opt/1"}') ELSE told.pattern END`;

/**
 * An order's result, recomputed from its prices. The table's constraints enforce the same, but somebody could drop
 * them.
 */
const RESULT = `promised = stake * payout_bps / 10000 AND ends_ms = accepted_ms + duration_ms AND CASE status
  WHEN 'holding' THEN num_nonnulls(reason, start_sequence, end_sequence, profit, fee, credited, settled_ms, journal) = 0
  WHEN 'won' THEN end_price <> start_price AND (end_price > start_price) = (direction = 'up')
    AND (profit, fee, credited) = (promised, (promised * fee_bps + 9999) / 10000, stake + profit - fee)
  WHEN 'lost' THEN end_price <> start_price AND (end_price > start_price) = (direction = 'down') AND (profit, fee, credited) = (-stake, 0, 0)
  WHEN 'tie' THEN end_price = start_price AND (profit, fee, credited) = (0, 0, stake)
  WHEN 'sold' THEN sell_vol_bps IS NOT NULL AND start_price IS NOT NULL AND end_price IS NOT NULL AND start_sequence <= end_sequence
    AND (profit, fee) = (credited - stake, 0) AND credited BETWEEN 1 AND stake + promised - 1
  WHEN 'void' THEN end_sequence IS NULL AND (start_sequence IS NULL) = (reason = 'no_start_tick') AND (profit, fee, credited) = (0, 0, stake)
END AND (start_late_ms = 0 OR start_sequence IS NOT NULL) AND (end_late_ms = 0 OR end_sequence IS NOT NULL)`;
const at = (ms: string): string => `timestamptz 'epoch' + ${ms} * interval '1 millisecond'`;
/** A tick from the table or from a segment. */
const keptTick = (name: string, sequence: string): string =>
  `LEFT JOIN LATERAL market.kept_tick(o.coin, ${sequence}) AS ${name} ON true`;
/** A longer gap between ticks makes an order void. */
const GAP = `interval '3 seconds'`;

/**
 * The longest time between an order's acceptance and its posting. An order posted later could have been accepted with
 * its outcome known. The database refuses this too (`options.check_purchase`). A test that sets its clock by hand
 * disables the check in `market.guard`.
 */
const APART_MAX = `interval '5 seconds'`;
const IS_CLOCK_REAL = `(SELECT NOT bool_or(virtual_clock) FROM market.guard)`;

/** True for the void `v` of the order `o`, whose stake went back by the transfer `back` to the account `payee`. */
export const VOIDING_HOLDS = `o.status = 'lost' AND greatest(o.start_late_ms, o.end_late_ms) > 5000 AND v.customer_id = o.customer_id AND v.units = o.stake + o.fee
  AND (NOT ${IS_CLOCK_REAL} OR v.at BETWEEN ${at('o.settled_ms')} - interval '1 minute' AND ${at('o.settled_ms')} + interval '7 days 1 minute')
  AND (back.kind, back.code, back.units, back.journal, back.debit, payee.owner, payee.code) = ('s'::"char", 23, v.units, v.journal, ${HOUSE_ACCOUNT(210)}, o.customer_id, 1000)`;

/** A segment does not say the rule of its ticks, so the price may be of the step of either. */
function isSoldWrongly([isInTime, coin = '', direction, ...figures]: readonly string[]): boolean {
  // A forged row may lack figures, which are null then.
  if (isInTime !== 'true' || !isCoinCode(coin) || figures.some((figure) => typeof figure !== 'string')) return true;
  const [stake, gain, startPrice, price, leftMs, volatility, band, spread, credited] = figures.map(BigInt);
  const of = (step: bigint): bigint | null =>
    priceOfSale({
      sale: {
        volatilityBasisPoints: volatility ?? 0n,
        bandBasisPoints: band ?? 0n,
        spreadBasisPoints: spread ?? 0n,
        closedMs: 0,
      },
      isUp: direction === 'up',
      stake: stake ?? 0n,
      gain: gain ?? 0n,
      startPrice: startPrice ?? 0n,
      price: price ?? 0n,
      step,
      leftMs: Number(leftMs),
    });
  return !(['families/2', 'families/1'] as const).some((rule) => of(indexStepOf(coin, rule)) === credited);
}

/** Invariants of each option order in `o`. */
export const OPTION_ORDER_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I7',
    says: 'every option order has the transfers that its state calls for, between its customer and the house, in the journal that it names, at its acceptance and after its end',
    text: `SELECT o.id::text AS subject FROM o
           ${lateralLookUp('ledger.transfer', 'stake', 'stake.sequence = o.stake_hold')} ${lateralLookUp('ledger.transfer', 'payout', 'payout.sequence = o.promised_hold')}
           ${lateralLookUp('ledger.transfer', 'stake_end', 'stake_end.resolves = o.stake_hold')} ${lateralLookUp('ledger.transfer', 'payout_end', 'payout_end.resolves = o.promised_hold')}
           ${lateralLookUp('ledger.transfer', 'fee', `fee.sequence = payout_end.sequence + 1 AND fee.journal = payout_end.journal AND fee.kind = 's' AND fee.debit = payout_end.credit`)}
           ${lateralLookUp('ledger.account', 'payer', 'payer.id = stake.debit')}
           WHERE (stake.kind, stake.units, stake.journal, payout.kind, payout.units, payout.journal, payer.owner, payer.code, stake.credit, payout.debit, payout.credit)
               IS DISTINCT FROM ('h'::"char", o.stake, o.id, 'h'::"char", o.promised, o.id, o.customer_id, 1000, ${HOUSE_ACCOUNT(210)}, stake.credit, stake.debit)
             OR (${IS_CLOCK_REAL} AND (stake.at BETWEEN ${at('o.accepted_ms')} - ${APART_MAX} AND ${at('o.accepted_ms')} + ${APART_MAX}) IS NOT TRUE)
             OR (${IS_CLOCK_REAL} AND payout_end.at < ${at('o.ends_ms')} - ${APART_MAX} AND o.reason IS DISTINCT FROM 'no_start_tick' AND o.status <> 'sold')
             OR (${IS_CLOCK_REAL} AND o.status = 'sold' AND payout_end.at > ${at('o.ends_ms')})
             OR (o.status = 'holding') <> (stake_end.sequence IS NULL AND payout_end.sequence IS NULL)
             OR (o.status <> 'holding' AND (stake_end.kind IS DISTINCT FROM (CASE WHEN o.status = 'lost' OR o.status = 'sold' AND o.profit < 0 THEN 'p'::"char" ELSE 'v'::"char" END)
               OR payout_end.kind IS DISTINCT FROM (CASE WHEN o.status = 'won' OR o.status = 'sold' AND o.profit > 0 THEN 'p'::"char" ELSE 'v'::"char" END)
               OR stake_end.units IS DISTINCT FROM (CASE WHEN o.status = 'sold' AND o.profit < 0 THEN -o.profit ELSE o.stake END)
               OR payout_end.units IS DISTINCT FROM (CASE WHEN o.status = 'sold' AND o.profit > 0 THEN o.profit ELSE o.promised END)
               OR stake_end.journal IS DISTINCT FROM o.journal OR payout_end.journal IS DISTINCT FROM o.journal
               OR coalesce(fee.units, 0) <> o.fee OR (o.fee > 0 AND fee.credit IS DISTINCT FROM ${HOUSE_ACCOUNT(220)})))`,
  },
  {
    id: 'I7b',
    says: 'every settled order has the first kept tick after its acceptance and the last one before its end, says how late they were published, and came to what their prices say',
    // Orders that end together name the same ticks, so a check of the earliest and the latest order covers those in
    // between.
    text: `SELECT id::text AS subject FROM o WHERE (${RESULT}) IS NOT TRUE
           UNION ALL
           SELECT o.id::text FROM (
             SELECT (array_agg(id))[1] AS id, coin, start_sequence, start_price, end_sequence, end_price, status IN ('void', 'sold') AS is_void, start_late_ms, end_late_ms,
               ${at('min(accepted_ms)')} AS accepted_first, ${at('max(accepted_ms)')} AS accepted_last, ${at('min(ends_ms)')} AS ends_first, ${at('max(ends_ms)')} AS ends_last
             FROM o WHERE status <> 'holding' AND (status <> 'void' OR start_sequence IS NOT NULL) GROUP BY 2, 3, 4, 5, 6, 7, 8, 9
           ) o
           ${keptTick('s', 'o.start_sequence')} ${keptTick('b', 'o.start_sequence - 1')}
           ${keptTick('e', 'o.end_sequence')} ${keptTick('n', 'o.end_sequence + 1')}
           WHERE (s.price = o.start_price AND o.start_late_ms = coalesce(s.late_ms, o.start_late_ms) AND s.at > o.accepted_last AND s.at <= o.accepted_first + ${GAP} AND (b.at IS NULL OR b.at <= o.accepted_first)) IS NOT TRUE
             OR (NOT o.is_void
               AND (e.price = o.end_price AND o.end_late_ms = coalesce(e.late_ms, o.end_late_ms) AND e.at <= o.ends_first AND e.at >= o.ends_last - ${GAP} AND (n.at IS NULL OR n.at > o.ends_last)) IS NOT TRUE)
           UNION ALL
           SELECT o.id::text FROM o
           CROSS JOIN LATERAL (SELECT ${at('o.accepted_ms')} AS accepted, ${at('o.ends_ms')} AS ends) moment
           WHERE o.status = 'void' AND market.has_tick(o.coin,
             CASE o.reason WHEN 'no_start_tick' THEN accepted ELSE ends - ${GAP} - interval '1 microsecond' END,
             CASE o.reason WHEN 'no_start_tick' THEN accepted + ${GAP} ELSE ends END)`,
  },
  {
    id: 'I7f',
    says: 'every sold option was sold at a kept tick between its start and the closed time, for the price that the formula gives for that tick',
    text: `SELECT o.id::text AS subject, ARRAY[((e.price = o.end_price AND o.end_late_ms = coalesce(e.late_ms, o.end_late_ms)
               AND e.at > ${at('o.accepted_ms')} AND e.at <= ${at('(o.ends_ms - o.sell_closed_ms)')}) IS TRUE)::text,
             o.coin, o.direction, o.stake::text, (o.promised - (o.promised * o.fee_bps + 9999) / 10000)::text, o.start_price::text, o.end_price::text,
             (o.ends_ms - (extract(epoch FROM e.at) * 1000)::bigint)::text, o.sell_vol_bps::text, o.sell_band_bps::text, o.sell_spread_bps::text, o.credited::text] AS evidence
           FROM o ${keptTick('e', 'o.end_sequence')} WHERE o.status = 'sold'`,
    isBroken: isSoldWrongly,
    isKeyless: true,
  },
  {
    id: 'I7c',
    says: 'every option order is what its signed terms say',
    // Reads each tree and splits it into its lines once.
    text: `SELECT told.id::text AS subject FROM (
             SELECT of_tree.*, string_to_array(tree.bodies, chr(10)) AS lines
             FROM (SELECT terms_tree, array_agg(id) AS ids, array_agg(terms_index) AS places, array_agg(${TERMS}) AS patterns FROM o GROUP BY terms_tree) of_tree
             ${lateralLookUp('options.terms_tree', 'tree', 'tree.id = of_tree.terms_tree')} OFFSET 0
           ) trees CROSS JOIN LATERAL unnest(trees.ids, trees.places, trees.patterns) AS told(id, place, pattern)
           CROSS JOIN LATERAL (SELECT trees.lines[told.place + 1] AS line OFFSET 0) signed
           CROSS JOIN LATERAL (SELECT ${TERMS_OF_VERSION} AS pattern OFFSET 0) terms
           -- The number of quotes must match the pattern, or a field could appear twice, hidden in a hash or the nonce.
           -- Without backslashes, no quote can be written in another way.
           WHERE (line LIKE terms.pattern AND strpos(line, '\\') = 0
             AND octet_length(line) - octet_length(replace(line, '"', '')) = octet_length(terms.pattern) - octet_length(replace(terms.pattern, '"', ''))) IS NOT TRUE`,
  },
  TERMS_SIGNATURE_INVARIANT,
  PROMISED_TERMS_INVARIANT,
  {
    id: 'I7d',
    says: 'every option order was bought at an offer, and with terms of selling, that were in force when it was asked for',
    // The customer sends the order shortly before it is accepted, and the offer may have changed in between.
    text: `SELECT o.id::text AS subject FROM o
           CROSS JOIN LATERAL (SELECT ${at('o.accepted_ms')} AS accepted, o.duration_ms / 1000 AS seconds) asked
           WHERE NOT EXISTS (SELECT FROM options.terms t WHERE t.coin = o.coin AND t.seconds = asked.seconds AND t.effective_from <= accepted AND t.effective_from >= (
               SELECT coalesce(max(effective_from), '-infinity') FROM options.terms WHERE coin = o.coin AND terms.seconds = asked.seconds AND effective_from <= accepted - ${APART_MAX})
             AND t.offered AND t.payout_bps = o.payout_bps AND t.fee_bps = o.fee_bps OFFSET 0)
           UNION ALL
           SELECT o.id::text FROM o CROSS JOIN LATERAL (SELECT ${at('o.accepted_ms')} AS accepted) asked
           WHERE o.sell_vol_bps IS NOT NULL AND NOT EXISTS (SELECT FROM options.sale_terms t WHERE t.coin = o.coin AND t.effective_from <= accepted AND t.effective_from >= (
               SELECT coalesce(max(effective_from), '-infinity') FROM options.sale_terms WHERE coin = o.coin AND effective_from <= accepted - ${APART_MAX})
             AND t.offered AND (t.vol_bps, t.band_bps, t.spread_bps, t.closed_ms) = (o.sell_vol_bps, o.sell_band_bps, o.sell_spread_bps, o.sell_closed_ms) OFFSET 0)
           UNION ALL
           -- Without terms of selling only if none were offered then.
           SELECT o.id::text FROM o CROSS JOIN LATERAL (SELECT ${at('o.accepted_ms')} AS accepted) asked
           CROSS JOIN LATERAL (SELECT bool_and(t.offered) AS is_offered FROM options.sale_terms t WHERE t.coin = o.coin AND t.effective_from <= accepted AND t.effective_from >= (
               SELECT max(effective_from) FROM options.sale_terms WHERE coin = o.coin AND effective_from <= accepted - ${APART_MAX})) s
           WHERE o.sell_vol_bps IS NULL AND s.is_offered`,
  },
  {
    id: 'I7e',
    says: 'whoever had an option void had lost it to a price that was more than five seconds late, and got the stake back once',
    text: `SELECT o.id::text AS subject FROM o ${lateralLookUp('options.voiding', 'v', 'v.order_id = o.id')}
           ${lateralLookUp('ledger.transfer', 'back', 'back.sequence = v.transfer')} ${lateralLookUp('ledger.account', 'payee', 'payee.id = back.credit')}
           WHERE v.order_id IS NOT NULL AND (${VOIDING_HOLDS}) IS NOT TRUE`,
  },
  {
    id: 'K3',
    says: 'no option order is older than the account of its customer',
    isOfPlatform: true,
    text: `SELECT o.id::text AS subject FROM o ${lateralLookUp('customers.customer', 'c', 'c.id = o.customer_id', 'created_at')}
           WHERE (c.created_at <= ${at('o.accepted_ms')} + ${APART_MAX}) IS NOT TRUE`,
  },
  ...GUARDED_ORDER_INVARIANTS,
];

export const OPTION_ORDER_SCAN: Scan = {
  name: 'option orders',
  // The number of reads per order: the order, its terms, its two holds, and their resolutions.
  tables: Array(6).fill('options.orders'),
  starts: `SELECT '{00000000-0000-0000-0000-000000000000}'::text[] AS cursor`,
  next: `SELECT ARRAY[(array_agg(id ORDER BY id DESC))[1]::text] AS cursor, count(*) AS rows
         FROM (SELECT id FROM options.orders WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: { o: 'SELECT * FROM options.orders WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid' },
  invariants: OPTION_ORDER_INVARIANTS,
};
