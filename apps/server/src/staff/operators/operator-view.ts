import { createHash } from 'node:crypto';
import type { ListedOperator } from '@sathorn/api';
import { canonicalText } from '@sathorn/proof';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { OperatorRow } from './operator-store.ts';

interface ListedRow extends Pick<OperatorRow, 'id' | 'work_name' | 'roles'> {
  readonly state: ListedOperator['state'];
  readonly devices: number;
  readonly recovery_codes: number;
  readonly sessions: number;
  readonly seen_at: Date | null;
  readonly enrolment_until: Date | null;
  readonly waiting: { kind: string; approval: string }[];
}

const list = statement(
  'operators.list_everybody',
  `SELECT o.id, o.work_name, o.roles, CASE WHEN o.enrolment_until > clock_timestamp() THEN o.enrolment_until END AS enrolment_until,
     CASE WHEN o.removed_at IS NOT NULL THEN 'removed' WHEN o.frozen_at IS NOT NULL THEN 'frozen' WHEN c.operator IS NULL THEN 'invited' ELSE 'active' END AS state,
     (SELECT count(*)::integer FROM operators.passkey p WHERE p.operator = o.id AND p.removed_at IS NULL) AS devices,
     (SELECT count(*)::integer FROM operators.recovery_code r WHERE r.operator = o.id AND r.used_at IS NULL) AS recovery_codes,
     (SELECT count(*)::integer FROM operators.session s WHERE s.operator = o.id AND s.ended_at IS NULL AND s.used_at > clock_timestamp() - interval '15 minutes') AS sessions,
     (SELECT max(s.used_at) FROM operators.session s WHERE s.operator = o.id) AS seen_at,
     coalesce((SELECT json_agg(json_build_object('kind', a.kind, 'approval', a.id) ORDER BY a.made_at) FROM operators.approval a
       WHERE a.status = 'waiting' AND a.kind IN ('operator_role', 'operator_device', 'operator_unfreeze') AND a.subject = o.id::text), '[]') AS waiting
   FROM operators.operator o LEFT JOIN operators.credential c ON c.operator = o.id WHERE $1::bigint IS NULL OR o.id = $1 ORDER BY o.removed_at IS NOT NULL, o.work_name`,
);

/** The state on which a decision about an operator rests: their roles and whether they are active. */
const operatorFingerprint = (row: Pick<ListedRow, 'id' | 'roles' | 'state'>): string =>
  createHash('sha256')
    .update(canonicalText({ operator: String(row.id), roles: row.roles.toSorted(), state: row.state }))
    .digest('hex');

const view = (row: ListedRow): ListedOperator => ({
  id: String(row.id),
  work_name: row.work_name,
  roles: row.roles,
  state: row.state,
  devices: row.devices,
  recovery_codes: row.recovery_codes,
  sessions: row.sessions,
  seen_at: row.seen_at?.toISOString() ?? null,
  enrol_until: row.enrolment_until?.toISOString() ?? null,
  delayed_until: null,
  waiting: row.waiting,
  fingerprint: operatorFingerprint(row),
});

export async function viewAllOperators(queries: Queries): Promise<ListedOperator[]> {
  return (await queries.query<ListedRow>(list, [null])).map(view);
}

export async function viewOperatorById(queries: Queries, operator: bigint): Promise<ListedOperator | null> {
  const [row] = await queries.query<ListedRow>(list, [operator]);
  return row ? view(row) : null;
}
