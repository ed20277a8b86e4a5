import { verifyOptionReceipt } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ForgedTickError, sealNextSegment } from '../market/index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const START = 64_000_000_000n;

describe('options whose ticks are sealed', () => {
  let test: OptionsTest;
  const ids: string[] = [];
  const sealAll = async (): Promise<void> => {
    while (await sealNextSegment(test.test.index, 'BTC', { ticks: 60, ageSeconds: 60 }));
  };
  const hot = async (): Promise<number> =>
    Number((await test.asOwner<{ count: string }>(`SELECT count(*) FROM market.tick WHERE coin = 'BTC'`))[0]?.count);

  beforeAll(async () => {
    test = await openOptionsTest();
    const options = await test.open();
    await test.fund(21n, '1000');
    const begin = test.clock.ms;
    await test.publish('BTC', begin + 20_000, () => START);
    for (const seconds of [30, 300] as const) {
      const order = { customer: 21n, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds } as const;
      const decision = await options.buy(order, test.intent());
      if (!decision.ok) throw new Error(decision.refusal);
      ids.push(decision.effect.id);
    }
    await test.publish('BTC', begin + 240_000, (at) => START + BigInt(Math.floor((at - begin) / 1_000)) * 10_000n);
    await options.settleDue();
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    await test.close();
  });

  it('keeps the ticks between which an open order starts, and no others', async () => {
    await sealAll();
    // Ticks up to 60 seconds before the newest are in complete segments; two stay in the table for the open order.
    expect(await hot()).toBe(240 - 180 + 2);
    expect(await test.violations()).toEqual([]);
  });

  it('settles an order that began before its first tick was sealed', async () => {
    const options = await test.open();
    await test.publish('BTC', test.clock.ms + 200_000, () => START + 5_000_000n);
    await options.settleDue();
    await sealAll();
    expect(await options.read(21n, ids[1] ?? '')).toMatchObject({ effect: { status: 'won' } });
    await test.publish('BTC', test.clock.ms + 200_000, () => START);
    await sealAll();
    // No order waits for a sealed tick any more.
    const [oldest] = await test.asOwner<{ sequence: bigint }>('SELECT min(sequence) AS sequence FROM market.tick');
    const [last] = await test.asOwner<{ last: bigint }>('SELECT max(last_sequence) AS last FROM market.sealed_segment');
    expect(Number(oldest?.sequence)).toBe(Number(last?.last) + 1);
  });

  it('shows the evidence of a dispute at any age', async () => {
    const options = await test.open();
    for (const id of ids) {
      const evidence = await options.evidence(21n, id);
      expect(evidence?.recomputed).toEqual({ status: evidence?.order.status, profit: evidence?.order.profit });
      expect(evidence?.ticks.length).toBeGreaterThan(30);
    }
  });

  it('returns receipts that verify, with each tick’s own signature', async () => {
    const options = await test.open();
    for (const id of ids) {
      const found = await options.read(21n, id);
      if (!found.ok || found.effect.receipt === null) throw new Error('no receipt');
      const { receipt } = found.effect;
      for (const text of Object.values(receipt.ticks)) expect(text?.signature).toMatch(/^[0-9a-f]{128}$/);
      const verdict = await verifyOptionReceipt(receipt, test.keys, { rulesHash: test.rulesHash });
      expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
    }
  });

  it('passes the checker, which detects a price that no sealed tick has', async () => {
    expect(await test.violations()).toEqual([]);
    await test.asOwner(
      `ALTER TABLE options.orders DISABLE TRIGGER ALL; UPDATE options.orders SET start_price = start_price + 1 WHERE id = '${ids[0]}';
       ALTER TABLE options.orders ENABLE TRIGGER ALL`,
    );
    expect(await test.violations()).toMatchObject([{ invariant: 'I7b', subjects: [ids[0]] }]);
  });

  it('reports a forged tick in a dispute’s evidence, and shows no ticks there', async () => {
    await test.asOwner(
      `SET session_replication_role = replica; UPDATE options.orders SET start_price = start_price - 1 WHERE id = '${ids[0]}'`,
    );
    const forged = new ForgedTickError('alarm: tick 7 of BTC is not signed by a published key');
    const options = await test.open({ market: { ...test.market, ticksBetween: () => Promise.reject(forged) } });
    expect(await options.evidence(21n, ids[0] ?? '')).toMatchObject({ ticks: [], recomputed: null });
    expect(test.faults.splice(0)).toEqual([forged]);
  });
});
