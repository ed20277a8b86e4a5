import pg from 'pg';
import { isConnectionFault } from './open-database.ts';
import type { Connection } from './postgres-connection.ts';

/** The oldest PostgreSQL on which the tests of the server pass; by default they run on the embedded one. */
const LEAST = 15;

function isUnknownHost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ENOTFOUND|EAI_AGAIN)$/.test(String(error.code));
}

/** Throws if the server is unreachable or too old. The message is for the operator who sets DATABASE_URL. */
export async function assertDatabaseServer(owner: Connection, least = LEAST): Promise<void> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: string }>(`SELECT current_setting('server_version_num') AS number`);
    const major = Math.floor(Number(rows[0]?.number) / 10_000);
    if (major < least) throw new Error(`DATABASE_URL is PostgreSQL ${major}: ${least} or newer is needed`);
  } catch (cause) {
    if (!isConnectionFault(cause) && !isUnknownHost(cause)) throw cause;
    throw new Error(`the server of DATABASE_URL, ${owner.host} at port ${owner.port}, does not answer`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}
