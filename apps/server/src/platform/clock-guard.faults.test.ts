import { randomUUID } from 'node:crypto';
import { listContracts, placeContract, readQuote } from '@sathorn/api';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { openTestPlatform } from '../whole/testing-platform.ts';
import { ClockWrongError, openClockGuard } from './clock-guard.ts';
import type { Queries } from './database/index.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 22, 12, 0, 0);

/** A machine and a database with a clock each; `elapsed` is the true time that passes. */
function machine() {
  const faults: string[] = [];
  const world = { elapsed: 1_000, wall: START, database: START, answerMs: 0 };
  const pass = (ms: number): void => {
    world.elapsed += ms;
    world.wall += ms;
    world.database += ms;
  };
  const database = {
    async query() {
      pass(world.answerMs / 2);
      const now = new Date(world.database);
      pass(world.answerMs / 2);
      return [{ now }];
    },
  } as unknown as Queries;
  const open = () =>
    openClockGuard({
      database,
      clock: { now: () => new Date(world.wall) },
      onFault: (error) => faults.push((error as Error).message),
      elapsedMs: () => world.elapsed,
      lookEveryMs: HOUR_MS,
    });
  return { world, faults, pass, open };
}

describe('a guard of the clock', () => {
  test.each([
    [HOUR_MS, 'ahead of'],
    [-HOUR_MS, 'behind'],
    [2_001, 'ahead of'],
    [-2_001, 'behind'],
  ])('accepts nothing while the machine’s clock is %i ms off, and reports it once', async (skew, side) => {
    const { world, faults, open } = machine();
    world.wall += skew;
    const guard = await open();
    for (let n = 0; n < 3; n += 1) expect(() => guard.assertRight()).toThrow(ClockWrongError);
    expect(() => guard.observe(new Date(world.database), guard.elapsedMs())).toThrow(ClockWrongError);
    expect(faults).toEqual([
      expect.stringMatching(new RegExp(`^alarm: clock: .* ${side} the database’s?`.replace('’', "'"))),
    ]);
    // The guard still returns the database's time.
    expect(guard.now().getTime()).toBe(world.database);
    world.wall -= skew;
    expect(() => guard.assertRight()).not.toThrow();
    expect(faults).toHaveLength(2);
    guard.close();
  });

  test.each([0, 1_999, -1_999])('accepts on one that is %i ms off, at the database’s time', async (skew) => {
    const { world, faults, pass, open } = machine();
    world.wall += skew;
    const guard = await open();
    pass(5_000);
    guard.assertRight();
    expect(guard.now().getTime()).toBe(world.database);
    expect(guard.observe(new Date(world.database), guard.elapsedMs()).getTime()).toBe(world.database);
    expect(faults).toEqual([]);
    guard.close();
  });

  test('notices a step of the clock at once, without another query', async () => {
    const { world, open } = machine();
    const guard = await open();
    guard.assertRight();
    world.wall += HOUR_MS;
    expect(() => guard.assertRight()).toThrow(ClockWrongError);
    expect(guard.now().getTime()).toBe(world.database);
    guard.close();
  });

  test('does not mistake a slow answer of the database or a stalled loop for a wrong clock', async () => {
    const { world, faults, pass, open } = machine();
    const guard = await open();
    const askedMs = guard.elapsedMs();
    pass(1_000);
    const said = new Date(world.database);
    pass(20_000);
    expect(guard.observe(said, askedMs).getTime()).toBe(said.getTime());
    expect(guard.now().getTime()).toBe(world.database);
    expect(faults).toEqual([]);
    guard.close();
  });

  test('follows a database whose own clock is set', async () => {
    const { world, open } = machine();
    const guard = await open();
    world.database += 1_500;
    guard.observe(new Date(world.database), guard.elapsedMs());
    expect(guard.now().getTime()).toBe(world.database);
    world.database += 1_500;
    expect(() => guard.observe(new Date(world.database), guard.elapsedMs())).toThrow(ClockWrongError);
    guard.close();
  });
});

describe('A6 the whole program on a wrong clock', () => {
  afterEach(() => vi.useRealTimers());

  test('accepts no order, sign-in or funding, and dates by the database once the clock is right', async () => {
    const platform = await openTestPlatform({});
    try {
      const token = await platform.signIn(DEMO_CUSTOMER);
      const quote = await platform.send(readQuote, { code: 'BTC' });
      // Below the house's bids, so the sell order is not filled and rests in the book.
      const price = String(Math.floor(Number(quote.answer.data.price) * 0.9));
      const order = { code: 'BTC', side: 'buy', type: 'limit', price, quantity: '0.001' };
      const place = () => platform.send(placeContract, order, { token, 'idempotency-key': randomUUID() });
      expect((await place()).answer).toMatchObject({ ret: 1 });
      for (const skew of [HOUR_MS, -HOUR_MS]) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skew, shouldAdvanceTime: true });
        const before = platform.faults.length;
        for (const [call, fields] of [
          [placeContract, order],
          ['POST /users/login', { username: DEMO_CUSTOMER.username, password: DEMO_CUSTOMER.password }],
          ['POST /demo/fund', { asset: 'USDT', amount: '10' }],
        ] as const) {
          const { status, answer } = await platform.send(call, fields, { token });
          expect([call, status, answer.data.code]).toEqual([call, 503, 'unavailable']);
        }
        const said = platform.faults.slice(before).map((fault) => (fault as Error).message);
        expect(said.filter((line) => line.startsWith('alarm: clock'))).toHaveLength(1);
        vi.useRealTimers();
        expect((await place()).answer).toMatchObject({ ret: 1 });
      }
      const { answer } = await platform.send(listContracts, { status: 'open' }, { token });
      const items = answer.data.items as { created_at: string }[];
      expect(items).toHaveLength(3);
      for (const { created_at } of items) expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000);
    } finally {
      vi.useRealTimers();
      await platform.close();
    }
  });
});
