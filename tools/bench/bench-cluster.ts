import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Connection, type Database, migrate, openDatabase, startEmbeddedPostgres } from '@sathorn/server/database';
import { cpuMsOf } from './process-use.ts';

export interface BenchCluster {
  readonly app: Connection;
  readonly owner: Connection;
  readonly database: Database;
  /** CPU time used so far by the server and its backends. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** Starts a real, fully durable cluster, as the platform runs it. It is deleted afterwards. */
export async function openBenchCluster(): Promise<BenchCluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-bench-'));
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, password: 'owner', print: () => undefined });
  await migrate(postgres.owner, { app: 'app', index: 'index', checker: 'checker', signer: 'signer', log: 'log' });
  const app = { ...postgres.owner, user: 'sathorn_app', password: 'app' };
  const database = openDatabase(app);
  return {
    app,
    owner: postgres.owner,
    database,
    cpuMs: () => cpuMsOf(postgres.pid() ?? 0),
    stop: async () => {
      await database.close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
