import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeDataDir } from './make-folder.ts';

const NAMES = [
  'databaseOwner',
  'databaseApp',
  'databaseIndex',
  'databaseChecker',
  'databaseSigner',
  'pepper',
  'filesKey',
  'sessionKey',
  'identityKey',
  'accountSalt',
  'indexKey',
  'receiptKey',
  'boxKey',
  'pushKey',
  'simSeed',
] as const;
type Name = (typeof NAMES)[number];

/** 32 random bytes each, stored outside the database: a stolen dump reveals no password, picture or signing key. */
export type Secrets = Readonly<Record<Name, Buffer>>;

/**
 * The secrets of a process that handles requests from strangers: without the passwords of the owner and the index, and
 * without the key that signs prices.
 */
export type EdgeSecrets = Pick<
  Secrets,
  'pepper' | 'filesKey' | 'sessionKey' | 'identityKey' | 'accountSalt' | 'receiptKey' | 'boxKey' | 'pushKey'
>;
/** Additional secrets of the index. */
export type IndexSecrets = Pick<Secrets, 'indexKey' | 'simSeed'>;

export function edgeSecretsOf({
  pepper,
  filesKey,
  sessionKey,
  identityKey,
  accountSalt,
  receiptKey,
  boxKey,
  pushKey,
}: Secrets): EdgeSecrets {
  return { pepper, filesKey, sessionKey, identityKey, accountSalt, receiptKey, boxKey, pushKey };
}
export function indexSecretsOf({ indexKey, simSeed }: Secrets): IndexSecrets {
  return { indexKey, simSeed };
}

const KEY = /^[0-9a-f]{64}$/;
/** Folders of a data folder that cannot be decrypted without its keys. */
const SEALED_FOLDERS = ['postgres', 'files'];

/** Null if the file does not exist. A damaged one stops the start, because new keys would lock all customers out. */
function readKept(file: string): Record<string, string> | null {
  if (!existsSync(file)) return null;
  let kept: unknown;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    kept = null;
  }
  const isWhole =
    typeof kept === 'object' &&
    kept !== null &&
    Object.values(kept).every((key) => typeof key === 'string' && KEY.test(key));
  if (!isWhole) throw new Error(`${file} is damaged: restore it from its backup`);
  // Resets the permissions, which a copy or a restored backup may have widened.
  chmodSync(file, 0o600);
  return kept as Record<string, string>;
}

/** Writes a temporary file and flushes it, so that neither a crash nor a power cut leaves half a file. */
function writeBeside(file: string, all: Record<string, string>): string {
  const beside = `${file}.${randomUUID()}`;
  const handle = openSync(beside, 'wx', 0o600);
  try {
    writeFileSync(handle, `${JSON.stringify(all, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return beside;
}

function flushFolder(folder: string): void {
  // Windows cannot flush a folder, and does not need to.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function keep(file: string, all: Record<string, string>, isFirst: boolean): Record<string, string> {
  const beside = writeBeside(file, all);
  try {
    // `link` fails when the name exists, so two servers that start at once both get the keys of the faster one.
    if (isFirst) linkSync(beside, file);
    else renameSync(beside, file);
    flushFolder(path.dirname(file));
    return all;
  } catch (error) {
    const others = isFirst ? readKept(file) : null;
    if (others === null) throw error;
    return others;
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Reads `secrets.json` of the data folder, and creates missing keys. */
export function readSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  makeDataDir(dataDir);
  const kept = readKept(file);
  if (kept === null && SEALED_FOLDERS.some((folder) => existsSync(path.join(dataDir, folder))))
    throw new Error(`${file} is missing, and files beside it are encrypted with its keys: restore it from its backup`);
  const wanted = Object.fromEntries(NAMES.map((name) => [name, kept?.[name] ?? randomBytes(32).toString('hex')]));
  const isWhole = kept !== null && NAMES.every((name) => kept[name] !== undefined);
  const all = isWhole ? kept : keep(file, { ...kept, ...wanted }, kept === null);
  return Object.fromEntries(NAMES.map((name) => [name, Buffer.from(all[name] ?? '', 'hex')])) as unknown as Secrets;
}

type KeyName = 'indexKey' | 'receiptKey';
const nextOf = (name: KeyName): string => `${name}Next`;

/**
 * The next key, stored before it is published: a crash in between would otherwise leave a published key that nobody
 * has. Returns the same key until the change has ended.
 */
export function beginKeyChange(dataDir: string, name: KeyName): Buffer {
  const file = path.join(dataDir, 'secrets.json');
  const kept = readKept(file);
  if (kept === null) throw new Error(`${file} is missing`);
  const next = kept[nextOf(name)] ?? randomBytes(32).toString('hex');
  keep(file, { ...kept, [nextOf(name)]: next }, false);
  return Buffer.from(next, 'hex');
}

/** Ends the change: from now on the next key signs. */
export function endKeyChange(dataDir: string, name: KeyName): void {
  const file = path.join(dataDir, 'secrets.json');
  const { [nextOf(name)]: next, ...kept } = readKept(file) ?? {};
  if (next !== undefined) keep(file, { ...kept, [name]: next }, false);
}
