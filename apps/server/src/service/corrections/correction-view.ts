import type { CorrectionCase, CorrectionItem, OwnCorrection } from '@sathorn/api';
import { formatMoney, type Money, money, subtract, zero } from '@sathorn/money';
import type { CorrectionHouse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { AccountKey, TransferView } from '../../ledger/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { CorrectionRow } from './correction-store.ts';
import { correctionNoticeOf, correctionNumberText } from './correction-words.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { DEBIT_NOTICE_MS } from './decide-correction.ts';
import { correctionHouseOf, correctionMovesOf } from './prepare-correction.ts';

/** A debit is shown as a negative amount. */
const textOf = ({ kind }: CorrectionRow, amount: Money): string =>
  formatMoney(kind === 'reverse' ? subtract(zero(amount.asset), amount) : amount);
const amountOf = ({ debit, units }: TransferView): Money => money(debit.asset, units);

export async function viewCorrectionItem(module: CorrectionsDependencies, row: CorrectionRow): Promise<CorrectionItem> {
  const checker = await checkerOf(module, row);
  return {
    id: row.id,
    number: correctionNumberText(row.number),
    customer: { id: String(row.customer_id), username: await module.usernameOf(row.customer_id) },
    kind: row.kind,
    asset: row.amount.asset,
    amount: textOf(row, row.amount),
    moved: row.step === 'done' ? textOf(row, row.moved) : null,
    reason: row.reason,
    step: row.step,
    made_by: { id: String(row.made_by), work_name: await module.workNameOf(row.made_by) },
    checked_by: checker,
    made_at: row.made_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    due_at: row.due_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    version: row.version,
  };
}

async function checkerOf(
  { votesOf }: Pick<CorrectionsDependencies, 'votesOf'>,
  { approval }: CorrectionRow,
): Promise<string | null> {
  return (await votesOf([approval])).get(approval)?.[0]?.by ?? null;
}

/** The accounts as an operator reads them: a customer's by name, the house's by their names in the chart. */
export async function viewTransferLeg(
  module: Pick<CorrectionsDependencies, 'usernameOf'>,
  { debit, credit }: { readonly debit: AccountKey; readonly credit: AccountKey },
  amount: Money,
  after: { readonly debit: Money; readonly credit: Money } | null,
): Promise<CorrectionCase['legs'][number]> {
  const nameOf = async ({ owner, name }: AccountKey) =>
    owner === 0n ? name : `${name} ${await module.usernameOf(owner)}`;
  return {
    debit: await nameOf(debit),
    credit: await nameOf(credit),
    asset: debit.asset,
    amount: formatMoney(amount),
    debit_after: after && formatMoney(after.debit),
    credit_after: after && formatMoney(after.credit),
  };
}

export const viewWrongTransfer = (wrong: TransferView): NonNullable<CorrectionCase['transfer']> => ({
  sequence: String(wrong.sequence),
  journal: wrong.journal,
  purpose: wrong.code,
  amount: formatMoney(amountOf(wrong)),
  asset: wrong.debit.asset,
  at: wrong.at.toISOString(),
});

export function viewCorrectedCustomer(
  { messages }: Pick<CorrectionsDependencies, 'messages'>,
  row: Pick<CorrectionRow, 'kind' | 'amount' | 'reason'>,
  number: string,
  until: Date,
  language: Language,
): string {
  const { template, params } = correctionNoticeOf(row, number, until);
  return messages.preview(template, params, language);
}

export async function viewCorrectionCase(
  module: CorrectionsDependencies,
  row: CorrectionRow,
  operator: OperatorSession,
  now: Date,
  language: Language,
): Promise<CorrectionCase> {
  const { ledger } = module;
  const wrong = row.transfer === null ? undefined : await ledger.transferAt(row.transfer);
  const house: CorrectionHouse = correctionHouseOf(row.house);
  const posted = row.journal === null ? [] : await ledger.transfersOf([row.journal]);
  const moves = correctionMovesOf({ kind: row.kind, customer: row.customer_id, asset: row.amount.asset, house });
  const disputes = row.case_kind === 'dispute' ? await module.disputesOf(row.customer_id) : [];
  const approval = row.step === 'proposed' ? await module.viewApproval(row.approval, operator) : null;
  const isOpen = row.step === 'proposed' || row.step === 'announced';
  const legs = isOpen
    ? [await viewTransferLeg(module, moves, row.amount, null)]
    : await Promise.all(posted.map((one) => viewTransferLeg(module, one, amountOf(one), null)));
  return {
    ...(await viewCorrectionItem(module, row)),
    house,
    transfer: wrong ? viewWrongTransfer(wrong) : null,
    deposit: row.deposit,
    kept: row.kept,
    words: row.words,
    case_kind: row.case_kind,
    case_id: row.case_id,
    is_about_trade: disputes.some(({ id, kind }) => id === row.case_id && kind === 'option'),
    journal: row.journal,
    legs,
    customer_view: viewCorrectedCustomer(
      module,
      row,
      correctionNumberText(row.number),
      row.due_at ?? new Date(now.getTime() + DEBIT_NOTICE_MS),
      language,
    ),
    decision: approval && {
      approval: approval.id,
      fingerprint: approval.fingerprint,
      roles: approval.roles,
      refusal: approval.refusal,
    },
    stopped_by:
      row.stopped_by === null
        ? null
        : { id: String(row.stopped_by), work_name: await module.workNameOf(row.stopped_by) },
  };
}

export async function viewOwnCorrection(
  module: Pick<CorrectionsDependencies, 'ledger' | 'votesOf' | 'workNameOf'>,
  row: CorrectionRow,
): Promise<OwnCorrection> {
  const wrong = row.transfer === null ? undefined : await module.ledger.transferAt(row.transfer);
  const checker = await checkerOf(module, row);
  const isDone = row.step === 'done';
  const at = row.step === 'announced' ? row.due_at : row.ended_at;
  return {
    id: row.id,
    number: correctionNumberText(row.number),
    kind: row.kind,
    asset: row.amount.asset,
    amount: textOf(row, isDone ? row.moved : row.amount),
    reason: row.reason,
    status: row.step as OwnCorrection['status'],
    at: (at ?? row.made_at).toISOString(),
    wrong: wrong
      ? {
          reference: wrong.journal,
          purpose: wrong.code,
          amount: formatMoney(amountOf(wrong)),
          at: wrong.at.toISOString(),
        }
      : null,
    deposit: row.deposit,
    journal: row.journal,
    people: [await module.workNameOf(row.made_by), ...(checker === null ? [] : [checker])],
  };
}
