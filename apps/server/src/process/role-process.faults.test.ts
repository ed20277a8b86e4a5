import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSecrets, type Secrets, secretsOf } from '../platform/secrets.ts';
import { TestCustomer } from '../whole/testing-customer.ts';
import {
  offerShortOptions,
  type ServerProcess,
  SHORT_OPTION_SECONDS,
  startServerProcess,
  violationsOf,
} from '../whole/testing-server.ts';

const PIECE_BYTES = 16_000_000;
const KEY_BYTES = 64;

describe('the process of the edge', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-edge-'));
  let server: ServerProcess;

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    server = await startServerProcess({ DATA_DIR: dataDir, SIM_SEED: 'edge' });
    server.start();
    await server.untilReady();
    await offerShortOptions(dataDir);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const edgePid = (): number => {
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
    const line = processes.find((text) => text.includes('role-main.ts rooms') && text.includes(` ${server.pid()} `));
    return Number(line?.trim().split(/\s+/)[0]);
  };
  const tickTimes = async (): Promise<number[]> => {
    const { data } = (await (await fetch(`${server.url}/api/coin/lists`)).json()) as { data: { at: string }[] };
    const newest = Date.parse(data[0]?.at ?? '');
    const answer = await fetch(`${server.url}/api/proof/ticks?code=BTC&from=1&limit=1000`);
    const { data: page } = (await answer.json()) as { data: { items: { body: string }[] } };
    const times = page.items.map(({ body }) => Number((JSON.parse(body) as { t: string }).t));
    expect(times.at(-1)).toBeGreaterThanOrEqual(newest - 1_000);
    return times;
  };

  it('stalls without stopping ticks and settlements', async () => {
    const customer = new TestCustomer(server.url);
    await customer.signIn();
    const bought = await customer.ask('POST /coin/order/add', {
      code: 'BTC',
      direction: 'up',
      quantity: '1',
      duration: SHORT_OPTION_SECONDS,
    });
    expect(bought.ret).toBe(1);
    const endsMs = Date.parse(String(bought.data.end_time));
    // Freezes it from before the end until the option should be settled.
    await pause(endsMs - 3_000 - Date.now());
    process.kill(edgePid(), 'SIGSTOP');
    await pause(8_000);
    process.kill(edgePid(), 'SIGCONT');
    await server.untilReady();
    const { data: order } = await customer.ask('GET /coin/order/info', { id: String(bought.data.id) });
    expect(['won', 'lost', 'tie']).toContain(order.status);
    const times = await tickTimes();
    const gaps = times.slice(1).map((at, place) => at - (times[place] ?? 0));
    expect(Math.max(...gaps)).toBe(1_000);
  });

  it('is restarted when it is killed, and nothing is lost', async () => {
    const before = edgePid();
    process.kill(before, 'SIGKILL');
    await pause(100);
    await server.untilReady();
    expect(edgePid()).not.toBe(before);
    expect(server.output()).toContain('alarm: the edge ended with SIGKILL; starting it again');
    expect(await violationsOf(dataDir)).toEqual([]);
  });

  it('has no secret in its environment', () => {
    const environment = readFileSync(`/proc/${edgePid()}/environ`, 'utf8');
    for (const secret of Object.values(readSecrets(dataDir))) expect(environment).not.toContain(secret.toString('hex'));
  });

  it('has in its memory the keys of its own work and no others', () => {
    const secrets = readSecrets(dataDir);
    const found = namesInMemory(edgePid(), secrets);
    expect(found).toEqual(expect.arrayContaining(Object.keys(secretsOf('edge', secrets))));
    expect(found.filter((name) => !(name in secretsOf('edge', secrets)))).toEqual(['databaseApp']);
  });
});

/** Returns the keys that are in the memory of a process, as bytes or in hex. */
function namesInMemory(pid: number, secrets: Secrets): string[] {
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const names = Object.entries(secrets).map(([name, key]) => [name, key, Buffer.from(key.toString('hex'))] as const);
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === '') continue;
      const [start, end] = [Number(`0x${from}`), Number(`0x${to}`)];
      // Pieces overlap, so that a key across a border is found whole.
      for (let at = start; at < end; at += PIECE_BYTES - KEY_BYTES) {
        const piece = Buffer.alloc(Math.min(PIECE_BYTES, end - at));
        let read = 0;
        try {
          read = readSync(memory, piece, 0, piece.length, at);
        } catch {
          // The range is reserved but not mapped.
        }
        if (read === 0) continue;
        for (const [name, bytes, hex] of names) if (piece.includes(bytes) || piece.includes(hex)) found.add(name);
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found].sort();
}
