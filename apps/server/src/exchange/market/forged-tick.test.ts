import { price } from '@sathorn/money';
import { readTick } from '@sathorn/proof';
import { expect, test } from 'vitest';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { insertTicks } from './market-store.ts';
import { openMarket } from './open-market.ts';
import { openTestIndex, openVirtualClockDatabase, ScriptedSource, testSigner } from './testing.ts';
import type { PublishedTick } from './tick.ts';
import { openTickVerifier } from './tick-verifier.ts';

const START = Date.UTC(2026, 10, 20, 12, 0, 0);
const at = (second: number): number => START + second * 1_000;
const clock = { now: () => new Date(at(2)) };

test.each([
  ['of zeros', (tick: PublishedTick) => ({ ...tick.text, signature: '0'.repeat(128), key: '0123456789abcdef' })],
  ['of zeros under a published key', (tick: PublishedTick) => ({ ...tick.text, signature: '0'.repeat(128) })],
  ['by a key that nobody published', (tick: PublishedTick) => ed25519Signer(Buffer.alloc(32, 9)).sign(tick.text.body)],
])('a tick with a signature %s becomes no price and settles nothing', async (_what, forge) => {
  const virtual = await openVirtualClockDatabase();
  try {
    const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
    const report = (second: number, price: bigint): void => {
      for (const source of sources) source.report('BTC', at(second), price);
    };
    report(0, 100_000_000n);
    const honest = await openTestIndex(virtual, sources, ['BTC'], new Date(at(0)));
    await honest.publisher.publish(at(0));
    // The forger copies an honest index, but with other prices.
    const scratch = await openTestIndex(virtual, sources, ['BTC'], new Date(at(0)));
    const before = honest.view.lastTick('BTC') as PublishedTick;
    report(1, 150_000_000n);
    const fake = readTick(before.text.body);
    expect(fake?.price).toBe(100_000_000n);
    const body = before.text.body
      .replaceAll('"100000000"', '"150000000"')
      .replace('"seq":"1"', '"seq":"2"')
      .replaceAll(String(at(0)), String(at(1)))
      .replace('0'.repeat(64), before.text.hash)
      .replace('"flag":""', '"flag":"jump"');
    const signed = { ...before, sequence: 2n, at: new Date(at(1)), price: 150_000_000n, jump: true } as PublishedTick;
    const forged = { ...signed, text: forge({ ...signed, text: testSigner.sign(body) }) };
    await virtual.index.transaction((transaction) => insertTicks(transaction, [forged]));

    await expect(scratch.view.catchUp(virtual.database, new Date(at(1)))).rejects.toThrow(
      'alarm: tick 2 of BTC is not signed by a published key',
    );
    expect(scratch.view.lastTick('BTC')?.sequence).toBe(1n);
    // No later tick extends the forged one either.
    report(1, 100_000_000n);
    await expect(honest.publisher.publish(at(1))).rejects.toThrow(/does not follow/);
    await expect(honest.publisher.publish(at(2))).rejects.toThrow('is not signed by a published key');
    const faults: unknown[] = [];
    const market = (
      await openMarket({
        database: virtual.database,
        publishing: null,
        clock,
        bus: honest.bus,
        prices: { kind: 'sim', seed: 'forged' },
        onFault: (error) => faults.push(error),
      })
    ).api;
    expect(String(faults)).toContain('is not signed by a published key');
    expect(market.isStale('BTC', clock.now())).toBe(true);
    await expect(market.ticksBetween('BTC', new Date(at(0)), new Date(at(1)))).rejects.toThrow('is not signed');
  } finally {
    await virtual.close();
  }
});

test('a tick that this process has signed is not verified again, unless a field differs', async () => {
  const virtual = await openVirtualClockDatabase();
  try {
    const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
    for (const source of sources) source.report('BTC', at(0), 100_000_000n);
    const { publisher, view } = await openTestIndex(virtual, sources, ['BTC'], new Date(at(0)));
    await publisher.publish(at(0));
    const tick = view.lastTick('BTC') as PublishedTick;
    const { verify, trust } = openTickVerifier({ query: () => Promise.reject(new Error('the keys were read')) });
    await expect(verify([tick])).rejects.toThrow('the keys were read');
    trust([tick]);
    await verify([tick]);
    const others: PublishedTick[] = [
      { ...tick, price: price(tick.price + 1n) },
      { ...tick, at: new Date(at(1)) },
      { ...tick, text: { ...tick.text, hash: '0'.repeat(64) } },
      { ...tick, text: { ...tick.text, signature: '0'.repeat(128) } },
    ];
    for (const other of others) await expect(verify([other])).rejects.toThrow('the keys were read');
  } finally {
    await virtual.close();
  }
});
