import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LOCAL_CHAIN_FILE } from '../../money/chain/index.ts';
import {
  type Connection,
  locateCluster,
  startEmbeddedPostgres,
  stopAbandonedPostgres,
} from '../../platform/database/index.ts';
import { readSecret } from '../../platform/secrets.ts';
import { TestCustomer } from '../../whole/testing-customer.ts';
import {
  killChain,
  newDataDir,
  type ServerProcess,
  startServerProcess,
  violationsOf,
} from '../../whole/testing-server.ts';
import { findViolations, pinnedKeysFile } from '../checker/index.ts';
import { readBackupSlots } from './backup-slots.ts';
import { readBackup } from './check-backup.ts';
import {
  backUp,
  readChainHeads,
  restoreBackup,
  WALLET_ADDRESS_FILE,
  WALLET_KEY_FILE,
  withOwnerClient,
} from './index.ts';
import { listBackups } from './list-backups.ts';
import type { BackupMoment } from './manifest.ts';

const quiet = (): void => undefined;
/** The newest block of a chain's state. */
const chainHeight = (folder: string): number => {
  const state = JSON.parse(readFileSync(path.join(folder, LOCAL_CHAIN_FILE), 'utf8')) as {
    best_block_number?: number | string;
  };
  return Number(state.best_block_number);
};

