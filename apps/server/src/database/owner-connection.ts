import { readFileSync } from 'node:fs';
import path from 'node:path';
import { socketsOf } from './embedded-postgres.ts';
import { type Connection, connectionOf } from './postgres-connection.ts';

/**
 * The owner's connection, for commands that run beside the platform: `DATABASE_URL`, or the embedded server's socket
 * with the password from the data folder's secrets.
 */
export function ownerConnection({
  databaseUrl,
  dataDir,
}: {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}): Connection {
  if (databaseUrl !== null) return connectionOf(databaseUrl);
  const file = path.join(dataDir, 'secrets.json');
  let password: unknown;
  try {
    password = JSON.parse(readFileSync(file, 'utf8')).databaseOwner;
  } catch (cause) {
    throw new Error(`${file} can't be read: DATA_DIR names the folder of the platform`, { cause });
  }
  return {
    host: socketsOf(dataDir),
    port: 5432,
    user: 'sathorn_owner',
    password: String(password),
    database: 'postgres',
  };
}
