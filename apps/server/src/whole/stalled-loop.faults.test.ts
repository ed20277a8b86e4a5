import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestCustomer } from './testing-customer.ts';
import { newDataDir, type ServerProcess, startServerProcess, violationsOf } from './testing-server.ts';

const STALL_MS = 5_000;
/** Code that blocks the event loop, as a bug would. */
const STALL = `process.on('SIGUSR2', () => { const end = Date.now() + ${STALL_MS}; while (Date.now() < end); })`;
const BUYERS = 40;

describe('B13 an event loop that stands still', () => {
  let dataDir: string;
  let server: ServerProcess;
  beforeAll(async () => {
    dataDir = newDataDir('stalled');
    server = await startServerProcess(
      { DATA_DIR: dataDir, SIM_SEED: 'stalled', LOG_LEVEL: 'silent', PROCESSES: '1' },
      STALL,
    );
    server.start();
    await server.untilReady();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('fails its health check while it stands still, and carries out repeated requests of customers once', async () => {
    const customer = new TestCustomer(server.url, 1_000);
    await customer.signIn();
    const form = { code: 'BTC', direction: 'up', quantity: '10', duration: '300' };
    const keys = Array.from({ length: BUYERS }, () => randomUUID());
    await customer.insist('POST /coin/order/add', form, keys[0] ?? '');
    const asking = keys.map(async (key, n) => {
      // By then some requests are in a batch, some in flight, some not sent.
      await pause(n);
      return customer.insist('POST /coin/order/add', form, key);
    });
    await pause(BUYERS / 2);
    server.signal('SIGUSR2');
    const began = performance.now();
    await expect(customer.ask('GET /health')).rejects.toThrow('timeout');
    const answers = await Promise.all(asking);
    expect(performance.now() - began).toBeGreaterThan(STALL_MS - 1_000);
    await server.untilReady();

    // Requests that were decided after the stall were refused because of stale prices.
    const outcomes = answers.map(({ data }) => String(data.id ?? data.code));
    const ids = outcomes.filter((outcome) => outcome !== 'index_stale');
    expect(ids.length).toBeGreaterThan(0);
    const again = await Promise.all(keys.map((key) => customer.insist('POST /coin/order/add', form, key)));
    expect(again.map(({ data }) => data.id ?? data.code)).toEqual(outcomes);
    expect((await customer.orders()).sort()).toEqual(ids.sort());
    const { data } = await customer.insist('POST /coin/user/amount', { code: 'BTC' });
    expect(data.usdt_held).toBe(`${ids.length * 10}.000000`);
    expect(await violationsOf(dataDir)).toEqual([]);
  });
});
