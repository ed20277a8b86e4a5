/**
 * The file `kept/1`: what a customer's device has kept of what the platform handed out, for anybody to verify without
 * the device. It has no session and no password.
 */
import { type CoinCode, isCoinCode } from '@sathorn/money';
import { type AnySignedText, type Contradiction, isContradiction, isPublishedKey } from './contradiction.ts';
import type { PurchaseTimes } from './judge-terms.ts';
import type { OptionReceipt } from './option-receipt.ts';
import type { PublishedKey } from './proof-keys.ts';
import { isOptionReceipt } from './receipt-shape.ts';
import { hasTexts, isList, isRecord, isSignedText, isTreeSignedText } from './shapes.ts';
import type { SignedText } from './signature.ts';
import type { TreeSignedText } from './terms-tree.ts';

/** Numbers are decimal strings; times are ms since 1970 by the device's clock. */
export interface KeptFile {
  readonly v: 'kept/1';
  /** The address at which the device used the platform. */
  readonly platform: string;
  readonly made: string;
  /** The keys that the device pinned, each with the record that announced it. */
  readonly keys: readonly PublishedKey[];
  readonly purchases: readonly KeptPurchaseInFile[];
  /** What was streamed, once per coin. */
  readonly ticks: readonly KeptTicks[];
  /** Each box as the device first saw it. `text` is null if it kept only the hash. */
  readonly boxes: readonly { readonly id: string; readonly hash: string; readonly text: SignedText | null }[];
  readonly draws: readonly KeptDrawInFile[];
  /** Receipts that the device has verified. */
  readonly receipts: readonly OptionReceipt[];
  /** What the device has reported. They are its words, and nothing follows from them alone. */
  readonly findings: readonly KeptFileFinding[];
  readonly contradictions: readonly Contradiction[];
  /** What the platform acknowledged to the customer, and signed heads of the customer's own accounts. */
  readonly promises?: readonly TreeSignedText[];
  readonly statements?: readonly AnySignedText[];
}

export interface KeptPurchaseInFile {
  readonly terms: TreeSignedText;
  /** SHA-256 of the rules text that the device had read, hex. */
  readonly rules: string | null;
  readonly kept: string;
  /** `answer`: from the answer to the purchase. `open`: read later, while the order was open. */
  readonly from: 'answer' | 'open';
  /** When the purchase was sent and answered. */
  readonly times: {
    readonly sent: string;
    readonly answered: string;
    /** The server's clock minus the device's, ms, possibly negative; null if unknown. */
    readonly offset: string | null;
    /** Time of the newest tick on the screen before the purchase was sent, by the server's clock. */
    readonly newest_tick: string | null;
  } | null;
}

export interface KeptTicks {
  readonly coin: CoinCode;
  /** When the memory of this coin began; null if unknown. */
  readonly since: string | null;
  /** Numbers and hashes, in ascending order of the numbers. */
  readonly seen: readonly (readonly [sequence: string, hash: string])[];
  /** Signed ticks that were kept as they came. */
  readonly texts: readonly SignedText[];
}

export interface KeptDrawInFile {
  /** The draw's id. */
  readonly order: string;
  /** The body of the reservation. */
  readonly reservation: string;
  /** The seed that the device made, hex. */
  readonly client_seed: string;
  /** The signed reservation; null if the device kept only its body. */
  readonly text: SignedText | null;
}

export interface KeptFileFinding {
  readonly kind: string;
  readonly about: string;
  readonly at: string;
  readonly says: readonly string[];
}

const TIME = /^(0|[1-9][0-9]{0,14})$/;
const SIGNED_TIME = /^(0|-?[1-9][0-9]{0,14})$/;
const SEQUENCE = /^[1-9][0-9]{0,17}$/;
const HASH = /^[0-9a-f]{64}$/;

const matches = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);
const matchesOrNull = (value: unknown, pattern: RegExp): boolean => value === null || matches(value, pattern);

const REQUIRED = [
  'v',
  'platform',
  'made',
  'keys',
  'purchases',
  'ticks',
  'boxes',
  'draws',
  'receipts',
  'findings',
  'contradictions',
];

