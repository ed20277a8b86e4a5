import { listOperators } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { statement } from '../database/index.ts';
import { type Handler, handle } from '../edge/index.ts';
import type { OperatorRow } from './operator-store.ts';
import type { Room } from './room.ts';

interface ListedRow extends Pick<OperatorRow, 'id' | 'work_name' | 'roles'> {
  readonly state: 'active' | 'invited' | 'frozen' | 'removed';
  readonly devices: number;
  readonly seen_at: Date | null;
}

const list = statement(
  'operators.list_everybody',
  `SELECT o.id, o.work_name, o.roles,
     CASE WHEN o.removed_at IS NOT NULL THEN 'removed' WHEN o.frozen_at IS NOT NULL THEN 'frozen' WHEN c.operator IS NULL THEN 'invited' ELSE 'active' END AS state,
     (SELECT count(*)::integer FROM operators.passkey p WHERE p.operator = o.id AND p.removed_at IS NULL) AS devices,
     (SELECT max(s.used_at) FROM operators.session s WHERE s.operator = o.id) AS seen_at
   FROM operators.operator o LEFT JOIN operators.credential c ON c.operator = o.id ORDER BY o.work_name`,
);

export function listOperatorsHandler({ database }: Room): Handler {
  return handle(listOperators, async () =>
    accept(
      (await database.query<ListedRow>(list)).map(({ id, seen_at, ...row }) => ({
        ...row,
        id: String(id),
        seen_at: seen_at?.toISOString() ?? null,
      })),
    ),
  );
}
