import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export function flushFile(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes to a temporary file, flushes and renames it, so that neither a crash nor a power cut leaves half a file. */
export function writeFileAtomically(file: string, content: string | Uint8Array): void {
  const beside = `${file}.new`;
  const handle = openSync(beside, 'w', 0o600);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, file);
  if (process.platform !== 'win32') flushFile(path.dirname(file));
}
