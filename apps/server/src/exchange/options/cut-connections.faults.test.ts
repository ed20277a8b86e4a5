import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../ledger/index.ts';
import { FragileDatabase, type StrikeDrill, strikeEachStep } from '../../whole/testing-strikes.ts';
import type { Options } from './index.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const [ANAN, MALI] = [1n, 2n];
const PRICE = 64_000_000_000n;

interface Purchase {
  readonly command: Parameters<Options['buy']>[0];
  readonly intent: Parameters<Options['buy']>[1];
}

describe('B1 a purchase whose connection is cut at any step of its batch', () => {
  let room: OptionsTest;
  let options: Options;
  let fragile: FragileDatabase;

  beforeAll(async () => {
    room = await openOptionsTest();
    fragile = new FragileDatabase(room.test.database);
    options = await room.open({
      ledger: openLedger({ eligibility: room.eligibility, database: fragile, clock: room.clock, bus: room.bus }).api,
    });
    await room.publish('BTC', room.clock.ms + 2_000, () => PRICE);
    for (const customer of [ANAN, MALI]) await room.fund(customer, '10000');
  });
  afterAll(() => room.close());

  const buy = ({ command, intent }: Purchase) => options.buy(command, intent);

  /** The batch has two orders that are accepted, and one that exceeds the balance. */
  const batch: StrikeDrill<{ before: Awaited<ReturnType<OptionsTest['spot']>>; purchases: Purchase[] }, unknown[]> = {
    async prepare() {
      const purchase = (customer: bigint, direction: 'up' | 'down', stake: string): Purchase => ({
        command: { customer, coin: 'BTC', direction, stake: usdt(stake), seconds: 30 },
        intent: room.intent(),
      });
      return {
        before: await room.spot(ANAN),
        purchases: [purchase(ANAN, 'up', '10'), purchase(MALI, 'down', '5'), purchase(ANAN, 'up', '9999')],
      };
    },
    command: ({ purchases }) => Promise.all(purchases.map(buy)),
    async audit({ before, purchases }, answers) {
      expect(answers).toMatchObject([{ ok: true }, { ok: true }, { ok: false, refusal: 'exceeds_balance' }]);
      expect(await room.spot(ANAN)).toEqual({
        available: before.available - usdt('10').units,
        held: before.held + usdt('10').units,
      });
      // A repeated request gets its original answer.
      expect(await Promise.all(purchases.map(buy))).toEqual(answers);
    },
  };

  it.each(['before', 'after'] as const)(
    '%s a statement: each is sold once, with one answer',
    async (phase) => {
      expect(await strikeEachStep(fragile, phase, batch)).toBeGreaterThan(5);
      expect(await room.violations()).toEqual([]);
    },
    120_000,
  );

  it('after the commit, before the answer: each is sold once, with one answer', async () => {
    const prepared = await batch.prepare();
    fragile.arm(1, 'committed');
    await batch.audit(prepared, await batch.command(prepared));
    expect(fragile.wasStruck).toBe(true);
    expect(await room.violations()).toEqual([]);
  });
});
