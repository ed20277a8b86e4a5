import { hash, randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataDir, makeFolder } from './make-folder.ts';

/**
 * Every secret: the file that holds it, and the processes that get it besides the main process. Each file grants one
 * power, so reading one gives no other. A new secret is a new line here; existing folders get it at their next start.
 */
const SECRETS = {
  databaseOwner: ['owner'],
  databaseApp: ['app'],
  databaseIndex: ['index'],
  databaseChecker: ['checker'],
  databaseSigner: ['signer'],
  databaseLog: ['log'],
  pepper: ['credentials', 'edge'],
  sessionKey: ['credentials', 'edge'],
  accountSalt: ['credentials', 'edge'],
  filesKey: ['identity', 'edge'],
  identityKey: ['identity', 'edge'],
  pushKey: ['identity', 'edge'],
  receiptKey: ['receipts', 'edge'],
  authorisationKey: ['authorisation', 'edge'],
  orderKey: ['orders', 'edge'],
  practiceKey: ['practice', 'edge'],
  watchKey: ['watch', 'watcher'],
  indexKey: ['index', 'index'],
  simSeed: ['index', 'index'],
  boxKey: ['boxes', 'settler'],
  payoutKey: ['payouts', 'settler'],
} as const satisfies Record<string, readonly [file: string, recipient?: Recipient]>;
/** `edge` handles requests from strangers; it can neither sign prices nor open the seeds of boxes. */
type Recipient = 'edge' | 'index' | 'settler' | 'watcher';

type Table = typeof SECRETS;
type Name = keyof Table;
export type SecretName = Name;
type File = Table[Name][0];
type Of<To extends Recipient> = { [N in Name]: Table[N] extends readonly [string, To] ? N : never }[Name];
const NAMES = Object.keys(SECRETS) as Name[];
const FILES = [...new Set(NAMES.map((name) => SECRETS[name][0]))];

/** 32 random bytes each, stored outside the database: a stolen dump reveals no password, picture or signing key. */
export type Secrets = Readonly<Record<Name, Buffer>>;
export type EdgeSecrets = Pick<Secrets, Of<'edge'>>;
/** The secrets that the index needs in addition. */
export type IndexSecrets = Pick<Secrets, Of<'index'>>;
/** The secrets that the settler needs in addition: it opens the draws of boxes and seals refusals of payouts. */
export type SettlerSecrets = Pick<Secrets, Of<'settler'>>;
/** The secret of the watcher, with which it seals what it read on the chain. */
export type WatcherSecrets = Pick<Secrets, Of<'watcher'>>;

export function secretsOf<To extends Recipient>(recipient: To, secrets: Secrets): Pick<Secrets, Of<To>> {
  const names = NAMES.filter((name) => (SECRETS[name] as readonly string[])[1] === recipient);
  return Object.fromEntries(names.map((name) => [name, secrets[name]])) as unknown as Pick<Secrets, Of<To>>;
}

type Keys = Record<string, string>;
const KEY = /^[0-9a-f]{64}$/;
/** Each of these shows that a server ran here. Its keys existed then, and new ones could not open these files. */
const SEALED_BY_KEYS = ['postgres', 'files', 'database-is-in', 'newest-kept.json', 'checker-keys.json', 'checker'];
/** The one file of older versions. */
const SINGLE = 'secrets.json';
/** Lists the keys that existed here: a missing one is lost, but one that is not listed is new and is created. */
const KNOWN = 'names.json';
/** Keys that this version does not know. */
const OTHERS = 'others';
const LOCK = 'lock';
const LOCK_PATIENCE_MS = 30_000;

export const secretsFolder = (dataDir: string): string => path.join(dataDir, 'secrets');
/** The file in which a secret is, wherever it is handed over. */
export const fileOfSecret = (dataDir: string, name: Name): string => fileOf(dataDir, SECRETS[name][0]).place;
export const unsplitSecretsFile = (dataDir: string): string => path.join(dataDir, SINGLE);
const beforeSplitFile = (dataDir: string): string => `${unsplitSecretsFile(dataDir)}.before-split`;
const ownFile = (dataDir: string, file: string): string => path.join(secretsFolder(dataDir), `${file}.json`);

/** The folder in which systemd or a container's platform provides secrets; they are read and never written. */
const handedOver = (): string | null => process.env.SECRETS_DIR || process.env.CREDENTIALS_DIRECTORY || null;

