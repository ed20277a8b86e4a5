/** Checkpoints (C2SP `tlog-checkpoint`): the text of a note that says how large a log is, and what its root is. */
import { type Bytes, sha256, toHex } from '@sathorn/proof';
import { fromBase64, toBase64 } from './base64.ts';

export interface Checkpoint {
  /** Which log this is. */
  readonly origin: string;
  /** How many entries the log has. Above 2^53 − 1 it is refused. */
  readonly size: number;
  /** Root of the tree of RFC 6962 over all entries. */
  readonly root: Bytes;
  /** Further lines. Witnesses sign them and say nothing about them. */
  readonly extensions: readonly string[];
}

/** Reads a count as the formats of C2SP spell it; undefined for anything else. */
export function readCount(text: string): number | undefined {
  const count = /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : undefined;
  return count !== undefined && Number.isSafeInteger(count) ? count : undefined;
}

/** Undefined unless the text of a note is a checkpoint. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', sizeText = '', rootText = '', ...rest] = text.split('\n');
  // The text ends with a line feed, and no other line is empty.
  if (rest.pop() !== '' || rest.includes('') || origin === '') return undefined;
  const size = readCount(sizeText);
  const root = fromBase64(rootText);
  return size === undefined || root?.length !== 32 ? undefined : { origin, size, root, extensions: rest };
}

export function writeCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  return [origin, String(size), toBase64(root), ...extensions, ''].join('\n');
}

export function isSameRoot(a: Uint8Array, b: Uint8Array): boolean {
  return toHex(a) === toHex(b);
}

/** A log without entries has only one root: the hash of nothing. */
export function isEmptyRootRight({ size, root }: Checkpoint): boolean {
  return size > 0 || isSameRoot(root, sha256());
}
