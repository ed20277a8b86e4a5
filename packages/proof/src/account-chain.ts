/**
 * A customer's account as a chain of entries. Each entry's hash covers the entry before it, so the hash of the newest
 * one (the head) commits to every amount, time, purpose and total of the account. An entry that is left out, altered
 * or shifted gives another head.
 */
import { sha256, toHex, utf8Bytes } from './hash.ts';

/** One account of a customer, by its name in the chart and its asset. */
export interface ChainAccount {
  readonly name: string;
  readonly asset: string;
}

/** One transfer as one of its two accounts has it. All numbers are decimal strings. */
export interface AccountEntry {
  /** Counts the account's entries from 1. */
  readonly n: string;
  /** The transfer's number in the ledger. */
  readonly seq: string;
  readonly journal: string;
  readonly kind: 'single' | 'hold' | 'post' | 'void';
  /** The `seq` of the hold that a post or a void ends; null for the others. */
  readonly resolves: string | null;
  /** The transfer's units, below 0 where this account pays. Holds and voids move no money: see `held`. */
  readonly amount: string;
  /** The part of `total` that is held, after this entry. */
  readonly held: string;
  readonly total: string;
  readonly purpose: string;
  /** In ms since 1970. */
  readonly at: string;
}

/** A place in an account's chain: the state after entry `n`. */
export interface ChainPoint {
  readonly n: bigint;
  /** Hash of entry `n`; 64 zeros before the first. */
  readonly hash: string;
  /** Null where it is not known: then the first entry after this point is not compared with it. */
  readonly balance: { readonly total: bigint; readonly held: bigint } | null;
  /** The entry's `seq` and `at`; null where they are not known. */
  readonly last: { readonly sequence: bigint; readonly atMs: number } | null;
}

export const NO_ENTRY_HASH = '0'.repeat(64);
export const CHAIN_START: ChainPoint = {
  n: 0n,
  hash: NO_ENTRY_HASH,
  balance: { total: 0n, held: 0n },
  last: null,
};

export const ENTRY_TYPE = 'entry/1';

/** Clocks of two database machines may differ by this much, so an entry may seem so much older than the one before. */
const CLOCK_TOLERANCE_MS = 10_000;

const COUNT = /^[1-9][0-9]{0,17}$/;
const UNITS = /^(0|[1-9][0-9]{0,37})$/;
const SIGNED_UNITS = /^-?[1-9][0-9]{0,37}$/;
const TIME = /^(0|[1-9][0-9]{0,14})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NAME = /^[a-z][a-z_]{0,39}$/;
const ASSET = /^[A-Z][A-Z0-9]{0,14}$/;
const HASH = /^[0-9a-f]{64}$/;
const MEMBERS = ['n', 'seq', 'journal', 'kind', 'resolves', 'amount', 'held', 'total', 'purpose', 'at'];

export const isChainAccount = ({ name, asset }: ChainAccount): boolean => NAME.test(name) && ASSET.test(asset);

/** True for an object with exactly the members of an entry, each well-formed. */
export function isAccountEntry(value: unknown): value is AccountEntry {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== MEMBERS.length) return false;
  const { n, seq, journal, kind, resolves, amount, held, total, purpose, at } = value as Record<string, unknown>;
  const fits = (pattern: RegExp, text: unknown): boolean => typeof text === 'string' && pattern.test(text);
  const isResolution = kind === 'post' || kind === 'void';
  return (
    fits(COUNT, n) &&
    fits(COUNT, seq) &&
    fits(UUID, journal) &&
    (isResolution ? fits(COUNT, resolves) : (kind === 'single' || kind === 'hold') && resolves === null) &&
    fits(SIGNED_UNITS, amount) &&
    fits(UNITS, held) &&
    fits(UNITS, total) &&
    fits(NAME, purpose) &&
    fits(TIME, at)
  );
}

/**
 * The canonical text of a well-formed entry. Written out, because a device writes thousands: no member has a character
 * that JSON escapes.
 */
