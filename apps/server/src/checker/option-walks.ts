import type { Invariant } from './invariants.ts';
import { lookUp, type Walk } from './walk.ts';

const HOUSE_ACCOUNT = (code: number): string =>
  `(SELECT id FROM ledger.account WHERE owner = 0 AND code = ${code} AND asset = 'USDT')`;
/** A hash, in hex. */
const HASH = '_'.repeat(64);

/** The text that was signed for an order, as a pattern: not even another spelling of it would be its terms. */
const TERMS = `'{"accepted":"' || accepted_ms || '","acct":"${HASH}","asset":"USDT","dir":"' || direction || '","dur":"' || duration_ms
  || '","entry_rule":"first t>accepted","env":"' || origin || '","eq":"refund","exit_rule":"last t<=accepted+dur","fee_bps":"' || fee_bps
  || '","max_gap":"3000","order":"' || id || '","rate_bps":"' || payout_bps || '","stake":"' || stake || '","sym":"' || coin
  || 'USDT","terms":"${HASH}","v":"opt/1"}'`;

/** What holds of each option order, of those given as `o`. */
export const OF_OPTION_ORDERS: readonly Invariant[] = [
  {
    id: 'I7',
    says: 'every option order has the transfers that its state calls for, between its customer and the house, in the journal that it names',
    text: `SELECT o.id::text AS subject FROM o
           ${lookUp('ledger.transfer', 'stake', 'stake.sequence = o.stake_hold')} ${lookUp('ledger.transfer', 'payout', 'payout.sequence = o.promised_hold')}
           ${lookUp('ledger.transfer', 'stake_end', 'stake_end.resolves = o.stake_hold')} ${lookUp('ledger.transfer', 'payout_end', 'payout_end.resolves = o.promised_hold')}
           ${lookUp('ledger.transfer', 'fee', `fee.sequence = payout_end.sequence + 1 AND fee.journal = payout_end.journal AND fee.kind = 's' AND fee.debit = payout_end.credit`)}
           ${lookUp('ledger.account', 'payer', 'payer.id = stake.debit')}
           WHERE (stake.kind, stake.units, payout.kind, payout.units, payer.owner, payer.code, stake.credit, payout.debit, payout.credit)
               IS DISTINCT FROM ('h'::"char", o.stake, 'h'::"char", o.promised, o.customer_id, 1000, ${HOUSE_ACCOUNT(210)}, stake.credit, stake.debit)
             OR (o.status = 'holding') <> (stake_end.sequence IS NULL AND payout_end.sequence IS NULL)
             OR (o.status <> 'holding' AND (stake_end.kind IS DISTINCT FROM (CASE o.status WHEN 'lost' THEN 'p'::"char" ELSE 'v'::"char" END)
               OR payout_end.kind IS DISTINCT FROM (CASE o.status WHEN 'won' THEN 'p'::"char" ELSE 'v'::"char" END)
               OR stake_end.units IS DISTINCT FROM o.stake OR payout_end.units IS DISTINCT FROM o.promised
               OR stake_end.journal IS DISTINCT FROM o.journal OR payout_end.journal IS DISTINCT FROM o.journal
               OR coalesce(fee.units, 0) <> o.fee OR (o.fee > 0 AND fee.credit IS DISTINCT FROM ${HOUSE_ACCOUNT(220)})))`,
  },
  {
    id: 'I7b',
    says: 'every settled order has the prices of the kept ticks that it names',
    // Orders that end together name the same ticks.
    text: `SELECT o.id::text AS subject FROM (
             SELECT (array_agg(id))[1] AS id, coin, start_sequence, start_price, end_sequence, end_price FROM o WHERE status <> 'holding' GROUP BY 2, 3, 4, 5, 6
           ) o
           ${lookUp('market.tick', 's', 's.coin = o.coin AND s.sequence = o.start_sequence')} ${lookUp('market.tick', 'e', 'e.coin = o.coin AND e.sequence = o.end_sequence')}
           WHERE (o.start_sequence IS NOT NULL AND s.price IS DISTINCT FROM o.start_price) OR (o.end_sequence IS NOT NULL AND e.price IS DISTINCT FROM o.end_price)`,
  },
  {
    id: 'I7c',
    says: 'every option order is what its signed terms say',
    // Each tree is read and cut into its lines once.
    text: `SELECT told.id::text AS subject FROM (
             SELECT of_tree.*, string_to_array(tree.bodies, chr(10)) AS lines
             FROM (SELECT terms_tree, array_agg(id) AS ids, array_agg(terms_index) AS places, array_agg(${TERMS}) AS patterns FROM o GROUP BY terms_tree) of_tree
             ${lookUp('options.terms_tree', 'tree', 'tree.id = of_tree.terms_tree')} OFFSET 0
           ) trees CROSS JOIN LATERAL unnest(trees.ids, trees.places, trees.patterns) AS told(id, place, pattern)
           WHERE (trees.lines[told.place + 1] LIKE told.pattern) IS NOT TRUE`,
  },
];

export const OPTION_ORDERS: Walk = {
  name: 'option orders',
  // Two holds, how they ended, and its terms.
  tables: Array(6).fill('options.orders'),
  starts: `SELECT '{00000000-0000-0000-0000-000000000000}'::text[] AS place`,
  next: `SELECT ARRAY[(array_agg(id ORDER BY id DESC))[1]::text] AS place, count(*) AS rows
         FROM (SELECT id FROM options.orders WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) piece HAVING count(*) > 0`,
  given: `o AS MATERIALIZED (SELECT * FROM options.orders WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid)`,
  invariants: OF_OPTION_ORDERS,
};
