import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandFault } from '../../platform/bus/index.ts';
import { awaitDueOptions } from './await-due-options.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const CUSTOMER = 91n;

describe('a planned stop', () => {
  let test: OptionsTest;
  beforeAll(async () => {
    test = await openOptionsTest();
    await test.fund(CUSTOMER, '1000');
  });
  afterAll(() => test.close());

  const stopping = async (atOnce = new AbortController().signal): Promise<{ said: string[]; tookMs: number }> => {
    const said: string[] = [];
    const began = performance.now();
    await awaitDueOptions(test.test.database, (line) => said.push(line), atOnce);
    return { said, tookMs: performance.now() - began };
  };

  it('waits for options that begin or end within seconds, reports how many, and stops at once on abort', async () => {
    expect(await stopping()).toMatchObject({ said: [] });
    const options = await test.open();
    test.clock.ms = Date.now() - 2_000;
    await test.publish('BTC', Date.now(), () => 64_000_000_000n);
    const purchase = { customer: CUSTOMER, coin: 'BTC', direction: 'up', stake: usdt('1'), seconds: 30 } as const;
    expect((await options.buy(purchase, test.intent())).ok).toBe(true);

    const { said, tookMs } = await stopping();
    expect(said).toEqual(['Waiting up to 10 s for options that begin or end now (1 of them); Ctrl-C stops at once']);
    // The start tick appears a second or two after the purchase; the end is half a minute away.
    expect(tookMs).toBeGreaterThan(1_000);
    expect(tookMs).toBeLessThan(9_000);

    await test.asOwner(`ALTER TABLE options.orders DISABLE TRIGGER ALL`);
    await test.asOwner(`UPDATE options.orders SET accepted_ms = accepted_ms - 25000, ends_ms = ends_ms - 25000`);
    await test.asOwner(`ALTER TABLE options.orders ENABLE TRIGGER ALL`);
    const atOnce = new AbortController();
    const waiting = stopping(atOnce.signal);
    setImmediate(() => atOnce.abort());
    expect((await waiting).tookMs).toBeLessThan(9_000);
  });

  it('accepts no purchase any more', async () => {
    const options = await test.open();
    options.stopSelling();
    const purchase = { customer: CUSTOMER, coin: 'BTC', direction: 'up', stake: usdt('1'), seconds: 30 } as const;
    await expect(options.buy(purchase, test.intent())).rejects.toThrow(CommandFault);
  });
});
