/** Checks a backup before a restore writes anything. Each refusal names the file and says what to do. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { CHANGED_BY_ROTATION, fingerprintsOf, type Secrets, secretsFolder } from '../secrets.ts';
import { listFiles, WALLET_KEY } from './backup.ts';
import { sizeOf } from './backup-folder.ts';
import {
  type BaseCopy,
  damaged,
  HASH_DIGITS,
  LIST,
  type Manifest,
  type Moment,
  PICTURES,
  readManifest,
  readMoments,
  SEGMENT_BYTES,
  segmentOf,
  sha256,
  startOfSegment,
} from './manifest.ts';

export interface Backup {
  readonly manifest: Manifest;
  readonly moments: readonly Moment[];
  /** The newest moment. */
  readonly known: Moment;
}

export function readBackup(folder: string): Backup {
  const manifest = readManifest(folder);
  if (manifest === null) throw new Error(`${folder} is not a backup: it has no manifest.json`);
  if (manifest.bases.length === 0) throw new Error(`${folder} is not a backup yet: its first copy was interrupted`);
  const moments = readMoments(folder);
  const known = moments.at(-1);
  if (known === undefined) throw damaged(path.join(folder, 'moments.jsonl'), 'is missing or empty');
  return { manifest, moments, known };
}

/** Without the key a start would make another wallet, and the money of this one could not be spent. */
export function assertWalletKey(dataDir: string): void {
  const file = path.join(dataDir, WALLET_KEY);
  if (!existsSync(file))
    throw new Error(
      `${file} is missing, the key of the house's wallet: it is kept with the secrets as signer-keys.json. Put it there first`,
    );
}

/** With the secrets of another platform the database would not open, or its pictures could not be read. */
export function assertSecrets(
  { secrets: wanted }: Manifest,
  secrets: Secrets,
  dataDir: string,
  print: (line: string) => void,
): void {
  if (wanted === undefined) return;
  const others = Object.entries(fingerprintsOf(secrets)).flatMap(([name, print]) =>
    wanted[name] === undefined || wanted[name] === print ? [] : [name],
  );
  const wrong = others.filter((name) => !(CHANGED_BY_ROTATION as readonly string[]).includes(name));
  if (wrong.length > 0)
    throw new Error(
      `the secrets in ${secretsFolder(dataDir)} are not those of this backup (${wrong.join(', ')}): bring those that were kept with it`,
    );
  for (const name of others)
    print(`${name} in ${secretsFolder(dataDir)} is not the one of this backup: it was changed before or after it.`);
}

/** The folder with the small files; in backups of older versions they are beside the manifest. */
export const besideOf = (folder: string, { beside }: Manifest): string =>
  beside === undefined ? folder : path.join(folder, beside.folder);

