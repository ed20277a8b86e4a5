import { WITHDRAWAL_INVARIANTS } from './authorisation-scans.ts';
import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';
import { lateralLookUp, type Scan } from './scan.ts';
import { SEALED_TREASURY, TREASURY_INVARIANTS } from './treasury-scans.ts';

/** A journal's only transfer with this purpose, named `name`. */
const ofJournal = (name: string, journal: string, where: string): string => `
  LEFT JOIN LATERAL (
    SELECT t.*, debited.code AS debit_code, credited.code AS credit_code, credited.owner AS credit_owner
    FROM ledger.journal j JOIN ledger.transfer t ON t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers
    ${lateralLookUp('ledger.account', 'debited', 'debited.id = t.debit', 'code')} ${lateralLookUp('ledger.account', 'credited', 'credited.id = t.credit', 'code, owner')}
    WHERE j.id = ${journal} AND ${where} OFFSET 0
  ) AS ${name} ON true`;

/**
 * Invariants of credited deposits (`credited` in the SQL). The ledger scans check them when money is credited, and the
 * custody scan checks them again over the whole history.
 */
export const CREDIT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'CU9',
    says: 'every deposit on a chain that was credited by rule is sealed by the watcher, which read it there',
    text: `SELECT id::text AS subject, ARRAY[replace(credit_seal::text, '-', ''),
             concat(id, ' ', customer_id, ' ', chain, ' ', hash, ' ', output, ' ', token, ' ', address, ' ', amount, ' ', journal)] AS evidence
           FROM credited WHERE credit_seal IS NOT NULL`,
    isBroken: ([seal = '', said = '']: readonly string[], keys: KnownKeys): boolean =>
      !keys.isSealed('watch', seal, said),
  },
];

