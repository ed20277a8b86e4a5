import { randomUUID } from 'node:crypto';
import { type Price, parsePrice } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { afterEach, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { customerAccount, houseAccount, type JournalKind, type Ledger, openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { ALLOW_ANY_PURPOSE_SQL, runAsOwner } from '../../platform/database/testing.ts';
import { openOptionsTest, usdt } from '../options/testing.ts';
import { type ContractsTest, openContractsTest } from './testing-contracts.ts';

/** Holds money in the ledger, like a withdrawal before its approval. */
const withdrawal: JournalKind<{ from: bigint; units: bigint }, null, 'exceeds_balance'> = {
  name: 'test.withdraw',
  customer: () => null,
  accounts: ({ from }) => [customerAccount(from, 'USDT')],
  decide: ({ from, units }, funds) => {
    const account = customerAccount(from, 'USDT');
    if (funds.available(account) < units) return refuse('exceeds_balance');
    const credit = houseAccount('house_capital', 'USDT');
    return accept({ transfers: [{ kind: 'hold', debit: account, credit, units, code: 'option_stake' }], answer: null });
  },
};

let room: ContractsTest | undefined;
afterEach(() => room?.close());

describe('a customer’s last balance', () => {
  it('A1 A2 is held once by simultaneous options, contracts and withdrawals of several processes', async () => {
    room = await openContractsTest();
    await runAsOwner(room.test.owner, ALLOW_ANY_PURPOSE_SQL);
    room.index.set('BTC', parsePrice('60000') as Price);
    const contracts = await room.open();
    const optionsTest = await openOptionsTest(room.test);
    const now = Date.now();
    optionsTest.clock.ms = now;
    room.clock.ms = now;
    await optionsTest.publish('BTC', now + 1_000, () => 60_000_000_000n);
    const options = await optionsTest.open();
    const others: Ledger[] = [0, 1].map(
      () =>
        openLedger({
          eligibility: optionsTest.eligibility,
          database: room?.test.database ?? never(),
          clock: optionsTest.clock,
          bus: new Bus(),
        }).api,
    );
    const customer = 77n;
    // The amount is enough for a hundred attempts of any kind.
    await room.fund(customer, 'USDT', '1000');

    const intent = () => ({ id: randomUUID(), digest: 'd' });
    const orders = { side: 'buy', type: 'limit', price: '50000', quantity: '0.0002' } as const;
    const attempts = [
      () => options.buy({ customer, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 300 }, intent()),
      () => contracts.order(customer, orders),
      ...others.map((ledger) => () => ledger.post(withdrawal, { from: customer, units: 10_000_000n }, intent())),
    ];
    // Which kind wins a race is up to the machine, so each succeeds once before it.
    for (const attempt of attempts) expect((await attempt()).ok).toBe(true);
    // Forty callers, each repeating until nothing is left.
    const won = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const attempt = attempts[n % attempts.length] ?? never();
        for (let count = 0; ; count += 1) {
          const answer = await attempt();
          if (answer.ok) continue;
          expect(answer.refusal).toBe('exceeds_balance');
          return count;
        }
      }),
    );
    expect(won.reduce((sum, count) => sum + count, 0)).toBe(100 - attempts.length);
    expect(await room.funds(customer, 'USDT')).toBe('0+1000000000');
    expect(await findViolations(room.test.checker)).toEqual([]);
  });
});

function never(): never {
  throw new Error('this can’t be');
}
