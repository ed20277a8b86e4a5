/** Checks a backup before a restore writes anything. Each refusal names the file and says what to do. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import {
  foreignKeyMessage,
  keyMissingMessage,
  readKeptWallet,
  readWalletOfKey,
} from '../../money/withdrawals/index.ts';
import {
  SECRETS_CHANGED_BY_ROTATION,
  type Secrets,
  secretFingerprintsOf,
  secretsFolder,
} from '../../platform/secrets.ts';
import {
  BACKUP_LABEL_FILE,
  listFiles,
  SIDE_FILES,
  TABLESPACE_MAP_FILE,
  WALLET_ADDRESS_FILE,
  WALLET_KEY_FILE,
} from './backup.ts';
import { totalBytesOf } from './backup-folder.ts';
import {
  type BackupMoment,
  type BaseCopy,
  FILE_LIST_SUFFIX,
  HASH_HEX_DIGITS,
  LOG_SEGMENT_BYTES,
  logSegmentOf,
  type Manifest,
  PICTURE_LIST_FILE,
  readBackupMoments,
  readManifest,
  sha256,
  startOfSegment,
} from './manifest.ts';
import { damagedFileError, damagedFileErrorOf, readFileOrRefuse, whyNotAFile } from './read-file.ts';

export interface Backup {
  readonly manifest: Manifest;
  readonly moments: readonly BackupMoment[];
  /** The newest of `moments`. Data acknowledged after it may be missing from the backup. */
  readonly known: BackupMoment;
}

