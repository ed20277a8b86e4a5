import { BOX_CHANCE_LOG10_MIN, boxChanceLog10 } from '@sathorn/proof';
import type { Invariant } from './invariant.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** SQL for the id of the house account with this code and asset. */
const HOUSE = (code: number, asset: string): string =>
  `(SELECT min(id) FROM ledger.account WHERE owner = 0 AND code = ${code} AND asset = '${asset}')`;

/** Check-ins, ordered by customer and day. */
export const SIGN_IN_SCAN: Scan = {
  name: 'sign-ins',
  tables: ['rewards.sign_in'],
  starts: `SELECT '{-1,0}'::text[] AS cursor`,
  next: `SELECT ARRAY[customer_id::text, day::text] AS cursor, count(*) OVER () AS rows
         FROM (SELECT customer_id, day FROM rewards.sign_in WHERE (customer_id, day) > (($1::text[])[1]::bigint, ($1::text[])[2]::integer)
           ORDER BY customer_id, day LIMIT $2::bigint) page ORDER BY customer_id DESC, day DESC LIMIT 1`,
  given: {
    s: `SELECT s.*, j.first_sequence, j.transfers FROM rewards.sign_in s ${lateralLookUp('ledger.journal', 'j', 'j.id = s.id', 'first_sequence, transfers')}
        WHERE (s.customer_id, s.day) > (($1::text[])[1]::bigint, ($1::text[])[2]::integer)
          AND (s.customer_id, s.day) <= (($2::text[])[1]::bigint, ($2::text[])[2]::integer)`,
  },
  invariants: [
    {
      id: 'RW1',
      says: 'every signed day paid its points and USDT, to its customer and once',
      text: `SELECT concat_ws('/', s.customer_id, s.day) AS subject FROM s
             CROSS JOIN LATERAL (SELECT
                 coalesce(sum(t.units) FILTER (WHERE t.asset = 'POINTS'), 0) AS points, coalesce(sum(t.units) FILTER (WHERE t.asset = 'USDT'), 0) AS usdt,
                 bool_and(t.code = 80 AND t.kind = 's' AND d.owner = 0 AND d.code = 270 AND c.owner = s.customer_id AND c.code IN (1000, 1040)) AS is_own
               FROM ledger.transfer t
               ${lateralLookUp('ledger.account', 'd', 'd.id = t.debit', 'owner, code')} ${lateralLookUp('ledger.account', 'c', 'c.id = t.credit', 'owner, code')}
               WHERE t.sequence >= s.first_sequence AND t.sequence < s.first_sequence + s.transfers OFFSET 0) paid
             WHERE (paid.points = s.points AND paid.usdt = s.usdt AND paid.is_own) IS NOT TRUE`,
    },
    {
      id: 'RW2',
      says: 'every signed day is the ladder’s of that day, one further than the day before, or the first',
      text: `SELECT concat_ws('/', s.customer_id, s.day) AS subject FROM s
             ${lateralLookUp('rewards.sign_in', 'b', 'b.customer_id = s.customer_id AND b.day = s.day - 1', 'rung')}
             ${lateralLookUp('rewards.ladder', 'l', 'l.version = s.version')}
             WHERE s.rung IS DISTINCT FROM (CASE WHEN b.rung IS NULL THEN 1 ELSE b.rung % 7 + 1 END)
               OR (l.effective_day <= s.day AND l.points[s.rung] = s.points AND (l.usdt[s.rung] = s.usdt OR s.usdt = 0)) IS NOT TRUE`,
    },
  ],
};

/** SQL for HMAC's padded key: the seed, filled up with zeros, with each byte XORed with the mask. */
const PADDED = (mask: number): string =>
  `(SELECT string_agg(set_byte('\\x00'::bytea, 0, get_byte(decode(d.seed, 'hex'), n) # ${mask}), ''::bytea ORDER BY n) FROM generate_series(0, 31) n)
     || decode(repeat('${mask.toString(16)}', 32), 'hex')`;

/** SQL for the n-th 32-bit word of the key. */
const WORD = (n: string): string =>
  `(get_byte(k.key, 4 * ${n}) * 16777216::bigint + get_byte(k.key, 4 * ${n} + 1) * 65536 + get_byte(k.key, 4 * ${n} + 2) * 256 + get_byte(k.key, 4 * ${n} + 3))`;

