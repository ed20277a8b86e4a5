import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { assertOwnFolder, rotateLog, startEmbeddedPostgres } from './embedded-postgres.ts';

describe('a folder in a world-writable place', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-own-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('belongs to us, or does not exist yet', () => {
    mkdirSync(path.join(folder, 'a'));
    expect(() => assertOwnFolder(path.join(folder, 'a'), {})).not.toThrow();
    expect(() => assertOwnFolder(path.join(folder, 'missing'), {})).not.toThrow();
  });

  it('is refused when it is a symlink, because the start would change the owner of the target', () => {
    const precious = path.join(folder, 'precious');
    mkdirSync(precious, { mode: 0o755 });
    symlinkSync(precious, path.join(folder, 'link'));
    expect(() => assertOwnFolder(path.join(folder, 'link'), { uid: 65534, gid: 65534 })).toThrow(
      'belongs to another user',
    );
    expect(statSync(precious).mode & 0o777).toBe(0o755);
  });
});

describe('the server’s log', () => {
  it('is rotated when it is too long, keeping two older files, while PostgreSQL appends to it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sathorn-log-'));
    const log = path.join(folder, 'postgres.log');
    const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
    const handle = openSync(log, 'a');
    rotateLog(path.join(folder, 'none.log'), 3);
    for (const words of ['one', 'three', 'seven', 'eight', 'nine']) {
      writeSync(handle, words);
      rotateLog(log, 3);
    }
    writeSync(handle, 'end');
    closeSync(handle);
    expect([read('postgres.log'), read('postgres.log.1'), read('postgres.log.2')]).toEqual(['end', 'nine', 'eight']);
    expect(readdirSync(folder)).toHaveLength(3);
    rmSync(folder, { recursive: true });
  });
});

describe('a cluster after a power cut', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn cut off ณ-'));
  const lock = path.join(dataDir, 'postgres', 'postmaster.pid');
  const start = () => startEmbeddedPostgres({ dataDir, password: 'owner', print: () => undefined });
  let lockBefore: string;
  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    const postgres = await start();
    lockBefore = readFileSync(lock, 'utf8');
    await postgres.stop();
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('starts although its lock names a process that is now another one, and does not touch that', async () => {
    // The process must belong to the same user, because PostgreSQL ignores lock files of other users' processes.
    const other = spawn('sleep', ['300'], process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {});
    try {
      writeFileSync(lock, lockBefore.replace(/^\d+/, String(other.pid)));
      const postgres = await start();
      expect(postgres.pid()).not.toBe(other.pid);
      await postgres.stop();
      expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    } finally {
      other.kill();
    }
  });

  it('starts although its lock is empty', async () => {
    writeFileSync(lock, '');
    const postgres = await start();
    expect(postgres.pid()).toBeGreaterThan(1);
    await postgres.stop();
  });

  it('fails at once when the cluster is of another PostgreSQL version', async () => {
    const version = path.join(dataDir, 'postgres', 'PG_VERSION');
    writeFileSync(version, '17\n');
    await expect(start()).rejects.toThrow('is of PostgreSQL 17');
    writeFileSync(version, '18\n');
  });

  it('says after some seconds what it waits for, and starts once that is available', async () => {
    const config = path.join(dataDir, 'postgres', 'postgresql.conf');
    renameSync(config, `${config}.away`);
    const heard: string[] = [];
    const started = startEmbeddedPostgres({ dataDir, password: 'owner', print: (line) => void heard.push(line) });
    started.catch(() => undefined);
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 50_000, interval: 50 });
    expect(heard[0]).toMatch(/^Waiting for PostgreSQL: .*postgresql\.conf/);
    renameSync(`${config}.away`, config);
    await (await started).stop();
  });

  it('refuses to start with an empty database when the old one is missing', async () => {
    const cluster = path.join(dataDir, 'postgres');
    renameSync(cluster, `${cluster}-elsewhere`);
    await expect(start()).rejects.toThrow(`was in ${cluster}, and none is in ${cluster}`);
    renameSync(`${cluster}-elsewhere`, cluster);
    await (await start()).stop();
  });
});
