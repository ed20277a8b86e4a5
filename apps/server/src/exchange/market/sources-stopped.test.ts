import { money } from '@sathorn/money';
import { expect, test } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { openVirtualClockDatabase, ScriptedSource } from './testing.ts';
import { openTestTrading, TEST_CUSTOMER, testUuidOf } from './testing-trading.ts';

const START = Date.parse('2026-12-01T03:00:00.123Z');

test('C2 C7 with sources stopped: no tick, purchases refused with a reason, due orders void and refunded; then all goes on', async () => {
  const database = await openVirtualClockDatabase();
  const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
  const prices = { kind: 'sim', seed: 'stopped' } as const;
  const { options, ledger, second, now, faults } = await openTestTrading(database, {
    sources,
    coin: 'BTC',
    startMs: START,
    prices,
  });
  const buy = (name: string) =>
    options.buy(
      { customer: TEST_CUSTOMER, coin: 'BTC', direction: 'up', stake: money('USDT', 9_000_000n), seconds: 30 },
      { id: testUuidOf(name), digest: name },
    );
  const pass = async (seconds: number, speaking: number): Promise<void> => {
    for (let n = 0; n < seconds; n++) {
      for (const source of sources.slice(0, speaking))
        source.report('BTC', now().getTime() + 700, 64_000_000_000n + BigInt(now().getTime() % 7_000));
      await second();
    }
  };
  const spot = async () => (await ledger.balances(TEST_CUSTOMER)).find(({ account }) => account.name === 'spot');
  const statusOf = async (name: string) => {
    const decision = await options.read(TEST_CUSTOMER, testUuidOf(name));
    return decision.ok
      ? [decision.effect.status, decision.effect.reason, decision.effect.sell_price]
      : decision.refusal;
  };

  await pass(5, 3);
  expect(await buy('before')).toMatchObject({ ok: true });
  await pass(10, 3);
  // Two of the three sources report, which is too few for a tick.
  await pass(20, 2);
  expect(await buy('while')).toMatchObject({ ok: false, refusal: 'index_stale' });
  await pass(10, 2);
  expect(await options.settleDue()).toBe(1);
  expect(await statusOf('before')).toEqual(['void', 'no_end_tick', '9.000000']);
  expect(await spot()).toMatchObject({ available: 10_000_000_000n, held: 0n });

  await pass(10, 3);
  expect(await buy('after')).toMatchObject({ ok: true });
  await pass(35, 3);
  await options.settleDue();
  expect((await statusOf('after'))[0]).toMatch(/won|lost|tie/);
  expect(faults).toEqual([]);
  expect(await findViolations(database.checker)).toEqual([]);
  await database.close();
});
