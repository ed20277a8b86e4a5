import { ordersOf } from './option-walks.ts';
import type { Walk } from './walk.ts';

const PIECE = `t AS MATERIALIZED (
  SELECT * FROM ledger.transfer WHERE sequence > ($1::text[])[1]::bigint AND sequence <= ($2::text[])[1]::bigint
)`;

/** What a leg moved and kept of its account. A hold that is resolved goes whole, whatever was posted of it. */
const MOVED = `CASE WHEN t.kind IN ('s', 'p') THEN t.units ELSE 0 END`;
const KEPT = `CASE t.kind WHEN 'h' THEN t.units WHEN 's' THEN 0 ELSE -h.units END`;

/** Accounts whose counters are not what their newest entry says; by two look-ups of an index each. */
const countersOf = (which: string): string => `
  SELECT a.id::text AS subject FROM ledger.account a
  LEFT JOIN LATERAL (SELECT debit_entry AS entry, debit_total AS total, debit_held AS held FROM ledger.transfer WHERE debit = a.id ORDER BY debit_entry DESC LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT credit_entry AS entry, credit_total AS total, credit_held AS held FROM ledger.transfer WHERE credit = a.id ORDER BY credit_entry DESC LIMIT 1) c ON true
  WHERE ${which} AND ((a.entries, a.credits_posted - a.debits_posted, a.debits_held) IS DISTINCT FROM (CASE WHEN coalesce(d.entry, 0) > coalesce(c.entry, 0) THEN (d.entry, d.total, d.held) ELSE (coalesce(c.entry, 0), coalesce(c.total, 0), coalesce(c.held, 0)) END)
    OR (a.entries = 0 AND (a.debits_posted, a.credits_held) <> (0, 0)))`;

const strangersOf = (which: string): string => `
  SELECT a.id::text AS subject FROM ledger.account a
  WHERE ${which} AND a.owner <> 0 AND NOT EXISTS (SELECT FROM customers.customer c WHERE c.id = a.owner)`;

const COUNTERS = 'each account’s counters are what its newest entry says';
const OWNERS = 'every account is the house’s or a known customer’s';

const HOUSE = [200, 210, 220, 230, 240, 250];
/** Between which accounts, by the chart, a transfer may be for what it says, and whether of one owner. Nothing else moves money. */
const PURPOSES: readonly [
  code: number,
  kinds: string,
  debits: number[],
  credits: number[] | null,
  isOwn: boolean | null,
][] = [
  [1, 's', [100, 110, 111, 112], null, null],
  [2, 's', [100], HOUSE, true],
  [2, 's', HOUSE, [100], true],
  [10, 's', [240], [1000], false],
  [20, 'h,p,v', [1000], [210], false],
  [21, 'h,p,v', [210], [1000], false],
  [22, 's', [1000], [220], false],
  [40, 's', [1000], [1005], true],
  [40, 's', [250], [251], true],
  [41, 's', [1005], [1000], true],
  [41, 's', [251], [250], true],
  [42, 's', [1000, 250, 1005, 251], [1000, 250], false],
  [43, 's', [1000, 250], [220], null],
];
/** Constants of their types: read from text, they would be so for each transfer. */
const PURPOSE_ROWS = PURPOSES.map(
  ([code, kinds, debits, credits, isOwn]) =>
    `(${code}, '{${kinds}}'::"char"[], '{${debits.join()}}'::smallint[], ${credits ? `'{${credits.join()}}'` : 'NULL'}::smallint[], ${isOwn}::boolean)`,
).join(', ');