describe('B11 a backup under load, and its restoration', () => {
  let home: string;
  let dataDir: string;
  let backup: string;
  let server: ServerProcess;
  let customer: TestCustomer;
  let owner: Connection;
  const acknowledged: string[] = [];
  const moments: BackupMoment[] = [];
  const folders: string[] = [];
  const acknowledgedAt = new Map<string, number>();
  let hardships: Awaited<ReturnType<typeof undergo>>;
  let killedAtMs = 0;

  const folder = (name: string): string => {
    const made = path.join(home, name);
    mkdirSync(made, { mode: 0o755 });
    folders.push(made);
    return made;
  };
  /** Simulates another machine, which has only the secrets, transferred separately. */
  const elsewhere = (name: string): string => {
    const made = folder(name);
    mkdirSync(path.join(made, 'signer'));
    for (const secret of ['secrets', 'signer/keys.json'])
      cpSync(path.join(dataDir, secret), path.join(made, secret), { recursive: true });
    return made;
  };
  const backUpNow = async (isFull = false): Promise<BackupMoment> => {
    const moment = await backUp({ dataDir, folder: backup, owner, print: quiet, isFull });
    moments.push(moment);
    return moment;
  };
  const load = async (signal: AbortSignal): Promise<void> => {
    const coins = ['BTC', 'ETH', 'SOL', 'XRP'];
    for (let n = 0; !signal.aborted; n += 1) {
      const code = coins[n % coins.length] ?? 'BTC';
      const { data } = await customer.insist(
        'POST /coin/order/add',
        { code, direction: 'up', quantity: '1', duration: '30' },
        randomUUID(),
      );
      if (typeof data.id !== 'string') continue;
      acknowledged.push(data.id);
      acknowledgedAt.set(data.id, Date.now());
    }
  };
  const loaded = async (count: number, meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> => {
    const [until, ending] = [acknowledged.length + count, new AbortController()];
    const running = Array.from({ length: 4 }, () => load(ending.signal));
    await meanwhile();
    while (acknowledged.length < until) await new Promise((resolve) => setTimeout(resolve, 20));
    ending.abort();
    await Promise.all(running);
  };
  const withRestored = async <Result>(at: string, work: (owner: Connection) => Promise<Result>): Promise<Result> => {
    const password = readSecret(at, 'databaseOwner').toString('hex');
    const postgres = await startEmbeddedPostgres({ dataDir: at, password, print: quiet });
    try {
      return await work(postgres.owner);
    } finally {
      await postgres.stop();
    }
  };

  const beginBackup = (...parameters: string[]) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'backup-main.ts'), ...parameters], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit');
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    };
    return { stdout: child.stdout, kill, hasEnded: () => child.exitCode !== null };
  };

  /** Kills the server and the following backup between two passes, while customers buy. */
  const loseTheMachine = async (): Promise<void> => {
    const child = beginBackup(backup, '--follow');
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk));
    await loaded(1, async () => {
      await vi.waitFor(() => expect(said.match(/has everything/g)).toHaveLength(2), { timeout: 240_000, interval: 20 });
      await pause(3_000);
    });
    killedAtMs = Date.now();
    await Promise.all([child.kill(), server.kill()]);
  };

  /** Backups that are killed, run out of space, or collide, while the server runs. */
  const undergo = async () => {
    const slots = () =>
      withOwnerClient(owner, async (client) => (await readBackupSlots(client)).map(({ name }) => name).sort());
    const before = await slots();
    const hard = path.join(home, 'hard');
    for (let round = 0; round < 3; round += 1) {
      const child = beginBackup(hard);
      await vi.waitFor(() => expect(readdirSync(hard).some((name) => name.endsWith('.part'))).toBe(true), 120_000);
      await child.kill();
    }
    const afterKills = await slots();
    const twice = await Promise.allSettled([
      backUp({ dataDir, folder: hard, owner, print: quiet }),
      backUp({ dataDir, folder: hard, owner, print: quiet, isFull: true }),
    ]);
    // The kills hit a later pass at various points.
    for (const delayMs of [0, 30, 60, 120, 240]) {
      const child = beginBackup(hard);
      const isAtWork = () => child.hasEnded() || existsSync(path.join(hard, 'running.json'));
      await vi.waitFor(() => expect(isAtWork()).toBe(true), { timeout: 120_000, interval: 5 });
      await pause(delayMs);
      await child.kill();
      rmSync(path.join(hard, 'running.json'), { force: true });
    }
    await backUp({ dataDir, folder: hard, owner, print: quiet });
    const left = readdirSync(hard).filter((name) => name.endsWith('.part'));
    // No folder can be created below a file, and the slot must not stay.
    const none = path.join(home, 'full');
    mkdirSync(none);
    writeFileSync(path.join(none, 'wal'), '');
    const failed = await backUp({ dataDir, folder: none, owner, print: quiet }).catch((error: Error) => error.message);
    const listed = await withOwnerClient(owner, (client) => listBackups(client, dataDir));
    return { added: afterKills.length - before.length, twice, left, failed, last: await slots(), hard, listed };
  };

  beforeAll(async () => {
    home = newDataDir('drill');
    dataDir = folder('data');
    backup = path.join(home, 'backup');
    server = await startServerProcess({ DATA_DIR: dataDir });
    server.start();
    await server.untilReady();
    customer = new TestCustomer(server.url, 30_000);
    await customer.signIn();
    owner = {
      host: locateCluster({ dataDir, print: quiet }).sockets,
      port: 5432,
      database: 'postgres',
      user: 'sathorn_owner',
      password: readSecret(dataDir, 'databaseOwner').toString('hex'),
    };
    mkdirSync(path.join(dataDir, 'files'), { recursive: true });
    writeFileSync(path.join(dataDir, 'files', 'picture'), 'sealed');
    // Backs up the whole cluster under load, and then twice the changes since.
    await loaded(30, () => backUpNow());
    await loaded(30, () => backUpNow());
    await loaded(20);
    await vi.waitFor(() => expect(existsSync(pinnedKeysFile(dataDir))).toBe(true), { timeout: 120_000, interval: 200 });
    await backUpNow();
    hardships = await undergo();
    await loseTheMachine();
    killChain(dataDir);
    await stopAbandonedPostgres({ dataDir, print: quiet });
  }, 600_000);
  afterAll(async () => {
    await server?.kill();
    for (const made of folders) {
      const { sockets } = locateCluster({ dataDir: made, print: quiet });
      rmSync(sockets, { recursive: true, force: true });
    }
    rmSync(home, { recursive: true, force: true });
  });

  it('contains every operation acknowledged before the last pass; its books and chains are consistent', async () => {
    const at = elsewhere("whole 'n 5% ณ");
    const { heads, known, missing } = await restoreBackup({ folder: backup, dataDir: at, print: quiet });
    expect(missing).toEqual([]);
    expect(known).toEqual(readBackup(backup).known);
    expect(BigInt(heads.transfers)).toBeGreaterThanOrEqual(BigInt(known.transfers));
    expect(readFileSync(path.join(at, 'files', 'picture'), 'utf8')).toBe('sealed');
    expect(readFileSync(pinnedKeysFile(at), 'utf8')).toBe(readFileSync(pinnedKeysFile(dataDir), 'utf8'));

    const restored = await startServerProcess({ DATA_DIR: at });
    restored.start();
    await restored.untilReady();
    const again = new TestCustomer(restored.url, 30_000);
    await again.signIn();
    const kept = new Set(await again.orders());
    const [passMs, lost] = [Date.parse(known.at), acknowledged.filter((id) => !kept.has(id))];
    expect(lost.filter((id) => (acknowledgedAt.get(id) ?? 0) < passMs)).toEqual([]);
    expect([...kept].filter((id) => !acknowledgedAt.has(id))).toEqual([]);
    console.log(
      `--follow: killed ${((killedAtMs - passMs) / 1_000).toFixed(1)} s after its last pass began; ${lost.length} of ${acknowledged.length} acknowledged purchases are missing, none from before`,
    );
    expect(await violationsOf(at)).toEqual([]);
    const said = await fetch(`${restored.url}/api/proof/restorations`).then((response) => response.json());
    expect(said).toMatchObject({
      ret: 1,
      data: { items: [{ transfers: heads.transfers, known_transfers: known.transfers }] },
    });
    // The backup contains the chain of the demonstration, and so its wallet's nonce too.
    const { hot } = JSON.parse(readFileSync(path.join(at, WALLET_ADDRESS_FILE), 'utf8')) as { hot: string };
    const { port } = JSON.parse(readFileSync(path.join(at, 'chain', 'running.json'), 'utf8')) as { port: number };
    const { result } = (await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    }).then((response) => response.json())) as { result: string };
    expect(Number(result)).toBeGreaterThanOrEqual(
      chainHeight(path.join(backup, readBackup(backup).manifest.beside?.folder ?? '')),
    );
    await restored.stop();

    // Without the key, and without the file that names the wallet, the database still knows the wallet.
    for (const name of [WALLET_KEY_FILE, WALLET_ADDRESS_FILE]) rmSync(path.join(at, name));
    const keyless = await startServerProcess({ DATA_DIR: at });
    keyless.start();
    await vi.waitFor(
      () =>
        expect(keyless.output()).toContain(
          `the wallet ${hot} has no key here: put ${path.join(at, WALLET_KEY_FILE)} back`,
        ),
      { timeout: 120_000, interval: 100 },
    );
    await keyless.stop();
    expect(existsSync(path.join(at, WALLET_KEY_FILE))).toBe(false);
  });

  it('uses one slot per folder however often a backup into it is killed, and none for one that failed', async () => {
    const { added, twice, left, failed, last, hard, listed } = hardships;
    expect(added).toBe(1);
    expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(left).toEqual([]);
    expect(failed).toContain('wal');
    expect(last).toHaveLength(2);
    expect(listed.join('\n')).toContain(hard);
    const { missing } = await restoreBackup({ folder: hard, dataDir: elsewhere('hard-restored'), print: quiet });
    expect(missing).toEqual([]);
  });

  it('restores from an older copy of the folder when the newest is damaged', async () => {
    const two = path.join(home, 'two');
    cpSync(hardships.hard, two, { recursive: true });
    const copies = readdirSync(two)
      .filter((name) => /^base-[^.]+$/.test(name))
      .sort();
    expect(copies.length).toBeGreaterThan(1);
    rmSync(path.join(two, copies.at(-1) ?? '', 'global', 'pg_control'));
    const heard: string[] = [];
    const { missing } = await restoreBackup({
      folder: two,
      dataDir: elsewhere('from-older'),
      print: (line) => void heard.push(line),
    });
    expect(missing).toEqual([]);
    expect(heard.join('\n')).toMatch(/pg_control is missing.*Trying an older copy/);
  });

  it('L12 restores an earlier moment, and reports what is missing', async () => {
    const at = elsewhere('earlier');
    const [, second] = moments;
    if (second === undefined) throw new Error('no moment');
    const { heads, known, missing } = await restoreBackup({
      folder: backup,
      dataDir: at,
      to: new Date(second.at),
      print: quiet,
    });
    expect(BigInt(heads.transfers)).toBeGreaterThanOrEqual(BigInt(second.transfers));
    expect(BigInt(heads.transfers)).toBeLessThan(BigInt(known.transfers));
    expect(missing).toContain(`transfers ${BigInt(heads.transfers) + 1n} to ${known.transfers}`);
    await withRestored(at, async (as) => {
      expect(await findViolations(as, 'platform')).toEqual([]);
      const { rows } = await withOwnerClient(as, (client) =>
        client.query('SELECT transfers, known_transfers FROM proofs.restoration'),
      );
      expect(rows).toEqual([{ transfers: heads.transfers, known_transfers: known.transfers }]);
    });
  });

  it('refuses a moment outside the backup, a folder that is in use, and one without its secrets', async () => {
    const to = new Date(Date.now() + 3_600_000);
    await expect(restoreBackup({ folder: backup, dataDir: elsewhere('late'), to, print: quiet })).rejects.toThrow(
      'the backup ends at',
    );
    const early = new Date(Date.parse(moments[0]?.at ?? '') - 3_600_000);
    await expect(
      restoreBackup({ folder: backup, dataDir: elsewhere('early'), to: early, print: quiet }),
    ).rejects.toThrow('begins at');
    await expect(restoreBackup({ folder: backup, dataDir, print: quiet })).rejects.toThrow('is not empty');
    await expect(restoreBackup({ folder: backup, dataDir: folder('bare'), print: quiet })).rejects.toThrow(
      'are missing',
    );
  });

  it('repeats a restore that was killed at any moment; until then no server starts in the folder', async () => {
    const at = elsewhere('killed');
    const { cluster } = locateCluster({ dataDir: at, print: quiet });
    const isThere = (name: string) => () => existsSync(path.join(cluster, name));
    let said = '';
    const moments: [string, () => boolean][] = [
      ['at its beginning', () => said.includes('Checking the backup')],
      ['half way through the copy', isThere('global')],
      ['while the log is replayed', isThere('postmaster.pid')],
    ];
    for (const [moment, isReached] of moments) {
      said = '';
      const killed = spawn(process.execPath, [path.join(import.meta.dirname, 'restore-main.ts'), backup], {
        env: { ...process.env, DATA_DIR: at },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const exited = once(killed, 'exit');
      killed.stderr?.on('data', (chunk: Buffer) => (said += chunk));
      await vi.waitFor(() => expect(isReached(), `${moment}: ${said}`).toBe(true), { timeout: 120_000, interval: 5 });
      killed.kill('SIGKILL');
      await exited;
    }
    const refused = await startServerProcess({ DATA_DIR: at });
    refused.start();
    await vi.waitFor(() => expect(refused.output()).toContain('npm run restore again'), 120_000);
    await refused.kill();
    const { missing } = await restoreBackup({ folder: backup, dataDir: at, print: quiet });
    expect(missing).toEqual([]);
  });

  it('refuses to open a database that ends before the newest recorded moment', async () => {
    const at = folder('torn');
    const whole = path.join(home, 'earlier');
    if (!existsSync(whole)) throw new Error('nothing restored');
    cpSync(whole, at, { recursive: true, verbatimSymlinks: true });
    // The record that a server on another machine would have written by that time.
    writeFileSync(path.join(at, 'newest-kept.json'), JSON.stringify(moments.at(-1)));
    const { guardDataFolder } = await import('./guard-data-folder.ts');
    const heard: string[] = [];
    const print = (line: string): void => void heard.push(line);
    await withRestored(whole, async (as) => {
      await expect(guardDataFolder(at, as, print)).rejects.toThrow(
        /lacks what was acknowledged by .* \(transfers \d+ to \d+/,
      );
      rmSync(path.join(at, 'newest-kept.json'));
      // The marker of a running server, but with another inode, which shows that the folder is a copy.
      writeFileSync(path.join(at, 'running'), '1\n');
      const guard = await guardDataFolder(at, as, print);
      expect(heard).toEqual([expect.stringContaining('is a copy of a folder whose server was running')]);
      expect(JSON.parse(readFileSync(path.join(at, 'newest-kept.json'), 'utf8'))).toMatchObject({
        transfers: (await withOwnerClient(as, readChainHeads)).transfers,
      });
      await guard.release();
      expect(existsSync(path.join(at, 'running'))).toBe(false);
    });
  });
});
