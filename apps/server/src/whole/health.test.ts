import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionUrlOf, isAnswering, openDatabase } from '../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { readConfig } from '../process/config.ts';
import { type Platform, startPlatform } from '../process/start-platform.ts';

const breathe = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('the health report of a platform', () => {
  let test: TestDatabase;
  let folder: string;
  const said: string[] = [];

  beforeAll(async () => {
    test = await openTestDatabase();
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-health-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await test.close();
  });

  const start = (change: Record<string, string> = {}): Promise<Platform> =>
    startPlatform(
      readConfig({
        PORT: '0',
        DATA_DIR: folder,
        DATABASE_URL: connectionUrlOf(test.owner),
        SATHORN_MODE: 'live',
        CONSOLE_URL: 'https://staff.example',
        ROLES: 'edge,checker',
        SMS_URL: 'http://127.0.0.1:1',
        SMTP_URL: 'smtp://127.0.0.1:1',
        ...change,
      }),
      { print: (line) => said.push(line), report: () => undefined },
    );
  /** Waits for the checker, a separate process whose first round takes a while. */
  const healthOnceChecked = async ({ url }: Platform): Promise<{ status: number; data: Record<string, unknown> }> => {
    for (;;) {
      const response = await fetch(`${url}/api/health`);
      const { data } = (await response.json()) as { data: Record<string, unknown> };
      if (data.money !== 'unchecked') return { status: response.status, data };
      await breathe();
    }
  };

  it('reports money and prices truthfully, and reports halted money', async () => {
    const open = await start();
    expect(await healthOnceChecked(open)).toEqual({
      status: 200,
      data: { ready: true, money: 'open', index: 'stale', acknowledged: 0, restoration: 'none' },
    });
    await open.stop();
    expect(said).toEqual([]);

    const owner = new pg.Client(test.owner);
    await owner.connect();
    await owner.query(`SELECT ledger.halt_money('I2: no customer is below zero')`);
    await owner.end();
    const halted = await start();
    // Customers can still read their data here, so the server stays in service.
    expect(await healthOnceChecked(halted)).toMatchObject({ status: 200, data: { money: 'halted' } });
    expect(await (await fetch(`${halted.url}/metrics`)).text()).toContain('sathorn_money_halted 1');
    expect(said).toEqual(['MONEY IS HALTED: I2: no customer is below zero']);
    await halted.stop();
  });

  it('shows that it can’t start, with nothing left running, if its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(start({ PORT: String(port), HOST: '127.0.0.1' })).rejects.toThrow('EADDRINUSE');
    const owner = new pg.Client(test.owner);
    await owner.connect();
    // The database ends a closed connection a moment later.
    const connected = async () =>
      (
        await owner.query(
          'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        )
      ).rows;
    await expect.poll(connected).toEqual([]);
    await owner.end();
    other.close();
  });

  it('does not report an answering database if none answers', async () => {
    const nowhere = openDatabase({ ...test.app, port: 1, host: '127.0.0.1' });
    expect(await isAnswering(nowhere)).toBe(false);
    await nowhere.close();
    const there = openDatabase(test.app);
    expect(await isAnswering(there)).toBe(true);
    await there.close();
  });
});
