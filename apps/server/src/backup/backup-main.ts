import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, locateCluster, startEmbeddedPostgres } from '../database/index.ts';
import { lockDataDir } from '../lock-data-dir.ts';
import { listSecretFiles, readSecrets, secretsFolder } from '../secrets.ts';
import { backUp, WALLET_KEY } from './backup.ts';
import { copySecrets } from './carry-secrets.ts';
import { readHeads, withOwner } from './chain-heads.ts';

const USAGE =
  'usage: DATA_DIR=… npm run backup -- FOLDER [--follow] [--full] [--secrets OTHER_FOLDER]\n' +
  '  --follow   goes on every ten seconds until Ctrl-C\n  --full     copies the whole cluster again\n' +
  '  --secrets  copies the secrets and the key of the house’s wallet there, apart from the backup';
const FOLLOW_EVERY_MS = 10_000;
const print = (line: string): void => console.error(line);

function optionOf(name: string, parameters: string[]): string | undefined {
  const at = parameters.indexOf(name);
  return at < 0 ? undefined : parameters.splice(at, 2)[1];
}

/** Connects to the running server's PostgreSQL, or starts one for the duration of the backup. */
async function openCluster(dataDir: string): Promise<{ owner: Connection; close(): Promise<void> }> {
  const password = readSecrets(dataDir).databaseOwner.toString('hex');
  const owner = {
    host: locateCluster({ dataDir, print }).sockets,
    port: 5432,
    database: 'postgres',
    user: 'sathorn_owner',
    password,
  };
  const isUp = await withOwner(owner, readHeads).then(
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

async function main(): Promise<void> {
  const parameters = process.argv.slice(2);
  const apart = optionOf('--secrets', parameters);
  const [folder, ...rest] = parameters.filter((name) => name !== '--follow' && name !== '--full');
  if (folder === undefined || rest.length > 0 || folder.startsWith('-')) throw new Error(USAGE);
  if (process.env.DATABASE_URL)
    throw new Error(
      'with DATABASE_URL the database is backed up by its own tools: docs/operating.md, "Backup and restore"',
    );
  const dataDir = path.resolve(process.env.DATA_DIR || './data');
  if (listSecretFiles(dataDir).length === 0) throw new Error(`${dataDir} is not a data folder: set DATA_DIR`);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  const cluster = await openCluster(dataDir);
  try {
    let isFull = parameters.includes('--full');
    do {
      const moment = await backUp({ dataDir, folder: path.resolve(folder), owner: cluster.owner, print, isFull });
      isFull = false;
      console.log(`${folder} has everything up to ${moment.at}: transfer ${moment.transfers}, log ${moment.lsn}`);
      if (!parameters.includes('--follow')) break;
      await pause(FOLLOW_EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    } while (!ending.signal.aborted);
  } finally {
    await cluster.close();
  }
  if (apart === undefined)
    print(
      `NOT in this backup: ${secretsFolder(dataDir)} and ${WALLET_KEY}. Without them nothing can be restored and no money of the house's wallet can be sent; ` +
        'with them, whoever has the backup can sign as you, spend it and read all pictures. Keep a copy of both somewhere else (--secrets OTHER_FOLDER).',
    );
  else {
    const copied = copySecrets(dataDir, apart);
    print(`${copied.join(', ')} are in ${apart}: keep it apart from ${folder}.`);
  }
}

main().catch((error: unknown) => {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
