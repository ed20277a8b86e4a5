import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../ledger/index.ts';
import { FragileDatabase } from '../../whole/testing-strikes.ts';
import { type ContractsTest, ORDER_KEY_HEX, openContractsTest } from './testing-contracts.ts';

/** `TRIGGERS=50000 npx vitest run trigger-orders.faults` for more. */
const ORDERS = Number(process.env.TRIGGERS ?? 10_000);
/** The limit of waiting orders per customer. */
const PER_CUSTOMER = 200;
/** Less than a batch takes, so that a kill strikes at any of its steps. */
const KILL_LATER_MAX_MS = 60;
const KILLS = 8;

interface Row {
  readonly sequence: number;
  readonly state: string;
  readonly tick: string | null;
  readonly order_sequence: number | null;
}

describe('10,000 stops with one trigger second', () => {
  let room: ContractsTest;
  let owner: pg.Client;
  let running: ChildProcess | null = null;

  beforeAll(async () => {
    room = await openContractsTest();
    owner = new pg.Client(room.test.owner);
    await owner.connect();
  });
  afterAll(async () => {
    running?.kill('SIGKILL');
    await owner.end();
    await room.close();
  });

  const rows = async (): Promise<Row[]> =>
    (
      await owner.query<Row>(
        `SELECT sequence::integer, state, tick, order_sequence::integer FROM contracts.waiting WHERE coin = 'BTC' ORDER BY sequence`,
      )
    ).rows;

  const countTriggered = async (): Promise<number> => {
    const { rows: counted } = await owner.query<{ n: string }>(
      `SELECT count(*) AS n FROM contracts.waiting WHERE coin = 'BTC' AND state <> 'waiting'`,
    );
    return Number(counted[0]?.n ?? 0);
  };

  /** Starts a matcher that is killed with SIGKILL, which leaves its sessions to the database. */
  const startMatcher = async (): Promise<ChildProcess> => {
    const said = { app: room.test.app, nowMs: room.clock.ms, orderKey: ORDER_KEY_HEX };
    const child = spawn(process.execPath, [path.resolve(import.meta.dirname, 'testing-trigger-process.ts')], {
      env: { ...process.env, TRIGGER_PROCESS: JSON.stringify(said) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    return child;
  };

  it('triggers each once, in order of the ticks and then of acceptance, however often the matcher is killed', async () => {
    await room.tick('BTC', '60000');
    const contracts = await room.open();
    const customers = Array.from({ length: Math.ceil(ORDERS / PER_CUSTOMER) }, (_, n) => BigInt(n + 1));
    await Promise.all(customers.map((customer) => room.fund(customer, 'BTC', '10')));
    const stop = { side: 'sell', type: 'limit', trigger: 'stop', price: '59000', quantity: '0.01' } as const;
    for (let n = 0; n < ORDERS; n += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, ORDERS - n) }, async (_, k) => {
          const customer = customers[Math.floor((n + k) / PER_CUSTOMER)] ?? 1n;
          // Every hundredth has its price a second earlier, whatever its number.
          const triggerPrice = (n + k) % 100 === 99 ? '59500' : '59000';
          const placed = await contracts.wait(customer, { ...stop, triggerPrice });
          if (!placed.ok) throw new Error(placed.refusal);
        }),
      );
    await contracts.stop();
    const before = await rows();
    expect(before).toHaveLength(ORDERS);
    const first = await room.tick('BTC', '59500');
    const second = await room.tick('BTC', '58900');
    await room.tick('BTC', '60000');

    let kills = 0;
    const seen: number[] = [];
    for (;;) {
      running = await startMatcher();
      const done = async () => (await rows()).every(({ state }) => state !== 'waiting');
      if (kills === KILLS) {
        for (;;) {
          if (await done()) break;
          await pause(100);
        }
        break;
      }
      // In the middle of the work, whatever the machine's speed: once a further share is done, and at any moment after.
      const share = Math.floor(((kills + 1) * ORDERS) / (KILLS + 2));
      while ((await countTriggered()) < share) await pause(5);
      await pause(randomInt(KILL_LATER_MAX_MS));
      running.kill('SIGKILL');
      kills += 1;
      seen.push(await countTriggered());
    }
    running?.kill('SIGKILL');
    console.log(`triggered after each kill: ${seen.join(', ')}`);
    // Every kill struck while orders were due.
    expect(Math.max(...seen)).toBeLessThan(ORDERS);

    const after = await rows();
    expect(after.map(({ sequence }) => sequence)).toEqual(before.map(({ sequence }) => sequence));
    expect(new Set(after.map(({ state }) => state))).toEqual(new Set(['triggered']));
    const early = after.filter((_, n) => n % 100 === 99);
    const late = after.filter((_, n) => n % 100 !== 99);
    expect(new Set(early.map(({ tick }) => tick))).toEqual(new Set([String(first.sequence)]));
    expect(new Set(late.map(({ tick }) => tick))).toEqual(new Set([String(second.sequence)]));
    // In order of the ticks, and then of acceptance.
    const became = [...early, ...late].map((row) => row.order_sequence ?? 0);
    expect(became).toEqual([...became].sort((a, b) => a - b));
    const { rows: orders } = await owner.query<{ n: string; kept: string }>(
      'SELECT count(*) AS n, count(DISTINCT waiting) AS kept FROM contracts.orders WHERE waiting IS NOT NULL',
    );
    expect(orders).toEqual([{ n: String(ORDERS), kept: String(ORDERS) }]);
    for (const customer of [customers[0] ?? 1n, customers.at(-1) ?? 1n])
      expect(await room.funds(customer, 'BTC')).toBe('800000000+200000000');
    expect(await room.violations()).toEqual([]);
  }, 600_000);

  it('a connection cut at any statement of a batch neither loses nor doubles a trigger', async () => {
    const fragile = new FragileDatabase(room.test.database);
    const ledger = openLedger({
      eligibility: room.eligibility,
      database: fragile,
      clock: room.clock,
      bus: room.bus,
    }).api;
    const contracts = await room.open({ ledger });
    const customer = 9_000n;
    await room.fund(customer, 'BTC', '10');
    for (const phase of ['before', 'after', 'committed'] as const)
      for (let step = 1; ; step++) {
        await room.tick('BTC', '60000');
        await contracts.triggerByHand('BTC');
        const ids: string[] = [];
        for (let n = 0; n < 3; n++) {
          const placed = await contracts.wait(
            customer,
            { side: 'sell', type: 'market', trigger: 'stop', triggerPrice: '59000', quantity: '0.01' },
            randomUUID(),
          );
          if (placed.ok) ids.push(placed.effect.id);
        }
        const tick = await room.tick('BTC', '59000');
        fragile.arm(step, phase);
        // As the matcher does it: what failed is done at the next look.
        for (let look = 0; look < 5; look++)
          if (
            await contracts.triggerByHand('BTC').then(
              () => true,
              () => false,
            )
          )
            break;
        const wasStruck = fragile.wasStruck;
        // Strikes nothing while the next orders are prepared.
        fragile.arm(1_000_000, 'before');
        expect(await contracts.waiting(customer)).toEqual([]);
        for (const id of ids)
          expect(await contracts.readWaiting(customer, id)).toMatchObject({
            effect: { status: 'refused', refusal: 'no_liquidity', tick: { sequence: String(tick.sequence) } },
          });
        expect(await room.funds(customer, 'BTC')).toBe('1000000000+0');
        if (!wasStruck || phase === 'committed') break;
      }
    expect(await room.violations()).toEqual([]);
  }, 300_000);
});
