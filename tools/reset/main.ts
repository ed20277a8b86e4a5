/** `npm run reset`: deletes everything that a demo has stored, so that the next start begins empty. */
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { foldersToRemove, isInUse, looksLikeOurFolder, removeFolders } from './reset.ts';

const dataDir = path.resolve(process.env.INIT_CWD ?? process.cwd(), process.env.DATA_DIR ?? 'data');
const folders = foldersToRemove(dataDir);

function stop(line: string): never {
  console.error(line);
  process.exit(1);
}

if (process.env.SATHORN_MODE === 'live') stop('reset: refuses to remove the data of a live platform.');
if (folders.length === 0) {
  console.log(`reset: nothing is stored for ${dataDir}.`);
  process.exit(0);
}
const strange = folders.find((folder) => !looksLikeOurFolder(folder));
if (strange)
  stop(`reset: ${strange} does not look like a data folder of the platform; remove it by hand if it is one.`);
const running = folders.find(isInUse);
if (running) stop(`reset: a database is running in ${running}. Stop the platform first (Ctrl-C).`);

if (!process.argv.includes('--yes')) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`Remove ${folders.join(' and ')}, with its keys, accounts and orders? [y/N] `);
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) stop('reset: nothing was removed.');
}
removeFolders(folders);
console.log(`reset: removed ${folders.join(' and ')}. The next start begins with an empty platform.`);
