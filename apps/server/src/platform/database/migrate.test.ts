import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { type Connection, connectionOf } from './postgres-connection.ts';

describe('migrations', () => {
  const server = connectionOf(process.env.TEST_DATABASE_URL ?? '');
  const database = `test_${randomBytes(6).toString('hex')}`;
  const empty: Connection = { ...server, database };
  const passwords = { app: 'app', index: 'index', checker: 'checker', signer: 'signer', log: 'log' };
  const ask = async (connection: Connection, text: string): Promise<pg.QueryResult> => {
    const client = new pg.Client(connection);
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  beforeEach(() => ask(server, `CREATE DATABASE ${database}`));
  afterEach(() => ask(server, `DROP DATABASE ${database} WITH (FORCE)`));

  it('are applied once by three processes that start together', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(empty, passwords)));
    expect(applied.filter(({ length }) => length > 0)).toHaveLength(1);
    const { rows } = await ask(empty, 'SELECT count(*)::int AS kept FROM public.migration');
    expect(rows[0].kept).toBe(applied.flat().length);
  });

  it('B12 leave nothing of one that fails, and go on with it the next time', async () => {
    // The object that the baseline would create already exists.
    await ask(empty, 'CREATE SCHEMA market');
    await expect(migrate(empty, passwords)).rejects.toThrow('migration baseline failed');
    const { rows } = await ask(
      empty,
      "SELECT number FROM public.migration UNION SELECT 1 WHERE to_regclass('ledger.head') IS NOT NULL",
    );
    expect(rows).toEqual([]);
    await ask(empty, 'DROP SCHEMA market');
    expect((await migrate(empty, passwords))[0]).toContain('0001');
  });

  it('are refused on a schema that is older than the baseline, with what to start first', async () => {
    await migrate(empty, passwords);
    await ask(empty, 'DELETE FROM public.migration WHERE number >= 412');
    await expect(migrate(empty, passwords)).rejects.toThrow('lacks migration 0412-numbers-of-a-day.sql: start version');
  });

  it('are refused on a schema of a newer version, and when an applied file was changed', async () => {
    await migrate(empty, passwords);
    await ask(empty, `INSERT INTO public.migration (number, name, hash) VALUES (9999, '9999-later.sql', 'x')`);
    await expect(migrate(empty, passwords)).rejects.toThrow('migration 9999 of a newer version');
    await ask(
      empty,
      `DELETE FROM public.migration WHERE number = 9999; UPDATE public.migration SET hash = 'x' WHERE number = 3`,
    );
    await expect(migrate(empty, passwords)).rejects.toThrow('0003-customers.sql was changed after it was applied');
  });
});
