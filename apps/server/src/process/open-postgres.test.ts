import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainConfig, HouseWallets } from '../money/chain/index.ts';
import {
  assertDatabaseServer,
  type Connection,
  connectionOf,
  connectionUrlOf,
  openDatabase,
} from '../platform/database/index.ts';
import { markSecretReplaced, secretsSeenByDatabase } from '../platform/known-secrets.ts';
import type { Secrets } from '../platform/secrets.ts';
import { readConfig } from './config.ts';
import { openPostgres, type RunningPostgres } from './open-postgres.ts';

const secretsOf = (n: number): Secrets =>
  new Proxy({} as Secrets, { get: (_secrets, name) => Buffer.alloc(32, `${String(name)} ${n}`) });

describe('a database by its address', () => {
  const server = connectionOf(process.env.TEST_DATABASE_URL ?? '');
  // The name needs quoting, and the password escaping.
  const database = `test ${randomBytes(6).toString('hex')}`;
  const ownerName = `owner_${randomBytes(6).toString('hex')}`;
  const owner: Connection = { ...server, database, user: ownerName, password: `it's @/` };
  const logins: string[] = [];
  const ask = async <Row extends object>(connection: Connection, ...texts: string[]): Promise<Row[]> => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const text of texts) rows = (await client.query<Row>(text)).rows;
      return rows;
    } finally {
      await client.end();
    }
  };
  const open = (secrets: Secrets): Promise<RunningPostgres> =>
    openPostgres(readConfig({ DATABASE_URL: connectionUrlOf(owner) }), secrets, () => undefined);
  const whoAmI = (connection: Connection, ...before: string[]) =>
    ask<{ session_user: string; current_user: string }>(connection, ...before, 'SELECT session_user, current_user');

  let postgres: RunningPostgres;
  beforeAll(async () => {
    // A login as on a managed server: no superuser, but it owns the database and may create roles.
    const [{ version } = { version: 0 }] = await ask<{ version: number }>(
      server,
      `SELECT current_setting('server_version_num')::integer AS version`,
    );
    const asAdmin = version < 160_000 ? 'WITH ADMIN OPTION' : 'WITH ADMIN TRUE, INHERIT FALSE, SET FALSE';
    await ask(
      server,
      `CREATE ROLE ${ownerName} LOGIN CREATEROLE PASSWORD 'it''s @/'`,
      `GRANT sathorn_app, sathorn_index, sathorn_checker, sathorn_signer, sathorn_log TO ${ownerName} ${asAdmin}`,
      `CREATE DATABASE "${database}" OWNER ${ownerName}`,
      `REVOKE CONNECT ON DATABASE "${database}" FROM PUBLIC`,
    );
    postgres = await open(secretsOf(1));
    for (const { user } of [postgres.app, postgres.index, postgres.checker]) logins.push(user);
  });
  afterAll(() =>
    ask(
      server,
      `DROP DATABASE "${database}" WITH (FORCE)`,
      ...logins.map((login) => `DROP ROLE ${login}`),
      `DROP OWNED BY ${ownerName} CASCADE`,
      `DROP ROLE ${ownerName}`,
    ),
  );

  it('is used by logins that cannot become its owner', async () => {
    for (const [connection, role] of [
      [postgres.app, 'sathorn_app'],
      [postgres.checker, 'sathorn_checker'],
    ] as const) {
      const [me] = await whoAmI(connection);
      expect(me).toEqual({ session_user: connection.user, current_user: role });
      expect(connection.user).toMatch(new RegExp(`^${role}_[0-9]+$`));
      for (const undoing of ['RESET ROLE', 'SET ROLE NONE', 'RESET SESSION AUTHORIZATION', 'RESET ALL']) {
        const [free] = await whoAmI(connection, undoing);
        expect(free?.session_user).toBe(connection.user);
        await expect(ask(connection, undoing, 'SELECT halted FROM ledger.head FOR UPDATE')).rejects.toThrow('denied');
      }
      await expect(ask(connection, `SET ROLE ${ownerName}`)).rejects.toThrow('denied');
      const other = role === 'sathorn_app' ? 'sathorn_checker' : 'sathorn_app';
      await expect(ask(connection, `SET ROLE ${other}`)).rejects.toThrow('denied');
    }
    await expect(ask({ ...postgres.app, password: 'x' }, 'SELECT 1')).rejects.toThrow('authentication');
  });

  it('refuses those logins what only the owner may, whatever they are called', async () => {
    const publish = `INSERT INTO content.publication (id, entry, kind, content, digest, version, audience, people)
      SELECT 'AAAAAAAAAAAAAAAA', entry, kind, content, digest, version, audience, people FROM content.publication LIMIT 1`;
    await expect(ask(postgres.app, publish)).rejects.toThrow('a publication has a maker');
  });

  it('is opened by several servers at once, and again', async () => {
    const again = await Promise.all([1, 2, 3].map(() => open(secretsOf(1))));
    expect(new Set(again.map(({ app }) => app.user))).toEqual(new Set([postgres.app.user]));
  });

  it('is not opened with other secrets, whose signatures nobody would accept', async () => {
    await expect(open(secretsOf(2))).rejects.toThrow('was never published');
    expect(await ask(postgres.app, 'SELECT 1')).toHaveLength(1);
  });

  it('is not opened with another secret than the known one, until the owner declares that lost', async () => {
    const others = new Proxy({} as Secrets, {
      get: (_secrets, name) => Buffer.alloc(32, name === 'boxKey' ? 'lost' : `${String(name)} 1`),
    });
    await expect(open(others)).rejects.toThrow(/boxes\.json has another boxKey than this database knows: put back/);
    expect(await secretsSeenByDatabase(connectionUrlOf(owner))).toEqual(
      expect.arrayContaining(['boxKey', 'pepper', 'indexKey', 'receiptKey']),
    );
    const database = openDatabase(owner, { connections: 1 });
    await markSecretReplaced(database, others, 'boxKey');
    await expect(markSecretReplaced(database, others, 'nothing')).rejects.toThrow('is not a secret');
    await expect(open(secretsOf(1))).rejects.toThrow('another boxKey');
    await open(others);
    await markSecretReplaced(database, secretsOf(1), 'boxKey');
    await database.close();
    await open(secretsOf(1));
  });

  it('is not opened with the key of another wallet than the known one, nor without one', async () => {
    const known: HouseWallets[] = [];
    const opened = (hot: string) =>
      openPostgres(readConfig({ DATABASE_URL: connectionUrlOf(owner) }), secretsOf(1), () => undefined, undefined, {
        onWallets: (wallets) => void known.push(wallets),
        chain: Promise.resolve({ code: 'testnet', hot, token: `0x${'7'.repeat(40)}`, treasury: null } as ChainConfig),
      });
    const [wallet, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
    await opened(wallet);
    await opened(wallet);
    await expect(opened(other)).rejects.toThrow(`is the key of ${other}, but the house's wallet is ${wallet}`);
    expect(known.map(({ wallets }) => wallets)).toEqual([
      [],
      ...[1, 2].map(() => [{ chain: 'testnet', address: wallet }]),
    ]);
  });

  it('reports in plain words that no server is running, or an older one', async () => {
    await expect(assertDatabaseServer({ ...owner, host: '127.0.0.1', port: 1 })).rejects.toThrow(
      'the server of DATABASE_URL, 127.0.0.1 at port 1, does not answer',
    );
    await expect(assertDatabaseServer({ ...owner, host: 'nosuch.invalid' })).rejects.toThrow(
      /^the server of DATABASE_URL, nosuch\.invalid at port [0-9]+, does not answer/,
    );
    await expect(assertDatabaseServer(owner, 99)).rejects.toThrow(
      /DATABASE_URL is PostgreSQL 1[5-8]: 99 or newer is needed/,
    );
  });

  it('has no password in its log', async () => {
    const [kept] = await ask<{ rolpassword: string }>(
      server,
      `SELECT rolpassword FROM pg_authid WHERE rolname = '${postgres.app.user}'`,
    );
    expect(kept?.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
  });
});
