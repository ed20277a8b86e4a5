import type { Invariant } from './invariants.ts';
import type { Walk } from './walk.ts';

/** What holds of each option order; `which` says of which. */
export const ordersOf = (given: string, which: string): readonly Invariant[] => [
  {
    id: 'I7',
    says: 'every option order has the transfers that its state calls for, between its customer and the house, in the journal that it names',
    text: `${given} SELECT o.id::text AS subject FROM options.orders o
           LEFT JOIN ledger.transfer stake ON stake.sequence = o.stake_hold LEFT JOIN ledger.transfer payout ON payout.sequence = o.promised_hold
           LEFT JOIN ledger.transfer stake_end ON stake_end.resolves = o.stake_hold LEFT JOIN ledger.transfer payout_end ON payout_end.resolves = o.promised_hold
           LEFT JOIN ledger.transfer fee ON fee.sequence = payout_end.sequence + 1 AND fee.journal = payout_end.journal AND fee.kind = 's' AND fee.debit = payout_end.credit
           LEFT JOIN ledger.account payer ON payer.id = stake.debit LEFT JOIN ledger.account pool ON pool.id = stake.credit LEFT JOIN ledger.account fees ON fees.id = fee.credit
           WHERE ${which} AND ((stake.kind, stake.units, payout.kind, payout.units, payer.owner, payer.code, pool.owner, pool.code, payout.debit, payout.credit)
               IS DISTINCT FROM ('h'::"char", o.stake, 'h'::"char", o.promised, o.customer_id, 1000, 0, 210, stake.credit, stake.debit)
             OR (o.status = 'holding') <> (stake_end.sequence IS NULL AND payout_end.sequence IS NULL)
             OR (o.status <> 'holding' AND (stake_end.kind IS DISTINCT FROM (CASE o.status WHEN 'lost' THEN 'p'::"char" ELSE 'v'::"char" END)
               OR payout_end.kind IS DISTINCT FROM (CASE o.status WHEN 'won' THEN 'p'::"char" ELSE 'v'::"char" END)
               OR stake_end.units IS DISTINCT FROM o.stake OR payout_end.units IS DISTINCT FROM o.promised
               OR stake_end.journal IS DISTINCT FROM o.journal OR payout_end.journal IS DISTINCT FROM o.journal
               OR coalesce(fee.units, 0) <> o.fee OR (o.fee > 0 AND (fees.owner, fees.code) IS DISTINCT FROM (0, 220)))))`,
  },
  {
    id: 'I7b',
    says: 'every settled order has the prices of the kept ticks that it names',
    text: `${given} SELECT o.id::text AS subject FROM options.orders o
           LEFT JOIN market.tick s ON s.coin = o.coin AND s.sequence = o.start_sequence LEFT JOIN market.tick e ON e.coin = o.coin AND e.sequence = o.end_sequence
           WHERE ${which} AND o.status <> 'holding' AND ((o.start_sequence IS NOT NULL AND s.price IS DISTINCT FROM o.start_price)
             OR (o.end_sequence IS NOT NULL AND e.price IS DISTINCT FROM o.end_price))`,
  },
  {
    id: 'I7c',
    says: 'every option order is what its signed terms say',
    // Each tree is read and cut into its lines once.
    text: `${given} SELECT o.id::text AS subject FROM (
             SELECT of_tree.members, string_to_array(tree.bodies, chr(10)) AS lines
             FROM (SELECT o.terms_tree, array_agg(o) AS members FROM options.orders o WHERE ${which} GROUP BY o.terms_tree) of_tree
             LEFT JOIN options.terms_tree tree ON tree.id = of_tree.terms_tree OFFSET 0
           ) told CROSS JOIN LATERAL unnest(told.members) AS o
           CROSS JOIN LATERAL (SELECT nullif(told.lines[o.terms_index + 1], '')::jsonb AS body OFFSET 0) signed
           WHERE (body->>'order', body->>'sym', body->>'dir', body->>'stake', body->>'rate_bps', body->>'fee_bps', body->>'accepted', body->>'dur', body->>'env')
             IS DISTINCT FROM (o.id::text, o.coin || 'USDT', o.direction, o.stake::text, o.payout_bps::text, o.fee_bps::text, o.accepted_ms::text, o.duration_ms::text, o.origin)`,
  },
];

export const OPTION_ORDERS: Walk = {
  name: 'option orders',
  // Two holds, how they ended, and its terms.
  tables: Array(6).fill('options.orders'),
  starts: `SELECT '{00000000-0000-0000-0000-000000000000}'::text[] AS place`,
  next: `SELECT ARRAY[(array_agg(id ORDER BY id DESC))[1]::text] AS place, count(*) AS rows
         FROM (SELECT id FROM options.orders WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) piece HAVING count(*) > 0`,
  invariants: ordersOf('', 'o.id > ($1::text[])[1]::uuid AND o.id <= ($2::text[])[1]::uuid'),
};