/** Draws, ordered by box and number. */
export const DRAW_SCAN: Scan = {
  name: 'draws',
  tables: ['boxes.draw'],
  starts: `SELECT '{00000000-0000-0000-0000-000000000000,0}'::text[] AS cursor`,
  next: `SELECT ARRAY[box::text, i::text] AS cursor, count(*) OVER () AS rows
         FROM (SELECT box, i FROM boxes.draw WHERE (box, i) > (($1::text[])[1]::uuid, ($1::text[])[2]::integer)
           ORDER BY box, i LIMIT $2::bigint) page ORDER BY box DESC, i DESC LIMIT 1`,
  given: {
    d: `SELECT d.*, b.price, b.usdt_max, b.points_max, b.hash AS box_hash, b.body::jsonb AS terms, b.opens_at, b.closes_at, d.body::jsonb AS said,
          j.first_sequence, j.transfers, r.first_sequence AS result_first, r.transfers AS result_transfers
        FROM boxes.draw d ${lateralLookUp('boxes.box', 'b', 'b.id = d.box')}
        ${lateralLookUp('ledger.journal', 'j', 'j.id = d.id', 'first_sequence, transfers')}
        ${lateralLookUp('ledger.journal', 'r', 'r.id = d.resolved_journal', 'first_sequence, transfers')}
        WHERE (d.box, d.i) > (($1::text[])[1]::uuid, ($1::text[])[2]::integer) AND (d.box, d.i) <= (($2::text[])[1]::uuid, ($2::text[])[2]::integer)`,
  },
  invariants: [
    {
      id: 'BX1',
      says: 'the draws of a box have no gaps, and each has its signed place within the sale',
      text: `SELECT concat_ws('/', d.box, d.i) AS subject FROM d
             WHERE (d.i > 1 AND NOT EXISTS (SELECT FROM boxes.draw p WHERE p.box = d.box AND p.i = d.i - 1 AND p.reserved_at <= d.reserved_at))
               OR (d.said ->> 'order' = d.id::text AND d.said ->> 'box' = d.box::text AND d.said ->> 'i' = d.i::text AND d.said ->> 'box_hash' = d.box_hash
                 AND d.said ->> 'round' = d.round::text AND (d.said ->> 'reserved')::numeric = round(extract(epoch FROM d.reserved_at) * 1000)
                 AND d.reserved_at >= d.opens_at AND d.reserved_at < d.closes_at) IS NOT TRUE`,
    },
    {
      id: 'BX2',
      says: 'every draw paid its price and held the largest prize of each asset',
      text: `SELECT concat_ws('/', d.box, d.i) AS subject FROM d
             ${lateralLookUp('ledger.transfer', 'p', 'p.sequence = d.first_sequence')} ${lateralLookUp('ledger.account', 'c', 'c.id = p.debit', 'owner, code')}
             ${lateralLookUp('ledger.transfer', 'u', 'u.sequence = d.usdt_hold')} ${lateralLookUp('ledger.transfer', 'q', 'q.sequence = d.points_hold')}
             WHERE (p.kind, p.units, p.code, p.asset, c.owner, c.code)
                 IS DISTINCT FROM ('s'::"char", d.price::numeric, 84::smallint, 'POINTS'::text, d.customer_id, 1000::smallint)
               OR (coalesce(u.units, 0), coalesce(q.units, 0)) IS DISTINCT FROM (d.usdt_max::numeric, d.points_max::numeric)
               OR (u.journal IS NOT NULL AND (u.journal, u.kind, u.code) IS DISTINCT FROM (d.id, 'h'::"char", 85::smallint))
               OR (q.journal IS NOT NULL AND (q.journal, q.kind, q.code) IS DISTINCT FROM (d.id, 'h'::"char", 85::smallint))`,
    },
    {
      id: 'BX3',
      says: 'every result is the seed that was promised, the prize of its number, and what was paid',
      text: `SELECT concat_ws('/', d.box, d.i) AS subject FROM d
             ${lateralLookUp('ledger.transfer', 'u', 'u.resolves = d.usdt_hold')} ${lateralLookUp('ledger.transfer', 'q', 'q.resolves = d.points_hold')}
             CROSS JOIN LATERAL (SELECT d.terms -> 'table' -> d.prize AS won,
               (SELECT coalesce(sum((row ->> 'weight')::bigint), 0) FROM jsonb_array_elements(d.terms -> 'table') WITH ORDINALITY AS t(row, n) WHERE n <= d.prize) AS above) o
             WHERE CASE WHEN d.resolved_at IS NULL THEN u.sequence IS NOT NULL OR q.sequence IS NOT NULL
               ELSE (encode(sha256(convert_to('bb/1' || d.box || d.i, 'UTF8') || decode(d.seed, 'hex')), 'hex') = d.said ->> 'c'
                 AND d.number >= o.above AND d.number < o.above + (o.won ->> 'weight')::bigint
                 AND (d.usdt_hold IS NULL OR (u.journal, u.kind) = (d.resolved_journal, CASE o.won ->> 'prize' WHEN 'usdt' THEN 'p' ELSE 'v' END::"char"))
                 AND (d.points_hold IS NULL OR (q.journal, q.kind) = (d.resolved_journal, CASE o.won ->> 'prize' WHEN 'points' THEN 'p' ELSE 'v' END::"char"))
                 AND (o.won ->> 'amount')::numeric = CASE o.won ->> 'prize' WHEN 'usdt' THEN u.units ELSE q.units END) IS NOT TRUE END`,
    },
    {
      id: 'BX6',
      says: 'every number is what the promised seed, the customer’s seed and the public round give',
      text: `SELECT concat_ws('/', d.box, d.i) AS subject FROM d
             CROSS JOIN LATERAL (SELECT sha256(${PADDED(0x5c)} || sha256(${PADDED(0x36)} || convert_to(concat(
                 '{"box":"', d.box, '","client_seed":"', coalesce(d.client_seed, encode(sha256(convert_to(d.id::text, 'UTF8')), 'hex')), '","drand":"', d.round,
                 '","i":"', d.i, '","rand":"', encode(sha256(decode(d.beacon, 'hex')), 'hex'), '"}'), 'UTF8'))) AS key) k
             CROSS JOIN LATERAL (SELECT (d.terms ->> 'weight_sum')::bigint AS sum) w
             CROSS JOIN LATERAL (SELECT min(word.n) AS n FROM generate_series(0, 7) word(n)
               WHERE ${WORD('word.n')} < 4294967296 / w.sum * w.sum) first
             WHERE d.resolved_at IS NOT NULL AND first.n IS NOT NULL AND d.number IS DISTINCT FROM ${WORD('first.n')} % w.sum`,
    },
  ],
};

