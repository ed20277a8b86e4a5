/**
 * Signed notes (C2SP `signed-note`): a text, an empty line, and lines of signatures. A cosignature (`cosignature/v1` of
 * `tlog-cosignature`) is one of these lines that covers a time as well.
 */
import { type Bytes, signBytes, toHex, utf8Bytes, verifyEd25519 } from '@sathorn/proof';
import { fromBase64, toBase64 } from './base64.ts';
import { isKeyName, type SignerKey, type VerifierKey } from './note-key.ts';

export interface NoteSignature {
  readonly name: string;
  readonly id: string;
  /** What follows the four bytes of the id; its shape depends on the key. */
  readonly bytes: Bytes;
}

export interface SignedNote {
  /** With its last line feed, and without the empty line. These bytes are signed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export type NoteFault =
  | 'note_too_large'
  | 'note_not_text'
  | 'signatures_missing'
  | 'signature_line_malformed'
  | 'signature_missing'
  | 'signature_wrong';

/** A note of sixteen signatures of 5 kB each, the least that a reader must take, has room. */
export const NOTE_BYTES_MAX = 256 * 1024;
const SIGNATURES_MAX = 64;

/** Parses a note without verifying anything. Bytes must be UTF-8. */
export function readNote(note: string | Uint8Array): SignedNote | NoteFault {
  const bytes = typeof note === 'string' ? utf8Bytes(note) : note;
  if (bytes.length > NOTE_BYTES_MAX) return 'note_too_large';
  const whole = typeof note === 'string' ? note : textOf(note);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note may contain none but line feeds
  if (whole === undefined || !whole.isWellFormed() || /[\x00-\x09\x0b-\x1f]/.test(whole)) return 'note_not_text';
  const end = whole.lastIndexOf('\n\n');
  const lines = whole.slice(end + 2).split('\n');
  if (end < 0 || lines.length < 2 || lines.pop() !== '') return 'signatures_missing';
  if (lines.length > SIGNATURES_MAX) return 'note_too_large';
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = readSignatureLine(line);
    if (signature === undefined) return 'signature_line_malformed';
    signatures.push(signature);
  }
  return { text: whole.slice(0, end + 1), signatures };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readSignatureLine(line: string): NoteSignature | undefined {
  const [, name = '', base64 = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  const bytes = fromBase64(base64);
  if (!isKeyName(name) || bytes === undefined || bytes.length < 5) return undefined;
  return { name, id: toHex(bytes.slice(0, 4)), bytes: bytes.slice(4) };
}

export function writeSignatureLine({ name, id, bytes }: NoteSignature): string {
  const idBytes = [0, 2, 4, 6].map((at) => Number.parseInt(id.slice(at, at + 2), 16));
  return `— ${name} ${toBase64(new Uint8Array([...idBytes, ...bytes]))}\n`;
}

export function writeNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(writeSignatureLine).join('')}`;
}

/** Signs a note's text, which ends with a line feed, with a key of kind `note`. */
export function signNote(text: string, key: SignerKey): NoteSignature {
  if (key.kind !== 'note') throw new TypeError('this key cosigns checkpoints');
  return { name: key.name, id: key.id, bytes: signBytes(utf8Bytes(text), key.seed) };
}

/** Signs that a checkpoint was the largest one that this witness had seen at a time, in seconds since 1970. */
export function cosign(text: string, seconds: number, key: SignerKey): NoteSignature {
  if (key.kind !== 'cosignature') throw new TypeError('this key signs notes');
  const signature = signBytes(cosignedBytes(text, seconds), key.seed);
  const timed = new Uint8Array(TIME_BYTES + signature.length);
  new DataView(timed.buffer).setBigUint64(0, BigInt(seconds));
  timed.set(signature, TIME_BYTES);
  return { name: key.name, id: key.id, bytes: timed };
}
const TIME_BYTES = 8;

/** The first line keeps a cosignature from being read as a note's own signature. */
const cosignedBytes = (text: string, seconds: number): Bytes => utf8Bytes(`cosignature/v1\ntime ${seconds}\n${text}`);

/** A signature of a known key that is right; `seconds` is the time that a cosignature states. */
export interface VerifiedSignature {
  readonly key: VerifierKey;
  readonly seconds: number | null;
}

async function verifyOne(text: string, bytes: Bytes, key: VerifierKey): Promise<VerifiedSignature | undefined> {
  if (key.kind === 'note') {
    const isRight = bytes.length === 64 && (await verifyEd25519(key.publicKey, bytes, utf8Bytes(text)));
    return isRight ? { key, seconds: null } : undefined;
  }
  if (bytes.length !== TIME_BYTES + 64) return undefined;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  // A time of zero states nothing.
  if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const seconds = Number(time);
  const isRight = await verifyEd25519(key.publicKey, bytes.slice(TIME_BYTES), cosignedBytes(text, seconds));
  return isRight ? { key, seconds } : undefined;
}

/**
 * Returns the signatures of known keys. Lines of unknown keys are ignored, but one wrong line of a known key refuses
 * the whole note: somebody has altered it. Of several lines of one key the first counts.
 */
export async function verifyNote(
  note: SignedNote,
  keys: readonly VerifierKey[],
): Promise<readonly VerifiedSignature[] | NoteFault> {
  const verified = new Map<VerifierKey, VerifiedSignature>();
  for (const { name, id, bytes } of note.signatures) {
    for (const key of keys.filter((each) => each.name === name && each.id === id)) {
      const one = await verifyOne(note.text, bytes, key);
      if (one === undefined) return 'signature_wrong';
      if (!verified.has(key)) verified.set(key, one);
    }
  }
  return verified.size === 0 ? 'signature_missing' : [...verified.values()];
}
