import { BOOK_ENTRY_INVARIANTS as OF_BOOKS_ENTRIES } from './books-scans.ts';
import { CORRECTION_ENTRY_INVARIANTS as OF_CORRECTION_ENTRIES } from './correction-scans.ts';
import { DISPUTE_ENTRY_INVARIANTS as OF_DISPUTE_ENTRIES } from './dispute-scans.ts';
import { lateralLookUp, type Scan } from './scan.ts';
import { STATUS_ENTRY_INVARIANTS as OF_STATUS_ENTRIES } from './status-scans.ts';

/** The operators' log: its hash chain is intact and no entry is missing. */
export const AUDIT_ENTRY_SCAN: Scan = {
  name: 'operators’ log',
  tables: ['operators.entry'],
  starts: `SELECT ARRAY['0'] AS cursor`,
  next: `SELECT ARRAY[upto::text] AS cursor, upto - ($1::text[])[1]::bigint AS rows
         FROM (SELECT least(($1::text[])[1]::bigint + $2::bigint, n) AS upto FROM operators.log_head) ahead WHERE upto > ($1::text[])[1]::bigint`,
  given: {
    entries: 'SELECT * FROM operators.entry WHERE n > ($1::text[])[1]::bigint AND n <= ($2::text[])[1]::bigint',
  },
  invariants: [
    {
      id: 'OP1',
      says: 'every entry of the operators’ log follows the one before it, by number and by hash, and its columns are those of its text',
      text: `SELECT wanted.n::text AS subject FROM generate_series(($1::text[])[1]::bigint + 1, ($2::text[])[1]::bigint) AS wanted(n)
             ${lateralLookUp('operators.entry', 'e', 'e.n = wanted.n')} ${lateralLookUp('operators.entry', 'earlier', 'earlier.n = wanted.n - 1')}
             ${lateralLookUp('operators.note', 'note', 'note.n = wanted.n')}
             WHERE (e.hash = sha256(e.previous || convert_to(e.text, 'UTF8')) AND e.previous = coalesce(earlier.hash, decode(repeat('00', 32), 'hex'))
               AND (earlier.n IS NOT NULL OR wanted.n = 1) AND e.at >= coalesce(earlier.at, e.at)
               AND (e.text::jsonb - 'after' - 'before' - 'device' - 'note' - 'reason' - 'roles') = jsonb_build_object('at', to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                 'customer', e.customer::text, 'n', e.n::text, 'on', jsonb_build_object('id', e.subject, 'kind', e.kind), 'operator', e.operator::text,
                 'prev', encode(e.previous, 'hex'), 'v', 'entry/1', 'what', e.what)
               AND (note.n IS NULL OR e.text::jsonb ->> 'note' = encode(sha256(note.salt || convert_to(note.text, 'UTF8')), 'hex'))) IS NOT TRUE`,
      isHalting: false,
    },
    ...OF_STATUS_ENTRIES,
    ...OF_DISPUTE_ENTRIES,
    ...OF_CORRECTION_ENTRIES,
    ...OF_BOOKS_ENTRIES,
  ],
  newest: {
    starts: `SELECT ARRAY[greatest(n - $1::bigint, 0)::text] AS cursor FROM operators.log_head`,
    invariants: [],
  },
};