export const DEPOSIT_SCAN: Scan = {
  name: 'deposits',
  tables: Array(3).fill('deposits.deposit'),
  starts: `SELECT '{00000000-0000-0000-0000-000000000000}'::text[] AS cursor`,
  next: `SELECT ARRAY[(array_agg(id ORDER BY id DESC))[1]::text] AS cursor, count(*) AS rows
         FROM (SELECT id FROM deposits.deposit WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: {
    d: 'SELECT * FROM deposits.deposit WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid',
    credited: `SELECT * FROM d WHERE step = 'credited'`,
  },
  invariants: [
    {
      id: 'DW1',
      says: 'every credited deposit was credited once, to its owner, with its amount; no other was',
      text: `SELECT d.id::text AS subject FROM d ${ofJournal('t', 'd.journal', 't.code = 50')}
             WHERE d.step = 'credited' AND (t.kind = 's' AND t.units = d.amount AND t.credit_owner = d.customer_id AND t.credit_code = 1000
               AND t.debit_code = CASE d.kind WHEN 'crypto' THEN 120 ELSE 200 END AND t.asset = 'USDT') IS NOT TRUE`,
    },
    {
      id: 'DW4',
      says: 'what was kept for people was credited less its fee, or sent back, as two of them decided',
      text: `SELECT d.id::text AS subject FROM d ${ofJournal('f', 'd.journal', 't.code = 63')}
             ${lateralLookUp('withdrawals.sending', 's', "s.deposit_id = d.id AND s.step = 'done'", 'receiver, units, token')}
             ${lateralLookUp('operators.approval', 'a', 'a.id = d.recovery_approval', 'kind, subject, status, made_by, content')}
             WHERE d.network IS NULL AND (d.recovery_approval IS NOT NULL OR d.step = 'recovering' OR (d.step = 'returned' AND d.kind = 'crypto')
                 OR (d.step = 'credited' AND d.reason IN ('below_minimum', 'counted')))
               AND d.step <> 'reversed' AND ((a.kind = 'deposit_recovery' AND a.subject = d.id::text AND a.status = 'approved'
                   AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = d.recovery_approval AND v.decision = 'approve' AND v.operator <> a.made_by OFFSET 0)
                   AND a.content::jsonb ->> 'plan' = d.recovery_plan AND a.content::jsonb ->> 'to' IS NOT DISTINCT FROM CASE d.recovery_plan WHEN 'return' THEN d.return_to END) IS NOT TRUE
                 OR (d.step = 'credited' AND (f.units = d.recovery_fee AND (f.units, d.amount) = ((a.content::jsonb ->> 'fee')::numeric, (a.content::jsonb ->> 'units')::numeric)) IS NOT TRUE)
                 OR (d.step = 'returned' AND (s.receiver = d.return_to AND (s.units = d.amount OR s.token IS NULL AND s.units < d.amount)) IS NOT TRUE))`,
    },
    {
      id: 'DW5',
      says: 'a case of another network ended as two people decided, or with what corrections paid, which its opener took no part in',
      text: `SELECT d.id::text AS subject FROM d
             ${lateralLookUp('operators.approval', 'a', 'a.id = d.recovery_approval', 'kind, subject, status, made_by, content')}
             LEFT JOIN LATERAL (SELECT sum(c.moved) AS moved, coalesce(bool_or(c.made_by = d.opened_by
                 OR EXISTS (SELECT FROM operators.vote v WHERE v.approval = c.approval AND v.operator = d.opened_by OFFSET 0)), false) AS by_opener
               FROM corrections.correction c WHERE c.deposit = d.id AND c.kind = 'refund' AND c.step = 'done' OFFSET 0) paid ON true
             WHERE d.network IS NOT NULL AND (paid.by_opener OR d.corrected <> coalesce(paid.moved, 0)
               OR d.amount NOT IN (0, CASE d.network_token WHEN 'USDT' THEN d.network_amount::numeric * 1000000 ELSE 0 END)
               OR CASE d.ending WHEN 'credited' THEN paid.moved IS NULL
                    ELSE d.ending IS NOT NULL AND (a.kind = 'deposit_recovery' AND a.subject = d.id::text AND a.status = 'approved'
                      AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = d.recovery_approval AND v.decision = 'approve' AND v.operator <> a.made_by OFFSET 0)
                      AND a.content::jsonb ->> 'plan' = CASE d.ending WHEN 'returned' THEN 'return' ELSE d.ending END
                      AND a.content::jsonb ->> 'to' IS NOT DISTINCT FROM d.ending_hash) IS NOT TRUE END)`,
    },
    {
      id: 'DW2',
      says: 'a deposit on a chain is at its customer’s address, and one by bank moved and credited what its line says, at its rate',
      text: `SELECT d.id::text AS subject FROM d
             ${lateralLookUp('chain.address', 'a', 'a.chain = d.chain AND a.customer_id = d.customer_id', 'address')}
             ${lateralLookUp('deposits.bank_line', 'l', 'l.id = d.bank_line', 'amount')} ${ofJournal('b', 'd.journal', 't.code = 52')}
             WHERE (d.kind = 'crypto' AND a.address IS DISTINCT FROM d.address)
               OR (d.kind <> 'crypto' AND d.step = 'credited' AND (b.units = l.amount AND b.debit_code = 112 AND b.credit_code = 200
                 AND d.amount = div(l.amount::numeric * 10000000000, d.rate)) IS NOT TRUE)`,
    },
    ...CREDIT_INVARIANTS,
  ],
};

const REVIEW = `('delayed', 'first_check', 'second_check')`;
export const WITHDRAWAL_SCAN: Scan = {
  name: 'withdrawals',
  tables: Array(6).fill('withdrawals.withdrawal'),
  starts: `SELECT '{00000000-0000-0000-0000-000000000000}'::text[] AS cursor`,
  next: `SELECT ARRAY[(array_agg(id ORDER BY id DESC))[1]::text] AS cursor, count(*) AS rows
         FROM (SELECT id FROM withdrawals.withdrawal WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: { w: 'SELECT * FROM withdrawals.withdrawal WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid' },
  invariants: [
    {
      id: 'WW1',
      says: 'what a withdrawal holds, and what became of that, is what its step says',
      text: `SELECT w.id::text AS subject FROM w
             ${lateralLookUp('ledger.transfer', 'h', 'h.sequence = w.hold')}
             ${lateralLookUp('ledger.transfer', 'e', `e.resolves = w.hold`)}
             ${lateralLookUp('ledger.transfer', 'f', 'f.sequence = w.fee_hold')}
             ${lateralLookUp('ledger.transfer', 'fe', `fe.resolves = w.fee_hold`)}
             ${lateralLookUp('ledger.account', 'payer', 'payer.id = h.debit', 'owner, code')}
             WHERE (h.kind, h.code, h.units, h.journal, payer.owner, payer.code) IS DISTINCT FROM ('h'::"char", 54::smallint, (w.amount - w.fee)::numeric, w.id, w.customer_id, 1000::smallint)
               OR (w.fee > 0 AND (f.kind, f.code, f.units, f.journal, f.debit) IS DISTINCT FROM ('h'::"char", 55::smallint, w.fee::numeric, w.id, h.debit))
               OR (w.fee > 0 AND fe.kind IS DISTINCT FROM e.kind)
               OR CASE WHEN w.step IN ${REVIEW} THEN e.sequence IS NOT NULL
                    WHEN w.step = 'returned' THEN e.sequence IS NULL
                    ELSE (e.kind = 'p' AND e.units = w.amount - w.fee) IS NOT TRUE END`,
    },
    {
      id: 'WW2',
      says: 'a withdrawal that has ended moved what it should, once',
      text: `SELECT w.id::text AS subject FROM w
             ${lateralLookUp('ledger.transfer', 'e', `e.resolves = w.hold`)}
             LEFT JOIN LATERAL (
               SELECT sum(t.units) FILTER (WHERE t.code = 56) AS sent, sum(t.units) FILTER (WHERE t.code = 57) AS exchanged,
                 sum(t.units) FILTER (WHERE t.code = 58) AS paid, sum(t.units) FILTER (WHERE t.code = 60 AND c.owner = w.receiver) AS inside,
                 sum(t.units) FILTER (WHERE t.code = 61 AND c.owner = w.customer_id) AS back
               FROM ledger.journal j JOIN ledger.transfer t ON t.sequence >= j.first_sequence AND t.sequence < j.first_sequence + j.transfers
               ${lateralLookUp('ledger.account', 'c', 'c.id = t.credit', 'owner')} WHERE j.id = w.journal OFFSET 0
             ) moved ON true
             WHERE CASE
               WHEN w.step = 'done' AND w.receiver IS NOT NULL THEN moved.inside IS DISTINCT FROM w.amount - w.fee
               WHEN w.step = 'done' AND w.kind = 'bank' THEN moved.exchanged IS DISTINCT FROM w.amount - w.fee OR moved.paid IS DISTINCT FROM w.baht
               WHEN w.step = 'done' THEN moved.sent IS DISTINCT FROM w.amount - w.fee
               WHEN w.step = 'returned' AND e.kind = 'p' THEN moved.back IS DISTINCT FROM w.amount
               ELSE false END`,
    },
    {
      id: 'WW3',
      says: 'as many different people approved a withdrawal as its amount demands',
      text: `SELECT w.id::text AS subject FROM w ${lateralLookUp('operators.approval', 'a', 'a.id = w.approval', 'status, need, subject')}
             WHERE w.people > 0 AND w.step NOT IN ('delayed', 'first_check', 'second_check', 'returned')
               AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.withdrawal_id = w.id AND f.hash = w.hash OFFSET 0)
               AND (a.status = 'approved' AND a.need >= treasury.examiners_of(w.chain, w.people, w.receiver) AND a.subject = w.id::text
                 AND (SELECT count(DISTINCT operator) FROM operators.vote WHERE approval = w.approval AND decision = 'approve') >= treasury.examiners_of(w.chain, w.people, w.receiver)) IS NOT TRUE`,
    },
    {
      id: 'WW4',
      says: 'a payout was returned only where two people called it lost and its nonce is another’s, or where the chain refused it',
      text: `SELECT w.id::text AS subject FROM w
             ${lateralLookUp('withdrawals.payout', 'p', 'p.withdrawal_id = w.id', 'nonce')}
             ${lateralLookUp('withdrawals.lost', 'l', 'l.withdrawal_id = w.id', 'approval')}
             ${lateralLookUp('operators.approval', 'a', 'a.id = l.approval', 'status, made_by')}
             WHERE w.step = 'returned' AND p.nonce IS NOT NULL AND w.reason IS DISTINCT FROM 'chain_refused'
               AND (a.status = 'approved' AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = l.approval AND v.decision = 'approve' AND v.operator <> a.made_by OFFSET 0)
                 AND NOT EXISTS (SELECT FROM withdrawals.outbox o WHERE o.withdrawal_id = w.id AND EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = w.chain AND h.hash = o.hash OFFSET 0) OFFSET 0)) IS NOT TRUE`,
    },
    {
      id: 'WW10',
      says: 'an approved payout that was never signed was given back by two people, or because one of them refused to release it',
      text: `SELECT w.id::text AS subject FROM w ${lateralLookUp('ledger.transfer', 'e', 'e.resolves = w.hold', 'kind')}
             WHERE w.step = 'returned' AND w.kind = 'crypto' AND e.kind = 'p' AND NOT EXISTS (SELECT FROM withdrawals.payout p WHERE p.withdrawal_id = w.id OFFSET 0)
               AND NOT withdrawals.is_given_back(w.id)`,
    },
    ...WITHDRAWAL_INVARIANTS,
  ],
};

