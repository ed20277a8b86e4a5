/**
 * `npm run rotate-keys -- index|receipt`, while the platform is stopped: creates a new key, publishes it with the old
 * key's signature, and writes it to that key's file. Customers' apps accept it because the key that they know has
 * signed it.
 */
import { readConfig } from './config.ts';
import { connectionOf, openDatabase, startEmbeddedPostgres, statement } from './database/index.ts';
import { lockDataDir } from './lock-data-dir.ts';
import { ed25519Signer, rotateKey } from './proofs/index.ts';
import { beginKeyChange, endKeyChange, readSecrets } from './secrets.ts';

const NAMES = { index: 'indexKey', receipt: 'receiptKey' } as const;

function stop(line: string): never {
  console.error(line);
  process.exit(1);
}

const AT_WORK = statement(
  'proofs.platform_at_work',
  `SELECT count(*) AS sessions FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename LIKE 'sathorn%'`,
);

const [use, ...more] = process.argv.slice(2);
if ((use !== 'index' && use !== 'receipt') || more.length > 0) stop('usage: npm run rotate-keys -- index | receipt');
const name = NAMES[use];
const config = readConfig(process.env);
const folder = await lockDataDir(config.dataDir).catch((error: Error) => stop(error.message));
const secrets = readSecrets(config.dataDir);
const embedded = config.databaseUrl
  ? null
  : await startEmbeddedPostgres({
      dataDir: config.dataDir,
      password: secrets.databaseOwner.toString('hex'),
      print: (line) => console.error(line),
    });
try {
  const database = openDatabase(embedded?.owner ?? connectionOf(config.databaseUrl ?? ''), {
    onFault: (error) => console.error(error),
  });
  try {
    const [row] = await database.query<{ sessions: bigint }>(AT_WORK);
    if (embedded === null && row !== undefined && row.sessions > 0n)
      throw new Error('the platform is running on this database: stop all of its processes first');
    const next = beginKeyChange(config.dataDir, name);
    await rotateKey(database, use, ed25519Signer(secrets[name]), ed25519Signer(next));
    endKeyChange(config.dataDir, name);
    console.log(
      `The ${use} key is now ${ed25519Signer(next).keyId}, announced by ${ed25519Signer(secrets[name]).keyId}.`,
    );
    console.log(
      `Copy secrets/${use === 'index' ? 'index' : 'receipts'}.json to every machine that uses it, and to its backup, before you start the platform again.`,
    );
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`The ${use} key was not changed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
  await folder.release();
}
