import type { DepositCase, listDepositCases, ResultOf } from '@sathorn/api';
import { formatDecimal, formatMoney } from '@sathorn/money';
import { canonicalText } from '@sathorn/proof';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalRow } from '../../staff/operators/index.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import type { DepositRow } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { matchFactsOf, readMatchProof } from './match-rule.ts';
import { readReversalUse } from './read-reversal-use.ts';
import { readUnassigned } from './unassigned-store.ts';

type Item = ResultOf<typeof listDepositCases>['items'][number];
export const MATCH_APPROVAL_KIND = 'deposit_match';
export const RECOVERY_APPROVAL_KIND = 'deposit_recovery';

const { recoveryFee } = DEPOSIT_SETTINGS;
export type RecoveryPlan = 'credit' | 'return' | 'unrecoverable';

/** The exact content that people decide on. */
export const recoveryPlanContent = (row: DepositRow, plan: RecoveryPlan, hash: string | null) => ({
  deposit: row.id,
  customer: String(row.customer_id),
  plan,
  reason: row.reason,
  network: row.network,
  token: row.token ?? row.network_token,
  units: row.network_amount ?? String(row.amount),
  fee: plan === 'credit' ? String(recoveryFee.units) : '0',
  // For another network, this is the transaction there that returned the money.
  to: plan === 'return' ? (row.network === null ? row.return_to : hash) : null,
});

/** True if a waiting plan still matches what its case shows. */
export function isPlanCurrent(row: DepositRow, { content }: Pick<ApprovalRow, 'content'>): boolean {
  const { plan, to } = JSON.parse(content) as ReturnType<typeof recoveryPlanContent>;
  return canonicalText(recoveryPlanContent(row, plan, to)) === content;
}

export const viewDepositItems = (module: DepositsModule, rows: readonly DepositRow[]): Promise<Item[]> =>
  Promise.all(
    rows.map(async (row) => ({
      ...module.viewOf(row),
      customer: { id: String(row.customer_id), username: await module.usernameOf(row.customer_id) },
      version: row.version,
      same_picture_as: row.same_picture,
      similar_picture_as: row.same_picture === null ? row.similar_picture : null,
      shortfall: formatMoney(row.shortfall),
    })),
  );

/** The case as an operator sees it, with all that the decision needs. */
export async function viewDepositCase(
  module: DepositsModule,
  row: DepositRow,
  operator: OperatorSession,
): Promise<DepositCase> {
  const { database, approvals, findWaiting } = module;
  const [[item], waiting, asked, unassigned, proof, use] = await Promise.all([
    viewDepositItems(module, [row]),
    findWaiting(database, MATCH_APPROVAL_KIND, row.id),
    findWaiting(database, RECOVERY_APPROVAL_KIND, row.id),
    row.chain === null || row.address === null ? 0 : readUnassigned(database, row.chain, row.address),
    row.baht === null ? null : readMatchProof(database, matchFactsOf(row, null, operator.id)),
    readReversalUse(module, row),
  ]);
  const makerOf = ({ made_by, made_by_name }: ApprovalRow) =>
    made_by === null ? null : { id: String(made_by), work_name: made_by_name ?? '' };
  if (!item) throw new Error('a deposit has no view');
  // A plan that no longer matches the chain is not offered for a decision: finance plans again.
  const planned = asked && isPlanCurrent(row, asked) ? asked : null;
  const fingerprint = waiting?.fingerprint.toString('hex') ?? '';
  const refusal = waiting && (await approvals.refusalOf(database, { id: waiting.id, operator, fingerprint }));
  return {
    ...item,
    line: row.bank_line,
    opened_by:
      row.opened_by === null ? null : { id: String(row.opened_by), work_name: await module.workNameOf(row.opened_by) },
    unassigned,
    undone: use && {
      used: formatDecimal(use.used, 6),
      gained: formatDecimal(use.gained, 6),
      left: formatDecimal(use.left, 6),
    },
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
