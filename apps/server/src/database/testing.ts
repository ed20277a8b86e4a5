import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from './open-database.ts';
import { type Connection, connectionOf } from './postgres-connection.ts';
import type { Database } from './sql.ts';

export { type OwnCluster, ownCluster } from './testing-own-cluster.ts';

/** Name of the migrated database that every test's own is copied from; made by the run's global set-up. */
export const TEMPLATE = 'sathorn_template';

export interface TestDatabase {
  /** As the application's role. */
  readonly database: Database;
  /** As the owner: for tests that play the superuser. */
  readonly owner: Connection;
  readonly app: Connection;
  /** As the role of the index. */
  readonly index: Database;
  readonly checker: Connection;
  close(): Promise<void>;
}

/** A fresh migrated database on the run's cluster; dropped by `close`. */
export async function testDatabase(options: { connections?: number } = {}): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('no test cluster: run through vitest');
  const server = connectionOf(url);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const withServer = async (text: string): Promise<void> => {
    const client = new pg.Client(server);
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  await withServer(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const owner = { ...server, database: name };
  const app = { ...owner, user: 'sathorn_app', password: 'app' };
  const database = openDatabase(app, { connections: options.connections ?? 8 });
  const index = openDatabase({ ...owner, user: 'sathorn_index', password: 'index' }, { connections: 4 });
  return {
    database,
    index,
    owner,
    app,
    checker: { ...owner, user: 'sathorn_checker', password: 'checker' },
    async close() {
      await Promise.all([database.close(), index.close()]);
      await withServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The same database; `hear` is told what each transaction says, by the statements' names. */
export const listened = (database: Database, hear: (name: string) => void): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction((transaction) =>
      work({
        isTransaction: true,
        commitBehind: () => transaction.commitBehind(),
        query(statement, values) {
          hear(statement.name);
          return transaction.query(statement, values);
        },
      }),
    ),
});
