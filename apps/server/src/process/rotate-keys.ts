/**
 * `npm run rotate-keys -- index|receipt`, while the platform is stopped: creates a new key, publishes it with the old
 * key's signature, and writes it to that key's file. Customers' apps accept it because the key that they know has
 * signed it. With `--replaced NAME` it only records that the earlier secret of this name is lost for good.
 */

import {
  connectionOf,
  type Database,
  openDatabase,
  startEmbeddedPostgres,
  statement,
} from '../platform/database/index.ts';
import { markSecretReplaced, secretsSeenByDatabase } from '../platform/known-secrets.ts';
import { lockDataDir } from '../platform/lock-data-dir.ts';
import { ed25519Signer, rotateKey } from '../platform/proofs/index.ts';
import { beginKeyChange, endKeyChange, readSecrets } from '../platform/secrets.ts';
import { readConfig } from './config.ts';

const NAMES = { index: 'indexKey', receipt: 'receiptKey' } as const;

function stop(line: string): never {
  console.error(line);
  process.exit(1);
}

const AT_WORK = statement(
  'proofs.platform_at_work',
  `SELECT count(*) AS sessions FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename LIKE 'sathorn%'`,
);

/** Rows of before count as written before there were seals, because nobody can verify theirs any more. */
const UNSEAL: Readonly<Record<string, readonly string[]>> = {
  orderKey: [
    'UPDATE contracts.orders SET seal = NULL WHERE seal IS NOT NULL',
    'ALTER TABLE contracts.waiting DISABLE TRIGGER keep_waiting',
    'UPDATE contracts.waiting SET seal = NULL WHERE seal IS NOT NULL',
    'ALTER TABLE contracts.waiting ENABLE TRIGGER keep_waiting',
    'UPDATE recurring.instruction SET seal = NULL WHERE seal IS NOT NULL',
    'UPDATE standing.instruction SET seal = NULL WHERE seal IS NOT NULL',
  ],
  watchKey: [
    'ALTER TABLE deposits.deposit DISABLE TRIGGER sealed_credit',
    'UPDATE deposits.deposit SET credit_seal = NULL WHERE credit_seal IS NOT NULL',
    'ALTER TABLE deposits.deposit ENABLE TRIGGER sealed_credit',
  ],
  payoutKey: [
    'ALTER TABLE withdrawals.withdrawal DISABLE TRIGGER USER',
    'UPDATE withdrawals.withdrawal SET refusal_seal = NULL WHERE refusal_seal IS NOT NULL',
    'ALTER TABLE withdrawals.withdrawal ENABLE TRIGGER USER',
  ],
};

async function change(database: Database, use: keyof typeof NAMES): Promise<void> {
  const name = NAMES[use];
  const next = beginKeyChange(config.dataDir, name);
  await rotateKey(database, use, ed25519Signer(secrets[name]), ed25519Signer(next));
  endKeyChange(config.dataDir, name);
  console.log(
    `The ${use} key is now ${ed25519Signer(next).keyId}, announced by ${ed25519Signer(secrets[name]).keyId}.`,
  );
  console.log(
    `Copy secrets/${use === 'index' ? 'index' : 'receipts'}.json to every machine that uses it, and to its backup, before you start the platform again.`,
  );
}

const [use, replaced, ...more] = process.argv.slice(2);
const isReplacing = use === '--replaced' && replaced !== undefined && more.length === 0;
if (!isReplacing && ((use !== 'index' && use !== 'receipt') || replaced !== undefined))
  stop('usage: npm run rotate-keys -- index | receipt | --replaced NAME');
const config = readConfig(process.env);
const folder = await lockDataDir(config.dataDir).catch((error: Error) => stop(error.message));
const secrets = readSecrets(config.dataDir, { existed: await secretsSeenByDatabase(config.databaseUrl) });
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
    if (isReplacing) {
      await markSecretReplaced(database, secrets, replaced);
      await database.transaction(async (transaction) => {
        for (const text of UNSEAL[replaced] ?? []) await transaction.query({ name: '', text });
      });
      console.log(`From now on the ${replaced} of this folder counts. What was made with the one before is lost.`);
    } else if (use === 'index' || use === 'receipt') await change(database, use);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(
    `${isReplacing ? `The secret ${replaced}` : `The ${use} key`} was not changed: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
} finally {
  await embedded?.stop();
  await folder.release();
}
