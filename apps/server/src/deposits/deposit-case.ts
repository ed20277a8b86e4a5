import type { DepositCase, listDepositCases, ResultOf } from '@sathorn/api';
import { formatDecimal } from '@sathorn/money';
import type { OperatorSession } from '../edge/index.ts';
import type { DepositRoom } from './deposit-room.ts';
import type { DepositRow } from './deposit-store.ts';

type Item = ResultOf<typeof listDepositCases>['items'][number];
export const MATCH_APPROVAL = 'deposit_match';

export const itemsOf = (room: DepositRoom, rows: readonly DepositRow[]): Promise<Item[]> =>
  Promise.all(
    rows.map(async (row) => ({
      ...room.viewOf(row),
      customer: { id: String(row.customer_id), username: await room.usernameOf(row.customer_id) },
      version: row.version,
      shortfall: formatDecimal(row.shortfall, 6),
    })),
  );

/** The case as an operator sees it, with all that the decision needs. */
export async function caseOf(room: DepositRoom, row: DepositRow, operator: OperatorSession): Promise<DepositCase> {
  const { database, approvals, findWaiting } = room;
  const [[item], waiting] = await Promise.all([itemsOf(room, [row]), findWaiting(database, MATCH_APPROVAL, row.id)]);
  if (!item) throw new Error('a deposit has no view');
  const fingerprint = waiting?.fingerprint.toString('hex') ?? '';
  return {
    ...item,
    line: row.bank_line,
    decision: waiting && {
      approval: waiting.id,
      fingerprint,
      line: (JSON.parse(waiting.content) as { line: string }).line,
      made_by: waiting.made_by === null ? null : { id: String(waiting.made_by), work_name: waiting.made_by_name ?? '' },
      refusal: await approvals.refusalOf(database, { id: waiting.id, operator, fingerprint }),
    },
  };
}