/** Starts from the ledger: transfers of these purposes without a row. `t` is a page of the ledger. */
export const TRANSFER_HAS_CASE_INVARIANT: Invariant = {
  id: 'DW3',
  says: 'what came in and went out is a deposit’s or a withdrawal’s',
  isOfPlatform: true,
  text: `SELECT t.sequence::text AS subject FROM t WHERE CASE
           WHEN t.code = 50 THEN NOT EXISTS (SELECT FROM deposits.deposit WHERE journal = t.journal OFFSET 0) AND NOT EXISTS (SELECT FROM deposits.reversal WHERE credit = t.journal OFFSET 0)
           WHEN t.code = 51 THEN NOT EXISTS (SELECT FROM deposits.reversal r JOIN ledger.account a ON a.id = t.debit
             WHERE r.journal = t.journal AND t.units = CASE a.code WHEN 200 THEN r.shortfall ELSE r.amount - r.shortfall END OFFSET 0)
           WHEN t.code = 62 THEN NOT EXISTS (SELECT FROM deposits.repayment WHERE id = t.journal AND units = t.units OFFSET 0)
           WHEN t.code = 63 THEN NOT EXISTS (SELECT FROM deposits.deposit WHERE journal = t.journal AND recovery_fee = t.units OFFSET 0) AND NOT EXISTS (SELECT FROM deposits.reversal WHERE credit = t.journal OFFSET 0)
           WHEN t.code = 66 THEN NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.journal = t.journal AND f.purpose = 'found' OFFSET 0)
           WHEN t.code = 64 OR t.code = 65 AND EXISTS (SELECT FROM ledger.account a WHERE a.id = t.debit AND a.code = 111 OFFSET 0)
             THEN NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f WHERE f.journal = t.journal AND f.units = t.units OFFSET 0)
           WHEN t.code = 65 THEN NOT EXISTS (SELECT FROM deposits.hot_transfer WHERE journal = t.journal OFFSET 0)
           WHEN t.code IN (54, 55) AND t.kind = 'h' THEN NOT EXISTS (SELECT FROM withdrawals.withdrawal WHERE id = t.journal AND t.sequence IN (hold, fee_hold) OFFSET 0)
           WHEN t.code IN (56, 57, 58, 60, 61) THEN NOT EXISTS (SELECT FROM withdrawals.withdrawal WHERE journal = t.journal OFFSET 0)
           ELSE false END`,
};

