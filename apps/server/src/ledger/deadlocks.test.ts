import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { expect, it } from 'vitest';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database/index.ts';
import { openTestDatabase } from '../platform/database/testing.ts';
import { customerAccount, type JournalKind, openLedger } from './index.ts';
import { giveKind, newIntent } from './testing-payments.ts';

const PROCESSES = 6;
const ROUNDS = 10;
const TOGETHER = 20;

interface Sent {
  readonly from: bigint;
  readonly to: readonly bigint[];
}
/** Pays from one customer to others, in the given order. */
const send: JournalKind<Sent, null, never> = {
  name: 'test.send',
  customer: () => null,
  accounts: ({ from, to }) => [from, ...to].map((customer) => customerAccount(customer, 'USDT')),
  decide: ({ from, to }) =>
    accept({
      transfers: to.map((each) => ({
        kind: 'single' as const,
        debit: customerAccount(from, 'USDT'),
        credit: customerAccount(each, 'USDT'),
        units: 1n,
        code: 'demo_money' as const,
      })),
      answer: null,
    }),
};

it('A15 posters of many processes never deadlock, with transfers in both directions between the same and new accounts', async () => {
  const test = await openTestDatabase({ anyPurpose: true });
  const processes = Array.from({ length: PROCESSES }, () => {
    const database = openDatabase(test.app, { connections: 4 });
    return { database, ledger: openLedger({ eligibility: null, database, clock: systemClock, bus: new Bus() }).api };
  });
  const rich = [1n, 2n, 3n, 4n];
  for (const from of rich) await processes[0]?.ledger.post(giveKind, { from, units: 1_000_000n }, newIntent());
  let fresh = 100n;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Accounts that do not exist yet; each process names them in a different order.
    fresh += 1_000n;
    const strangers = Array.from({ length: 1_000 }, (_, n) => fresh + BigInt(n));
    await Promise.all(
      processes.flatMap(({ ledger }, process) =>
        Array.from({ length: TOGETHER }, (_, n) => {
          const from = rich[(n + process) % 4] as bigint;
          const to = [
            ...rich.filter((each) => each !== from),
            ...strangers.filter((_, m) => (m * 7 + n + process) % 97 === 0 && m % (process + 1) === 0),
          ];
          return ledger.post(send, { from, to: process % 2 ? to : to.reverse() }, newIntent());
        }),
      ),
    );
  }
  // PostgreSQL reports a connection's counters when the connection ends.
  for (const { database } of processes) await database.close();
  const owner = new pg.Client(test.owner);
  await owner.connect();
  const { rows } = await owner.query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()');
  await owner.end();
  await test.close();
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
