import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopAbandonedPostgres } from '../platform/database/index.ts';
import { TestCustomer } from './testing-customer.ts';
import { type ServerProcess, startServerProcess, violationsOf } from './testing-server.ts';

const BUYERS = 20;
type Health = { params?: { reason?: string } };
const FORM = { code: 'BTC', direction: 'up', quantity: '1', duration: '300' };

const disk = mkdtempSync(path.join(tmpdir(), 'sathorn-full-'));
const RESTING = { code: 'BTC', side: 'buy', type: 'limit', price: '1000', quantity: '0.01' };

/** A disk of a known size requires the right to mount. */
const isMounted = ((): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=755', 'sathorn-full', disk], { stdio: 'ignore' });
    return true;
  } catch {
    rmSync(disk, { recursive: true, force: true });
    return false;
  }
})();

const empty = (): void => rmSync(path.join(disk, 'filler'), { force: true });

/** Fills the disk except for `but` bytes. */
function fill(but: number): void {
  // A first try may have left the disk full.
  empty();
  for (let tries = 0; ; tries += 1) {
    const { bavail, bsize } = statfsSync(disk);
    try {
      execFileSync('fallocate', ['-l', String(bavail * bsize - but), path.join(disk, 'filler')], { stdio: 'ignore' });
      return;
    } catch (error) {
      // The server has used some of the space since it was measured.
      if (tries === 20) throw error;
    }
  }
}

// Skipped without the right to mount.
describe.skipIf(!isMounted)('B9 a full disk', () => {
  const dataDir = path.join(disk, 'data');
  let server: ServerProcess;
  let customer: TestCustomer;
  beforeAll(async () => {
    server = await startServerProcess({ DATA_DIR: dataDir, SIM_SEED: 'full', LOG_LEVEL: 'error', PROCESSES: '1' });
    server.start();
    await server.untilReady();
    chmodSync(disk, 0o755);
    customer = new TestCustomer(server.url);
    await customer.signIn();
  });
  afterAll(async () => {
    await server.stop();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  it('refuses writes, answers reads, and recovers when there is space again', async () => {
    fill(0);
    let key = '';
    let bought = 0;
    for (;;) {
      key = randomUUID();
      const { status, data } = await customer.ask('POST /coin/order/add', FORM, key);
      if (status === 503) {
        expect(data.code).toBe('unavailable');
        break;
      }
      // Prices can't be stored either, so the refusal may be about them.
      if (data.code !== undefined) expect(data.code).toBe('index_stale');
      else bought += 1;
      await pause(20);
    }
    expect(await customer.orders()).toHaveLength(bought);
    expect((await customer.ask('GET /coin/lists')).ret).toBe(1);
    for (let refused = 0; refused < 50; ) {
      const { status, data } = await customer.ask('POST /coin/trans/add', RESTING, randomUUID());
      // Some rows still fit into free space within the tables.
      if (status === 200) continue;
      expect([status, data.code]).toEqual([503, 'unavailable']);
      refused += 1;
    }
    const { status, data: health } = await customer.ask('GET /health');
    expect([status, (health as Health).params?.reason]).toEqual([503, 'disk']);
    const alarms = server.output().match(/"msg":"alarm: the disk is full[^"]*"/g);
    expect(alarms).toHaveLength(1);
    expect(server.output().length).toBeLessThan(50_000);

    empty();
    for (;;) {
      const { data } = await customer.insist('POST /coin/order/add', FORM, key);
      if (data.code === undefined) break;
      expect(data.code).toBe('index_stale');
      key = randomUUID();
    }
    expect(await customer.orders()).toHaveLength(bought + 1);
    expect(await violationsOf(dataDir)).toEqual([]);
  });

  it('loses nothing that it acknowledged when the database itself stops for lack of space', async () => {
    const before = await customer.orders();
    // Tables may grow, but the next segment of the write-ahead log has no space, so the database stops.
    fill(9_000_000);
    const acknowledged: string[] = [];
    let isDown = false;
    await Promise.all(
      Array.from({ length: BUYERS }, async () => {
        while (!isDown) {
          const { data } = await customer
            .ask('POST /coin/order/add', FORM, randomUUID())
            .catch(() => ({ data: {} as { id?: unknown } }));
          if (typeof data.id === 'string') acknowledged.push(data.id);
          // Repeats until the health call no longer answers `disk`.
          const { data: health } = await customer.ask('GET /health').catch(() => ({ data: {} as Health }));
          isDown ||= (health as Health).params?.reason === 'database';
        }
      }),
    );
    expect(acknowledged.length).toBeGreaterThan(0);

    empty();
    await server.untilReady();
    const kept = new Set(await customer.orders());
    expect([...before, ...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
    expect(await violationsOf(dataDir)).toEqual([]);
  });

  it('says that it waits for disk space when started on the full disk, and starts once there is some', async () => {
    const before = await customer.orders();
    await server.kill();
    await stopAbandonedPostgres({ dataDir, print: () => undefined });
    fill(0);
    server.start();
    await expect.poll(() => server.output()).toContain(`Waiting for room on the disk of ${dataDir}`);
    empty();
    await server.untilReady();
    expect(await customer.orders()).toEqual(before);
    expect(await violationsOf(dataDir)).toEqual([]);
  });
});