/** True if a value has the shape of `kept/1`, without unknown members. `judgeKeptFile` checks the content. */
export function isKeptFile(value: unknown): value is KeptFile {
  if (!isRecord(value)) return false;
  const { promises, statements, ...rest } = value;
  return (
    hasTexts(rest, REQUIRED.slice(0, 3), REQUIRED.slice(3)) &&
    rest.v === 'kept/1' &&
    matches(rest.made, TIME) &&
    isList(rest.keys, isPublishedKey) &&
    isList(rest.purchases, isPurchase) &&
    isList(rest.ticks, isTicks) &&
    new Set(rest.ticks.map(({ coin }) => coin)).size === rest.ticks.length &&
    isList(rest.boxes, isBox) &&
    isList(rest.draws, isDraw) &&
    isList(rest.receipts, isOptionReceipt) &&
    isList(rest.findings, isFinding) &&
    isList(rest.contradictions, isContradiction) &&
    (!('promises' in value) || isList(promises, isTreeSignedText)) &&
    (!('statements' in value) || isList(statements, isAnySignedText))
  );
}

const isAnySignedText = (value: unknown): value is AnySignedText => isSignedText(value) || isTreeSignedText(value);
const isSignedTextOrNull = (value: unknown): value is SignedText | null => value === null || isSignedText(value);

function isPurchase(value: unknown): value is KeptPurchaseInFile {
  return (
    hasTexts(value, ['kept', 'from'], ['terms', 'rules', 'times']) &&
    isTreeSignedText(value.terms) &&
    matchesOrNull(value.rules, HASH) &&
    matches(value.kept, TIME) &&
    (value.from === 'answer' || value.from === 'open') &&
    (value.times === null || isTimes(value.times))
  );
}

function isTimes(value: unknown): boolean {
  return (
    hasTexts(value, ['sent', 'answered'], ['offset', 'newest_tick']) &&
    matches(value.sent, TIME) &&
    matches(value.answered, TIME) &&
    matchesOrNull(value.offset, SIGNED_TIME) &&
    matchesOrNull(value.newest_tick, TIME)
  );
}

function isTicks(value: unknown): value is KeptTicks {
  return (
    hasTexts(value, ['coin'], ['since', 'seen', 'texts']) &&
    isCoinCode(String(value.coin)) &&
    matchesOrNull(value.since, TIME) &&
    isList(value.seen, isSeen) &&
    value.seen.every(([sequence], n, all) => n === 0 || BigInt(sequence) > BigInt(all[n - 1]?.[0] ?? 0)) &&
    isList(value.texts, isSignedText)
  );
}

function isSeen(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && matches(value[0], SEQUENCE) && matches(value[1], HASH);
}

function isBox(value: unknown): value is KeptFile['boxes'][number] {
  return (
    hasTexts(value, ['id', 'hash'], ['text']) &&
    matches(value.hash, HASH) &&
    isSignedTextOrNull(value.text) &&
    (value.text === null || value.text.hash === value.hash)
  );
}

function isDraw(value: unknown): value is KeptDrawInFile {
  return (
    hasTexts(value, ['order', 'reservation', 'client_seed'], ['text']) &&
    matches(value.client_seed, HASH) &&
    isSignedTextOrNull(value.text) &&
    (value.text === null || value.text.body === value.reservation)
  );
}

function isFinding(value: unknown): value is KeptFileFinding {
  const isText = (said: unknown): said is string => typeof said === 'string';
  return hasTexts(value, ['kind', 'about', 'at'], ['says']) && matches(value.at, TIME) && isList(value.says, isText);
}

/** A purchase's times as numbers, for `purchaseMomentOf`. */
export function purchaseTimesOf({ sent, answered, offset, newest_tick }: NonNullable<KeptPurchaseInFile['times']>) {
  return {
    sentMs: Number(sent),
    answeredMs: Number(answered),
    offsetMs: offset === null ? null : Number(offset),
    newestTickMs: newest_tick === null ? null : Number(newest_tick),
  } satisfies PurchaseTimes;
}
