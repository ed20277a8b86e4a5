import { randomUUID } from 'node:crypto';
import { hashOfBody, promisesRoot, readTick, verifyOptionReceipt, writePromiseLink } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const START = 64_000_000_000n;

describe('the chain of promises', () => {
  let test: OptionsTest;
  beforeAll(async () => {
    test = await openOptionsTest();
    await test.fund(31n, '1000');
    await test.publish('BTC', test.clock.ms + 5_000, () => START);
    await test.publish('ETH', test.clock.ms, () => START);
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    await test.close();
  });

  it('names an order in the next tick of every coin, and its receipt shows where', async () => {
    const options = await test.open();
    const order = { customer: 31n, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 } as const;
    const latestMs = test.clock.ms + 3_000;
    const bought = await options.buy({ ...order, latestMs }, test.intent());
    if (!bought.ok) throw new Error(bought.refusal);
    const begin = test.clock.ms;
    await test.publish('ETH', begin + 1_000, () => START);
    await test.publish('BTC', begin + 40_000, (at) => START + BigInt(Math.floor((at - begin) / 1_000)) * 10_000n);
    await options.settleDue();
    const read = await options.read(31n, bought.effect.id);
    if (!read.ok || read.effect.receipt === null) throw new Error('no receipt');
    const { receipt } = read.effect;
    expect(receipt.terms.body).toContain(`"latest":"${latestMs}"`);
    const named = readTick(receipt.promise?.tick.body ?? '');
    expect(named?.at).toBeLessThanOrEqual(begin + 1_000);
    const eth = await test.market.firstTickAfter('ETH', begin);
    expect(readTick(eth?.body ?? '')?.promises).toBe(named?.promises);
    const verdict = await verifyOptionReceipt(receipt, test.keys, { rulesHash: test.rulesHash });
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(verdict.checks.map(({ name }) => name)).toContain('terms_before_prices');
    expect(await test.violations()).toEqual([]);
  });

  it('refuses an order that would be accepted later than its customer allows, and takes nothing', async () => {
    const options = await test.open();
    const before = await test.spot(31n);
    const order = { customer: 31n, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 } as const;
    // An order is accepted a second after it arrives.
    expect(await options.buy({ ...order, latestMs: test.clock.ms + 999 }, test.intent())).toMatchObject({
      ok: false,
      refusal: 'accepted_late',
    });
    expect(await test.spot(31n)).toEqual(before);
  });

  it('refuses a link that does not follow, and any change', async () => {
    const [last] = await test.asOwner<{ sequence: string; hash: string; at: Date; tree: string }>(
      `SELECT sequence, encode(hash, 'hex') AS hash, at, (SELECT tree FROM proofs.promised_tree LIMIT 1) AS tree
       FROM proofs.promise_link ORDER BY sequence DESC LIMIT 1`,
    );
    if (last === undefined) throw new Error('no link');
    const bodyOf = (change: object) =>
      writePromiseLink({
        sequence: BigInt(last.sequence) + 1n,
        at: last.at.getTime() + 1_000,
        previous: last.hash,
        root: promisesRoot([last.hash]),
        size: 1,
        ...change,
      });
    const append = (body: string, trees: readonly string[]) =>
      test.asOwner('SELECT proofs.append_promises($1, $2)', [body, trees]);
    for (const change of [
      { sequence: BigInt(last.sequence) },
      { previous: hashOfBody(bodyOf({})) },
      { at: last.at.getTime() },
      { size: 2 },
    ])
      await expect(
        append(bodyOf(change), [randomUUID()]),
        JSON.stringify(change, (_, v) => String(v)),
      ).rejects.toThrow(/does not follow/);
    await expect(append(bodyOf({}), [randomUUID()])).rejects.toThrow(/no such tree/);
    // A tree is promised once.
    await expect(append(bodyOf({}), [last.tree])).rejects.toThrow(/promised_tree_pkey/);
    await expect(test.asOwner('UPDATE proofs.promise_link SET up_to = 0')).rejects.toThrow(/append-only/);
    await expect(test.asOwner('DELETE FROM proofs.promised_tree')).rejects.toThrow(/append-only/);
    await expect(test.asApp('SELECT proofs.append_promises($1, $2)', [bodyOf({}), [last.tree]])).rejects.toThrow(
      /permission/,
    );
  });
});