export const TRANSFERS: Walk = {
  name: 'transfers',
  tables: ['ledger.transfer'],
  starts: `SELECT '{0}'::text[] AS place`,
  next: `SELECT ARRAY[upto::text] AS place, upto - ($1::text[])[1]::bigint AS rows
         FROM (SELECT least(($1::text[])[1]::bigint + $2::bigint, last_sequence) AS upto FROM ledger.head WHERE last_sequence > ($1::text[])[1]::bigint) ahead`,
  invariants: [
    {
      id: 'I4',
      says: 'each account’s entries are numbered without a gap and each balance follows from the one before',
      text: `WITH ${PIECE}, leg AS (
               SELECT t.sequence, t.debit AS account, t.debit_entry AS entry, t.debit_total AS total, t.debit_held AS held, -${MOVED} AS moved, ${KEPT} AS kept
               FROM t LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
               UNION ALL
               SELECT t.sequence, t.credit, t.credit_entry, t.credit_total, t.credit_held, ${MOVED}, 0 FROM t
             ), step AS (
               SELECT leg.*, lag(entry) OVER w AS entry_before, lag(total) OVER w AS total_before, lag(held) OVER w AS held_before
               FROM leg WINDOW w AS (PARTITION BY account ORDER BY sequence)
             ), told AS (
               SELECT account, entry_before, total_before, held_before, entry, total, held, moved, kept FROM step WHERE entry_before IS NOT NULL
               UNION ALL
               -- The leg before is in an earlier piece.
               SELECT s.account, coalesce(b.entry, 0), coalesce(b.total, 0), coalesce(b.held, 0), s.entry, s.total, s.held, s.moved, s.kept
               FROM step s LEFT JOIN LATERAL (
                 SELECT debit_entry AS entry, debit_total AS total, debit_held AS held FROM ledger.transfer
                 WHERE debit = s.account AND debit_entry = s.entry - 1 AND sequence < s.sequence
                 UNION ALL
                 SELECT credit_entry, credit_total, credit_held FROM ledger.transfer
                 WHERE credit = s.account AND credit_entry = s.entry - 1 AND sequence < s.sequence
               ) b ON true
               WHERE s.entry_before IS NULL
             )
             SELECT DISTINCT account::text AS subject FROM told
             WHERE (entry = entry_before + 1 AND total = total_before + moved AND held = held_before + kept) IS NOT TRUE`,
    },
    {
      id: 'I5',
      says: 'sequences have no gap, every transfer is of its accounts’ asset and belongs to its journal, every resolution fits its hold',
      text: `WITH ${PIECE}
             SELECT ($1::text[])[1] || ' to ' || ($2::text[])[1] AS subject FROM t HAVING count(DISTINCT sequence) <> ($2::text[])[1]::bigint - ($1::text[])[1]::bigint
             UNION ALL
             SELECT used.first::text FROM (SELECT journal, min(sequence) AS first, max(sequence) AS last FROM t GROUP BY journal) used
             LEFT JOIN ledger.journal j ON j.id = used.journal
             WHERE j.id IS NULL OR used.first < j.first_sequence OR used.last >= j.first_sequence + j.transfers
             UNION ALL
             SELECT pair.sequence::text FROM (SELECT asset, debit, credit, min(sequence) AS sequence FROM t GROUP BY asset, debit, credit) pair
             LEFT JOIN ledger.account d ON d.id = pair.debit LEFT JOIN ledger.account c ON c.id = pair.credit
             WHERE (pair.asset = d.asset AND pair.asset = c.asset) IS NOT TRUE
             UNION ALL
             SELECT t.sequence::text FROM t LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
             WHERE t.resolves IS NOT NULL AND (h.kind IS DISTINCT FROM 'h' OR h.debit <> t.debit OR h.credit <> t.credit OR t.units > h.units
               OR (t.kind = 'v' AND t.units <> h.units))`,
    },
    {
      id: 'C5',
      says: 'what the ledger moved for trades, an order’s trades say',
      text: `WITH ${PIECE}, dealt AS (
               -- The answer to an order begins with its number; who wrote something else there has no order.
               SELECT j.id, substring(j.answer FROM '"([A-Z]{2,10})-[0-9]{1,15}"') AS coin, substring(j.answer FROM '"[A-Z]{2,10}-([0-9]{1,15})"')::bigint AS sequence
               FROM (SELECT DISTINCT journal FROM t WHERE code IN (42, 43)) used JOIN ledger.journal j ON j.id = used.journal
             )
             SELECT dealt.id::text AS subject FROM dealt LEFT JOIN contracts.orders o ON o.coin = dealt.coin AND o.sequence = dealt.sequence AND o.journal = dealt.id
             WHERE NOT EXISTS (SELECT FROM contracts.trade WHERE taker_customer = o.customer_id AND taker_customer <> 0 AND at_ms = o.accepted_ms AND coin = o.coin AND taker_sequence = o.sequence)`,
    },
    {
      id: 'K1',
      says: 'every transfer is between the accounts that its purpose is for',
      isOfPlatform: true,
      text: `WITH ${PIECE}
             SELECT used.sequence::text AS subject FROM (
               SELECT pair.code, pair.kind, d.code AS debit, c.code AS credit, d.owner = c.owner AS is_one, min(pair.sequence) AS sequence
               FROM (SELECT code, kind, debit, credit, min(sequence) AS sequence FROM t GROUP BY code, kind, debit, credit) pair
               JOIN ledger.account d ON d.id = pair.debit JOIN ledger.account c ON c.id = pair.credit
               GROUP BY pair.code, pair.kind, d.code, c.code, d.owner = c.owner
             ) used
             WHERE NOT EXISTS (SELECT FROM (VALUES ${PURPOSE_ROWS}) AS purpose(code, kinds, debits, credits, is_own)
               WHERE purpose.code = used.code AND used.kind = ANY (kinds) AND used.debit = ANY (debits)
                 AND (credits IS NULL OR used.credit = ANY (credits)) AND (is_own IS NULL OR is_own = used.is_one))`,
    },
    {
      id: 'K2',
      says: 'what was held, paid and charged for an option is an order’s',
      isOfPlatform: true,
      text: `WITH ${PIECE}
             SELECT held.first::text AS subject FROM (SELECT code, journal, min(sequence) AS first, max(sequence) AS last FROM t WHERE code IN (20, 21) AND resolves IS NULL GROUP BY code, journal) held
             LEFT JOIN options.orders o ON o.id = held.journal
             WHERE (CASE held.code WHEN 20 THEN o.stake_hold ELSE o.promised_hold END = ALL (ARRAY[held.first, held.last])) IS NOT TRUE
             UNION ALL
             SELECT t.sequence::text FROM t
             LEFT JOIN ledger.transfer h ON h.sequence = t.resolves LEFT JOIN options.orders o ON o.id = h.journal
             WHERE t.code IN (20, 21) AND t.resolves IS NOT NULL AND (h.sequence = CASE t.code WHEN 20 THEN o.stake_hold ELSE o.promised_hold END) IS NOT TRUE
             UNION ALL
             SELECT t.sequence::text FROM t LEFT JOIN ledger.transfer paid ON paid.sequence = t.sequence - 1
             WHERE t.code = 22 AND (paid.journal = t.journal AND paid.kind = 'p' AND paid.code = 21 AND paid.credit = t.debit) IS NOT TRUE`,
    },
  ],
  newest: {
    starts: 'SELECT ARRAY[greatest(last_sequence - $1::bigint, 0)::text] AS place FROM ledger.head',
    invariants: [
      {
        id: 'I3',
        says: COUNTERS,
        text: `WITH ${PIECE}, touched AS (SELECT debit AS id FROM t UNION SELECT credit FROM t) ${countersOf('a.id = ANY (ARRAY(SELECT id FROM touched))')}`,
      },
      {
        id: 'I9',
        says: OWNERS,
        isOfPlatform: true,
        text: `WITH ${PIECE}, touched AS (SELECT debit AS id FROM t UNION SELECT credit FROM t) ${strangersOf('a.id = ANY (ARRAY(SELECT id FROM touched))')}`,
      },
      ...ordersOf(
        `WITH ${PIECE}`,
        `o.id = ANY (ARRAY(SELECT journal FROM t WHERE kind = 'h' UNION SELECT h.journal FROM t JOIN ledger.transfer h ON h.sequence = t.resolves))`,
      ),
    ],
  },
};

