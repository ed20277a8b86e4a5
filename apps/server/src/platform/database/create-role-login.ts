import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Connection } from './postgres-connection.ts';

/** The name of a login role, and of the group roles that it may act as. */
type WorkingRole = 'sathorn_app' | 'sathorn_index' | 'sathorn_checker' | 'sathorn_signer' | 'sathorn_log';

const LOCK = 7_000_002;
const ROUNDS = 4_096;
/** The role does not exist or has another password; or pg_hba.conf has no entry for it. */
const REFUSED = /^28/;

/**
 * The form in which PostgreSQL stores a password (RFC 5803). Sending it instead of the password keeps the password out
 * of all logs.
 */
function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ROUNDS, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}

async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const refusalOf = (connection: Connection): Promise<Error | null> =>
  withClient(connection, async (client) => {
    await client.query('SELECT 1');
    return null;
  }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && REFUSED.test(String(error.code))) return error;
    throw error;
  });

/**
 * Returns a connection whose login has only the role's rights. With the owner's login and SET ROLE, one hostile
 * statement could undo the restriction. Roles belong to the server and not to a database, so each database has its own
 * logins, named by its number. The owner creates them and sets their passwords.
 */
export async function createRoleLogin(owner: Connection, role: WorkingRole, password: string): Promise<Connection> {
  return withClient(owner, async (client) => {
    const { rows } = await client.query<{ oid: number }>(
      'SELECT oid FROM pg_database WHERE datname = current_database()',
    );
    const login = `${role}_${rows[0]?.oid}`;
    const connection: Connection = {
      ...owner,
      user: login,
      password,
      options: [owner.options, `-c role=${role}`].filter(Boolean).join(' '),
    };
    // Logins are created one at a time, because several servers may start together.
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    if ((await refusalOf(connection)) === null) return connection;

    const { rowCount: isThere } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login]);
    const { rowCount: isUsed } = await client.query('SELECT 1 FROM pg_stat_activity WHERE usename = $1', [login]);
    if (isUsed)
      throw new Error(
        `another server uses the database ${owner.database} with other secrets: give all servers of a database the same ones`,
      );
    if (!isThere) await client.query(`CREATE ROLE ${login} LOGIN NOINHERIT`);
    await client.query(`ALTER ROLE ${login} PASSWORD ${client.escapeLiteral(scramVerifier(password))}`);
    await client.query(`GRANT ${role} TO ${login}`);
    await client.query(`GRANT CONNECT ON DATABASE ${client.escapeIdentifier(owner.database)} TO ${login}`);
    const cause = await refusalOf(connection);
    if (cause !== null)
      throw new Error(
        `the server of DATABASE_URL rejects the login ${login} of this platform: allow it in pg_hba.conf`,
        {
          cause,
        },
      );
    return connection;
  });
}
