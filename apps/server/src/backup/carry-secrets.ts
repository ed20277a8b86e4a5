import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { listSecretFiles, secretsFolder, unsplitFile } from '../secrets.ts';
import { WALLET_KEY } from './backup.ts';

const WALLET_COPY = 'signer-keys.json';
const COPIES = 'secrets';

function copyInto(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  copyFileSync(from, to);
}

/** Copies every secret into a folder apart from the backup; returns the names of the copies. */
export function copySecrets(dataDir: string, apart: string): string[] {
  const copies = listSecretFiles(dataDir).map((file) => [file, path.join(COPIES, path.basename(file))] as const);
  const wallet = path.join(dataDir, WALLET_KEY);
  const all = existsSync(wallet) ? [...copies, [wallet, WALLET_COPY] as const] : copies;
  for (const [file, name] of all) copyInto(file, path.join(apart, name));
  return all.map(([, name]) => name);
}

/** The other way, into an empty data folder. Also takes the one file of older versions, which the next start splits. */
export function bringSecrets(apart: string, dataDir: string): void {
  const folder = statSync(apart).isDirectory() ? apart : path.dirname(apart);
  const copies = path.join(folder, COPIES);
  const single = folder === apart ? path.join(folder, path.basename(unsplitFile(''))) : apart;
  if (folder === apart && existsSync(copies))
    for (const name of readdirSync(copies)) copyInto(path.join(copies, name), path.join(secretsFolder(dataDir), name));
  else copyInto(single, unsplitFile(dataDir));
  const wallet = path.join(folder, WALLET_COPY);
  if (existsSync(wallet)) copyInto(wallet, path.join(dataDir, WALLET_KEY));
}
