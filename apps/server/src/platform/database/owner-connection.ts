import { readSecret } from '../secrets.ts';
import { socketFolderOf } from './embedded-postgres.ts';
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
  return {
    host: socketFolderOf(dataDir),
    port: 5432,
    user: 'sathorn_owner',
    password: readSecret(dataDir, 'databaseOwner').toString('hex'),
    database: 'postgres',
  };
}
