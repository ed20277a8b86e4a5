import { lstatSync, readFileSync } from 'node:fs';

/** The error for a file of a backup that cannot be used; says what to do. */
export const damagedFileError = (file: string, what = 'is damaged'): Error =>
  new Error(`${file} ${what}: put it back from another copy of this backup, or restore another backup`);

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'is missing',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be opened by this user',
  ENOTDIR: 'is not a folder',
  EISDIR: 'is a folder and not a file',
  ENOSPC: 'cannot be written: its disk is full',
  EDQUOT: 'cannot be written: its disk is full',
  EROFS: 'cannot be written: its disk may only be read',
  EIO: 'cannot be read: its disk is damaged',
};

/** The system's error in our words, with the file. Other errors stay as they are. */
export function describeFileError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { code = '', path: file, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const words = WORDS[code];
  if (words === undefined || file === undefined) return error;
  return new Error(`${(words.startsWith('cannot be written') && dest) || file} ${words}`, { cause: error });
}

/** The error if the system could not read a file of a backup. */
export function damagedFileErrorOf(error: unknown): Error {
  const { code = '', path: file } = error as NodeJS.ErrnoException;
  return file === undefined ? (error as Error) : damagedFileError(file, WORDS[code] ?? 'cannot be read');
}

/**
 * Names the kind of object in the place of a file; null for a file. Links are not followed, as they may leave the
 * backup.
 */
export function whyNotAFile(file: string): string | null {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return 'is missing';
    return found.isSymbolicLink() ? 'is a link and not a file' : found.isFile() ? null : 'is a folder and not a file';
  } catch (error) {
    return WORDS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'cannot be read';
  }
}

/** Reads a whole file of a backup; refuses if it cannot. */
export function readFileOrRefuse(file: string): Buffer {
  const not = whyNotAFile(file);
  if (not !== null) throw damagedFileError(file, not);
  try {
    return readFileSync(file);
  } catch (error) {
    throw damagedFileError(file, WORDS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'cannot be read');
  }
}
