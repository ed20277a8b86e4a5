import { listDailyTotals } from '@sathorn/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { giveMoney, openTestCustomers, type TestCustomers } from './testing-customers.ts';

const DAY = 86_400_000;
let room: TestCustomers;
/** BTC's closing prices by the start of the day. */
const closes = new Map<number, bigint>();
beforeAll(async () => {
  const dailyCloses = async (coin: string, before: Date, limit: number) =>
    [...closes]
      .filter(([at]) => coin === 'BTC' && at < before.getTime())
      .slice(-limit)
      .map(([at, close]) => ({ at, close }));
  room = await openTestCustomers({}, () => [], dailyCloses);
  await room.sql('SET session_replication_role = replica');
});
afterAll(() => room.close());

/** Funds the customer as of an earlier moment. */
async function fundAt(token: string, asset: string, amount: string, at: number): Promise<void> {
  await giveMoney(room, token, asset, amount);
  await room.sql(
    'UPDATE ledger.transfer SET at = $1 WHERE journal = (SELECT journal FROM ledger.transfer ORDER BY sequence DESC LIMIT 1)',
    [new Date(at)],
  );
}
const today = () => Math.floor(room.clock.now().getTime() / DAY) * DAY;
const read = async (token: string) =>
  (await room.call(listDailyTotals, {}, { token })).data as readonly { at: string; total: string }[];

it('returns the total at the end of each day, with coins at that day’s close', async () => {
  const { token } = await room.signUp();
  const empty = await read(token);
  expect(empty).toHaveLength(30);
  expect(new Set(empty.map(({ total }) => total))).toEqual(new Set(['0.000000']));

  const end = today();
  await fundAt(token, 'USDT', '100', end - 2.5 * DAY);
  // The moment of midnight belongs to the day that it ends.
  await fundAt(token, 'USDT', '20.5', end - DAY);
  await fundAt(token, 'BTC', '0.5', end - 0.5 * DAY);
  await fundAt(token, 'USDT', '1', end + 1);
  closes.set(end - DAY, 60_000_000_001n);
  expect((await read(token)).slice(-4)).toEqual([
    { at: new Date(end - 3 * DAY).toISOString(), total: '0.000000' },
    { at: new Date(end - 2 * DAY).toISOString(), total: '100.000000' },
    { at: new Date(end - DAY).toISOString(), total: '120.500000' },
    // Half of 60,000.000001, rounded down.
    { at: new Date(end).toISOString(), total: '30120.500000' },
  ]);
  // A day without a price of a coin that was held has no total.
  closes.clear();
  expect((await read(token)).at(-1)).toEqual({ at: new Date(end - DAY).toISOString(), total: '120.500000' });
});

it('finds each moment in an account with many entries', async () => {
  const { token } = await room.signUp();
  const first = today() - 5 * DAY;
  // Adding `n` makes the amounts differ: two equal ones would count as one request.
  for (let n = 1; n <= 33; n += 1)
    await fundAt(token, 'USDT', `1.${String(n).padStart(6, '0')}`, first + (n * DAY) / 7);
  const totals = (await read(token)).slice(-6).map(({ total }) => Math.floor(Number(total)));
  expect(totals).toEqual([0, 7, 14, 21, 28, 33]);
});
