import type { Invariant } from './invariant.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** Each dispute that a customer opened must be in the staff's list, and may have ended only as staff answered it. */
export const OPENED_DISPUTE_SCAN: Scan = {
  name: 'opened disputes',
  tables: ['options.dispute'],
  starts: `SELECT ARRAY['00000000-0000-0000-0000-000000000000'] AS cursor`,
  next: `SELECT ARRAY[max(id::text)] AS cursor, count(*) AS rows
         FROM (SELECT id FROM options.dispute WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    d: 'SELECT * FROM options.dispute WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid',
  },
  invariants: [
    {
      id: 'DI1',
      says: 'every dispute is with staff as its customer wrote it, and ended with the finding and by the people that its answer names',
      text: `SELECT d.id::text AS subject FROM d ${lateralLookUp('disputes.dispute', 's', 's.id = d.id')}
             WHERE ((s.customer, s.order_id, s.statement, s.opened_at, s.deadline) = (d.customer_id, d.order_id, d.reason, d.opened_at, d.deadline)
               AND CASE s.state WHEN 'closed' THEN d.state = CASE s.finding WHEN 'fault_confirmed' THEN 'upheld' ELSE 'rejected' END
                 AND (d.reviewer, d.second_reviewer) = (s.first_by::text, s.second_by::text) ELSE d.state = 'open' END) IS NOT TRUE`,
      isHalting: false,
    },
  ],
};

/** The acts of staff in each dispute. */
export const DISPUTE_SCAN: Scan = {
  name: 'disputes',
  tables: ['disputes.dispute'],
  starts: `SELECT ARRAY['00000000-0000-0000-0000-000000000000'] AS cursor`,
  next: `SELECT ARRAY[max(id::text)] AS cursor, count(*) AS rows
         FROM (SELECT id FROM disputes.dispute WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    s: 'SELECT * FROM disputes.dispute WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid',
  },
  invariants: [
    {
      id: 'DI2',
      says: 'every answer to a dispute that a customer opened was proposed by one person and approved by another, with exactly this finding and text',
      text: `SELECT s.id::text AS subject FROM s ${lateralLookUp('options.dispute', 'd', 'd.id = s.id', 'id')}
             ${lateralLookUp('operators.approval', 'a', 'a.id = s.approval')}
             ${lateralLookUp('operators.vote', 'v', `v.approval = a.id AND v.decision = 'approve'`, 'operator, at')}
             WHERE (d.id IS NOT NULL AND (s.state = 'open' OR a.kind = 'dispute_answer' AND a.subject = s.id::text AND a.made_by = s.first_by
               AND a.content::jsonb ->> 'finding' = s.finding AND a.content::jsonb ->> 'answer' = s.answer
               AND a.content::jsonb ->> 'order' = s.order_id::text AND a.content::jsonb ->> 'customer' = s.customer::text
               AND CASE s.state WHEN 'closed' THEN a.status = 'approved' AND v.operator = s.second_by AND s.second_by <> s.first_by
                 AND abs(extract(epoch FROM v.at - s.second_at)) < 60 ELSE a.status <> 'approved' END)) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'DI3',
      says: 'every answer to a dispute and every fault that it showed is in the operators’ log, by the same operator',
      text: `SELECT s.id::text AS subject FROM s
             WHERE s.first_by IS NOT NULL AND NOT EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'dispute' AND e.subject = s.id::text
                 AND e.what = 'dispute.proposed' AND e.operator = s.first_by AND e.customer = s.customer
                 AND e.text::jsonb -> 'after' ->> 'finding' = s.finding AND e.text::jsonb -> 'after' ->> 'approval' = s.approval::text)
               OR s.fault_by IS NOT NULL AND NOT EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'dispute' AND e.subject = s.id::text
                 AND e.what = 'dispute.fault_reported' AND e.operator = s.fault_by)`,
      isHalting: false,
    },
  ],
};

/** Disputes about deposits, withdrawals and corrections. */
export const MONEY_DISPUTE_SCAN: Scan = {
  name: 'disputes about money',
  tables: ['disputes.money_dispute'],
  starts: `SELECT ARRAY['00000000-0000-0000-0000-000000000000'] AS cursor`,
  next: `SELECT ARRAY[max(id::text)] AS cursor, count(*) AS rows
         FROM (SELECT id FROM disputes.money_dispute WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    s: 'SELECT * FROM disputes.money_dispute WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid',
  },
  invariants: [
    {
      id: 'DI5',
      says: 'every answer to a dispute about money was proposed by one person, as the operators’ log says, and approved by another, with exactly this finding and text',
      text: `SELECT s.id::text AS subject FROM s ${lateralLookUp('operators.approval', 'a', 'a.id = s.approval')}
             ${lateralLookUp('operators.vote', 'v', `v.approval = a.id AND v.decision = 'approve'`, 'operator, at')}
             WHERE s.state <> 'open' AND (a.kind = 'money_dispute_answer' AND a.subject = s.id::text AND a.made_by = s.first_by
               AND a.content::jsonb ->> 'finding' = s.finding AND a.content::jsonb ->> 'answer' = s.answer
               AND a.content::jsonb ->> 'correction' IS NOT DISTINCT FROM s.correction::text
               AND CASE s.state WHEN 'closed' THEN a.status = 'approved' AND v.operator = s.second_by AND s.second_by <> s.first_by
                 AND abs(extract(epoch FROM v.at - s.second_at)) < 60 ELSE a.status <> 'approved' END
               AND EXISTS (SELECT FROM operators.entry e WHERE e.kind = 'money_dispute' AND e.subject = s.id::text AND e.what = 'dispute.proposed'
                 AND e.operator = s.first_by AND e.text::jsonb -> 'after' ->> 'approval' = s.approval::text)) IS NOT TRUE`,
      isHalting: false,
    },
  ],
};

/** Checks that start from the log, in the scan over its entries. They find disputes that somebody deleted. */
export const DISPUTE_ENTRY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'DI4',
    says: 'every dispute that the operators’ log names is still there, with the fault that was reported',
    text: `SELECT e.n::text AS subject FROM entries e
           ${lateralLookUp('disputes.dispute', 's', `s.id = CASE WHEN e.what IN ('dispute.proposed', 'dispute.fault_reported') THEN e.subject::uuid END`)}
           ${lateralLookUp('disputes.money_dispute', 'm', `m.id = CASE WHEN e.kind = 'money_dispute' THEN e.subject::uuid END`, 'id')}
           WHERE e.kind = 'money_dispute' AND m.id IS NULL OR e.kind = 'dispute' AND (CASE e.what WHEN 'dispute.proposed' THEN s.id IS NOT NULL
             WHEN 'dispute.fault_reported' THEN s.fault_by = e.operator ELSE true END) IS NOT TRUE`,
    isHalting: false,
  },
];