export function readBackup(folder: string): Backup {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: give the folder of a backup`);
  const manifest = readManifest(folder);
  if (manifest === null)
    throw new Error(
      `${folder} is not a backup: it has no manifest.json. Give the folder of a backup, or put the file back from another copy of it`,
    );
  if (manifest.bases.length === 0)
    throw new Error(`${folder} is not a backup yet: its first copy was interrupted. Restore another backup`);
  const moments = readBackupMoments(folder, manifest);
  const known = moments.at(-1);
  if (known === undefined) throw damagedFileError(path.join(folder, 'moments.jsonl'), 'is missing or empty');
  return { manifest, moments, known };
}

/** Throws if the wallet's key is missing: the house could not spend its money, and the server would not start. */
export async function assertWalletKey(folder: string, manifest: Manifest, dataDir: string): Promise<void> {
  checkBeside(folder, manifest);
  const file = path.join(sideFolderOf(folder, manifest), WALLET_ADDRESS_FILE);
  if (!existsSync(file)) return;
  const signer = path.dirname(path.join(dataDir, WALLET_KEY_FILE));
  const { hot } = readKeptWallet(path.dirname(file)) ?? { hot: null };
  const own = await readWalletOfKey(signer);
  if (own === null) throw new Error(keyMissingMessage(signer, hot));
  if (hot !== null && own !== hot) throw new Error(foreignKeyMessage(signer, own, hot));
}

/** Throws if the secrets are another platform's: the database would not open, or its pictures could not be read. */
export function assertSecrets(
  { secrets: wanted }: Manifest,
  secrets: Secrets,
  dataDir: string,
  print: (line: string) => void,
): void {
  if (wanted === undefined) return;
  const others = Object.entries(secretFingerprintsOf(secrets)).flatMap(([name, print]) =>
    wanted[name] === undefined || wanted[name] === print ? [] : [name],
  );
  const wrong = others.filter((name) => !(SECRETS_CHANGED_BY_ROTATION as readonly string[]).includes(name));
  if (wrong.length > 0)
    throw new Error(
      `the secrets in ${secretsFolder(dataDir)} are not those of this backup (${wrong.join(', ')}): bring those that were kept with it`,
    );
  for (const name of others)
    print(`${name} in ${secretsFolder(dataDir)} is not the one of this backup: it was changed before or after it.`);
}

/** The folder with the small files; in backups of older versions they are beside the manifest. */
export const sideFolderOf = (folder: string, { beside }: Manifest): string =>
  beside === undefined ? folder : path.join(folder, beside.folder);

/** Checks everything. Returns the newest copy that is whole and was complete at the requested time. */
export function checkBackup(
  folder: string,
  manifest: Manifest,
  to: Date | undefined,
  print: (line: string) => void,
): BaseCopy {
  checkBeside(folder, manifest);
  checkPictures(folder, manifest, print);
  const bases = manifest.bases.filter(({ finishedAt }) => to === undefined || new Date(finishedAt) <= to).reverse();
  if (bases.length === 0)
    throw new Error(`the backup begins at ${manifest.bases[0]?.finishedAt ?? 'no time'}, after ${to?.toISOString()}`);
  let first: unknown;
  for (const base of bases) {
    try {
      checkBase(folder, base);
      for (const _ of readLogSegments(folder, manifest, base));
      return base;
    } catch (error) {
      first ??= error;
      if (base !== bases.at(-1)) print(`${(error as Error).message}. Trying an older copy in the same folder …`);
    }
  }
  throw first;
}

function checkBase(folder: string, base: BaseCopy): void {
  const from = path.join(folder, base.folder);
  const at = lstatSync(from, { throwIfNoEntry: false });
  if (at === undefined) throw damagedFileError(from, 'is missing');
  if (!at.isDirectory()) throw damagedFileError(from, 'is not a folder');
  checkLabel(from, base);
  const found = readable(() => listFiles(from));
  if (sha256(found.join('\n')) === base.hash) return;
  const listed = path.join(folder, `${base.folder}${FILE_LIST_SUFFIX}`);
  const list = whyNotAFile(listed) === null ? readFileOrRefuse(listed).toString('utf8') : '';
  if (sha256(list) !== base.hash)
    throw damagedFileError(from, 'is damaged: its files differ from those that were copied');
  const [have, wanted] = [new Set(found), new Set(list.split('\n'))];
  const changed = [...wanted].find((one) => !have.has(one));
  if (changed === undefined) {
    const added = path.join(from, nameIn([...have].find((one) => !wanted.has(one)) ?? ''));
    throw new Error(`${added} is not a file of this backup: remove it, or restore another backup`);
  }
  const file = path.join(from, nameIn(changed));
  throw damagedFileError(file, whyNotAFile(file) ?? 'is damaged');
}

const nameIn = (line: string): string => line.replace(/ \d+ [0-9a-f]{64}$/, '');

/** Checks the copy's label. Without it, PostgreSQL would begin with a wrong record and open an inconsistent copy. */
function checkLabel(from: string, { label: wanted, firstSegment }: BaseCopy): void {
  const [label, map] = [path.join(from, BACKUP_LABEL_FILE), path.join(from, TABLESPACE_MAP_FILE)];
  const text = readFileOrRefuse(label).toString('utf8');
  // The labels of older versions have no hash.
  if (wanted === undefined) {
    if (!text.includes(`(file ${firstSegment})`)) throw damagedFileError(label);
    return;
  }
  if (wanted === sha256(text)) {
    if (existsSync(map)) throw new Error(`${map} is not a file of this backup: remove it, or restore another backup`);
  } else if (!existsSync(map) || wanted !== sha256(text + readFileOrRefuse(map).toString('utf8')))
    throw damagedFileError(label);
}

function readable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw damagedFileErrorOf(error);
  }
}

function readSegment(folder: string, segment: string): Buffer {
  const file = path.join(folder, 'wal', `${segment}.zst`);
  const packed = readFileOrRefuse(file);
  try {
    return zstdDecompressSync(packed, { maxOutputLength: LOG_SEGMENT_BYTES });
  } catch {
    throw damagedFileError(file);
  }
}

/** Reads the last segment, as far as the manifest lists it. An interrupted backup may have written more since. */
function readTail(folder: string, { segment, bytes, hash }: NonNullable<Manifest['tail']>): Buffer {
  const file = path.join(folder, 'wal', `${segment}.tail`);
  const whole =
    !existsSync(file) && existsSync(path.join(folder, 'wal', `${segment}.zst`))
      ? readSegment(folder, segment)
      : readFileOrRefuse(file);
  const part = whole.subarray(0, bytes);
  if (sha256(part) !== hash) throw damagedFileError(file);
  return Buffer.concat([part, Buffer.alloc(LOG_SEGMENT_BYTES - part.length)]);
}

/** Yields the log from the base on, each segment checked; the last one is padded with zeros. */
export function* readLogSegments(
  folder: string,
  manifest: Manifest,
  base: BaseCopy,
): Generator<{ readonly segment: string; readonly bytes: Buffer }> {
  const { tail, timeline } = manifest;
  if (tail === null) throw new Error(`${folder} has no log after its copy: its first backup was interrupted`);
  for (let at = startOfSegment(base.firstSegment); at < startOfSegment(tail.segment); at += BigInt(LOG_SEGMENT_BYTES)) {
    const segment = logSegmentOf(timeline, at);
    const bytes = readSegment(folder, segment);
    if (sha256(bytes) !== manifest.wal[segment]) throw damagedFileError(path.join(folder, 'wal', `${segment}.zst`));
    yield { segment, bytes };
  }
  yield { segment: tail.segment, bytes: readTail(folder, tail) };
}

function checkBeside(folder: string, manifest: Manifest): void {
  for (const [name, hash] of Object.entries(manifest.beside?.files ?? {})) {
    const file = path.join(sideFolderOf(folder, manifest), name);
    if (sha256(readFileOrRefuse(file)) !== hash) throw damagedFileError(file);
  }
}

/** Lists the pictures of this backup. Other files in its folder come from an interrupted backup or from elsewhere. */
export function listPictures(folder: string, { pictures }: Manifest): [name: string, hash: string][] | null {
  if (pictures === undefined) return null;
  const file = path.join(folder, PICTURE_LIST_FILE);
  const list = readFileOrRefuse(file).subarray(0, pictures.bytes);
  if (sha256(list) !== pictures.hash) throw damagedFileError(file);
  return list
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(HASH_HEX_DIGITS + 1), line.slice(0, HASH_HEX_DIGITS)]);
}

function checkPictures(folder: string, manifest: Manifest, print: (line: string) => void): void {
  const pictures = new Map(listPictures(folder, manifest));
  for (const [name, hash] of pictures) {
    const picture = path.join(folder, 'files', name);
    if (sha256(readFileOrRefuse(picture)) !== hash) throw damagedFileError(picture);
  }
  const kept = path.join(folder, 'files');
  if (manifest.pictures === undefined || !existsSync(kept)) return;
  for (const name of readdirSync(kept, { recursive: true, encoding: 'utf8' }))
    if (!pictures.has(name) && !lstatSync(path.join(kept, name)).isDirectory())
      print(`${path.join(kept, name)} is not a picture of this backup: it is left out.`);
}

/** The small files of this backup that a data folder gets. */
export const listSideFiles = (folder: string, manifest: Manifest): string[] =>
  SIDE_FILES.filter((name) =>
    manifest.beside === undefined ? existsSync(path.join(folder, name)) : manifest.beside.files[name] !== undefined,
  );

/** The number of bytes that a restore writes: the copy, its log, and the pictures. */
export function bytesToRestore(folder: string, manifest: Manifest, base: BaseCopy): number {
  const from = path.join(folder, base.folder);
  const files = listFiles(from).map(nameIn);
  const first = startOfSegment(base.firstSegment);
  const segments = (startOfSegment(manifest.tail?.segment ?? base.firstSegment) - first) / BigInt(LOG_SEGMENT_BYTES);
  const pictures = (listPictures(folder, manifest) ?? []).map(([name]) => path.join('files', name));
  return totalBytesOf(from, files) + (Number(segments) + 2) * LOG_SEGMENT_BYTES + totalBytesOf(folder, pictures);
}
