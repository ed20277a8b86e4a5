import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readSignerKey, type SignerKey, signerKey, writeSignerKey } from '@sathorn/transparency';
import { makeFolder } from '../../platform/make-folder.ts';
import { flushFile, writeFileAtomically } from '../../platform/write-file-atomically.ts';

/** The log's own memory. It is not restored with the database, so that a log that was set back knows it. */
export interface LogFolder {
  readonly key: SignerKey;
  /** The note that was signed last; null before the first. */
  readNote(): string | null;
  /** It is on the disk when this returns. */
  writeNote(note: string): void;
}

/**
 * Opens the folder of the log's key, and makes the key at the first start. The key's name is the log's: a log that
 * begins again has another one, so that nobody takes it for the earlier.
 */
export function openLogFolder(folder: string, host: string): LogFolder {
  makeFolder(folder, 0o700);
  const keyFile = path.join(folder, 'key');
  const noteFile = path.join(folder, 'note');
  if (!existsSync(keyFile)) {
    // Without its key this note belongs to a log that can't go on.
    if (existsSync(noteFile)) throw new Error(`${keyFile} is missing: put it back, or move ${folder} away`);
    const name = `${host}/log-${randomBytes(4).toString('hex')}`;
    const made = signerKey(name, 'note', new Uint8Array(randomBytes(32)));
    writeFileAtomically(keyFile, `${writeSignerKey(made)}\n`);
  }
  const key = readSignerKey(readFileSync(keyFile, 'utf8').trimEnd());
  if (key?.kind !== 'note') throw new Error(`${keyFile} is no key of a log`);
  return {
    key,
    readNote() {
      if (!existsSync(noteFile)) return null;
      // A crash may have renamed it without the disk knowing.
      flushFile(noteFile);
      return readFileSync(noteFile, 'utf8');
    },
    writeNote: (note) => writeFileAtomically(noteFile, note),
  };
}
