import { randomBytes } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from './open-database.ts';
import { type Connection, connectionOf } from './postgres-connection.ts';
import type { Database } from './sql.ts';

export { type OwnCluster, openOwnCluster } from './testing-own-cluster.ts';

/** The migrated database from which each test's own is copied; created by the run's global set-up. */
export const TEMPLATE_DATABASE = 'sathorn_template';

export interface TestDatabase {
  /** Connects as the application's role. */
  readonly database: Database;
  /** Runs a statement as the owner, for tests that act as the superuser. */
  readonly owner: Connection;
  readonly app: Connection;
  /** Connects as the index's role. */
  readonly index: Database;
  readonly checker: Connection;
  readonly signer: Connection;
  readonly log: Connection;
  close(): Promise<void>;
}

export async function runAsOwner(owner: Connection, text: string): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Ends a role's sessions, as a restart of the database does. Resolves when this process knows that they have ended. */
export async function endRoleSessions(owner: pg.Client, role: string): Promise<void> {
  await owner.query(
    'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = $1 AND datname = current_database()',
    [role],
  );
  await setImmediate();
}

/** SQL that disables the ledger's check of purposes, for tests without real ones. Run it as the owner. */
export const ALLOW_ANY_PURPOSE_SQL = `CREATE OR REPLACE FUNCTION ledger.refuse_purposes(_kinds text[], _debits bigint[], _credits bigint[], _codes smallint[])
  RETURNS void LANGUAGE sql SET search_path = ledger, pg_temp AS ''`;

/**
 * On a busy machine a test's process may stand still for seconds. The server would then end its sessions, as it ends
 * those of a frozen process in a deployment, and the next statement would fail with EPIPE.
 */
const PATIENT = '-c idle_in_transaction_session_timeout=60000 -c idle_session_timeout=60000';

const ENDING_MS = 500;

/** A closed pool's connections end a moment later; dropping the database earlier would raise an unhandled error. */
async function untilDisconnected(server: Connection, name: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    const began = performance.now();
    const isConnected = async () =>
      ((await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])).rowCount ?? 0) > 0;
    while ((await isConnected()) && performance.now() - began < ENDING_MS) await setTimeout(10);
  } finally {
    await client.end();
  }
}

/**
 * A fresh migrated database on the run's cluster; dropped by `close`. With `asDeployed`, sessions end as soon as in a
 * deployment.
 */
export async function openTestDatabase(
  options: { connections?: number; anyPurpose?: boolean; asDeployed?: boolean } = {},
): Promise<TestDatabase> {
  return openCopy(TEMPLATE_DATABASE, options);
}

/** Another database with the rows that this one has now. Its sessions end, and its pools open new ones. */
export async function copyDatabase({ owner }: Pick<TestDatabase, 'owner'>): Promise<TestDatabase> {
  await runAsOwner(
    { ...owner, database: 'postgres' },
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${owner.database}'`,
  );
  return openCopy(owner.database, {});
}

async function openCopy(
  template: string,
  options: { connections?: number; anyPurpose?: boolean; asDeployed?: boolean },
): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('no test cluster: run through vitest');
  const server = connectionOf(url);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const withServer = (text: string, database = server.database) => runAsOwner({ ...server, database }, text);
  await withServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const owner = { ...server, database: name, ...(!options.asDeployed && { options: PATIENT }) };
  if (options.anyPurpose) await withServer(ALLOW_ANY_PURPOSE_SQL, name);
  const app = { ...owner, user: 'sathorn_app', password: 'app' };
  const database = openDatabase(app, { connections: options.connections ?? 8 });
  const index = openDatabase({ ...owner, user: 'sathorn_index', password: 'index' }, { connections: 4 });
  return {
    database,
    index,
    owner,
    app,
    checker: { ...owner, user: 'sathorn_checker', password: 'checker' },
    signer: { ...owner, user: 'sathorn_signer', password: 'signer' },
    log: { ...owner, user: 'sathorn_log', password: 'log' },
    async close() {
      await Promise.all([database.close(), index.close()]);
      await untilDisconnected(server, name);
      await withServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Wraps a database; `onStatement` receives the name of each statement that its transactions send. */
export const recordStatements = (database: Database, onStatement: (name: string) => void): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction((transaction) =>
      work({
        isTransaction: true,
        pipelineCommit: () => transaction.pipelineCommit(),
        query(statement, values) {
          onStatement(statement.name);
          return transaction.query(statement, values);
        },
      }),
    ),
});
