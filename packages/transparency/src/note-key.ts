/** Keys of signed notes (C2SP `signed-note`): names, ids, and their spelling in one line. */
import { type Bytes, publicKeyOf, sha256, toHex, utf8Bytes } from '@sathorn/proof';
import { fromBase64, toBase64 } from './base64.ts';

/** What a key signs: the text of a note, or a checkpoint together with a time (`cosignature/v1`). */
export type NoteKeyKind = 'note' | 'cosignature';

/** The byte in front of a public key, which keeps the ids of the two kinds apart. */
const KIND_BYTES: Readonly<Record<NoteKeyKind, number>> = { note: 0x01, cosignature: 0x04 };

/** A public key with the name under which it signs. */
export interface VerifierKey {
  readonly name: string;
  readonly kind: NoteKeyKind;
  /** Eight hex digits. It identifies the key on a line of signature and proves nothing. */
  readonly id: string;
  readonly publicKey: Bytes;
}

export interface SignerKey extends VerifierKey {
  readonly seed: Bytes;
}

/** True for a name of a key: not empty, without white space of any script and without a plus. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}+\p{Cc}]/u.test(name) && name.isWellFormed();
}

/** The first four bytes of SHA-256 of name, line feed, kind and public key, in hex. */
function idOf(name: string, kind: NoteKeyKind, publicKey: Uint8Array): string {
  return toHex(sha256(utf8Bytes(`${name}\n`), new Uint8Array([KIND_BYTES[kind]]), publicKey)).slice(0, 8);
}

/** Throws on a name that no note can carry. */
export function verifierKey(name: string, kind: NoteKeyKind, publicKey: Bytes): VerifierKey {
  if (!isKeyName(name)) throw new TypeError('a name of a key has no blank and no plus');
  return { name, kind, id: idOf(name, kind, publicKey), publicKey };
}

/** From a seed of 32 random bytes. */
export function signerKey(name: string, kind: NoteKeyKind, seed: Bytes): SignerKey {
  return { ...verifierKey(name, kind, publicKeyOf(seed)), seed };
}

const withKind = (kind: NoteKeyKind, key: Uint8Array): Uint8Array => new Uint8Array([KIND_BYTES[kind], ...key]);

/** `name+id+base64(kind, public key)`, as Go's `sumdb/note` and others read it. */
export function writeVerifierKey({ name, kind, id, publicKey }: VerifierKey): string {
  return `${name}+${id}+${toBase64(withKind(kind, publicKey))}`;
}

/** The same shape for the secret half. Whoever reads this line can sign. */
export function writeSignerKey({ name, kind, id, seed }: SignerKey): string {
  return `${SECRET}${name}+${id}+${toBase64(withKind(kind, seed))}`;
}
const SECRET = 'PRIVATE+KEY+';

function readParts(text: string): { name: string; id: string; kind: NoteKeyKind; key: Bytes } | undefined {
  const [, name = '', id = '', base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = fromBase64(base64);
  const kind = (Object.keys(KIND_BYTES) as NoteKeyKind[]).find((each) => KIND_BYTES[each] === bytes?.[0]);
  if (bytes === undefined || bytes.length !== 33 || kind === undefined || !isKeyName(name)) return undefined;
  return { name, id, kind, key: bytes.slice(1) };
}

/** Undefined unless the id is that of name and key, and the key is Ed25519 of a kind that is known here. */
export function readVerifierKey(text: string): VerifierKey | undefined {
  const parts = readParts(text);
  if (parts === undefined) return undefined;
  const key = verifierKey(parts.name, parts.kind, parts.key);
  return key.id === parts.id ? key : undefined;
}

export function readSignerKey(text: string): SignerKey | undefined {
  const parts = text.startsWith(SECRET) ? readParts(text.slice(SECRET.length)) : undefined;
  if (parts === undefined) return undefined;
  const key = signerKey(parts.name, parts.kind, parts.key);
  return key.id === parts.id ? key : undefined;
}
