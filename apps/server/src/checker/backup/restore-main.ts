import path from 'node:path';
import { makeDataDir } from '../../platform/make-folder.ts';
import { describeFileError } from './read-file.ts';
import { restoreBackup, undoInterruptedRestore } from './restore-backup.ts';

const USAGE =
  'usage: DATA_DIR=EMPTY_FOLDER npm run restore -- FOLDER [--to 2026-11-22T18:30:00Z] --secrets FOLDER_OF_SECRETS';
const print = (line: string): void => console.error(line);

function optionOf(name: string, parameters: string[]): string | undefined {
  const at = parameters.indexOf(name);
  return at < 0 ? undefined : parameters.splice(at, 2)[1];
}

async function main(): Promise<void> {
  const parameters = process.argv.slice(2);
  const [to, secrets] = [optionOf('--to', parameters), optionOf('--secrets', parameters)];
  const [folder, ...rest] = parameters;
  if (folder === undefined || rest.length > 0 || folder.startsWith('-')) throw new Error(USAGE);
  // Accepts only the format of the usage: in others, the machine's zone or the order of day and month would decide.
  const isTime = (text: string): boolean =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text.slice(0, 19));
  if (to !== undefined && !isTime(to)) throw new Error(`--to ${to} is not a time such as 2026-11-22T18:30:00Z`);
  const dataDir = path.resolve(process.env.DATA_DIR || './data');
  makeDataDir(dataDir);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      print('Interrupted: removing what was restored so far …');
      void undoInterruptedRestore(dataDir).finally(() => process.exit(1));
    });
  const { heads, known, missing } = await restoreBackup({
    folder: path.resolve(folder),
    dataDir,
    print,
    ...(to !== undefined && { to: new Date(to) }),
    ...(secrets !== undefined && { secretsFrom: path.resolve(secrets) }),
  });
  console.log(
    `Restored into ${dataDir}: ${heads.transfers} transfers, and the chains of ticks verify against the backup's notes.`,
  );
  if (missing.length > 0)
    console.log(
      `NOT in it, though acknowledged by ${known.at}: ${missing.join(', ')}. /api/proof/restorations says so to customers.`,
    );
  console.log(`Whatever was acknowledged after ${known.at} is not in this backup.`);
}

main().catch((error: unknown) => {
  print(describeFileError(error).message);
  process.exitCode = 1;
});