/** Runs in every round: a payout follows its customer's credit within seconds, and must not be ahead of this. */
export const CHAIN_BALANCES: Invariant = {
  id: 'CU1',
  says: 'the wallets hold on the chain what was read of it, to the unit',
  // A credit always counts: it is made after its block was observed, and no block is beyond the newest.
  text: `WITH newest AS (SELECT DISTINCT ON (chain) * FROM deposits.observation ORDER BY chain, height DESC)
         SELECT concat_ws(' ', o.chain, 'hot', o.hot - read.hot, 'addresses', o.addresses - read.addresses) AS subject
         FROM newest o LEFT JOIN deposits.cursor c ON c.chain = o.chain
         CROSS JOIN LATERAL (SELECT
           (SELECT coalesce(sum(CASE direction WHEN 'out' THEN -amount ELSE amount END), 0) FROM deposits.hot_transfer WHERE chain = o.chain AND block_height <= o.height) AS hot,
           (SELECT coalesce(sum(amount), 0) FROM deposits.deposit WHERE chain = o.chain
              AND (block_height <= o.height AND NOT coalesce(reason IN ('other_token', 'native_coin'), false) OR step = 'credited' AND NOT coalesce(block_height > c.scanned AND block_height <= c.head, false)))
             + (SELECT coalesce(sum(units), 0) FROM deposits.crumb WHERE chain = o.chain AND block_height <= o.height)
             - (SELECT coalesce(sum(amount), 0) FROM deposits.hot_transfer WHERE chain = o.chain AND block_height <= o.height AND direction = 'sweep') AS addresses
         ) read
         WHERE (o.hot, o.addresses) IS DISTINCT FROM (read.hot, read.addresses)`,
};