export const ACCOUNTS: Walk = {
  name: 'accounts',
  tables: ['ledger.account'],
  starts: `SELECT '{0}'::text[] AS place`,
  next: `SELECT ARRAY[max(id)::text] AS place, count(*) AS rows FROM (SELECT id FROM ledger.account WHERE id > ($1::text[])[1]::bigint ORDER BY id LIMIT $2::bigint) piece HAVING count(*) > 0`,
  invariants: [
    {
      id: 'I3',
      says: COUNTERS,
      text: countersOf('a.id > ($1::text[])[1]::bigint AND a.id <= ($2::text[])[1]::bigint'),
    },
    {
      id: 'I9',
      says: OWNERS,
      isOfPlatform: true,
      text: strangersOf('a.id > ($1::text[])[1]::bigint AND a.id <= ($2::text[])[1]::bigint'),
    },
  ],
};

/** The legs behind a place [account, entry, debits held, posted, credits held, posted, legs]: the next ones in this order, or those up to a second place. */
const legs = (bound: string): string => {
  const side = (name: 'debit' | 'credit', columns: string): string => `
    (SELECT t.${name} AS account, t.${name}_entry AS entry, ${columns} FROM ledger.transfer t LEFT JOIN ledger.transfer h ON h.sequence = t.resolves
     WHERE (t.${name}, t.${name}_entry) > (($1::text[])[1]::bigint, ($1::text[])[2]::bigint) ${bound.replaceAll('SIDE', `t.${name}, t.${name}_entry`)})`;
  return `leg AS (
    ${side('debit', `${KEPT} AS dh, ${MOVED} AS dp, 0::numeric AS ch, 0::numeric AS cp`)}
    UNION ALL
    ${side('credit', `0::numeric, 0::numeric, ${KEPT}, ${MOVED}`)}
  )`;
};
/** Of one account in a piece, with what was carried of it. */
const SUMS = `SELECT account, max(entry) AS entry, sum(dh) AS dh, sum(dp) AS dp, sum(ch) AS ch, sum(cp) AS cp, sum(n) AS n FROM (
    SELECT account, entry, dh, dp, ch, cp, 1 AS n FROM piece
    UNION ALL
    SELECT p[1]::bigint, p[2]::bigint, p[3]::numeric, p[4]::numeric, p[5]::numeric, p[6]::numeric, p[7]::bigint FROM (SELECT $1::text[] AS p) carried
  ) summed GROUP BY account`;

