import type { WithdrawalRecord } from '@sathorn/api';
import { maskedNumber } from '@sathorn/identity';
import { formatDecimal, formatMoney } from '@sathorn/money';
import type { Sealer } from '../../platform/sealing.ts';
import { type ChainConfig, chainViewOf, checksumAddressOf } from '../chain/index.ts';
import { netAmountOf, STEPS_IN_REVIEW, type WithdrawalRow, type WithdrawalStep } from './withdrawal-store.ts';

/** The encrypted copy of a card that a withdrawal stores. */
interface CardCopy {
  readonly bank: string;
  readonly ifsc: string;
  readonly number: string;
  readonly realName: string;
}
const boundTo = (id: string): string[] => ['withdrawal', id];
export const sealCard = (sealer: Sealer, customer: bigint, id: string, card: CardCopy): Buffer =>
  sealer.seal(customer, boundTo(id), Buffer.from(JSON.stringify(card)));
export const unsealCard = (sealer: Sealer, { customer_id, id, payee_sealed }: WithdrawalRow): CardCopy | null =>
  payee_sealed && (JSON.parse(sealer.open(customer_id, boundTo(id), payee_sealed).toString()) as CardCopy);

const STATUS: Readonly<Record<WithdrawalStep, WithdrawalRecord['status']>> = {
  delayed: 'review',
  first_check: 'review',
  second_check: 'review',
  approved: 'processing',
  sending: 'processing',
  sent_unknown: 'processing',
  confirming: 'processing',
  done: 'success',
  returned: 'failed',
};

interface WithdrawalWording {
  readonly chain: ChainConfig | null;
  readonly sealer: Sealer;
  /** The newest known block. */
  readonly head: bigint | null;
  readonly approvals: WithdrawalRecord['approvals'];
  readonly signers: WithdrawalRecord['signed_by'];
  /** True while the books must be reconciled after a restoration; withdrawals that are not sent wait until then. */
  readonly isHeld: boolean;
}

/** A withdrawal as its owner sees it. */
export function withdrawalRecordOf(
  row: WithdrawalRow,
  { chain, sealer, head, approvals, signers, isHeld }: WithdrawalWording,
): WithdrawalRecord {
  const config = chain?.code === row.chain && row.receiver === null ? chain : null;
  const card = unsealCard(sealer, row);
  // As `treasury.examiners_of` counts.
  const isRun = row.people > 0 && row.receiver === null && (row.kind === 'bank' || (config?.treasury ?? null) !== null);
  const isOutside = row.kind === 'crypto' && row.receiver === null;
  const needed = config?.confirmations ?? null;
  const deep =
    row.block_height === null || head === null || head < row.block_height ? 0 : Number(head - row.block_height) + 1;
  return {
    id: row.id,
    order_number: row.order_number,
    channel: row.channel,
    kind: row.kind,
    status: STATUS[row.step],
    step: row.step,
    reason: row.reason,
    amount: formatMoney(row.amount),
    fee: formatMoney(row.fee),
    actual_amount: formatMoney(netAmountOf(row)),
    fiat:
      row.rate === null || row.baht === null
        ? null
        : { currency: 'THB', amount: formatMoney(row.baht), rate: formatDecimal(row.rate, 6) },
    payee: {
      kind: row.kind === 'bank' ? 'card' : 'wallet',
      name: row.payee_name,
      chain: row.chain,
      address: row.address && checksumAddressOf(row.address),
      bank: card?.bank ?? null,
      number: card && maskedNumber(card.number),
      real_name: card?.realName ?? null,
    },
    is_internal: row.receiver !== null,
    chain: config && chainViewOf(config),
    hash: row.hash,
    block_height: row.block_height === null ? null : String(row.block_height),
    confirmations: isOutside ? (row.step === 'done' ? needed : Math.min(deep, needed ?? deep)) : null,
    confirmations_needed: isOutside ? needed : null,
    reference: row.reference,
    // Withdrawals of before have more than one approval.
    people: isRun ? Math.max(1, approvals.length) : row.people,
    approvals,
    is_run: isRun,
    signed_by: signers,
    question: row.question,
    answer: row.answer,
    remark: row.question,
    can_cancel: STEPS_IN_REVIEW.includes(row.step),
    created_at: row.created_at.toISOString(),
    promised_at: row.promised_at.toISOString(),
    delayed_until: row.delayed_until?.toISOString() ?? null,
    delay_reason:
      isHeld && (STEPS_IN_REVIEW.includes(row.step) || row.step === 'approved') ? 'restoration' : row.delay_reason,
    sent_at: row.sent_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
