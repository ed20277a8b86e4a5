import { formatMoney, type Money } from '@sathorn/money';
import type { Templates } from '../../people/messages/index.ts';
import type { CorrectionRow } from './correction-store.ts';

/** The number in the form that people read, such as J-0064. */
export const correctionNumberText = (number: bigint): string => `J-${String(number).padStart(4, '0')}`;
export const amountWithAsset = (amount: Money): string => `${formatMoney(amount)} ${amount.asset}`;

type Told = Pick<CorrectionRow, 'kind' | 'amount' | 'reason'>;
type Notice = {
  [Name in keyof Templates]: Name extends `correction_${string}`
    ? { readonly template: Name; readonly params: Templates[Name] }
    : never;
}[keyof Templates];

/** The notice about a refund when it is posted, or about a debit when it is announced. */
export function correctionNoticeOf({ kind, amount: paid, reason }: Told, order: string, until: Date): Notice {
  const amount = amountWithAsset(paid);
  if (kind === 'reverse')
    return { template: 'correction_announced', params: { amount, order, until: until.toISOString() } };
  if (kind === 'goodwill') return { template: 'correction_goodwill', params: { amount, order } };
  const params = { amount, order };
  if (reason === 'charged_twice') return { template: 'correction_charged_twice', params };
  if (reason === 'fee_wrong') return { template: 'correction_fee_wrong', params };
  if (reason === 'deposit_lost') return { template: 'correction_deposit_lost', params };
  if (reason === 'kept_receipt') return { template: 'correction_kept_receipt', params };
  return { template: 'correction_settlement_fault', params };
}