function fileOf(dataDir: string, file: string): { readonly place: string; readonly isOwn: boolean } {
  const folder = handedOver();
  const given = folder === null ? null : path.join(folder, `${file}.json`);
  return given !== null && existsSync(given)
    ? { place: given, isOwn: false }
    : { place: ownFile(dataDir, file), isOwn: true };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Null if the file does not exist. A damaged one stops the start, because new keys would lock all customers out. */
function readKeys(file: string): Keys | null {
  const text = textOf(file);
  if (text === null) return null;
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    kept = null;
  }
  const isWhole =
    typeof kept === 'object' &&
    kept !== null &&
    !Array.isArray(kept) &&
    Object.values(kept).every((key) => typeof key === 'string' && KEY.test(key));
  if (!isWhole) throw new Error(`${file} is damaged: restore it from its backup`);
  return kept as Keys;
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

/** Writes a temporary file and flushes it, so that neither a crash nor a power cut leaves half a file. */
function writeWhole(file: string, text: string): void {
  const beside = `${file}.${randomUUID()}`;
  const handle = openSync(beside, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, file);
  flushFolder(path.dirname(file));
}
const writeJson = (file: string, all: unknown): void => writeWhole(file, `${JSON.stringify(all, null, 2)}\n`);

/** Servers that start at once on one folder write one after another. */
function locked<Result>(dataDir: string, work: () => Result): Result {
  const folder = secretsFolder(dataDir);
  makeFolder(folder, 0o700);
  const lock = new DatabaseSync(path.join(folder, LOCK), { timeout: LOCK_PATIENCE_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    chmodSync(path.join(folder, LOCK), 0o600);
    // Files that a crash left half written.
    for (const name of readdirSync(folder))
      if (/\.json\.[0-9a-f-]{36}$/.test(name)) rmSync(path.join(folder, name), { force: true });
    return work();
  } finally {
    lock.close();
  }
}

const homeOf = (name: string): File | typeof OTHERS => SECRETS[name.replace(/Next$/, '') as Name]?.[0] ?? OTHERS;

function readKnown(dataDir: string): string[] {
  const text = textOf(path.join(secretsFolder(dataDir), KNOWN));
  return text === null ? [] : (JSON.parse(text) as string[]);
}

function writeKnown(dataDir: string, names: readonly string[]): void {
  const known = readKnown(dataDir);
  const all = [...new Set([...known, ...names])].sort();
  if (all.length > known.length) writeJson(path.join(secretsFolder(dataDir), KNOWN), all);
}

/**
 * The steps that split the single file of older versions into one file per power. The last step removes the old file,
 * so after a crash the next start repeats them all.
 */
export function splitSecretsSteps(dataDir: string): (() => void)[] {
  const single = unsplitSecretsFile(dataDir);
  const all = readKeys(single);
  if (all === null) return [];
  const parts = Map.groupBy(Object.keys(all), homeOf);
  return [
    () => writeWhole(beforeSplitFile(dataDir), readFileSync(single, 'utf8')),
    ...[...parts].map(([file, names]) => () => {
      const kept = readKeys(ownFile(dataDir, file)) ?? {};
      const other = names.find((name) => kept[name] !== undefined && kept[name] !== all[name]);
      if (other !== undefined)
        throw new Error(`${other} of ${single} and of ${ownFile(dataDir, file)} differ: move the wrong file away`);
      writeJson(ownFile(dataDir, file), { ...kept, ...Object.fromEntries(names.map((name) => [name, all[name]])) });
    }),
    () => writeKnown(dataDir, Object.keys(all)),
    () => {
      rmSync(single);
      flushFolder(dataDir);
    },
  ];
}

/** Reads one secret for a command that runs beside the platform, and writes nothing. */
export function readSecret(dataDir: string, name: Name): Buffer {
  const { place } = fileOf(dataDir, SECRETS[name][0]);
  const key = readKeys(unsplitSecretsFile(dataDir))?.[name] ?? readKeys(place)?.[name];
  if (key === undefined) throw new Error(`${place} can't be read: DATA_DIR names the folder of the platform`);
  return Buffer.from(key, 'hex');
}

/** Every file of secrets that exists, for a backup of them. */
export function listSecretFiles(dataDir: string): string[] {
  const single = unsplitSecretsFile(dataDir);
  const others = [ownFile(dataDir, OTHERS), path.join(secretsFolder(dataDir), KNOWN)];
  return [single, ...FILES.map((file) => fileOf(dataDir, file).place), ...others].filter((file) => existsSync(file));
}

/** Reads the files of secrets, creates missing keys, and splits the one file of older versions. */
export function readSecrets(
  dataDir: string,
  {
    print = () => undefined,
    names = NAMES,
    existed = [],
  }: {
    print?: (line: string) => void;
    names?: readonly Name[];
    /** Names of keys that existed according to a database or a backup. The start never generates these again. */
    existed?: readonly string[];
  } = {},
): Secrets {
  makeDataDir(dataDir);
  if (existsSync(unsplitSecretsFile(dataDir))) {
    locked(dataDir, () => {
      for (const step of splitSecretsSteps(dataDir)) step();
    });
    print(`${unsplitSecretsFile(dataDir)} is now one file for each power, in ${secretsFolder(dataDir)}.`);
  }
  if (existsSync(beforeSplitFile(dataDir)))
    print(`Please move ${beforeSplitFile(dataDir)} away from this machine: whoever reads it has every key.`);

  const all: Keys = {};
  const read = (): Name[] => {
    for (const file of FILES) {
      const { place, isOwn } = fileOf(dataDir, file);
      const wanted = names.filter((name) => SECRETS[name][0] === file);
      if (wanted.length === 0) continue;
      const keys = readKeys(place);
      if (keys === null) continue;
      // Resets the permissions, which a copy or a restored backup may have widened.
      if (isOwn) chmodSync(place, 0o600);
      for (const name of wanted) if (keys[name] !== undefined) all[name] = keys[name];
    }
    return names.filter((name) => all[name] === undefined);
  };
  const create = (): void => {
    const missing = read();
    const known = readKnown(dataDir);
    const isSealed = known.length === 0 && SEALED_BY_KEYS.some((name) => existsSync(path.join(dataDir, name)));
    for (const name of missing) {
      const { place, isOwn } = fileOf(dataDir, SECRETS[name][0]);
      if (isSealed || known.includes(name) || existed.includes(name))
        throw new Error(
          `${place} ${existsSync(place) ? `has no ${name}` : 'is missing'}, and files of this platform need it: restore it from its backup`,
        );
      if (!isOwn) throw new Error(`${place} has no ${name}: add 32 random bytes in hex`);
    }
    for (const [file, added] of Map.groupBy(missing, (name) => SECRETS[name][0])) {
      const place = ownFile(dataDir, file);
      for (const name of added) all[name] = randomBytes(32).toString('hex');
      writeJson(place, { ...readKeys(place), ...Object.fromEntries(added.map((name) => [name, all[name]])) });
    }
    // Lists only the keys in our own files, because the system may later stop providing the others.
    writeKnown(
      dataDir,
      names.filter((name) => fileOf(dataDir, SECRETS[name][0]).isOwn),
    );
  };
  if (read().length > 0) locked(dataDir, create);
  return Object.fromEntries(names.map((name) => [name, Buffer.from(all[name] ?? '', 'hex')])) as unknown as Secrets;
}

/** Show whether two platforms have the same secrets without revealing them: each is 32 random bytes. */
export const secretFingerprintsOf = (secrets: Secrets): Record<Name, string> =>
  Object.fromEntries(
    NAMES.map((name) => [name, hash('sha256', Buffer.concat([Buffer.from(`sathorn ${name} `), secrets[name]]), 'hex')]),
  ) as Record<Name, string>;

/** `rotate-keys` changes these, so they may differ between a backup and a copy of the secrets. */
type KeyName = 'indexKey' | 'receiptKey';
export const SECRETS_CHANGED_BY_ROTATION: readonly Name[] = ['indexKey', 'receiptKey'] satisfies KeyName[];
const nextOf = (name: KeyName): string => `${name}Next`;

function changeKeys(dataDir: string, name: KeyName, change: (kept: Keys) => Keys): void {
  const { place, isOwn } = fileOf(dataDir, SECRETS[name][0]);
  if (!isOwn) throw new Error(`${place} is handed over and can't be written: change keys where DATA_DIR holds them`);
  locked(dataDir, () => {
    const kept = readKeys(place);
    if (kept === null) throw new Error(`${place} is missing`);
    writeJson(place, change(kept));
  });
}

/**
 * Returns the next key, which is stored before it is published: a crash in between would otherwise leave a published
 * key that nobody has. Returns the same key until the change has ended.
 */
export function beginKeyChange(dataDir: string, name: KeyName): Buffer {
  let next = '';
  changeKeys(dataDir, name, (kept) => {
    next = kept[nextOf(name)] ?? randomBytes(32).toString('hex');
    return { ...kept, [nextOf(name)]: next };
  });
  return Buffer.from(next, 'hex');
}

/** Ends the change: from now on the next key signs. */
export function endKeyChange(dataDir: string, name: KeyName): void {
  changeKeys(dataDir, name, ({ [nextOf(name)]: next, ...kept }) =>
    next === undefined ? kept : { ...kept, [name]: next },
  );
}
