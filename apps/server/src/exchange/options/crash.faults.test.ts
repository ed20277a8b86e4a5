import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionUrlOf } from '../../platform/database/index.ts';
import { type StrikePhase, type StrikeVictim, strikeEachStep } from '../../whole/testing-strikes.ts';
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

  /** A process that settles due orders and is killed at its nth statement. */
  class Settler implements StrikeVictim {
    #nth = 0;
    #phase: StrikePhase = 'before';
    wasStruck = false;

    arm(nth: number, phase: StrikePhase): void {
      [this.#nth, this.#phase, this.wasStruck] = [nth, phase, false];
    }

    run(): Promise<void> {
      return new Promise((resolve, reject) => {
        const worker = fileURLToPath(new URL('./testing-crash-worker.ts', import.meta.url));
        const parameters = [connectionUrlOf(test.test.app), test.clock.ms, this.#nth, this.#phase].map(String);
        const child = spawn(process.execPath, [worker, ...parameters], { stdio: ['ignore', 'ignore', 'pipe'] });
        let errors = '';
        child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
        child.on('error', reject);
        child.on('exit', (code, signal) => {
          this.wasStruck = signal === 'SIGKILL';
          if (code === 0 || this.wasStruck) resolve();
          else reject(new Error(errors));
        });
      });
    }
  }

  /** Buys a win, a loss and a void; resolves when they are due. */
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
    // The price rises by a dollar after the 20th second, and no ticks arrive around the 60th.
    await test.publish('BTC', begin + 70_000, (at) =>
      at > begin + 50_000 && at < begin + 66_000 ? null : PRICE + (at > begin + 20_000 ? 1_000_000n : 0n),
    );
    return ids;
  };

  it.each(['before', 'sent', 'after'] as const)(
    '%s a statement: each order is settled once, with the same result',
    async (phase) => {
      const settler = new Settler();
      let expected = (await test.spot(CUSTOMER)).available;
      const struck = await strikeEachStep(settler, phase, {
        prepare: buyAndExpire,
        async command() {
          await settler.run();
          await (await test.open()).settleDue();
        },
        async audit(ids) {
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
        },
      });
      expect(struck).toBeGreaterThan(7);
      expect(await test.violations()).toEqual([]);
    },
  );
});
