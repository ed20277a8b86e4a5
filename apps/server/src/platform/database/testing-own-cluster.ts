import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import type { TestDatabase } from './testing.ts';

export interface OwnCluster extends TestDatabase {
  /** Kills the server and its backends, like a power cut. The server restarts automatically. */
  kill(): void;
}

/** A migrated database on its own cluster with a deployment's settings, including fsync. `close` removes it. */
export async function openOwnCluster(settings: Readonly<Record<string, string>> = {}): Promise<OwnCluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-own-cluster-'));
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, password: 'owner', print: () => undefined, settings });
  const { owner } = postgres;
  const tearDown = async (): Promise<void> => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(owner, { app: 'app', index: 'index', checker: 'checker', signer: 'signer', log: 'log' });
  } catch (error) {
    await tearDown();
    throw error;
  }
  const app = { ...owner, user: 'sathorn_app', password: 'app' };
  const database = openDatabase(app, { connections: 8 });
  const index = openDatabase({ ...owner, user: 'sathorn_index', password: 'index' }, { connections: 4 });
  return {
    database,
    index,
    owner,
    app,
    checker: { ...owner, user: 'sathorn_checker', password: 'checker' },
    signer: { ...owner, user: 'sathorn_signer', password: 'signer' },
    log: { ...owner, user: 'sathorn_log', password: 'log' },

    kill() {
      const pid = postgres.pid();
      if (pid === null) throw new Error('PostgreSQL is not running');
      // Backends would finish their statement before they notice that the server has died, so they are killed too.
      const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).map(Number));
      const children = processes.flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
      for (const victim of [pid, ...children]) {
        try {
          process.kill(victim, 'SIGKILL');
        } catch {
          // The process has already ended.
        }
      }
    },

    async close() {
      await Promise.all([database.close(), index.close()]);
      await tearDown();
    },
  };
}