export const LEGS: Walk = {
  name: 'legs',
  // As the leg of its debit, and as that of its credit.
  tables: ['ledger.transfer', 'ledger.transfer'],
  starts: `SELECT '{0,0,0,0,0,0,0}'::text[] AS place`,
  next: `WITH ${legs('ORDER BY SIDE LIMIT $2::bigint')}, piece AS (SELECT * FROM leg ORDER BY account, entry LIMIT $2::bigint)
         SELECT ARRAY[account, entry, dh, dp, ch, cp, n]::text[] AS place, (SELECT count(*) / 2 FROM piece) AS rows
         FROM (${SUMS}) sums WHERE EXISTS (SELECT FROM piece) ORDER BY account DESC LIMIT 1`,
  invariants: [
    {
      id: 'I3',
      says: 'counters are what the transfers add up to',
      text: `WITH ${legs('AND (SIDE) <= (($2::text[])[1]::bigint, ($2::text[])[2]::bigint)')}, piece AS (SELECT * FROM leg)
             SELECT s.account::text AS subject FROM (${SUMS}) s LEFT JOIN ledger.account a ON a.id = s.account
             -- Of the last one there may be more to come.
             WHERE s.account > 0 AND (s.account < ($2::text[])[1]::bigint OR s.entry >= a.entries)
               AND (a.debits_held, a.debits_posted, a.credits_held, a.credits_posted, a.entries) IS DISTINCT FROM (s.dh, s.dp, s.ch, s.cp, s.n::bigint)`,
    },
  ],
};

export const JOURNALS: Walk = {
  name: 'journals',
  tables: ['ledger.journal', 'ledger.journal', 'ledger.journal'],
  starts: `SELECT '{00000000-0000-0000-0000-000000000000}'::text[] AS place`,
  next: `SELECT ARRAY[(array_agg(id ORDER BY id DESC))[1]::text] AS place, count(*) AS rows
         FROM (SELECT id FROM ledger.journal WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) piece HAVING count(*) > 0`,
  invariants: [
    {
      id: 'I5',
      says: 'no journal claims a transfer that is not its own',
      text: `SELECT j.id::text AS subject FROM ledger.journal j
             WHERE j.id > ($1::text[])[1]::uuid AND j.id <= ($2::text[])[1]::uuid AND j.transfers > 0 AND j.transfers <> (
               SELECT count(*) FROM ledger.transfer t WHERE t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers AND t.journal = j.id)`,
    },
  ],
};
