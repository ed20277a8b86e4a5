import { PURPOSE_ROWS } from '../../ledger/index.ts';
import { WITHDRAWAL_INVARIANTS } from './authorisation-scans.ts';
import { TAKEN_BY } from './contract-scans.ts';
import { TRANSFER_HAS_CORRECTION_INVARIANT } from './correction-scans.ts';
import { CREDIT_INVARIANTS, TRANSFER_HAS_CASE_INVARIANT } from './custody-scans.ts';
import { EARNING_TRANSFER_HAS_ROW_INVARIANT } from './earning-scans.ts';
import { OPTION_ORDER_INVARIANTS, VOIDING_HOLDS } from './option-scans.ts';
import { REWARD_TRANSFER_HAS_ROW_INVARIANT } from './reward-scans.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** Rows between the cursors of a page; a cursor is a single number. */
const PAGE = (column: string, type = 'bigint'): string =>
  `${column} > ($1::text[])[1]::${type} AND ${column} <= ($2::text[])[1]::${type}`;

/** Accounts `a` whose counters differ from their newest entry; two index look-ups each. */
const countersOf = (accounts: string): string => `
  SELECT concat_ws(' ', a.id, a.credits_posted - a.debits_posted - CASE WHEN coalesce(d.entry, 0) > coalesce(c.entry, 0) THEN d.total ELSE coalesce(c.total, 0) END) AS subject FROM ${accounts}
  LEFT JOIN LATERAL (SELECT debit_entry AS entry, debit_total AS total, debit_held AS held FROM ledger.transfer WHERE debit = a.id ORDER BY debit_entry DESC LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT credit_entry AS entry, credit_total AS total, credit_held AS held FROM ledger.transfer WHERE credit = a.id ORDER BY credit_entry DESC LIMIT 1) c ON true
  WHERE (a.entries, a.credits_posted - a.debits_posted, a.debits_held) IS DISTINCT FROM (CASE WHEN coalesce(d.entry, 0) > coalesce(c.entry, 0) THEN (d.entry, d.total, d.held) ELSE (coalesce(c.entry, 0), coalesce(c.total, 0), coalesce(c.held, 0)) END)
    OR (a.entries = 0 AND (a.debits_posted, a.credits_held) <> (0, 0))`;

const strangersOf = (accounts: string): string => `
  SELECT a.id::text AS subject FROM ${accounts} ${lateralLookUp('customers.customer', 'c', 'c.id = a.owner', 'id')} WHERE a.owner <> 0 AND c.id IS NULL`;

const COUNTERS = 'each account’s counters are what its newest entry says';
const OWNERS = 'every account is the house’s or a known customer’s';

/** A deployment without a recorded mode counts as a demo, because it holds no money yet. */
const IS_LIVE = `coalesce((SELECT mode = 'live' FROM ledger.deployment), false)`;
/**
 * Uses the chart in the code, because the database's owner can change the one in the database. The constants are typed,
 * because text would be parsed again for each transfer.
 */
const PURPOSE_VALUES = PURPOSE_ROWS.map(
  ({ code, kinds, debits, credits, isOwn, isDemo }) =>
    `(${code}, '{${kinds.join()}}'::"char"[], '{${debits.join()}}'::smallint[], '{${credits.join()}}'::smallint[], ${isOwn}::boolean, ${isDemo})`,
).join(', ');