/** Verified in every round, beside CU1, which believes the newest observation. */
const SEALED_OBSERVATION: Invariant = {
  id: 'CU8',
  says: 'what the wallets hold on the chain is sealed by the watcher, which read it there',
  text: `SELECT DISTINCT ON (chain) chain || ' ' || height AS subject, ARRAY[replace(seal::text, '-', ''), concat(chain, ' ', height, ' ', block_hash, ' ', hot, ' ', addresses)] AS evidence
         FROM deposits.observation WHERE seal IS NOT NULL ORDER BY chain, height DESC`,
  isBroken: ([seal = '', said = '']: readonly string[], keys: KnownKeys): boolean =>
    !keys.isSealed('watch', seal, said),
};

/** Also verified in every round: the rows from which the other invariants know what arrived and what left. */
const SEALED_TRANSFERS: Invariant = {
  id: 'CU11',
  says: 'every transfer that the wallets received or sent is sealed by the watcher, which read it on the chain',
  // Nobody chooses a row's number, so each is one of the newest at first.
  text: `SELECT hash || ' ' || output AS subject, ARRAY[replace(seal::text, '-', ''), concat_ws(' ', chain, hash, output, direction, sender, receiver, amount)] AS evidence
         FROM (SELECT * FROM deposits.hot_transfer ORDER BY n DESC LIMIT 2000) newest WHERE seal IS NOT NULL`,
  isBroken: ([seal = '', said = '']: readonly string[], keys: KnownKeys): boolean =>
    !keys.isSealed('watch', seal, said),
};
export const SEALED_CUSTODY: readonly Invariant[] = [SEALED_OBSERVATION, SEALED_TRANSFERS, SEALED_TREASURY];

