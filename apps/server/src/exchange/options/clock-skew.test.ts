import type { OptionOrder } from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options } from './index.ts';
import { readTickWatermark } from './option-store.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const CUSTOMER = 77n;
const PRICE = 64_000_000_000n;
const HOUR_MS = 3_600_000;

describe('B7 a clock that differs from the database’s', () => {
  let test: OptionsTest;
  let options: Options;

  beforeAll(async () => {
    test = await openOptionsTest();
    options = await test.open({ readTickWatermark: () => readTickWatermark(test.test.database) });
    await test.fund(CUSTOMER, '1000');
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    expect(await test.violations()).toEqual([]);
    await test.close();
  });

  const ask = (coin: CoinCode) =>
    options.buy({ customer: CUSTOMER, coin, direction: 'up', stake: usdt('1'), seconds: 30 }, test.intent());
  const buy = async (coin: CoinCode): Promise<string> => {
    const decision = await ask(coin);
    if (!decision.ok) throw new Error(decision.refusal);
    return decision.effect.id;
  };
  const read = async (id: string): Promise<OptionOrder> => {
    const decision = await options.read(CUSTOMER, id);
    if (!decision.ok) throw new Error(decision.refusal);
    return decision.effect;
  };
  it.each([
    ['an hour behind', -HOUR_MS, 'ETH'],
    ['two seconds behind', -2_000, 'SOL'],
    ['two seconds ahead', 2_000, 'XRP'],
    ['an hour ahead', HOUR_MS, 'ADA'],
    ['a day ahead', 24 * HOUR_MS, 'TRX'],
  ] as const)('%s settles what has ended, and nothing earlier', async (_name, skewMs, coin) => {
    // The order's index stopped at once, and its end was a minute and a half ago.
    test.clock.ms = Date.now() - 122_000;
    await test.publish(coin, Date.now() - 120_000, () => PRICE);
    const over = await buy(coin);
    await test.publish('BTC', Date.now(), () => PRICE);
    const open = await buy('BTC');
    test.clock.ms = Date.now() + skewMs;
    expect(await options.settleDue()).toBe(1);
    expect([(await read(over)).status, (await read(open)).status]).toEqual(['void', 'holding']);
  });

  it.each([
    [-2_000, 2],
    [-500, 2],
    [500, 2],
    [2_000, 4],
  ])('that is %i ms ahead sells at a price that nobody can have seen, %i s later', async (skewMs, startSeconds) => {
    const nowMs = Math.floor(test.clock.ms / 1_000) * 1_000 + 60_000;
    await test.publish('DOGE', nowMs, () => PRICE);
    test.clock.ms = nowMs + skewMs;
    const id = await buy('DOGE');
    await test.publish('DOGE', nowMs + 40_000, (at) => PRICE + BigInt((at - nowMs) * 1_000));
    await options.settleDue();
    const order = await read(id);
    expect([order.status, order.start_price]).toEqual(['won', `6400${startSeconds}.000000`]);
  });

  it.each([-2_001, 3_001])('that is %i ms ahead sells nothing', async (skewMs) => {
    const nowMs = Math.floor(test.clock.ms / 1_000) * 1_000 + 60_000;
    await test.publish('DOGE', nowMs, () => PRICE);
    test.clock.ms = nowMs + skewMs;
    expect(await ask('DOGE')).toMatchObject({ ok: false, refusal: 'index_stale' });
  });
});
