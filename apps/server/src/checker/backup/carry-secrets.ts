import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  listSecretFiles,
  SECRETS_CHANGED_BY_ROTATION,
  secretsFolder,
  unsplitSecretsFile,
} from '../../platform/secrets.ts';
import { writeFileAtomically } from '../../platform/write-file-atomically.ts';
import { WALLET_KEY_FILE } from './backup.ts';
import { readFileOrRefuse } from './read-file.ts';

const WALLET_COPY = 'signer-keys.json';
const COPIES = 'secrets';
/** The signer's record of its payments. No backup has it, because an older record would let the signer overpay. */
const COUNTED = ['signer/budget.json', 'signer/paid-addresses'];

interface Carried {
  readonly from: string;
  readonly to: string;
}

function copyInto({ from, to }: Carried): void {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  writeFileAtomically(to, readFileOrRefuse(from));
}

const keysIn = (file: string): Map<string, unknown> => {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object));
  } catch {
    return new Map();
  }
};

/** Finds a key that would overwrite a different one, which may be its only copy. */
function otherKey({ from, to }: Carried): string | undefined {
  const kept = keysIn(to);
  return [...keysIn(from)].find(
    ([name, key]) =>
      Number.isNaN(Number(name)) &&
      !(SECRETS_CHANGED_BY_ROTATION as readonly string[]).includes(name.replace(/Next$/, '')) &&
      kept.has(name) &&
      kept.get(name) !== key,
  )?.[0];
}

function assertNothingLost(all: readonly Carried[]): void {
  for (const one of all) {
    const other = otherKey(one);
    if (other !== undefined)
      throw new Error(
        `${one.to} has another ${other} than ${one.from}: it may be the only copy of a key. Move it away, or give another folder`,
      );
  }
}

/** Lists every file that no backup contains, by its place. */
export const listFilesNotBackedUp = (dataDir: string): string[] => [
  ...listSecretFiles(dataDir),
  ...[WALLET_KEY_FILE, ...COUNTED].map((name) => path.join(dataDir, name)).filter((file) => existsSync(file)),
];

/** Copies every secret into a folder apart from the backup; returns the names of the copies. */
export function copySecrets(dataDir: string, apart: string): string[] {
  const copies = listSecretFiles(dataDir).map((file) => [file, path.join(COPIES, path.basename(file))] as const);
  const wallet = path.join(dataDir, WALLET_KEY_FILE);
  const named = existsSync(wallet) ? [...copies, [wallet, WALLET_COPY] as const] : copies;
  const all = named.map(([from, name]) => ({ from, to: path.join(apart, name) }));
  assertNothingLost(all);
  for (const one of all) copyInto(one);
  return named.map(([, name]) => name);
}

function listCopies(apart: string, dataDir: string): Carried[] {
  const found = statSync(apart, { throwIfNoEntry: false });
  if (found === undefined)
    throw new Error(`${apart} is missing: --secrets names the folder to which the secrets were copied`);
  const isFile = found.isFile();
  const folder = isFile ? path.dirname(apart) : apart;
  const copies = path.join(folder, COPIES);
  const wallet = { from: path.join(folder, WALLET_COPY), to: path.join(dataDir, WALLET_KEY_FILE) };
  return [
    ...(!isFile && existsSync(copies)
      ? readdirSync(copies)
          .filter((name) => name.endsWith('.json'))
          .map((name) => ({ from: path.join(copies, name), to: path.join(secretsFolder(dataDir), name) }))
      : [
          {
            from: isFile ? apart : path.join(folder, path.basename(unsplitSecretsFile(''))),
            to: unsplitSecretsFile(dataDir),
          },
        ]),
    ...(existsSync(wallet.from) ? [wallet] : []),
  ];
}

/**
 * Brings the copies into an empty data folder. Also accepts the single file of older versions, which the next start
 * splits. Returns a function that removes what it brought.
 */
export function restoreSecrets(apart: string, dataDir: string): () => void {
  const all = listCopies(apart, dataDir);
  assertNothingLost(all);
  for (const { from } of all) readFileOrRefuse(from);
  const added = all.filter(({ to }) => !existsSync(to));
  const folders = [secretsFolder(dataDir), path.dirname(path.join(dataDir, WALLET_KEY_FILE))].filter(
    (folder) => !existsSync(folder),
  );
  for (const one of added) copyInto(one);
  return () => {
    for (const { to } of added) rmSync(to, { force: true });
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
}