export function writeEntry({ name, asset }: ChainAccount, entry: AccountEntry, previous: string): string {
  const { n, seq, journal, kind, resolves, amount, held, total, purpose, at } = entry;
  const ends = resolves === null ? 'null' : `"${resolves}"`;
  return `{"account":"${name}","amount":"${amount}","asset":"${asset}","at":"${at}","held":"${held}","journal":"${journal}","kind":"${kind}","n":"${n}","prev":"${previous}","purpose":"${purpose}","resolves":${ends},"seq":"${seq}","total":"${total}","v":"${ENTRY_TYPE}"}`;
}

/** The hash of a well-formed entry, hex. */
export const hashOfEntry = (account: ChainAccount, entry: AccountEntry, previous: string): string =>
  toHex(sha256(utf8Bytes(`${ENTRY_TYPE}\n${writeEntry(account, entry, previous)}`)));

export type EntryFault =
  | 'entry_malformed'
  /** The number does not follow the one before. */
  | 'entry_missing'
  | 'sequence_back'
  | 'time_back'
  | 'total_wrong'
  | 'held_wrong';

/** Where a run of entries leads, or its first fault. */
export type WalkedEntries =
  | { readonly ok: true; readonly to: ChainPoint }
  | { readonly ok: false; readonly fault: EntryFault; readonly n: bigint };

/**
 * Walks over the entries that follow a point, oldest first. Numbers, ledger sequences and times go on, and each balance
 * follows from the one before. Whether the entries are the account's shows only in the hash at the end: compare it with
 * a head.
 */
export function walkEntries(account: ChainAccount, from: ChainPoint, entries: readonly unknown[]): WalkedEntries {
  let point = from;
  for (const entry of entries) {
    const n = point.n + 1n;
    if (!isChainAccount(account) || !isAccountEntry(entry)) return { ok: false, fault: 'entry_malformed', n };
    const fault = faultOfStep(point, entry);
    if (fault !== null) return { ok: false, fault, n };
    point = {
      n,
      hash: hashOfEntry(account, entry, point.hash),
      balance: { total: BigInt(entry.total), held: BigInt(entry.held) },
      last: { sequence: BigInt(entry.seq), atMs: Number(entry.at) },
    };
  }
  return { ok: true, to: point };
}

function faultOfStep({ n, balance, last }: ChainPoint, entry: AccountEntry): EntryFault | null {
  if (BigInt(entry.n) !== n + 1n) return 'entry_missing';
  if (last !== null && BigInt(entry.seq) <= last.sequence) return 'sequence_back';
  if (last !== null && Number(entry.at) < last.atMs - CLOCK_TOLERANCE_MS) return 'time_back';
  if (balance !== null && BigInt(entry.total) !== balance.total + postedOf(entry)) return 'total_wrong';
  const held = BigInt(entry.held);
  // A customer's account owes nothing: what is held is part of the total.
  if (held > BigInt(entry.total)) return 'held_wrong';
  return balance !== null && !isHeldRight(entry, held - balance.held) ? 'held_wrong' : null;
}

/** The change of the account's total: nothing where money is only held, or given back. */
export const postedOf = ({ kind, amount }: Pick<AccountEntry, 'kind' | 'amount'>): bigint =>
  kind === 'single' || kind === 'post' ? BigInt(amount) : 0n;

/** Only the account that pays has something held. A post may end a larger hold, whose rest is available again. */
function isHeldRight({ kind, amount }: AccountEntry, change: bigint): boolean {
  const units = BigInt(amount);
  if (kind === 'single' || units > 0n) return change === 0n;
  if (kind === 'hold') return change === -units;
  return kind === 'void' ? change === units : change <= units;
}

/** True for a well-formed hash of an entry, or for the zeros before the first. */
export const isEntryHash = (text: unknown): text is string => typeof text === 'string' && HASH.test(text);
