/** Entries of the public log (`logged/1`): canonical texts, one leaf each. */
import { type Canonical, canonicalText, parseCanonical, sha256, toHex, utf8Bytes } from '@sathorn/proof';

/** A record of the platform that is in the log once. */
export interface LoggedRecord {
  readonly kind: string;
  readonly subject: string;
  /** When it happened, in ms since 1970, as the platform says. */
  readonly atMs: number;
  readonly said: Canonical;
  /** Commits to members that concern one person (`commitmentOf`); null if there are none. */
  readonly hidden: string | null;
}

/** The number and the hash of a chain's newest record. */
export type LoggedHead = readonly [sequence: string, hash: string];

/** The newest record of each chain that has a new one. */
export interface LoggedHeads {
  readonly ticks?: Readonly<Record<string, LoggedHead>>;
  readonly promises?: LoggedHead;
  readonly operators?: LoggedHead;
  readonly liabilities?: LoggedHead;
  /** With each head of the liabilities: what the house holds on each blockchain, in units, and at which block. */
  readonly custody?: Readonly<
    Record<string, Record<'height' | 'block' | 'safe' | 'in_safe' | 'in_hot_wallet' | 'in_addresses', string>>
  >;
  /** The root of the tree (RFC 6962) over the hashes of customers' heads, and how many there are. */
  readonly accounts?: readonly [count: string, root: string];
}

export type LoggedEntry = { readonly tMs: number } & (
  | { readonly record: LoggedRecord; readonly heads?: undefined }
  | { readonly heads: LoggedHeads; readonly record?: undefined }
);

const TYPE = 'logged/1';

/** `t` is when it was logged, in ms since 1970. */
export function writeLoggedEntry(entry: LoggedEntry): string {
  const t = String(entry.tMs);
  if (entry.record === undefined)
    return canonicalText({ v: TYPE, t, kind: 'heads', heads: entry.heads as unknown as Canonical });
  const { kind, subject, atMs, said, hidden } = entry.record;
  return canonicalText({ v: TYPE, t, kind, subject, at: String(atMs), said, hidden });
}

const TIME = /^(0|[1-9][0-9]{0,14})$/;

/** Undefined for any other text. */
export function readLoggedEntry(text: string): LoggedEntry | undefined {
  const value = parseCanonical(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { v, t, kind, ...rest } = value as Record<string, Canonical | undefined>;
  if (v !== TYPE || typeof t !== 'string' || !TIME.test(t) || typeof kind !== 'string') return undefined;
  const members = Object.keys(rest).sort().join(' ');
  const tMs = Number(t);
  if (kind === 'heads') {
    const { heads } = rest;
    if (members !== 'heads' || typeof heads !== 'object' || heads === null || Array.isArray(heads)) return undefined;
    return { tMs, heads: heads as unknown as LoggedHeads };
  }
  const { subject, at, said, hidden } = rest;
  if (members !== 'at hidden said subject' || typeof subject !== 'string' || said === undefined) return undefined;
  if (typeof at !== 'string' || !TIME.test(at)) return undefined;
  if (hidden !== null && (typeof hidden !== 'string' || !/^[0-9a-f]{64}$/.test(hidden))) return undefined;
  return { tMs, record: { kind, subject, atMs: Number(at), said, hidden } };
}

/** SHA-256 of 16 random bytes and the canonical text, in hex. Without the salt nobody can guess the members from it. */
export function commitmentOf(hidden: Canonical, salt: Uint8Array): string {
  return toHex(sha256(salt, utf8Bytes(canonicalText(hidden))));
}
