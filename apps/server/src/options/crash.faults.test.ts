import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { urlOf } from '../database/index.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const CUSTOMER = 77n;
const PRICE = 64_000_000_000n;

describe('B1 a settler that is killed at any step', () => {
  let test: OptionsTest;
  let options: Options;

  beforeAll(async () => {
    test = await openOptionsTest();
    options = await test.open();
    await test.publish('BTC', test.clock.ms + 2_000, () => PRICE);
    await test.fund(CUSTOMER, '100000');
  });
  afterAll(async () => {
    await test.close();
  });

  const settleAndDie = (at: number, phase: string): Promise<{ isKilled: boolean; said: number }> =>
    new Promise((resolve, reject) => {
      const worker = fileURLToPath(new URL('./testing-crash-worker.ts', import.meta.url));
      const child = spawn(process.execPath, [worker, urlOf(test.test.app), String(test.clock.ms), String(at), phase], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [output, errors] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (output += chunk));
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        if (code !== 0 && signal !== 'SIGKILL') reject(new Error(errors));
        else resolve({ isKilled: signal === 'SIGKILL', said: Number(output) });
      });
    });

  /** A win, a loss, a void; bought now, due when this resolves. */
  const buyAndExpire = async (): Promise<string[]> => {
    const buy = async (direction: 'up' | 'down', seconds: number): Promise<string> => {
      const decision = await options.buy(
        { customer: CUSTOMER, coin: 'BTC', direction, stake: usdt('10'), seconds },
        test.intent(),
      );
      if (!decision.ok) throw new Error(decision.refusal);
      return decision.effect.id;
    };
    const ids = [await buy('up', 30), await buy('down', 30), await buy('up', 60)];
    const begin = test.clock.ms;
    // Up by a dollar from the 20th second on; nothing is heard around the 60th.
    await test.publish('BTC', begin + 70_000, (at) =>
      at > begin + 50_000 && at < begin + 66_000 ? null : PRICE + (at > begin + 20_000 ? 1_000_000n : 0n),
    );
    return ids;
  };

  it.each(['before', 'sent', 'after'])(
    '%s it speaks: each order is settled once, with the same result',
    { timeout: 180_000 },
    async (phase) => {
      let expected = (await test.spot(CUSTOMER)).available;
      for (let at = 1; ; at++) {
        const ids = await buyAndExpire();
        const { isKilled } = await settleAndDie(at, phase);
        await (await test.open()).settleDue();
        const orders = await Promise.all(
          ids.map(async (id) => (await options.read(CUSTOMER, id)) as { effect: { status: string; profit: string } }),
        );
        expect(orders.map(({ effect }) => [effect.status, effect.profit])).toEqual([
          ['won', '7.500000'],
          ['lost', '-10.000000'],
          ['void', '0.000000'],
        ]);
        expected += usdt('7.35').units - usdt('10').units;
        expect(await test.spot(CUSTOMER)).toEqual({ available: expected, held: 0n });
        if (!isKilled) {
          expect(at).toBeGreaterThan(8);
          break;
        }
      }
      expect(await test.violations()).toEqual([]);
    },
  );
});
