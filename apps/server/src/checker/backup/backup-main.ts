import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { listSecretFiles } from '../../platform/secrets.ts';
import { backUp } from './backup.ts';
import { BackupRunningError, FOLLOW_EVERY_MS, forgetNotedBackup } from './backup-folder.ts';
import { dropBackupSlot } from './backup-slots.ts';
import { copySecrets, listFilesNotBackedUp } from './carry-secrets.ts';
import { withOwnerClient } from './chain-heads.ts';
import { listBackups } from './list-backups.ts';
import { openCluster } from './open-cluster.ts';
import { describeFileError } from './read-file.ts';

const USAGE =
  'usage: DATA_DIR=… npm run backup -- FOLDER [--follow] [--full] [--secrets OTHER_FOLDER]\n' +
  '       DATA_DIR=… npm run backup -- --list\n       DATA_DIR=… npm run backup -- --forget SLOT\n' +
  '  --follow   goes on every ten seconds until Ctrl-C\n  --full     copies the whole cluster again\n' +
  '  --secrets  copies the secrets and the key of the house’s wallet there, apart from the backup\n' +
  '  --list     shows the backups, their age, and how much of its log PostgreSQL keeps for each\n' +
  '  --forget   stops keeping the log for a backup that is abandoned';
const print = (line: string): void => console.error(line);

const isWithin = (folder: string, other: string): boolean => !path.relative(folder, other).startsWith('..');

function optionOf(name: string, parameters: string[]): string | undefined {
  const at = parameters.indexOf(name);
  return at < 0 ? undefined : parameters.splice(at, 2)[1];
}

async function main(): Promise<void> {
  const parameters = process.argv.slice(2);
  const apart = optionOf('--secrets', parameters);
  const forgotten = optionOf('--forget', parameters);
  const isList = parameters.length === 1 && parameters[0] === '--list';
  const [folder, ...rest] = parameters.filter((name) => name !== '--follow' && name !== '--full');
  const isCopy = folder !== undefined && rest.length === 0 && !folder.startsWith('-');
  if (forgotten === undefined ? !isCopy && !isList : parameters.length > 0) throw new Error(USAGE);
  if (process.env.DATABASE_URL)
    throw new Error(
      'with DATABASE_URL the database is backed up by its own tools: docs/operating.md, "Backup and restore"',
    );
  const dataDir = path.resolve(process.env.DATA_DIR || './data');
  if (listSecretFiles(dataDir).length === 0) throw new Error(`${dataDir} is not a data folder: set DATA_DIR`);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  const cluster = await openCluster(dataDir, print);
  try {
    if (folder !== undefined && isCopy) await copy(folder);
    else await withOwnerClient(cluster.owner, manage);
  } finally {
    await cluster.close();
  }

  async function copy(to: string): Promise<void> {
    if (apart !== undefined && isWithin(path.resolve(to), path.resolve(apart)))
      throw new Error(`${apart} is in the backup: whoever has both can spend the house's money. Give a folder apart`);
    let said = '';
    const isFollowing = parameters.includes('--follow');
    let isFull = parameters.includes('--full');
    do {
      try {
        const moment = await backUp({ dataDir, folder: path.resolve(to), owner: cluster.owner, print, isFull });
        isFull = false;
        console.log(`${to} has everything up to ${moment.at}: transfer ${moment.transfers}, log ${moment.lsn}`);
        const says = sayWhatIsNotIn(to);
        if (says !== said) print(says);
        said = says;
      } catch (error) {
        if (!(error instanceof BackupRunningError && isFollowing)) throw error;
        print(error.message);
      }
      if (isFollowing) await pause(FOLLOW_EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    } while (isFollowing && !ending.signal.aborted);
  }

  /**
   * The last line of a backup: it lists what the backup lacks, which people otherwise notice only after the disaster.
   */
  function sayWhatIsNotIn(to: string): string {
    if (apart !== undefined)
      return `${copySecrets(dataDir, apart).join(', ')} are in ${apart}: keep it apart from ${to}.`;
    return [
      'NOT in this backup, because whoever has them can sign as you, spend the money and read all pictures:',
      ...listFilesNotBackedUp(dataDir).map((file) => `  ${file}`),
      'Without the first ones nothing can be restored. Keep a copy of them somewhere else: --secrets OTHER_FOLDER.',
    ].join('\n');
  }

  async function manage(client: pg.ClientBase): Promise<void> {
    if (forgotten === undefined) return console.log((await listBackups(client, dataDir)).join('\n'));
    await dropBackupSlot(client, forgotten);
    forgetNotedBackup(dataDir, forgotten);
    console.log(`${forgotten} is gone; its folder may be removed.`);
  }
}

main().catch((error: unknown) => {
  print(describeFileError(error).message);
  process.exitCode = 1;
});