/** Invariants over released rewards and the sums and draws of boxes, checked in each thorough round. */
export const BOX_INVARIANTS: readonly Invariant[] = [
  {
    id: 'RW4',
    says: 'locked rewards became available as they were booked, and only to certified customers',
    text: `SELECT r.id::text AS subject FROM rewards.release r
           LEFT JOIN ledger.journal j ON j.id = r.id LEFT JOIN ledger.transfer t ON t.sequence = j.first_sequence
           LEFT JOIN ledger.account d ON d.id = t.debit LEFT JOIN ledger.account c ON c.id = t.credit
           WHERE (j.transfers = 1 AND (t.kind, t.code, t.asset, t.units, d.owner, d.code, c.owner, c.code)
                 = ('s'::"char", 89::smallint, r.asset, r.units, r.customer_id, 1040::smallint, r.customer_id, 1000::smallint)
               AND rewards.is_certified(r.customer_id)) IS NOT TRUE`,
  },
  {
    id: 'BX4',
    says: 'the budgets on sale are what the account of boxes has, no box gave more than its budget, and its counts are its draws',
    text: `SELECT concat_ws(' ', 'budget', a.asset) AS subject
           FROM (VALUES ('USDT'), ('POINTS')) a(asset)
           CROSS JOIN LATERAL (SELECT coalesce(sum(credits_posted - debits_posted), 0) AS units FROM ledger.account
             WHERE id = CASE a.asset WHEN 'USDT' THEN ${HOUSE(271, 'USDT')} ELSE ${HOUSE(271, 'POINTS')} END) had
           CROSS JOIN LATERAL (SELECT coalesce(sum(CASE a.asset WHEN 'USDT' THEN b.usdt_budget - s.usdt_paid ELSE b.points_budget - s.points_paid END), 0) AS units
             FROM boxes.box b JOIN boxes.standing s ON s.box = b.id WHERE s.returned_journal IS NULL) owed
           WHERE had.units <> owed.units
           UNION ALL
           SELECT concat_ws(' ', 'box', b.id) FROM boxes.box b LEFT JOIN boxes.standing s ON s.box = b.id
           CROSS JOIN LATERAL (SELECT count(*) AS drawn, count(*) FILTER (WHERE resolved_at IS NULL) AS open,
               coalesce(sum((b.body::jsonb -> 'table' -> prize ->> 'amount')::numeric) FILTER (WHERE b.body::jsonb -> 'table' -> prize ->> 'prize' = 'usdt'), 0) AS usdt,
               coalesce(sum((b.body::jsonb -> 'table' -> prize ->> 'amount')::numeric) FILTER (WHERE b.body::jsonb -> 'table' -> prize ->> 'prize' = 'points'), 0) AS points
             FROM boxes.draw d WHERE d.box = b.id) has
           WHERE (s.drawn, s.open, s.usdt_paid, s.points_paid) IS DISTINCT FROM (has.drawn, has.open, has.usdt, has.points)
             OR has.usdt + has.open * b.usdt_max > b.usdt_budget OR has.points + has.open * b.points_max > b.points_budget
             OR has.drawn > b.draws_max
             OR (b.price, b.draws_max, b.usdt_budget, b.points_budget) IS DISTINCT FROM ((b.body::jsonb ->> 'price')::bigint, (b.body::jsonb ->> 'draws_max')::integer,
               (b.body::jsonb -> 'budget' ->> 'USDT')::bigint, (b.body::jsonb -> 'budget' ->> 'POINTS')::bigint)`,
  },
  {
    id: 'BX7',
    says: 'every box that was approved is sold as two people decided it',
    text: `SELECT b.id::text AS subject FROM boxes.box b LEFT JOIN boxes.decided d ON d.approval = b.approval
           WHERE b.approval IS NOT NULL AND (boxes.is_as_decided(b, d.fields) AND EXISTS (SELECT FROM offer.version v
             WHERE v.approval = b.approval AND v.kind = 'box' AND v.fields::jsonb = d.fields::jsonb)) IS NOT TRUE`,
  },
  {
    id: 'BX8',
    says: 'the results of each box are believable by its odds: they come up by chance more often than once in a billion boxes',
    // Each draw of somebody who knows the seeds is right by itself.
    text: `SELECT b.id::text AS subject, ARRAY[rows.weights, rows.given] AS evidence FROM boxes.box b
           CROSS JOIN LATERAL (SELECT string_agg(prize ->> 'weight', ' ' ORDER BY n) AS weights, string_agg(coalesce(has.given, 0)::text, ' ' ORDER BY n) AS given
             FROM jsonb_array_elements(b.body::jsonb -> 'table') WITH ORDINALITY AS t(prize, n)
             LEFT JOIN (SELECT d.prize AS row, count(*) AS given FROM boxes.draw d WHERE d.box = b.id AND d.prize IS NOT NULL GROUP BY 1) has ON has.row = n - 1) rows`,
    isBroken: ([weights = '', given = '']: readonly string[]): boolean =>
      boxChanceLog10(given.split(' ').map(Number), weights.split(' ').map(Number)) < BOX_CHANCE_LOG10_MIN,
    isKeyless: true,
  },
  {
    id: 'BX5',
    says: 'a draw of a box without public randomness is resolved within a minute, while money moves',
    text: `SELECT d.id::text AS subject FROM boxes.draw d CROSS JOIN ledger.head h
           WHERE d.resolved_at IS NULL AND d.round = 0 AND h.halted IS NULL AND d.reserved_at < clock_timestamp() - interval '120 seconds'
             AND NOT (SELECT virtual_clock FROM market.guard)`,
  },
];

