import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The steps by which a file is replaced. A test cuts the power after each of them. */
export interface Disk {
  /** Null if there is no such file. */
  read(name: string): string | null;
  /** Writes a file of its own name, which only its owner may read. It may be lost until it is flushed. */
  write(name: string, text: string): void;
  flush(name: string): void;
  rename(from: string, to: string): void;
  /** Until then a renamed file may have its old name after a power cut. */
  flushFolder(): void;
}

export function openDisk(folder: string): Disk {
  const at = (name: string): string => path.join(folder, name);
  const flushPlace = (place: string, flags: 'r' | 'r+'): void => {
    const handle = openSync(place, flags);
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  };
  return {
    read(name) {
      try {
        return readFileSync(at(name), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    write: (name, text) => writeFileSync(at(name), text, { mode: 0o600 }),
    flush: (name) => flushPlace(at(name), 'r+'),
    rename: (from, to) => renameSync(at(from), at(to)),
    // Windows cannot flush a folder, and does not need to.
    flushFolder: () => (process.platform === 'win32' ? undefined : flushPlace(folder, 'r')),
  };
}

/** Replaces a file as a whole: after a crash or a power cut it is the old one or the new one. */
export function replaceFile(disk: Disk, name: string, text: string): void {
  const beside = `${name}.new`;
  disk.write(beside, text);
  disk.flush(beside);
  disk.rename(beside, name);
  disk.flushFolder();
}
