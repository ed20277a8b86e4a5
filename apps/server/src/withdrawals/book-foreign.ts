import { accept } from '@sathorn/settlement';
import { houseAccount, type JournalKind, uuidOfName } from '../ledger/index.ts';
import { bookTransfer, endForeignHalt, readPaidByHand, readUnbooked } from './foreign-store.ts';
import { PAID_BY_HAND } from './withdrawal-kinds.ts';
import type { WithdrawalRoom } from './withdrawal-room.ts';

const HOT = houseAccount('reserve_hot', 'USDT');
const COLD = houseAccount('reserve_cold', 'USDT');
const CAPITAL = houseAccount('house_capital', 'USDT');

type Left = Awaited<ReturnType<typeof readUnbooked>>[number];

/** Takes from the wallet what left it by hand, as two people accounted for it. */
const FOREIGN: JournalKind<Left, null, never> = {
  name: 'withdrawals.foreign',
  customer: () => null,
  accounts: () => [HOT, COLD, CAPITAL],
  decide: ({ purpose, units }) =>
    accept({
      transfers: [
        purpose === 'house'
          ? { kind: 'single', debit: COLD, credit: HOT, units, code: 'house_moved' }
          : { kind: 'single', debit: CAPITAL, credit: HOT, units, code: 'foreign_expense' },
      ],
      answer: null,
    }),
  write: (transaction, { accepted }) =>
    accepted.map(({ command, intent }) => bookTransfer(transaction, command, intent.id)),
};

/**
 * Books what two people accounted for. Money may be halted because of it, so the halt ends first. A transfer that can't
 * be booked, because the house's capital is too small for example, must not hold up the others.
 */
export async function bookForeign(room: WithdrawalRoom, now: Date): Promise<void> {
  const { database, ledger, changed, onFault } = room;
  if (await endForeignHalt(database))
    onFault(new Error('alarm: money moves again: two people accounted for what had left the wallet by hand'));
  for (const left of await readUnbooked(database)) {
    const id = uuidOfName(`foreign ${left.chain} ${left.hash} ${left.output}`);
    await ledger.post(FOREIGN, left, { id, digest: FOREIGN.name }).catch(onFault);
  }
  for (const paid of await readPaidByHand(database)) {
    const intent = { id: uuidOfName(`by hand ${paid.id}`), digest: PAID_BY_HAND.name };
    await ledger.post(PAID_BY_HAND, { ...paid, at: now }, intent).catch(onFault);
    await changed([paid.id]);
  }
}
