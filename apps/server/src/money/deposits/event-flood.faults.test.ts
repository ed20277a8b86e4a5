import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSecretFiles } from '../../platform/secrets.ts';
import { TestCustomer } from '../../whole/testing-customer.ts';
import { newDataDir, type ServerProcess, startServerProcess, violationsOf } from '../../whole/testing-server.ts';
import { type EventFlood, listenToTicks, openEventFlood, processMemoryOf } from '../testing-event-flood.ts';

const BLOCK_MS = 500;
/** Each transaction fills a block. */
const [TRANSACTIONS, EVENTS] = [6, 10_500];
/** The blocks of the flood, then the confirmations, and the watcher's rounds. */
const CREDITED_MAX_MS = (TRANSACTIONS + 12) * BLOCK_MS + 8_000;
/** Without a fresher price, options are refused. */
const LATE_MAX_MS = 1_500;
const GROWTH_MAX_BYTES = 50e6;

describe('a stranger on the chain', () => {
  let dataDir: string;
  let server: ServerProcess;
  let customer: TestCustomer;
  let flood: EventFlood;
  let address = '';
  beforeAll(async () => {
    dataDir = newDataDir('chain-flood');
    const env = { DATA_DIR: dataDir, SIM_SEED: 'flood', LOG_LEVEL: 'error', CHAIN_BLOCK_MS: String(BLOCK_MS) };
    server = await startServerProcess(env);
    server.start();
    await server.untilReady();
    customer = new TestCustomer(server.url);
    await customer.signIn();
    const channels = (await customer.ask('GET /pay/lists')).data as unknown as { address: string }[];
    address = channels[0]?.address ?? '';
    flood = await openEventFlood(dataDir);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const watcherPid = (): number => {
    const [name = ''] = Object.keys(processMemoryOf(server.pid() ?? 0)).filter((one) =>
      one.startsWith('process/role-main watcher'),
    );
    return Number(name.split(' ').at(-1));
  };
  const deposit = (usdt: number): Promise<string> => flood.pay(address, BigInt(usdt) * 1_000_000n);
  /** Measures how long after the call the deposit is credited. */
  const credited = async (hash: string): Promise<number> => {
    const since = performance.now();
    for (;;) {
      // The transaction is unknown until a block contains it.
      const answer = await customer.ask('POST /pay/submit', { channel: 'testnet', hash }).catch(() => null);
      if (answer?.data.step === 'credited') return performance.now() - since;
      await pause(200);
    }
  };

  it.each([
    ['worthless', 'of a contract that is no token', EVENTS],
    ['empty', 'of the token that move nothing', 2_400],
  ] as const)('stops neither ticks, purchases nor deposits with %s events %s', async (kind, _what, events) => {
    const before = processMemoryOf(server.pid() ?? 0);
    const ticks = listenToTicks(server.url);
    const most: Record<string, number> = {};
    while (ticks.lateMs.length < 2) await pause(50);
    for (let n = 0; n < TRANSACTIONS; n += 1) await flood[kind](address, events);
    const hash = await deposit(25);
    let bought = 0;
    let isOver = false;
    const using = (async () => {
      while (!isOver) {
        const option = { code: 'BTC', direction: 'up', quantity: '1', duration: '60' };
        const { ret } = await customer.ask('POST /coin/order/add', option, randomUUID());
        if (ret === 1) bought += 1;
        for (const [name, bytes] of Object.entries(processMemoryOf(server.pid() ?? 0)))
          most[name] = Math.max(most[name] ?? 0, bytes);
        await pause(400);
      }
    })();
    const tookMs = await credited(hash);
    const height = Number((await flood.rpc.call<{ number: string }>('eth_getBlockByNumber', ['latest', false])).number);
    await pause(2_000);
    isOver = true;
    await using;
    ticks.stop();
    expect(height).toBeGreaterThan(TRANSACTIONS);
    expect(tookMs).toBeLessThan(CREDITED_MAX_MS);
    expect(bought).toBeGreaterThan(5);
    expect(Math.max(...ticks.lateMs.slice(1))).toBeLessThan(LATE_MAX_MS);
    expect(Math.max(...ticks.gapsMs)).toBeLessThan(1_000 + LATE_MAX_MS);
    for (const [name, bytes] of Object.entries(most))
      expect(bytes - (before[name] ?? 0), name).toBeLessThan(GROWTH_MAX_BYTES);
  });

  it('meets a process without a key or the owner’s password, which is restarted when it is killed', async () => {
    const secrets = listSecretFiles(dataDir).flatMap((file) => readFileSync(file, 'utf8').match(/[0-9a-f]{64}/g) ?? []);
    expect(secrets.length).toBeGreaterThan(10);
    const before = watcherPid();
    const environment = readFileSync(`/proc/${before}/environ`, 'utf8');
    for (const secret of secrets) expect(environment).not.toContain(secret);
    process.kill(before, 'SIGKILL');
    const hash = await deposit(26);
    expect(await credited(hash)).toBeLessThan(13 * BLOCK_MS + 15_000);
    expect(watcherPid()).not.toBe(before);
    expect(server.output()).toContain('alarm: the watcher ended with SIGKILL; starting it again');
    // Reading the same block again would be a second credit.
    expect(await violationsOf(dataDir)).toEqual([]);
  });

  it('freezes it without stopping prices, and it continues where it was', async () => {
    const ticks = listenToTicks(server.url);
    while (ticks.lateMs.length < 2) await pause(50);
    process.kill(watcherPid(), 'SIGSTOP');
    const hash = await deposit(27);
    await pause(4_000);
    expect(execFileSync('ps', ['-o', 'stat=', '-p', String(watcherPid())], { encoding: 'utf8' })).toContain('T');
    process.kill(watcherPid(), 'SIGCONT');
    expect(await credited(hash)).toBeLessThan(13 * BLOCK_MS + 15_000);
    ticks.stop();
    expect(Math.max(...ticks.gapsMs)).toBeLessThan(1_000 + LATE_MAX_MS);
    expect(await violationsOf(dataDir)).toEqual([]);
  });
});
