import { randomUUID } from 'node:crypto';
import { isOptionReceipt, verifyOptionReceipt } from '@sathorn/proof';
import { ACCEPTED_AFTER_MS } from '@sathorn/settlement';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLedger } from '../../ledger/index.ts';
import type { Options } from './index.ts';
import { readTickWatermark } from './option-store.ts';
import { type OptionsTest, openOptionsTest, usdt } from './testing.ts';

const START = 64_000_000_000n;
const TICK = 10_000n;

describe('settling options', () => {
  let test: OptionsTest;
  let options: Options;
  let customer = 100n;

  beforeAll(async () => {
    test = await openOptionsTest();
    options = await test.open();
  });
  afterAll(async () => {
    expect(test.faults).toEqual([]);
    expect(await test.violations()).toEqual([]);
    expect(await test.asApp('SELECT * FROM options.exposure')).toEqual([]);
    await test.close();
  });

  /** Starts with a customer with 100 USDT, and a current index at the start price. */
  beforeEach(async () => {
    customer += 1n;
    await test.fund(customer, '100');
    await turnToSecond();
  });

  /** Moves the clock to 123 ms past a whole second, with ticks at the start price until then. */
  const turnToSecond = async (): Promise<void> => {
    await test.publish('BTC', (Math.ceil(test.clock.ms / 1_000) + 2) * 1_000, () => START);
    test.clock.ms += 123;
  };

  const buy = async (
    direction: 'up' | 'down',
    stake = '10',
    seconds = 30,
    owner = customer,
  ): Promise<{ id: string; acceptedMs: number }> => {
    const acceptedMs = test.clock.ms + ACCEPTED_AFTER_MS;
    const decision = await options.buy(
      { customer: owner, coin: 'BTC', direction, stake: usdt(stake), seconds },
      test.intent(),
    );
    if (!decision.ok) throw new Error(decision.refusal);
    return { id: decision.effect.id, acceptedMs };
  };
  const read = async (id: string, owner = customer) => {
    const decision = await options.read(owner, id);
    if (!decision.ok) throw new Error(decision.refusal);
    return decision.effect;
  };
  const verified = async (id: string, newestTickMs?: number) => {
    const { receipt } = await read(id);
    // The receipt as the browser receives it.
    const sent: unknown = JSON.parse(JSON.stringify(receipt));
    if (!isOptionReceipt(sent)) throw new Error('not a receipt');
    return verifyOptionReceipt(sent, test.keys, {
      rulesHash: test.rulesHash,
      ...(newestTickMs !== undefined && { newestTickMs }),
    });
  };

  it.each([
    [
      'won',
      'up',
      1n,
      { start_price: '64000.01', end_price: '64000.30', profit: '7.500000', fee: '0.150000', sell_price: '17.350000' },
      '107.350000',
    ],
    [
      'lost',
      'down',
      1n,
      { start_price: '64000.01', end_price: '64000.30', profit: '-10.000000', fee: '0.000000', sell_price: '0.000000' },
      '90.000000',
    ],
    [
      'won',
      'down',
      -1n,
      { start_price: '63999.99', end_price: '63999.70', profit: '7.500000', fee: '0.150000', sell_price: '17.350000' },
      '107.350000',
    ],
    [
      'tie',
      'up',
      0n,
      { start_price: '64000.00', end_price: '64000.00', profit: '0.000000', fee: '0.000000', sell_price: '10.000000' },
      '100.000000',
    ],
  ] as const)('%s: %s', async (status, direction, slope, expected, balance) => {
    const told: unknown[] = [];
    const listen = (event: unknown) => told.push(event);
    test.bus.on('orders', listen);
    const { id, acceptedMs } = await buy(direction);
    const since = acceptedMs - 123;
    await test.publish('BTC', acceptedMs + 30_000, (at) => START + slope * TICK * BigInt((at - since) / 1_000));
    // The last tick before the end exists, but no later one that proves it to be the last.
    expect(await options.settleDue()).toBe(0);
    expect(await read(id)).toMatchObject({
      status: 'holding',
      start_price: null,
      receipt: { result: { status: 'holding' } },
    });
    await test.publish('BTC', acceptedMs + 31_000, () => START);
    expect(await options.settleDue()).toBe(1);
    expect(await options.settleDue()).toBe(0);
    test.bus.off('orders', listen);

    expect(await read(id)).toMatchObject({ status, reason: null, ...expected });
    expect(await test.spot(customer)).toEqual({ available: usdt(balance).units, held: 0n });
    expect(told).toEqual([{ owner: customer, data: [expect.objectContaining({ id, status, ...expected })] }]);
    expect(await verified(id, test.clock.ms)).toMatchObject({ verified: true });
  });

  it('void without a start tick', async () => {
    const { id, acceptedMs } = await buy('up');
    const gapEnds = acceptedMs - 123 + 4_000;
    await test.publish('BTC', acceptedMs + 31_000, (at) => (at < gapEnds ? null : START + TICK));
    expect(await options.settleDue()).toBe(1);
    expect(await read(id)).toMatchObject({
      status: 'void',
      reason: 'no_start_tick',
      start_price: null,
      end_price: null,
      profit: '0.000000',
      sell_price: '10.000000',
    });
    expect(await test.spot(customer)).toEqual({ available: usdt('100').units, held: 0n });
    expect(await verified(id, test.clock.ms)).toMatchObject({ verified: true });
    const notices = await test.asApp<{ template: string }>('SELECT template FROM messages.message WHERE owner = $1', [
      customer,
    ]);
    expect(notices).toEqual([{ template: 'option_void' }]);
  });

  it('C6 void without an end tick, decided by the tick that came late', async () => {
    const { id, acceptedMs } = await buy('up');
    const end = acceptedMs + 30_000;
    await test.publish('BTC', end + 2_000, (at) => (at > end - 3_001 && at <= end ? null : START + TICK));
    expect(await options.settleDue()).toBe(1);
    expect(await read(id)).toMatchObject({
      status: 'void',
      reason: 'no_end_tick',
      start_price: '64000.01',
      end_price: null,
    });
    expect(await verified(id, test.clock.ms)).toMatchObject({ verified: true });
  });

  it('void when the index stops for good, by the clock, and proven once the index continues', async () => {
    const { id, acceptedMs } = await buy('up');
    await test.publish('BTC', acceptedMs + 20_000, () => START + TICK);
    test.clock.ms = acceptedMs + 35_000;
    expect(await options.settleDue()).toBe(0);
    test.clock.ms += 1;
    expect(await options.settleDue()).toBe(1);
    expect(await read(id)).toMatchObject({ status: 'void', reason: 'no_end_tick' });
    const early = await verified(id);
    expect(early.verified).toBe(true);
    expect(early.checks.filter(({ isPending }) => isPending).map(({ name }) => name)).toEqual(['end_is_last']);
    await test.publish('BTC', acceptedMs + 40_000, (at) => (at < acceptedMs + 36_000 ? null : START));
    expect((await verified(id, test.clock.ms)).checks.some(({ isPending, ok }) => isPending || !ok)).toBe(false);
  });

  it('settles on ticks 3 s away, and not on ticks a moment further away', async () => {
    const { id, acceptedMs } = await buy('up');
    const second = acceptedMs - 123;
    // The end is 123 ms past a second, so its last tick is 2,123 ms or 3,123 ms old.
    await test.publish('BTC', acceptedMs + 31_000, (at) =>
      at < second + 3_000 || (at > second + 28_000 && at <= second + 30_000)
        ? null
        : at === second + 28_000
          ? START + TICK
          : START,
    );
    expect(await options.settleDue()).toBe(1);
    expect(await read(id)).toMatchObject({ status: 'won', start_price: '64000.00', end_price: '64000.01' });
    expect(await verified(id)).toMatchObject({ verified: true });
  });

  it('returns the original answer to a repeated purchase after its settlement', async () => {
    const command = { customer, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 } as const;
    const intent = test.intent();
    const first = await options.buy(command, intent);
    await test.publish('BTC', test.clock.ms + 40_000, () => START);
    await options.settleDue();
    expect(await read(intent.id)).toMatchObject({ status: 'tie' });
    expect(await options.buy(command, intent)).toEqual(first);
  });

  it('gives the same result after a restart hours later as it would have at once', async () => {
    const prices = (since: number) => (at: number) => START + BigInt(((at - since) / 1_000) % 7) * TICK;
    const runs: unknown[] = [];
    for (const isLate of [false, true]) {
      const since = test.clock.ms - 123;
      const orders = [];
      for (let second = 0; second < 12; second += 1) {
        orders.push(await buy(second % 2 ? 'up' : 'down', '1', 30));
        await test.publish('BTC', test.clock.ms + 877, prices(since));
        if (!isLate) await options.settleDue();
        test.clock.ms += 123;
      }
      // No ticks at seconds 35 to 39, so the last orders become void.
      const hole = (at: number) => (at - since >= 35_000 && at - since < 40_000 ? null : prices(since)(at));
      for (let second = 12; second < 60; second += 1) {
        await test.publish('BTC', since + second * 1_000, hole);
        if (!isLate) await options.settleDue();
      }
      const room = isLate ? await test.open() : options;
      if (isLate)
        await test.publish('BTC', test.clock.ms + 7_200_000, (at) => (at < test.clock.ms + 7_195_000 ? null : START));
      expect(await room.settleDue()).toBe(isLate ? 12 : 0);
      runs.push(
        await Promise.all(
          orders.map(async ({ id }) => {
            const { status, reason, start_price, end_price, profit, fee, sell_price } = await read(id);
            return { status, reason, start_price, end_price, profit, fee, sell_price };
          }),
        ),
      );
      await turnToSecond();
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(new Set((runs[0] as { status: string }[]).map(({ status }) => status))).toEqual(
      new Set(['won', 'lost', 'tie', 'void']),
    );
  });

  it('has one effect when eight workers settle at once', async () => {
    await test.fund(customer, '1000');
    const before = await test.spot(customer);
    const orders = await Promise.all(Array.from({ length: 200 }, (_, n) => buy(n % 2 ? 'up' : 'down', '1')));
    const [first] = orders;
    if (!first) throw new Error('nothing was bought');
    await test.publish('BTC', first.acceptedMs + 32_000, (at) =>
      at > first.acceptedMs + 20_000 ? START + TICK : START,
    );
    const rooms = await Promise.all(
      Array.from({ length: 8 }, () =>
        test.open({
          ledger: openLedger({
            eligibility: test.eligibility,
            database: test.test.database,
            clock: test.clock,
            bus: test.bus,
          }).api,
        }),
      ),
    );
    await Promise.all(rooms.map((room) => room.settleDue()));
    const statuses = await test.asApp(
      `SELECT status, count(*)::int FROM options.orders WHERE customer_id = $1 GROUP BY 1 ORDER BY 1`,
      [customer],
    );
    expect(statuses).toEqual([
      { status: 'lost', count: 100 },
      { status: 'won', count: 100 },
    ]);
    // Each of 100 wins adds 0.75 minus a fee of 0.015; each of 100 losses takes 1.
    expect(await test.spot(customer)).toEqual({
      available: before.available + usdt('73.5').units - usdt('100').units,
      held: 0n,
    });
    const resolutions = await test.asApp(
      `SELECT count(*)::int FROM ledger.transfer t JOIN options.orders o ON o.journal = t.journal AND t.resolves IN (o.stake_hold, o.promised_hold)
       WHERE o.customer_id = $1`,
      [customer],
    );
    expect(resolutions).toEqual([{ count: 400 }]);
  });

  it('settles the other orders when one can’t be settled, and reports that one', async () => {
    await test.fund(customer, '1000');
    const orders = await Promise.all(Array.from({ length: 40 }, () => buy('up', '1')));
    const [first, broken] = [orders[0], orders[17]];
    if (!first || !broken) throw new Error('nothing was bought');
    await test.publish('BTC', first.acceptedMs + 32_000, () => START);
    // Only the tables' owner can make the order refer to a hold that does not exist.
    const misplace = (by: bigint) =>
      test.asOwner(
        `ALTER TABLE options.orders DISABLE TRIGGER check_move; UPDATE options.orders SET promised_hold = promised_hold + ${by} WHERE id = '${broken.id}';
         ALTER TABLE options.orders ENABLE TRIGGER check_move`,
      );
    await misplace(1_000_000n);
    await expect(options.settleDue()).rejects.toThrow('does not fit its hold');
    const statuses = await Promise.all(orders.map(async ({ id }) => (await read(id).catch(() => null))?.status));
    expect(statuses.filter((status) => status === 'tie')).toHaveLength(39);
    await misplace(-1_000_000n);
    expect(await options.settleDue()).toBe(1);
    expect(await read(broken.id)).toMatchObject({ status: 'tie' });
  });

  it('waits while money is halted, and settles afterwards', async () => {
    const { id, acceptedMs } = await buy('up');
    await test.publish('BTC', acceptedMs + 32_000, () => START);
    await test.asApp(`SELECT ledger.halt_money('a test')`);
    expect(await options.settleDue()).toBe(0);
    expect(await read(id)).toMatchObject({ status: 'holding' });
    await test.asOwner(`SELECT ledger.resume_money('Ann', 'the test is over')`);
    expect(await options.settleDue()).toBe(1);
    expect(await read(id)).toMatchObject({ status: 'tie' });
  });

  it('settles even when a notice can’t be written, and reports the fault', async () => {
    const faults: unknown[] = [];
    const failing = new Error('no notices today');
    const room = await test.open({
      messages: { send: () => Promise.reject(failing) },
      onFault: (error) => faults.push(error),
    });
    const [first, second] = [await buy('up'), await buy('down')];
    const { acceptedMs } = first;
    await test.publish('BTC', acceptedMs + 36_000, (at) =>
      at > acceptedMs + 10_000 && at < acceptedMs + 34_000 ? null : START,
    );
    expect(await room.settleDue()).toBe(2);
    for (const { id } of [first, second])
      expect(await read(id)).toMatchObject({ status: 'void', reason: 'no_end_tick' });
    expect(faults).toEqual([failing, failing]);

    // The next process that settles sends missing notices, once.
    const notices = (): Promise<unknown[]> =>
      test.asApp(`SELECT 1 FROM messages.message WHERE owner = $1 AND template = 'option_void'`, [customer]);
    const before = (await notices()).length;
    for (let turn = 0; turn < 2; turn += 1) {
      const stop = new AbortController();
      const running = options.run(stop.signal);
      await vi.waitFor(async () => expect(await notices()).toHaveLength(before + 2), 120_000);
      stop.abort();
      await running;
    }
    expect(await notices()).toHaveLength(before + 2);
  });

  it('runs as the settler: catches up, then settles at the tick', async () => {
    const late = await buy('up');
    await test.publish('BTC', late.acceptedMs + 32_000, () => START);
    const orders: string[] = [];
    const stop = new AbortController();
    const settled = (count: number) =>
      new Promise<void>((resolve) => {
        const listen = ({ data }: { readonly data: readonly { id: string }[] }) => {
          orders.push(...data.map(({ id }) => id));
          if (orders.length < count) return;
          test.bus.off('orders', listen);
          resolve();
        };
        test.bus.on('orders', listen);
      });
    const first = settled(1);
    const running = options.run(stop.signal);
    await first;
    await turnToSecond();
    const next = await buy('up');
    const second = settled(2);
    await test.publish('BTC', next.acceptedMs + 32_000, () => START);
    await second;
    stop.abort();
    await running;
    expect(orders).toEqual([late.id, next.id]);
  });

  describe('the database, whatever the application claims', () => {
    it('C12 refuses an outcome that the ticks don’t give', async () => {
      const { id, acceptedMs } = await buy('up');
      const unreasonable = await buy('up');
      await test.publish('BTC', acceptedMs + 33_000, () => START);
      const [row] = await test.asApp<{ s: bigint; e: bigint }>(
        `SELECT min(sequence) FILTER (WHERE at > to_timestamp($1 / 1000.0)) AS s, max(sequence) FILTER (WHERE at <= to_timestamp($2 / 1000.0)) AS e FROM market.tick WHERE coin = 'BTC'`,
        [acceptedMs, acceptedMs + 30_000],
      );
      const [s, e] = [BigInt(row?.s ?? 0n), BigInt(row?.e ?? 0n)];
      const settle = (
        status: string,
        start: bigint,
        end: bigint,
        startPrice: bigint,
        endPrice: bigint,
        money: [string, string, string],
      ) =>
        test.asApp(
          `UPDATE options.orders SET status = $2, start_sequence = $3, start_price = $4, end_sequence = $5, end_price = $6, profit = $7, fee = $8, credited = $9, settled_ms = 1, journal = $10 WHERE id = $1`,
          [id, status, start, startPrice, end, endPrice, ...money, randomUUID()],
        );
      const tie: [string, string, string] = ['0', '0', '10000000'];
      const win: [string, string, string] = ['7500000', '150000', '17350000'];
      await expect(settle('won', s, e, START, START + 1n, win)).rejects.toThrow(
        "the kept ticks don't give this settlement",
      );
      await expect(settle('won', s, e, START, START, win)).rejects.toThrow('status_by_prices');
      await expect(settle('tie', s + 1n, e, START, START, tie)).rejects.toThrow('the kept ticks');
      await expect(settle('tie', s, e - 1n, START, START, tie)).rejects.toThrow('the kept ticks');
      await expect(settle('tie', s, e + 1n, START, START, tie)).rejects.toThrow('the kept ticks');
      await expect(settle('tie', s, e, START, START, ['0', '0', '10000001'])).rejects.toThrow('money_by_status');
      await expect(
        test.asApp(
          `UPDATE options.orders SET status = 'void', reason = 'no_start_tick', profit = 0, fee = 0, credited = stake, settled_ms = 1, journal = $2 WHERE id = $1`,
          [unreasonable.id, randomUUID()],
        ),
      ).rejects.toThrow('the kept ticks');
      expect(await options.settleDue()).toBe(2);
    });

    it('refuses ticks that fit one order of a statement but not another', async () => {
      const early = await buy('up');
      await test.publish('BTC', early.acceptedMs + 1_500, () => START);
      const late = await buy('up');
      expect(late.acceptedMs).toBeGreaterThan(early.acceptedMs + 1_000);
      await test.publish('BTC', late.acceptedMs + 33_000, () => START);
      const ticksOf = async ({ acceptedMs }: { acceptedMs: number }): Promise<[bigint, bigint]> => {
        const [row] = await test.asApp<{ s: bigint; e: bigint }>(
          `SELECT min(sequence) FILTER (WHERE at > to_timestamp($1 / 1000.0)) AS s, max(sequence) FILTER (WHERE at <= to_timestamp($2 / 1000.0)) AS e FROM market.tick WHERE coin = 'BTC'`,
          [acceptedMs, acceptedMs + 30_000],
        );
        return [BigInt(row?.s ?? 0n), BigInt(row?.e ?? 0n)];
      };
      const [[earlyStart, earlyEnd], [lateStart, lateEnd]] = [await ticksOf(early), await ticksOf(late)];
      const settleBoth = (starts: [bigint, bigint], ends: [bigint, bigint]) =>
        test.asApp(
          `UPDATE options.orders o SET status = 'tie', start_sequence = n.s, start_price = $5, end_sequence = n.e, end_price = $5, profit = 0, fee = 0,
             credited = stake, settled_ms = 1, journal = gen_random_uuid()
           FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS n(id, s, e) WHERE o.id = n.id AND o.status = $4`,
          [[early.id, late.id], starts, ends, 'holding', START],
        );
      for (const start of [earlyStart, lateStart])
        await expect(settleBoth([start, start], [earlyEnd, lateEnd])).rejects.toThrow('the kept ticks');
      for (const end of [earlyEnd, lateEnd])
        await expect(settleBoth([earlyStart, lateStart], [end, end])).rejects.toThrow('the kept ticks');
      expect(await options.settleDue()).toBe(2);
    });

    it('refuses to change settled results, purchases or signatures', async () => {
      const { id, acceptedMs } = await buy('up');
      await test.publish('BTC', acceptedMs + 32_000, () => START);
      await options.settleDue();
      await expect(test.asApp(`UPDATE options.orders SET fee = 0 WHERE id = $1`, [id])).rejects.toThrow(
        "an option order can't move like this",
      );
      await expect(test.asApp(`UPDATE options.orders SET status = 'holding' WHERE id = $1`, [id])).rejects.toThrow();
      for (const sql of [
        `UPDATE options.orders SET stake = 1`,
        `UPDATE options.orders SET accepted_ms = 1`,
        `DELETE FROM options.orders`,
        `TRUNCATE options.orders`,
        `INSERT INTO options.orders (id, status) VALUES ('${randomUUID()}', 'won')`,
        `UPDATE options.terms_tree SET key = ''`,
        `INSERT INTO options.move VALUES ('won', 'lost')`,
        `UPDATE options.dispute SET state = 'rejected'`,
      ]) {
        await expect(test.asApp(sql), sql).rejects.toThrow(/permission denied/);
      }
      for (const sql of [
        `DELETE FROM options.orders`,
        `TRUNCATE options.orders CASCADE`,
        `UPDATE options.terms_tree SET key = ''`,
      ]) {
        await expect(test.asOwner(sql), sql).rejects.toThrow(/kept for ever/);
      }
      await expect(test.asOwner(`UPDATE options.orders SET credited = credited WHERE id = $1`, [id])).rejects.toThrow();
    });

    it('returns the time before which no tick can appear any more', async () => {
      const before = Date.now();
      const quiet = await readTickWatermark(test.test.database);
      expect(quiet).toBeGreaterThanOrEqual(before - 66_000 - 2_000);
      expect(quiet).toBeLessThanOrEqual(Date.now() - 66_000 + 2_000);
    });
  });
});
