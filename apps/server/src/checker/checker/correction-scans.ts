import { isOptionReceipt, verifyOptionReceipt } from '@sathorn/proof';
import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** The purpose of a correction's transfer. */
const CODE = `(CASE c.kind WHEN 'refund' THEN 90 WHEN 'goodwill' THEN 91 ELSE 92 END)::smallint`;

/** True if the stored receipt is not what the platform signed, or says something else than its row. */
async function isReceiptForged(
  [signed = '', terms = '', customer = '', ended = '', credited = '']: readonly string[],
  { proofKeys }: KnownKeys,
): Promise<boolean> {
  const receipt: unknown = JSON.parse(signed);
  if (!isOptionReceipt(receipt)) return true;
  const { verified, checks } = await verifyOptionReceipt(receipt, proofKeys);
  return (
    !verified ||
    // A pending check could still fail, so nobody takes such a receipt.
    checks.some(({ isPending }) => isPending) ||
    receipt.terms.body !== terms ||
    receipt.account.customer !== customer ||
    receipt.result.status !== ended ||
    receipt.result.credited !== credited
  );
}

/** Corrections of customers' balances, in the order of their numbers. */
export const CORRECTION_SCAN: Scan = {
  name: 'corrections',
  tables: Array(4).fill('corrections.correction'),
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(number)::text] AS cursor, count(*) AS rows
         FROM (SELECT number FROM corrections.correction WHERE number > ($1::text[])[1]::bigint ORDER BY number LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: {
    c: `SELECT c.*, a.kind AS approved_kind, a.subject, a.status, a.made_by AS proposed_by, a.about, a.content::jsonb AS said
        FROM corrections.correction c ${lateralLookUp('operators.approval', 'a', 'a.id = c.approval', 'kind, subject, status, made_by, about, content')}
        WHERE c.number > ($1::text[])[1]::bigint AND c.number <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'CR1',
      says: 'two different people agreed to exactly what each correction says, the second with a role that may, neither of them is concerned by it, and a debit was announced a day before',
      text: `SELECT c.id::text AS subject FROM c
             WHERE c.step IN ('announced', 'done', 'stopped') AND (c.approved_kind = 'correction' AND c.subject = c.id::text AND c.status = 'approved'
               AND c.proposed_by = c.made_by AND c.customer_id = ANY (c.about)
               AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = c.approval AND v.decision = 'approve' AND v.operator <> c.made_by
                 AND (v.role = 'compliance' OR v.role IN ('finance', 'admin') AND c.asset = 'USDT' AND c.units <= 4000000000) OFFSET 0)
               AND NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = c.made_by AND o.customer = ANY (c.about) OFFSET 0)
               AND (c.kind <> 'reverse' OR NOT EXISTS (SELECT FROM operators.vote v WHERE v.approval = c.approval AND c.due_at < v.at + interval '23 hours 58 minutes' OFFSET 0))
               AND EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'correction' AND e.subject = c.id::text AND e.what = 'correction.proposed' AND e.operator = c.made_by OFFSET 0)
               AND (c.said ->> 'customer', c.said ->> 'kind', c.said ->> 'asset', c.said ->> 'units', c.said ->> 'house', c.said ->> 'reason', c.said ->> 'words', c.said ->> 'case_kind', c.said ->> 'case_id')
                 = (c.customer_id::text, c.kind, c.asset, c.units::text, c.house::text, c.reason, c.words, c.case_kind, c.case_id::text)
               AND (c.said ->> 'transfer') IS NOT DISTINCT FROM c.transfer::text AND (c.said ->> 'deposit') IS NOT DISTINCT FROM c.deposit::text AND (c.said ->> 'kept') IS NOT DISTINCT FROM c.kept) IS NOT TRUE`,
    },
    {
      id: 'CR2',
      says: 'each correction moved what it says between its customer and its account of the house, in one transfer, or nothing',
      text: `SELECT c.id::text AS subject FROM c
             ${lateralLookUp('ledger.journal', 'j', 'j.id = c.journal', 'first_sequence, transfers')}
             ${lateralLookUp('ledger.transfer', 't', 't.sequence = j.first_sequence AND t.journal = c.journal')}
             ${lateralLookUp('ledger.account', 'd', 'd.id = t.debit', 'owner, code')} ${lateralLookUp('ledger.account', 'p', 'p.id = t.credit', 'owner, code')}
             WHERE CASE WHEN c.journal IS NULL THEN c.moved <> 0 OR (c.step = 'done' AND c.kind <> 'reverse') ELSE
               (c.step, j.transfers, t.kind, t.code, t.asset, t.units) IS DISTINCT FROM ('done'::text, 1, 's'::"char", ${CODE}, c.asset, c.moved::numeric)
               OR (d.owner, d.code, p.owner, p.code) IS DISTINCT FROM CASE c.kind WHEN 'reverse'
                 THEN (c.customer_id, 1000::smallint, 0::bigint, c.house) ELSE (0::bigint, c.house, c.customer_id, 1000::smallint) END
               OR c.moved > c.units OR (c.kind <> 'reverse' AND c.moved <> c.units) OR (c.kind = 'reverse' AND t.at < c.due_at) END`,
    },
    {
      id: 'CR3',
      says: 'no transfer and no lost order was corrected by more than it moved, and each was the customer’s and ended without a credit',
      text: `SELECT c.id::text AS subject FROM c
             ${lateralLookUp('ledger.transfer', 't', 't.sequence = c.transfer')}
             ${lateralLookUp('ledger.account', 'a', `a.id = CASE c.kind WHEN 'refund' THEN t.debit ELSE t.credit END`, 'owner, code')}
             ${lateralLookUp('deposits.deposit', 'w', 'w.id = c.deposit', 'customer_id, amount, kind, step, network, ending')}
             WHERE (CASE WHEN c.kind = 'goodwill' THEN c.units <= 200000000 AND c.asset = 'USDT'
               WHEN c.transfer IS NOT NULL THEN (a.owner, a.code, t.asset) = (c.customer_id, 1000::smallint, c.asset) AND t.kind IN ('s', 'p')
                 AND (SELECT sum(o.moved) FROM corrections.correction o WHERE o.transfer = c.transfer) <= t.units
               WHEN c.kept IS NOT NULL THEN c.kind = 'refund' AND c.deposit IS NULL
               ELSE w.customer_id = c.customer_id AND (c.step NOT IN ('announced', 'done')
                   OR CASE WHEN w.network IS NULL THEN w.kind <> 'crypto' AND w.step IN ('returned', 'failed') ELSE w.step = 'recovery' OR w.ending = 'credited' END)
                 AND (SELECT sum(o.moved) FROM corrections.correction o WHERE o.deposit = c.deposit) <= w.amount END) IS NOT TRUE`,
    },
    {
      id: 'CR6',
      says: 'each correction of a kept receipt names one that its customer handed in, is the only one of it, and pays what it credits minus what the balance has of that purchase',
      text: `SELECT c.id::text AS subject FROM c
             ${lateralLookUp('corrections.kept_text', 'k', 'k.hash = c.kept AND k.is_receipt', 'hash, customer_id, case_id, order_id, terms::jsonb AS terms, credited')}
             ${lateralLookUp('options.orders', 'o', `o.id = k.order_id AND o.customer_id = k.customer_id AND o.accepted_ms = (k.terms ->> 'accepted')::bigint`, 'id, credited')}
             CROSS JOIN LATERAL (SELECT div((k.terms ->> 'stake')::numeric * (k.terms ->> 'rate_bps')::numeric, 10000) AS profit OFFSET 0) w
             WHERE c.kept IS NOT NULL AND c.step IN ('proposed', 'announced', 'done') AND (k.customer_id = c.customer_id AND k.case_id = c.case_id
               AND c.units = k.credited - CASE WHEN o.id IS NULL THEN (k.terms ->> 'stake')::numeric ELSE o.credited END
               AND k.credited <= (k.terms ->> 'stake')::numeric + w.profit - ceil(w.profit * (k.terms ->> 'fee_bps')::numeric / 10000)
               AND NOT EXISTS (SELECT FROM corrections.correction e WHERE e.kept = c.kept AND e.id <> c.id AND e.step IN ('proposed', 'announced', 'done') OFFSET 0)) IS NOT TRUE`,
    },
    {
      id: 'CR7',
      says: 'each kept receipt that a correction pays is signed by known keys, and its row says what it says',
      text: `SELECT c.id::text AS subject, ARRAY[k.signed, k.terms, k.customer_id::text, k.ended, k.credited::text] AS evidence
             FROM c JOIN corrections.kept_text k ON k.hash = c.kept AND k.is_receipt WHERE c.step IN ('proposed', 'announced', 'done')`,
      isBroken: isReceiptForged,
    },
  ],
};

/** Starts from the ledger: transfers of these purposes without a correction. `t` is a page of the ledger. */
export const TRANSFER_HAS_CORRECTION_INVARIANT: Invariant = {
  id: 'CR4',
  says: 'what moved as a correction is a correction’s',
  isOfPlatform: true,
  text: `SELECT t.sequence::text AS subject FROM t
         WHERE t.code BETWEEN 90 AND 92 AND NOT EXISTS (SELECT FROM corrections.correction WHERE journal = t.journal AND moved = t.units OFFSET 0)`,
};

/** Checks that start from the log, in the scan over its entries. They find rows that were changed or deleted later. */
export const CORRECTION_ENTRY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'CR5',
    says: 'every correction that the operators’ log names is still there, with the same amount and outcome',
    text: `SELECT e.n::text AS subject FROM entries e
           ${lateralLookUp('corrections.correction', 'c', `c.id = CASE WHEN e.kind = 'correction' THEN e.subject::uuid END`)}
           CROSS JOIN LATERAL (SELECT e.text::jsonb -> 'after' AS said OFFSET 0) a
           WHERE e.kind = 'correction' AND (c.customer_id = e.customer AND CASE e.what
             WHEN 'correction.proposed' THEN (c.made_by, c.kind, c.asset, c.units::text, c.approval::text) = (e.operator, a.said ->> 'kind', a.said ->> 'asset', a.said ->> 'units', a.said ->> 'approval')
             WHEN 'correction.announced' THEN c.step IN ('announced', 'done', 'stopped') AND c.units::text = a.said ->> 'units'
             WHEN 'correction.posted' THEN c.step = 'done' AND (c.moved::text, c.journal::text) = (a.said ->> 'units', a.said ->> 'journal')
             WHEN 'correction.taken' THEN c.step = 'done' AND c.moved::text = a.said ->> 'units' AND c.journal::text IS NOT DISTINCT FROM a.said ->> 'journal'
             WHEN 'correction.stopped' THEN c.step = 'stopped' AND c.stopped_by = e.operator
             WHEN 'correction.rejected' THEN c.step = 'rejected' ELSE true END) IS NOT TRUE`,
    isHalting: false,
  },
];
