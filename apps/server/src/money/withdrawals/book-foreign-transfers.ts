import { accept, splitFoundWithdrawal } from '@sathorn/settlement';
import { customerAccount, houseAccount, type JournalKind, type Transfer, uuidOfName } from '../../ledger/index.ts';
import { endForeignHalt, markTransferBooked, readPaidByHand, readUnbookedTransfers } from './foreign-store.ts';
import { adoptOwnTransaction, listOwnTransactions } from './restoration-store.ts';
import { PAID_BY_HAND_KIND } from './withdrawal-kinds.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const HOT = houseAccount('reserve_hot', 'USDT');
const COLD = houseAccount('reserve_cold', 'USDT');
const CAPITAL = houseAccount('house_capital', 'USDT');

type Unbooked = Awaited<ReturnType<typeof readUnbookedTransfers>>[number];

/** Debits the wallet for what left it without the signer, as two people accounted for it. */
const FOREIGN: JournalKind<Unbooked, null, never> = {
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
    accepted.map(({ command, intent }) => markTransferBooked(transaction, command, intent.id)),
};

type Found = Unbooked & { readonly customer_id: bigint };
/**
 * Books a payout that the restored database has lost. It debits the balance of the wallet's owner as far as that goes;
 * the house pays the rest and claims it, as for a reversed deposit.
 */
const FOUND: JournalKind<Found, { readonly shortfall: string }, never> = {
  name: 'withdrawals.found',
  customer: () => null,
  accounts: ({ customer_id }) => [customerAccount(customer_id, 'USDT'), CAPITAL, HOT],
  decide({ customer_id, units }, funds) {
    const spot = customerAccount(customer_id, 'USDT');
    const { taken, shortfall } = splitFoundWithdrawal({ units, available: funds.available(spot) });
    const part = (debit: typeof spot, moved: bigint): Transfer[] =>
      moved > 0n ? [{ kind: 'single', debit, credit: HOT, units: moved, code: 'withdrawal_found' }] : [];
    return accept({
      transfers: [...part(spot, taken), ...part(CAPITAL, shortfall)],
      answer: { shortfall: String(shortfall) },
    });
  },
  write: (transaction, { accepted }) =>
    accepted.map(({ command, intent, answer }) =>
      markTransferBooked(transaction, command, intent.id, BigInt(answer.shortfall)),
    ),
};

/** Ends a halt whose causes two people have accounted for. The booking comes afterwards, because it moves money. */
export async function endHaltWithAlarm({ database, onFault }: WithdrawalsModule): Promise<void> {
  if (await endForeignHalt(database))
    onFault(new Error('alarm: money moves again: two people accounted for what had left the wallet by hand'));
}

/**
 * Books what two people accounted for. A transfer that cannot be booked, for example because the house's capital is too
 * small, must not block the others. Gas for our own addresses, and booked sweeps that this database has not signed,
 * need no people.
 */
export async function bookForeignTransfers(module: WithdrawalsModule, now: Date): Promise<void> {
  const { database, ledger, changed, onFault } = module;
  for (const move of await listOwnTransactions(database)) await adoptOwnTransaction(database, move).catch(onFault);
  for (const left of await readUnbookedTransfers(database)) {
    const id = uuidOfName(`foreign ${left.chain} ${left.hash} ${left.output}`);
    const { customer_id } = left;
    await (customer_id === null
      ? ledger.post(FOREIGN, left, { id, digest: FOREIGN.name })
      : ledger.post(FOUND, { ...left, customer_id }, { id, digest: FOUND.name })
    ).catch(onFault);
  }
  for (const paid of await readPaidByHand(database)) {
    const intent = { id: uuidOfName(`by hand ${paid.id}`), digest: PAID_BY_HAND_KIND.name };
    await ledger.post(PAID_BY_HAND_KIND, { ...paid, at: now }, intent).catch(onFault);
    await changed([paid.id]);
  }
}
