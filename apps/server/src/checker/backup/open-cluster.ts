import { type Connection, locateCluster, startEmbeddedPostgres } from '../../platform/database/index.ts';
import { lockDataDir } from '../../platform/lock-data-dir.ts';
import { readSecrets } from '../../platform/secrets.ts';
import { readChainHeads, withOwnerClient } from './chain-heads.ts';

/** Connects to the running server's PostgreSQL, or starts one for the duration of the backup. */
export async function openCluster(
  dataDir: string,
  print: (line: string) => void,
): Promise<{ owner: Connection; close(): Promise<void> }> {
  const password = readSecrets(dataDir).databaseOwner.toString('hex');
  const owner = {
    host: locateCluster({ dataDir, print }).sockets,
    port: 5432,
    database: 'postgres',
    user: 'sathorn_owner',
    password,
  };
  const isUp = await withOwnerClient(owner, readChainHeads).then(
    () => true,
    () => false,
  );
  if (isUp) return { owner, close: async () => undefined };
  const held = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, password, print });
  return {
    owner: postgres.owner,
    close: async () => {
      await postgres.stop();
      await held.release();
    },
  };
}