export const TRANSFER_SCAN: Scan = {
  name: 'transfers',
  tables: ['ledger.transfer'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[upto::text] AS cursor, upto - ($1::text[])[1]::bigint AS rows
         FROM (SELECT least(($1::text[])[1]::bigint + $2::bigint, last_sequence) AS upto FROM ledger.head WHERE last_sequence > ($1::text[])[1]::bigint) ahead`,
  given: {
    // Joins the hold that a transfer resolves, with the amounts paid and held per account. A resolved hold ends
    // completely, whatever part of it was posted.
    t: `SELECT t.*, h.kind AS hold_kind, h.debit AS hold_debit, h.credit AS hold_credit, h.units AS hold_units, h.journal AS hold_journal,
          CASE WHEN t.kind IN ('s', 'p') THEN t.units ELSE 0 END AS paid, CASE t.kind WHEN 'h' THEN t.units WHEN 's' THEN 0 ELSE -h.units END AS kept
        FROM ledger.transfer t ${lateralLookUp('ledger.transfer', 'h', 'h.sequence = t.resolves')} WHERE ${PAGE('t.sequence')}`,
    pair: 'SELECT asset, code, kind, debit, credit, min(sequence) AS sequence FROM t GROUP BY asset, code, kind, debit, credit',
    account: `SELECT a.* FROM (SELECT debit AS id FROM pair UNION SELECT credit FROM pair) touched ${lateralLookUp('ledger.account', 'a', 'a.id = touched.id')} WHERE a.id IS NOT NULL`,
    used: `SELECT used.*, j.id, j.first_sequence, j.transfers, CASE WHEN is_trade THEN j.answer END AS answer
           FROM (SELECT journal, min(sequence) AS first, max(sequence) AS last, bool_or(code IN (42, 43)) AS is_trade FROM t GROUP BY journal) used
           ${lateralLookUp('ledger.journal', 'j', 'j.id = used.journal')}`,
    // The orders to which these holds and releases belong. The id is null if there is no such order.
    named: `SELECT held.stake_first, held.stake_last, held.promised_first, held.promised_last, o.* FROM (
              SELECT coalesce(hold_journal, journal) AS id,
                min(coalesce(resolves, sequence)) FILTER (WHERE code = 20) AS stake_first, max(coalesce(resolves, sequence)) FILTER (WHERE code = 20) AS stake_last,
                min(coalesce(resolves, sequence)) FILTER (WHERE code = 21) AS promised_first, max(coalesce(resolves, sequence)) FILTER (WHERE code = 21) AS promised_last
              FROM t WHERE code IN (20, 21) GROUP BY 1
            ) held ${lateralLookUp('options.orders', 'o', 'o.id = held.id')}`,
    o: 'SELECT * FROM named WHERE id IS NOT NULL',
    // Withdrawals whose money was held, taken or given back.
    w: `SELECT w.* FROM (
          SELECT coalesce(hold_journal, journal) AS id FROM t WHERE code = 54
          UNION
          SELECT back.id FROM (SELECT DISTINCT journal FROM t WHERE code = 61) ended ${lateralLookUp('withdrawals.withdrawal', 'back', 'back.journal = ended.journal', 'id')}
        ) moved ${lateralLookUp('withdrawals.withdrawal', 'w', 'w.id = moved.id')} WHERE w.id IS NOT NULL`,
    credited: `SELECT d.* FROM (SELECT DISTINCT journal FROM t WHERE code = 50) paid ${lateralLookUp('deposits.deposit', 'd', 'd.journal = paid.journal')} WHERE d.id IS NOT NULL`,
  },
  invariants: [
    {
      id: 'I4',
      says: 'each account’s entries are numbered without a gap and each balance follows from the one before',
      text: `SELECT DISTINCT s.account::text AS subject FROM (
               SELECT leg.*, lag(entry) OVER w AS entry_before, lag(total) OVER w AS total_before, lag(held) OVER w AS held_before FROM (
                 SELECT sequence, debit AS account, debit_entry AS entry, debit_total AS total, debit_held AS held, -paid AS moved, kept FROM t
                 UNION ALL
                 SELECT sequence, credit, credit_entry, credit_total, credit_held, paid, 0 FROM t
               ) leg WINDOW w AS (PARTITION BY account ORDER BY sequence)
             ) s
             -- The previous leg may be in an earlier page.
             LEFT JOIN LATERAL (
               SELECT debit_entry AS entry, debit_total AS total, debit_held AS held FROM ledger.transfer
               WHERE s.entry_before IS NULL AND debit = s.account AND debit_entry = s.entry - 1 AND sequence < s.sequence
               UNION ALL
               SELECT credit_entry, credit_total, credit_held FROM ledger.transfer
               WHERE s.entry_before IS NULL AND credit = s.account AND credit_entry = s.entry - 1 AND sequence < s.sequence
               OFFSET 0
             ) b ON true
             WHERE (s.entry = coalesce(s.entry_before, b.entry, 0) + 1 AND s.total = coalesce(s.total_before, b.total, 0) + s.moved
               AND s.held = coalesce(s.held_before, b.held, 0) + s.kept) IS NOT TRUE`,
    },
    {
      id: 'I5',
      says: 'sequences have no gap, every transfer is of its accounts’ asset and belongs to its journal, every resolution fits its hold',
      text: `SELECT ($1::text[])[1] || ' to ' || ($2::text[])[1] AS subject FROM t HAVING count(DISTINCT sequence) <> ($2::text[])[1]::bigint - ($1::text[])[1]::bigint
             UNION ALL
             SELECT first::text FROM used WHERE (first >= first_sequence AND last < first_sequence + transfers) IS NOT TRUE
             UNION ALL
             SELECT pair.sequence::text FROM pair LEFT JOIN account d ON d.id = pair.debit LEFT JOIN account c ON c.id = pair.credit
             WHERE (pair.asset = d.asset AND pair.asset = c.asset) IS NOT TRUE
             UNION ALL
             SELECT sequence::text FROM t WHERE resolves IS NOT NULL AND (hold_kind IS DISTINCT FROM 'h' OR hold_debit <> debit OR hold_credit <> credit
               OR units > hold_units OR (kind = 'v' AND units <> hold_units))`,
    },
    {
      id: 'C5',
      says: 'what the ledger moved for trades, an order’s trades say',
      text: `SELECT dealt.journal::text AS subject FROM (
               -- The answer to an order begins with its number. A journal with another answer matches no order.
               SELECT journal, number[1] AS coin, number[2]::bigint AS sequence
               FROM (SELECT journal, regexp_match(left(answer, 40), '"([A-Z]{2,10})-([0-9]{1,15})"') AS number FROM used WHERE is_trade OFFSET 0) answered
             ) dealt ${lateralLookUp('contracts.orders', 'o', 'o.coin = dealt.coin AND o.sequence = dealt.sequence AND o.journal = dealt.journal')}
             WHERE NOT EXISTS ${TAKEN_BY('o')}`,
    },
    {
      id: 'K1',
      says: 'every transfer is between the accounts that its purpose is for',
      isOfPlatform: true,
      text: `SELECT move.sequence::text AS subject FROM (
               SELECT pair.code, pair.kind, d.code AS debit, c.code AS credit, d.owner = c.owner AS is_one, min(pair.sequence) AS sequence
               FROM pair JOIN account d ON d.id = pair.debit JOIN account c ON c.id = pair.credit
               GROUP BY pair.code, pair.kind, d.code, c.code, d.owner = c.owner
             ) move
             WHERE NOT EXISTS (SELECT FROM (VALUES ${PURPOSE_VALUES}) AS purpose(code, kinds, debits, credits, is_own, is_of_demo)
               WHERE purpose.code = move.code AND move.kind = ANY (kinds) AND move.debit = ANY (debits)
                 AND move.credit = ANY (credits) AND (is_own IS NULL OR is_own = move.is_one) AND NOT (is_of_demo AND ${IS_LIVE}))`,
    },
    {
      id: 'K2',
      says: 'what was held, paid, charged and returned for an option is an order’s',
      isOfPlatform: true,
      text: `SELECT coalesce(stake_first, promised_first)::text AS subject FROM named
             WHERE (coalesce(stake_first, stake_hold) = stake_hold AND coalesce(stake_last, stake_hold) = stake_hold
               AND coalesce(promised_first, promised_hold) = promised_hold AND coalesce(promised_last, promised_hold) = promised_hold) IS NOT TRUE
             UNION ALL
             SELECT t.sequence::text FROM t ${lateralLookUp('ledger.transfer', 'paid', 'paid.sequence = t.sequence - 1')}
             WHERE t.code = 22 AND (paid.journal = t.journal AND paid.kind = 'p' AND paid.code = 21 AND paid.credit = t.debit) IS NOT TRUE
             UNION ALL
             SELECT back.sequence::text FROM (SELECT * FROM t WHERE code = 23) back ${lateralLookUp('options.voiding', 'v', 'v.transfer = back.sequence')}
             ${lateralLookUp('options.orders', 'o', 'o.id = v.order_id')} ${lateralLookUp('ledger.account', 'payee', 'payee.id = back.credit')}
             WHERE (${VOIDING_HOLDS}) IS NOT TRUE`,
    },
    TRANSFER_HAS_CASE_INVARIANT,
    EARNING_TRANSFER_HAS_ROW_INVARIANT,
    REWARD_TRANSFER_HAS_ROW_INVARIANT,
    TRANSFER_HAS_CORRECTION_INVARIANT,
  ],
  newest: {
    starts: 'SELECT ARRAY[greatest(last_sequence - $1::bigint, 0)::text] AS cursor FROM ledger.head',
    invariants: [
      { id: 'I3', says: COUNTERS, text: countersOf('account a') },
      { id: 'I9', says: OWNERS, isOfPlatform: true, text: strangersOf('account a') },
      ...OPTION_ORDER_INVARIANTS,
      // The signer waits for these checks before it pays.
      ...CREDIT_INVARIANTS,
      ...WITHDRAWAL_INVARIANTS,
    ],
  },
};

export const ACCOUNT_SCAN: Scan = {
  name: 'accounts',
  tables: ['ledger.account'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(id)::text] AS cursor, count(*) AS rows FROM (SELECT id FROM ledger.account WHERE id > ($1::text[])[1]::bigint ORDER BY id LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: { a: `SELECT * FROM ledger.account WHERE ${PAGE('id')}` },
  invariants: [
    { id: 'I3', says: COUNTERS, text: countersOf('a') },
    { id: 'I9', says: OWNERS, isOfPlatform: true, text: strangersOf('a') },
  ],
};

/** The change of an account by a leg: the posted and the held part. */
const MOVED = `CASE WHEN t.kind IN ('s', 'p') THEN t.units ELSE 0 END`;
const KEPT = `CASE t.kind WHEN 'h' THEN t.units WHEN 's' THEN 0 ELSE -h.units END`;

/**
 * The legs after a cursor [account, entry, debits held, posted, credits held, posted, legs]: the next ones in this
 * order, or those up to a second cursor.
 */
const legs = (bound: string): string => {
  const side = (name: 'debit' | 'credit', columns: string): string => `
    (SELECT t.${name} AS account, t.${name}_entry AS entry, ${columns} FROM ledger.transfer t ${lateralLookUp('ledger.transfer', 'h', 'h.sequence = t.resolves')}
     WHERE (t.${name}, t.${name}_entry) > (($1::text[])[1]::bigint, ($1::text[])[2]::bigint) ${bound.replaceAll('SIDE', `t.${name}, t.${name}_entry`)})`;
  return `
    ${side('debit', `${KEPT} AS dh, ${MOVED} AS dp, 0::numeric AS ch, 0::numeric AS cp`)}
    UNION ALL
    ${side('credit', `0::numeric, 0::numeric, ${KEPT}, ${MOVED}`)}`;
};
/** Sums per account in a page, added to the totals of earlier pages. */
const SUMS = `SELECT account, max(entry) AS entry, sum(dh) AS dh, sum(dp) AS dp, sum(ch) AS ch, sum(cp) AS cp, sum(n) AS n FROM (
    SELECT account, entry, dh, dp, ch, cp, 1 AS n FROM page
    UNION ALL
    SELECT p[1]::bigint, p[2]::bigint, p[3]::numeric, p[4]::numeric, p[5]::numeric, p[6]::numeric, p[7]::bigint FROM (SELECT $1::text[] AS p) carried
  ) summed GROUP BY account`;

export const TRANSFER_LEG_SCAN: Scan = {
  name: 'legs',
  // Listed twice: the first read is the debited account's leg, the second the credited account's.
  tables: ['ledger.transfer', 'ledger.transfer'],
  starts: `SELECT '{0,0,0,0,0,0,0}'::text[] AS cursor`,
  next: `WITH page AS (SELECT * FROM (${legs('ORDER BY SIDE LIMIT $2::bigint')}) leg ORDER BY account, entry LIMIT $2::bigint)
         SELECT ARRAY[account, entry, dh, dp, ch, cp, n]::text[] AS cursor, (SELECT count(*) / 2 FROM page) AS rows
         FROM (${SUMS}) sums WHERE EXISTS (SELECT FROM page) ORDER BY account DESC LIMIT 1`,
  given: { page: legs('AND (SIDE) <= (($2::text[])[1]::bigint, ($2::text[])[2]::bigint)') },
  invariants: [
    {
      id: 'I3',
      says: 'counters are what the transfers add up to',
      text: `SELECT concat_ws(' ', s.account, a.credits_posted - a.debits_posted - s.cp + s.dp) AS subject FROM (${SUMS}) s ${lateralLookUp('ledger.account', 'a', 'a.id = s.account')}
             -- The last account of a page may have more legs on the next one.
             WHERE s.account > 0 AND (s.account < ($2::text[])[1]::bigint OR s.entry >= a.entries)
               AND (a.debits_held, a.debits_posted, a.credits_held, a.credits_posted, a.entries) IS DISTINCT FROM (s.dh, s.dp, s.ch, s.cp, s.n::bigint)`,
    },
  ],
};

export const JOURNAL_SCAN: Scan = {
  name: 'journals',
  tables: ['ledger.journal', 'ledger.journal', 'ledger.journal'],
  starts: `SELECT '{00000000-0000-0000-0000-000000000000}'::text[] AS cursor`,
  next: `SELECT ARRAY[(array_agg(id ORDER BY id DESC))[1]::text] AS cursor, count(*) AS rows
         FROM (SELECT id FROM ledger.journal WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: {},
  invariants: [
    {
      id: 'I5',
      says: 'no journal claims a transfer that is not its own',
      text: `SELECT j.id::text AS subject FROM ledger.journal j
             WHERE ${PAGE('j.id', 'uuid')} AND j.transfers > 0 AND j.transfers <> (
               SELECT count(*) FROM ledger.transfer t WHERE t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers AND t.journal = j.id)`,
    },
  ],
};