/** Checks everything. Returns the copy to begin with: the newest that is whole and was complete at that time. */
export function checkBackup(
  folder: string,
  manifest: Manifest,
  to: Date | undefined,
  print: (line: string) => void,
): BaseCopy {
  checkBeside(folder, manifest);
  checkPictures(folder, manifest);
  const bases = manifest.bases.filter(({ finishedAt }) => to === undefined || new Date(finishedAt) <= to).reverse();
  if (bases.length === 0)
    throw new Error(`the backup begins at ${manifest.bases[0]?.finishedAt ?? 'no time'}, after ${to?.toISOString()}`);
  let first: unknown;
  for (const base of bases) {
    try {
      checkBase(folder, base);
      for (const _ of readLog(folder, manifest, base));
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
  if (!existsSync(from)) throw damaged(from, 'is missing');
  const found = listFiles(from);
  if (sha256(found.join('\n')) === base.hash) return;
  const listed = path.join(folder, `${base.folder}${LIST}`);
  const list = existsSync(listed) ? readFileSync(listed, 'utf8') : '';
  if (sha256(list) !== base.hash) throw damaged(from, 'is damaged: its files differ from those that were copied');
  const [have, wanted] = [new Set(found), new Set(list.split('\n'))];
  const [line = ''] = [...[...wanted].filter((one) => !have.has(one)), ...[...have].filter((one) => !wanted.has(one))];
  const name = line.replace(/ \d+ [0-9a-f]{64}$/, '');
  throw damaged(path.join(from, name), existsSync(path.join(from, name)) ? 'is damaged' : 'is missing');
}

function readOrRefuse(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw damaged(file, (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is missing' : 'cannot be read');
  }
}

function readSegment(folder: string, segment: string): Buffer {
  const file = path.join(folder, 'wal', `${segment}.zst`);
  const packed = readOrRefuse(file);
  try {
    return zstdDecompressSync(packed, { maxOutputLength: SEGMENT_BYTES });
  } catch {
    throw damaged(file);
  }
}

/** The last segment, as far as the manifest says. A backup that was interrupted may have written more of it since. */
function readTail(folder: string, { segment, bytes, hash }: NonNullable<Manifest['tail']>): Buffer {
  const file = path.join(folder, 'wal', `${segment}.tail`);
  const whole =
    !existsSync(file) && existsSync(path.join(folder, 'wal', `${segment}.zst`))
      ? readSegment(folder, segment)
      : readOrRefuse(file);
  const part = whole.subarray(0, bytes);
  if (sha256(part) !== hash) throw damaged(file);
  return Buffer.concat([part, Buffer.alloc(SEGMENT_BYTES - part.length)]);
}

/** The log from the base on, each segment checked; the last one is padded with zeros. */
export function* readLog(
  folder: string,
  manifest: Manifest,
  base: BaseCopy,
): Generator<{ readonly segment: string; readonly bytes: Buffer }> {
  const { tail, timeline } = manifest;
  if (tail === null) throw new Error(`${folder} has no log after its copy: its first backup was interrupted`);
  for (let at = startOfSegment(base.firstSegment); at < startOfSegment(tail.segment); at += BigInt(SEGMENT_BYTES)) {
    const segment = segmentOf(timeline, at);
    const bytes = readSegment(folder, segment);
    if (sha256(bytes) !== manifest.wal[segment]) throw damaged(path.join(folder, 'wal', `${segment}.zst`));
    yield { segment, bytes };
  }
  yield { segment: tail.segment, bytes: readTail(folder, tail) };
}

function checkBeside(folder: string, manifest: Manifest): void {
  for (const [name, hash] of Object.entries(manifest.beside?.files ?? {})) {
    const file = path.join(besideOf(folder, manifest), name);
    if (sha256(readOrRefuse(file)) !== hash) throw damaged(file);
  }
}

function checkPictures(folder: string, { pictures }: Manifest): void {
  if (pictures === undefined) return;
  const file = path.join(folder, PICTURES);
  const list = readOrRefuse(file).subarray(0, pictures.bytes);
  if (sha256(list) !== pictures.hash) throw damaged(file);
  for (const line of list.toString('utf8').split('\n').filter(Boolean)) {
    const picture = path.join(folder, 'files', line.slice(HASH_DIGITS + 1));
    if (sha256(readOrRefuse(picture)) !== line.slice(0, HASH_DIGITS)) throw damaged(picture);
  }
}

/** How much a restore writes: the copy, its log, and the pictures. */
export function spaceFor(folder: string, { tail }: Manifest, base: BaseCopy): number {
  const from = path.join(folder, base.folder);
  const files = listFiles(from).map((line) => line.replace(/ \d+ [0-9a-f]{64}$/, ''));
  const segments =
    (startOfSegment(tail?.segment ?? base.firstSegment) - startOfSegment(base.firstSegment)) / BigInt(SEGMENT_BYTES);
  const pictures = existsSync(path.join(folder, PICTURES))
    ? readFileSync(path.join(folder, PICTURES), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => path.join('files', line.slice(HASH_DIGITS + 1)))
    : [];
  return sizeOf(from, files) + (Number(segments) + 2) * SEGMENT_BYTES + sizeOf(folder, pictures);
}