/** Finds transfers with a purpose of the rewards that no check-in, grant, draw or box refers to. */
export const REWARD_TRANSFER_HAS_ROW_INVARIANT: Invariant = {
  id: 'RW3',
  says: 'points, USDT of rewards and money of boxes move for a signed day, a grant, a release, a draw or a box',
  text: `SELECT t.journal::text AS subject FROM (SELECT DISTINCT journal, code, hold_journal FROM t WHERE code BETWEEN 80 AND 89) t
         WHERE NOT CASE
           WHEN t.code = 80 THEN EXISTS (SELECT FROM rewards.sign_in s WHERE s.id = t.journal OFFSET 0)
           WHEN t.code = 81 THEN EXISTS (SELECT FROM rewards.grant_of_points g WHERE g.id = t.journal OFFSET 0)
           WHEN t.code = 82 THEN EXISTS (SELECT FROM boxes.box b WHERE b.funded_journal = t.journal OFFSET 0)
           WHEN t.code = 83 THEN EXISTS (SELECT FROM boxes.standing s WHERE s.returned_journal = t.journal OFFSET 0)
           WHEN t.code = 89 THEN EXISTS (SELECT FROM rewards.release r WHERE r.id = t.journal OFFSET 0)
           WHEN t.code > 85 THEN false
           ELSE EXISTS (SELECT FROM boxes.draw d WHERE d.id = coalesce(t.hold_journal, t.journal) OFFSET 0) END`,
};