const leftTheWallet = (which = ''): Invariant => ({
  id: 'CU3',
  says: 'everything that left the house’s wallet is a payout that was approved and not returned, or two people accounted for it',
  text: `SELECT h.hash AS subject FROM deposits.hot_transfer h
         WHERE h.direction = 'out' ${which} AND NOT EXISTS (SELECT FROM withdrawals.outbox o JOIN withdrawals.withdrawal w ON w.id = o.withdrawal_id
           WHERE o.hash = h.hash AND w.address = h.receiver AND w.amount - w.fee = h.amount AND w.step <> 'returned')
           AND NOT EXISTS (SELECT FROM withdrawals.sending_attempt a JOIN withdrawals.sending s ON s.id = a.sending_id JOIN treasury.line l ON l.run = s.run
             JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id
             WHERE a.hash = h.hash AND l.receiver = h.receiver AND l.units = h.amount AND w.address = h.receiver AND w.step <> 'returned')
           -- Somebody else may send a run that enough owners have signed.
           AND NOT EXISTS (SELECT FROM treasury.run r JOIN treasury.line l ON l.run = r.id JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id
             WHERE r.chain = h.chain AND l.receiver = h.receiver AND l.units = h.amount AND w.address = h.receiver AND w.step <> 'returned'
               AND (r.foreign_hash = h.hash OR r.step IN ('signed', 'sending', 'refused') AND treasury.foreign_hash_of(r.id) = h.hash))
           AND NOT EXISTS (SELECT FROM withdrawals.foreign_transfer f JOIN operators.approval a ON a.id = f.approval
             WHERE f.chain = h.chain AND f.hash = h.hash AND f.output = h.output AND f.receiver = h.receiver AND f.units = h.amount
               AND a.kind = 'payout_foreign' AND a.subject = h.hash AND a.status = 'approved'
               AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by))`,
});

/**
 * In every round too: a payout that was returned, although it left, must be found before it can leave again. Of the
 * others only the newest, because all payouts of years would take seconds; each thorough round reads them all.
 */
export const LEFT_THE_WALLET = leftTheWallet(
  `AND (h.hash IN (SELECT n.hash FROM deposits.hot_transfer n WHERE n.direction = 'out' ORDER BY n.block_height DESC LIMIT 2000)
     OR h.hash IN (SELECT b.hash FROM deposits.hot_transfer b JOIN deposits.cursor c ON c.chain = b.chain
       WHERE b.direction = 'out' AND b.block_height > c.scanned - 2000)
     OR h.hash IN (SELECT o.hash FROM withdrawals.withdrawal w JOIN withdrawals.sent o ON o.withdrawal_id = w.id WHERE w.step = 'returned'))`,
);

