import { formatMoney, money } from '@sathorn/money';
import type { Messages } from '../messages/index.ts';
import type { DepositRow } from './deposit-store.ts';

/** Sends the notice about a completed or failed deposit, at most once per outcome. */
export async function notifyOwner(messages: Pick<Messages, 'send'>, row: DepositRow, now: Date): Promise<void> {
  const { id, customer_id: owner, step, round, order_number: order } = row;
  const amount = `${formatMoney(money('USDT', row.amount))} USDT`;
  const of = `deposit ${id} ${step} ${round}`;
  if (step === 'credited') await messages.send(owner, 'deposit_credited', { order, amount }, now, of);
  else if (step === 'reversed') await messages.send(owner, 'deposit_reversed', { order, amount }, now, of);
  else if (step === 'returned' && row.kind !== 'crypto')
    await messages.send(owner, 'deposit_returned', { order }, now, of);
}
