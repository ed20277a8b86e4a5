import type { DepositCase, listDepositCases, ResultOf } from '@sathorn/api';
import { formatDecimal } from '@sathorn/money';
import type { OperatorSession } from '../edge/index.ts';
import type { ApprovalRow } from '../operators/index.ts';
import type { DepositRoom } from './deposit-room.ts';
import type { DepositRow } from './deposit-store.ts';
import { factsOf, readMatchProof } from './match-rule.ts';
import { readStrays } from './stray-store.ts';

type Item = ResultOf<typeof listDepositCases>['items'][number];
export const MATCH_APPROVAL = 'deposit_match';
export const RECOVERY_APPROVAL = 'deposit_recovery';

export const itemsOf = (room: DepositRoom, rows: readonly DepositRow[]): Promise<Item[]> =>
  Promise.all(
    rows.map(async (row) => ({
      ...room.viewOf(row),
      customer: { id: String(row.customer_id), username: await room.usernameOf(row.customer_id) },
      version: row.version,
      same_picture_as: row.same_picture,
      similar_picture_as: row.same_picture === null ? row.similar_picture : null,
      shortfall: formatDecimal(row.shortfall, 6),
    })),
  );

/** The case as an operator sees it, with all that the decision needs. */
export async function caseOf(room: DepositRoom, row: DepositRow, operator: OperatorSession): Promise<DepositCase> {
  const { database, approvals, findWaiting } = room;
  const [[item], waiting, planned, strays, proof] = await Promise.all([
    itemsOf(room, [row]),
    findWaiting(database, MATCH_APPROVAL, row.id),
    findWaiting(database, RECOVERY_APPROVAL, row.id),
    row.chain === null || row.address === null ? 0 : readStrays(database, row.chain, row.address),
    row.baht === null ? null : readMatchProof(database, factsOf(row, null, operator.id)),
  ]);
  const makerOf = ({ made_by, made_by_name }: ApprovalRow) =>
    made_by === null ? null : { id: String(made_by), work_name: made_by_name ?? '' };
  if (!item) throw new Error('a deposit has no view');
  const fingerprint = waiting?.fingerprint.toString('hex') ?? '';
  const refusal = waiting && (await approvals.refusalOf(database, { id: waiting.id, operator, fingerprint }));
  return {
    ...item,
    line: row.bank_line,
    opened_by:
      row.opened_by === null ? null : { id: String(row.opened_by), work_name: await room.workNameOf(row.opened_by) },
    strays,
    counted:
      row.counted_since === null || row.block_height === null
        ? null
        : { from_height: String(row.counted_since), to_height: String(row.block_height) },
    match_asks: proof && (proof.ok ? proof.effect : 'two_people'),
    match_refusal: proof && !proof.ok ? proof.refusal : null,
    plan: planned && {
      approval: planned.id,
      fingerprint: planned.fingerprint.toString('hex'),
      ...(JSON.parse(planned.content) as { plan: 'credit' | 'return' | 'unrecoverable'; to: string | null }),
      made_by: makerOf(planned),
      refusal: await approvals.refusalOf(database, {
        id: planned.id,
        operator,
        fingerprint: planned.fingerprint.toString('hex'),
      }),
    },
    decision:
      waiting && refusal !== 'approval_expired'
        ? {
            approval: waiting.id,
            fingerprint,
            line: (JSON.parse(waiting.content) as { line: string }).line,
            made_by: makerOf(waiting),
            refusal,
          }
        : null,
  };
}
