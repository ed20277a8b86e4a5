import { formatMoney, type Money, money, zero } from '@sathorn/money';
import type { ReversalUse } from '@sathorn/settlement';
import type { Messages } from '../../people/messages/index.ts';
import type { DepositRow } from './deposit-store.ts';
import { usdtText } from './read-reversal-use.ts';
import { REVERSAL_FREEZE_MAX_MS } from './watch-chain.ts';

interface Notifying {
  readonly messages: Pick<Messages, 'send'>;
  readonly undoneUse: (row: DepositRow) => Promise<ReversalUse | null>;
}

/** Sends the notice about a completed or failed deposit, at most once per outcome. */
export async function notifyDepositor({ messages, undoneUse }: Notifying, row: DepositRow, now: Date): Promise<void> {
  const { id, customer_id: owner, step, round, order_number: order } = row;
  const amount = usdtText(money('USDT', row.amount));
  const of = `deposit ${id} ${step} ${round}`;
  const text = (baht: Money<'THB'> | null): string => `${formatMoney(baht ?? zero('THB'))} THB`;
  const [came, ordered] = [text(row.came ?? row.baht), text(row.baht)];
  if (step === 'credited' && came !== ordered)
    await messages.send(owner, 'deposit_credited_other', { order, amount, came, ordered }, now, of);
  else if (step === 'credited') await messages.send(owner, 'deposit_credited', { order, amount }, now, of);
  else if (step === 'reversed') {
    const use = await undoneUse(row);
    if (use && use.gained + use.left > 0n) {
      const [gained, left] = [usdtText(money('USDT', use.gained)), usdtText(money('USDT', use.left))];
      await messages.send(owner, 'deposit_reversed_used', { order, amount, gained, left }, now, of);
    } else await messages.send(owner, 'deposit_reversed', { order, amount }, now, of);
    if (row.shortfall.units > 0n) {
      const until = new Date((row.finished_at ?? now).getTime() + REVERSAL_FREEZE_MAX_MS).toISOString();
      const said = { order, amount: usdtText(row.shortfall), until };
      await messages.send(owner, 'deposit_shortfall', said, now, `${of} shortfall`);
    }
  } else if (step === 'recovery') {
    // Strangers can send amounts below the minimum all day, so the owner gets at most one notice of them per day.
    const once = row.reason === 'below_minimum' ? `deposits kept ${owner} ${now.toISOString().slice(0, 10)}` : of;
    await messages.send(owner, row.network === null ? 'deposit_kept' : 'deposit_case_opened', { order }, now, once);
  } else if (step === 'closed') {
    // A correction sends its own notice.
    if (row.ending === 'returned') await messages.send(owner, 'deposit_sent_back', { order }, now, of);
    else if (row.ending === 'unrecoverable') await messages.send(owner, 'deposit_unrecoverable', { order }, now, of);
  } else if (step === 'returned' && row.kind === 'crypto')
    await messages.send(owner, 'deposit_sent_back', { order }, now, of);
  else if (step === 'returned' && row.kind !== 'crypto')
    await messages.send(owner, 'deposit_returned', { order }, now, of);
}