/** Decisions by several operators. A violation halts money, because a payment may follow from such a decision. */
export const APPROVAL_SCAN: Scan = {
  name: 'approvals',
  tables: ['operators.approval', 'operators.vote'],
  starts: `SELECT ARRAY['00000000-0000-0000-0000-000000000000'] AS cursor`,
  next: `SELECT ARRAY[(max(id::text))] AS cursor, count(*) AS rows
         FROM (SELECT id FROM operators.approval WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    a: 'SELECT a.*, operators.votes_needed(a) AS needed FROM operators.approval a WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid',
  },
  invariants: [
    {
      id: 'OP2',
      says: 'every approval has as many votes as its state calls for, of different people with the role, none of them its maker or concerned, for exactly what was asked',
      text: `SELECT a.id::text AS subject FROM a
             LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE v.decision = 'approve') AS given, count(*) FILTER (WHERE v.decision = 'reject') AS refused,
               coalesce(bool_and(v.fingerprint = a.fingerprint AND v.operator IS DISTINCT FROM a.made_by AND v.role = ANY (a.roles)
                 AND (o.customer = ANY (a.about)) IS NOT TRUE AND NOT (a.kind LIKE 'operator\\_%' AND a.subject = v.operator::text) AND s.operator = v.operator AND v.at >= a.made_at
                 AND v.at < coalesce(a.expires_at, 'infinity')), true) AS are_right
               FROM operators.vote v ${lateralLookUp('operators.operator', 'o', 'o.id = v.operator')} ${lateralLookUp('operators.session', 's', 's.id = v.session', 'operator')}
               WHERE v.approval = a.id) votes ON true
             WHERE (a.fingerprint = sha256(convert_to(a.content, 'UTF8')) AND votes.are_right AND CASE a.status
               WHEN 'approved' THEN votes.given = a.needed AND votes.refused = 0 WHEN 'stopped' THEN votes.given = a.needed AND a.stopped_at < a.effective_from AND votes.refused = 0 WHEN 'rejected' THEN votes.refused = 1 AND votes.given < a.needed
               -- A reset that two people approved is overtaken when its owner stops it.
               ELSE votes.refused = 0 AND (votes.given < a.needed OR a.status = 'stale' AND a.kind = 'factor_reset' AND votes.given = a.needed) END) IS NOT TRUE`,
    },
  ],
};

/** Operators and their roles must match what the command line or two administrators have decided. */
export const OPERATOR_SCAN: Scan = {
  name: 'operators',
  tables: ['operators.operator', 'operators.applied'],
  starts: `SELECT ARRAY['0'] AS cursor`,
  next: `SELECT ARRAY[max(id)::text] AS cursor, count(*) AS rows
         FROM (SELECT id FROM operators.operator WHERE id > ($1::text[])[1]::bigint ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    o: 'SELECT * FROM operators.operator WHERE id > ($1::text[])[1]::bigint AND id <= ($2::text[])[1]::bigint',
  },
  invariants: [
    {
      id: 'OP4',
      says: 'every operator has the roles that the log names last, and what changed them was made by the command line or approved by another administrator, once',
      text: `SELECT o.id::text AS subject FROM o
             LEFT JOIN LATERAL (SELECT e.text::jsonb -> 'after' AS after FROM operators.entry e
               WHERE e.kind = 'operator' AND e.subject = o.id::text AND e.operator IS NULL AND e.what IN ('operator.created', 'operator.roles_changed')
               ORDER BY e.n DESC LIMIT 1) named ON true
             LEFT JOIN LATERAL (SELECT * FROM operators.approval WHERE id = (named.after ->> 'approval')::uuid OFFSET 0) a ON true
             LEFT JOIN LATERAL (SELECT * FROM operators.applied WHERE approval = a.id OFFSET 0) done ON true
             WHERE (ARRAY(SELECT jsonb_array_elements_text(named.after -> 'roles') ORDER BY 1) = ARRAY(SELECT unnest(o.roles) ORDER BY 1)
               AND (NOT named.after ? 'approval' OR a.status = 'approved' AND done.approval IS NOT NULL AND a.kind IN ('operator_invite', 'operator_role')
                 AND a.subject = CASE a.kind WHEN 'operator_invite' THEN o.work_name ELSE o.id::text END
                 AND ARRAY(SELECT jsonb_array_elements_text(a.content::jsonb -> 'roles') ORDER BY 1) = ARRAY(SELECT unnest(o.roles) ORDER BY 1))) IS NOT TRUE`,
    },
  ],
};
