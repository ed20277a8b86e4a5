import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { type Connection, connectionOf, connectionUrlOf } from './postgres-connection.ts';
import { TEMPLATE_DATABASE } from './testing.ts';

/** Starts an embedded server, or uses the one at `TEST_CLUSTER_URL`, which must be empty. */
async function openCluster(): Promise<{ owner: Connection; stop: () => Promise<void> }> {
  const given = process.env.TEST_CLUSTER_URL;
  if (given) return { owner: connectionOf(given), stop: async () => undefined };
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-test-'));
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password: 'owner',
    print: () => undefined,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { owner: postgres.owner, stop };
}

/**
 * Creates one cluster per test run with the migrated template; vitest's global set-up calls this. The cluster runs
 * without fsync, because crashes are tested on separate clusters.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const { owner, stop } = await openCluster();
  try {
    const client = new pg.Client(owner);
    await client.connect();
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
    await client.end();
    await migrate(
      { ...owner, database: TEMPLATE_DATABASE },
      { app: 'app', index: 'index', checker: 'checker', signer: 'signer', log: 'log' },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  process.env.TEST_DATABASE_URL = connectionUrlOf(owner);
  return stop;
}
