/**
 * A part of the operators' log as a file. A signed text states the query and fixes the entries by their digest. Each
 * entry contains the hash of its predecessor, so a reader can verify that it belongs to the log.
 */
import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import { fromHex, sha256, toHex, utf8Bytes } from './hash.ts';
import type { ProofKey } from './proof-keys.ts';
import { type SignatureFault, type SignedText, verifySignedText } from './signature.ts';

export interface AuditEntry {
  readonly n: string;
  /** The hashed entry as canonical JSON. */
  readonly text: string;
  /** SHA-256(previous hash ‖ text), hex. */
  readonly hash: string;
}

export interface AuditFile {
  readonly signed: SignedText;
  readonly entries: readonly AuditEntry[];
}

/** The content of the signed text of a file. */
interface AuditHead {
  readonly brand: string;
  readonly made_at: string;
  readonly made_by: string;
  readonly filter: { readonly who: string | null; readonly what: string | null; readonly on: string | null };
  readonly since: string;
  readonly until: string;
  /** The log's newest entry when the file was made. */
  readonly head: { readonly n: string; readonly hash: string };
  readonly count: string;
  /** SHA-256 over the concatenated hashes of the entries, hex. */
  readonly entries: string;
}

const digestOf = (entries: readonly AuditEntry[]): string =>
  toHex(sha256(utf8Bytes(entries.map(({ hash }) => hash).join(''))));

/** Returns the body to be signed. */
export function writeAuditHead(head: Omit<AuditHead, 'count' | 'entries'>, entries: readonly AuditEntry[]): string {
  const { brand, made_at, made_by, filter, since, until, head: newest } = head;
  const body: Canonical = {
    v: 'audit/1',
    brand,
    made_at,
    made_by,
    filter: { ...filter },
    since,
    until,
    head: { ...newest },
    count: String(entries.length),
    entries: digestOf(entries),
  };
  return canonicalText(body);
}

export function isAuditFile(value: unknown): value is AuditFile {
  if (typeof value !== 'object' || value === null || !('signed' in value) || !('entries' in value)) return false;
  const { signed, entries } = value as { signed: unknown; entries: unknown };
  const isText = (of: unknown, names: readonly string[]): boolean =>
    typeof of === 'object' && of !== null && names.every((name) => typeof Reflect.get(of, name) === 'string');
  return (
    isText(signed, ['body', 'hash', 'signature', 'key']) &&
    Array.isArray(entries) &&
    entries.every((entry) => isText(entry, ['n', 'text', 'hash']))
  );
}

type AuditFileFault = SignatureFault | 'key_unknown' | 'entries_differ' | 'entry_broken';

/** Checks a file against keys that the reader trusts. `at` is the index of the faulty entry. */
export async function verifyAuditFile(
  { signed, entries }: AuditFile,
  keys: readonly Pick<ProofKey, 'use' | 'id' | 'public_key'>[],
): Promise<
  | { readonly ok: true; readonly head: AuditHead }
  | { readonly ok: false; readonly fault: AuditFileFault; readonly at?: string }
> {
  const key = keys.find(({ use, id }) => use === 'receipt' && id === signed.key);
  if (key === undefined) return { ok: false, fault: 'key_unknown' };
  const fault = await verifySignedText(signed, key.public_key);
  if (fault !== null) return { ok: false, fault };
  const head = parseCanonical(signed.body) as unknown as AuditHead & { v: string };
  if (head.v !== 'audit/1') return { ok: false, fault: 'body_malformed' };
  if (head.count !== String(entries.length) || head.entries !== digestOf(entries))
    return { ok: false, fault: 'entries_differ' };
  let before: AuditEntry | null = null;
  for (const entry of entries) {
    if (!isLinked(entry, before)) return { ok: false, fault: 'entry_broken', at: entry.n };
    before = entry;
  }
  return { ok: true, head };
}

/**
 * True if the entry's hash matches its text and the predecessor that the text names, and if entries that are neighbours
 * in the log are also linked in the file.
 */
function isLinked(entry: AuditEntry, before: AuditEntry | null): boolean {
  const said = parseCanonical(entry.text) as { readonly n?: unknown; readonly prev?: unknown } | undefined;
  if (typeof said !== 'object' || said === null || said.n !== entry.n || typeof said.prev !== 'string') return false;
  const previous = fromHex(said.prev, 32);
  if (previous === undefined) return false;
  const text = utf8Bytes(entry.text);
  const whole = new Uint8Array(previous.length + text.length);
  whole.set(previous);
  whole.set(text, previous.length);
  if (toHex(sha256(whole)) !== entry.hash) return false;
  if (before === null) return true;
  const step = BigInt(entry.n) - BigInt(before.n);
  return step > 1n || (step === 1n && said.prev === before.hash);
}