/** Invariants over sums of all rows; a few thousand are added per day. */
export const CUSTODY_INVARIANTS: readonly Invariant[] = [
  leftTheWallet(),
  ...TREASURY_INVARIANTS,
  {
    id: 'CU2',
    says: 'the ledger’s custody accounts are what came in and went out on the chain, to the unit',
    text: `SELECT concat_ws(' ', 'hot', books.hot - moved.hot, 'clearing', books.clearing - moved.clearing) AS subject FROM
             (SELECT coalesce(sum(debits_posted - credits_posted) FILTER (WHERE code = 110), 0) AS hot,
                coalesce(sum(debits_posted - credits_posted) FILTER (WHERE code = 120), 0) AS clearing FROM ledger.account WHERE owner = 0 AND asset = 'USDT') books,
             (SELECT (SELECT coalesce(sum(amount), 0) FROM deposits.hot_transfer WHERE journal IS NOT NULL)
                - (SELECT coalesce(sum(amount - fee), 0) FROM withdrawals.withdrawal WHERE step = 'done' AND kind = 'crypto' AND receiver IS NULL)
                - (SELECT coalesce(sum(units), 0) FROM withdrawals.foreign_transfer WHERE journal IS NOT NULL) AS hot,
                (SELECT coalesce(sum(amount), 0) FROM deposits.deposit WHERE step = 'credited' AND kind = 'crypto')
                - (SELECT coalesce(sum(amount), 0) FROM deposits.hot_transfer WHERE journal IS NOT NULL AND direction = 'sweep') AS clearing) moved
           WHERE (books.hot, books.clearing) IS DISTINCT FROM (moved.hot, moved.clearing)`,
  },
  {
    id: 'CU10',
    says: 'no withdrawal left the wallets more than once',
    // Whoever has the signer's key and login can pay one again, and store the transaction as another attempt of it.
    text: `SELECT withdrawal_id::text AS subject FROM (
             SELECT o.withdrawal_id, o.hash, h.output FROM withdrawals.outbox o JOIN deposits.hot_transfer h ON h.hash = o.hash AND h.direction = 'out'
             UNION ALL SELECT withdrawal_id, hash, output FROM treasury.paid
             UNION ALL SELECT withdrawal_id, hash, output FROM withdrawals.foreign_transfer WHERE purpose = 'payout') paid
           GROUP BY withdrawal_id HAVING count(*) > 1`,
  },
  {
    id: 'CU4',
    says: 'nobody paid the house back more than it had borne for them',
    text: 'SELECT customer_id::text AS subject FROM deposits.shortfall WHERE units < 0',
  },
  {
    id: 'CU5',
    says: 'every sweep on the chain was sent by the signer, and never more than was credited',
    text: `SELECT h.hash AS subject FROM deposits.hot_transfer h WHERE h.direction = 'sweep' AND NOT EXISTS (
             SELECT FROM withdrawals.sending_attempt a JOIN withdrawals.sending s ON s.id = a.sending_id
             WHERE a.hash = h.hash AND s.kind = 'sweep' AND s.sender = h.sender AND s.receiver = h.receiver AND s.units = h.amount)
             -- A credit from the time that a restoration lost is booked later than it happened, but its nonce is known.
             AND NOT EXISTS (SELECT FROM withdrawals.foreign_transaction f WHERE f.hash = h.hash AND f.what = 'sweep' AND f.wallet = h.sender)
           UNION ALL
           SELECT s.sender FROM withdrawals.sending s WHERE s.kind = 'sweep' AND s.step <> 'failed' GROUP BY s.chain, s.sender, s.token
           HAVING sum(s.units) > (SELECT coalesce(sum(r.amount), 0) FROM deposits.deposit r WHERE r.chain = s.chain AND r.address = s.sender AND r.token = s.token AND r.journal IS NOT NULL)`,
  },
  {
    id: 'CU6',
    says: 'every payout of the newest blocks that is booked is in a block of the chain',
    text: `SELECT w.id::text AS subject FROM deposits.cursor c
           JOIN withdrawals.withdrawal w ON w.chain = c.chain AND w.step = 'done' AND w.block_height BETWEEN c.scanned - 2000 AND c.scanned
           WHERE w.receiver IS NULL AND NOT EXISTS (SELECT FROM deposits.hot_transfer h WHERE h.chain = w.chain AND h.hash = w.hash AND h.direction = 'out')`,
  },
  {
    id: 'CU7',
    says: 'what left by hand left the wallet like that, and is booked as two people accounted for it',
    text: `SELECT concat_ws(' ', f.hash, f.output) AS subject FROM withdrawals.foreign_transfer f
           LEFT JOIN deposits.hot_transfer h ON h.chain = f.chain AND h.hash = f.hash AND h.output = f.output AND h.direction = 'out'
           LEFT JOIN ledger.journal j ON j.id = f.journal
           LEFT JOIN ledger.transfer t ON t.sequence = j.first_sequence
           LEFT JOIN withdrawals.withdrawal w ON w.id = f.withdrawal_id
           WHERE (h.receiver, h.amount) IS DISTINCT FROM (f.receiver, f.units)
             OR f.journal IS NOT NULL AND f.purpose <> 'found' AND (j.transfers = 1 AND t.units = f.units AND t.code = CASE f.purpose WHEN 'house' THEN 65 ELSE 64 END) IS NOT TRUE
             OR f.journal IS NOT NULL AND f.purpose = 'found' AND NOT EXISTS (SELECT FROM ledger.transfer p JOIN ledger.account d ON d.id = p.debit WHERE p.journal = f.journal
               HAVING sum(p.units) = f.units AND coalesce(sum(p.units) FILTER (WHERE d.code = 200), 0) = f.shortfall AND bool_and(p.code = 66 AND (d.code = 200 OR d.owner = f.customer_id)))
             OR f.purpose = 'payout' AND (w.address = f.receiver AND w.amount - w.fee = f.units AND (w.step <> 'returned' AND (w.step <> 'done' OR w.hash = f.hash))) IS NOT TRUE`,
  },
];
