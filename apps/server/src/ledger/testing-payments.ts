import { randomUUID } from 'node:crypto';
import { accept, refuse } from '@sathorn/settlement';
import { customerAccount, houseAccount, type Intent, type JournalKind } from './index.ts';

const EQUITY = houseAccount('equity', 'USDT');
const POOL = houseAccount('options_pool', 'USDT');

export interface Payment {
  readonly from: bigint;
  readonly units: bigint;
}

/** Gives a customer money. */
export const giveKind: JournalKind<Payment, null, never> = {
  name: 'test.give',
  customer: () => null,
  accounts: ({ from }) => [EQUITY, customerAccount(from, 'USDT')],
  decide: ({ from, units }) =>
    accept({
      transfers: [
        { kind: 'single', debit: EQUITY, credit: customerAccount(from, 'USDT'), units, code: 'capital_paid_in' },
      ],
      answer: null,
    }),
};

/** Pays up to the customer's balance. */
export const payKind: JournalKind<Payment, { left: string }, 'exceeds_balance'> = {
  name: 'test.pay',
  customer: () => null,
  accounts: ({ from }) => [customerAccount(from, 'USDT'), POOL],
  decide({ from, units }, funds) {
    const account = customerAccount(from, 'USDT');
    const available = funds.available(account);
    if (units > available) return refuse('exceeds_balance');
    return accept({
      transfers: [{ kind: 'single', debit: account, credit: POOL, units, code: 'option_stake' }],
      answer: { left: (available - units).toString() },
    });
  },
};

/** The same payment as a job would send it, repeated until it is accepted. */
export const collectKind: typeof payKind = { ...payKind, name: 'test.collect', isRepeated: true };

/** Its write fails, so everything decided with it is rolled back. */
export const brokenKind: JournalKind<null, null, never> = {
  name: 'test.broken',
  customer: () => null,
  accounts: () => [],
  decide: () => accept({ transfers: [], answer: null }),
  write: (transaction) => [transaction.query({ name: 'test.broken', text: 'SELECT 1 / 0' })],
};

export const newIntent = (): Intent => ({ id: randomUUID(), digest: 'd' });
