/**
 * Two signed texts about the same thing that differ. Whoever holds the key has signed both, so one of them is forged,
 * and anybody can verify that without trusting the person who shows it.
 */
import { listDifferentFacts, readAcknowledgement, thingOf } from './acknowledgement.ts';
import { readBoxTerms, readReservation } from './box-draw.ts';
import { canonicalText, parseCanonical } from './canonical.ts';
import { listDifferencesFromKept } from './judge-terms.ts';
import { readLiabilities } from './liabilities.ts';
import { readOptionTerms } from './option-terms.ts';
import {
  isKeyInTime,
  type KeyUse,
  type ProofKey,
  type PublishedKey,
  readKeyRecord,
  type TrustedKeys,
  trustKeys,
} from './proof-keys.ts';
import { hasOnly, hasTexts, isList, isRecord, isSignedText, isTreeSignedText } from './shapes.ts';
import { keyIdOf, type SignedText, verifySignedText } from './signature.ts';
import { findContradiction, readStatementHead } from './statement-head.ts';
import { type TreeSignedText, verifyTreeSignedText } from './terms-tree.ts';
import { readTick, symbolOf } from './tick.ts';

/**
 * What two texts can contradict each other about: an order's terms, a tick, a blind box, a draw's reservation, the
 * heads of one customer's accounts, a thing that was acknowledged to a customer, what is owed to all customers.
 */
const CONTRADICTION_KINDS = ['terms', 'tick', 'box', 'draw', 'statement', 'ack', 'liabilities'] as const;
export type ContradictionKind = (typeof CONTRADICTION_KINDS)[number];

export type AnySignedText = SignedText | TreeSignedText;

/** The file `contradiction/1`, which proves itself. */
export interface Contradiction {
  readonly v: 'contradiction/1';
  readonly kind: ContradictionKind;
  /**
   * The order, the coin's symbol with the tick's number, the box, the draw, the customer's seal, `thingOf`, or the
   * number of the liabilities.
   */
  readonly about: string;
  /** Texts in a tree if the kind is `terms` or `ack`, otherwise signed texts. */
  readonly first: AnySignedText;
  readonly second: AnySignedText;
  /** The one key that signed both, without a record; or all keys from the first one on, each announced by a record. */
  readonly keys: readonly PublishedKey[];
  /**
   * The fields in which terms differ (`TermsMember`); for heads what happened, the account's name and asset, and the
   * number of the entry; for acknowledgements the facts; for other kinds the members of the texts. Sorted.
   */
  readonly differs: readonly string[];
}

interface Subject {
  readonly kind: ContradictionKind;
  readonly about: string;
  /** The moment that dates the signature, in ms since 1970. */
  readonly atMs: number;
}

const useOf = (kind: ContradictionKind): KeyUse => (kind === 'tick' ? 'index' : 'receipt');

/** What a signed text is about; undefined for a text that can't contradict another one. */
function subjectOf(text: AnySignedText): Subject | undefined {
  const { body } = text;
  if ('tree' in text) {
    const terms = readOptionTerms(body);
    if (terms) return { kind: 'terms', about: terms.order, atMs: terms.acceptedMs };
    const acknowledgement = readAcknowledgement(body);
    return acknowledgement && { kind: 'ack', about: thingOf(acknowledgement), atMs: acknowledgement.atMs };
  }
  const tick = readTick(body);
  if (tick) return { kind: 'tick', about: `${symbolOf(tick.coin)} ${tick.sequence}`, atMs: tick.at };
  const box = readBoxTerms(body);
  if (box) return { kind: 'box', about: box.id, atMs: box.opensMs };
  const draw = readReservation(body);
  if (draw) return { kind: 'draw', about: draw.order, atMs: draw.reservedMs };
  const head = readStatementHead(body);
  if (head) return { kind: 'statement', about: head.account, atMs: head.atMs };
  const owed = readLiabilities(body);
  return owed && { kind: 'liabilities', about: String(owed.sequence), atMs: owed.atMs };
}

const keyIdIn = (text: AnySignedText): string => ('tree' in text ? text.tree.key : text.key);

async function isSignedBy(text: AnySignedText, { kind, atMs }: Subject, keys: readonly ProofKey[]): Promise<boolean> {
  const key = keys.find(
    ({ use, id, public_key }) => use === useOf(kind) && id === keyIdIn(text) && keyIdOf(public_key) === id,
  );
  if (key === undefined || !isKeyInTime(key, atMs)) return false;
  const verifying =
    'tree' in text ? verifyTreeSignedText(text, key.public_key) : verifySignedText(text, key.public_key);
  return (await verifying) === null;
}

/** The names of what differs between two texts of one kind; none if both can be true. */
function listDifferences(kind: ContradictionKind, first: string, second: string): readonly string[] {
  if (kind === 'terms') return listDifferencesFromKept(first, second);
  if (kind === 'statement') {
    const [one, other] = [readStatementHead(first), readStatementHead(second)];
    const found = one && other ? findContradiction(one, other) : null;
    return found === null ? [] : [found.kind, found.name, found.asset, String(found.n)];
  }
  if (kind === 'ack') {
    const [one, other] = [readAcknowledgement(first), readAcknowledgement(second)];
    return one && other ? listDifferentFacts(one.facts, other.facts) : [];
  }
  const [one, other] = [parseCanonical(first), parseCanonical(second)];
  if (!isRecord(one) || !isRecord(other)) return [];
  const textOf = (members: typeof one, name: string): string | undefined =>
    Object.hasOwn(members, name) ? canonicalText(members[name] as string) : undefined;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return names.filter((name) => textOf(one, name) !== textOf(other, name));
}

/** A reader's keys: as judged, and as published with their records. */
export interface ReadersKeys extends Pick<TrustedKeys, 'trusted'> {
  readonly published: readonly PublishedKey[];
}

/** The keys that a contradiction must carry; undefined if nothing links the two. */
function keysFor(
  ids: readonly string[],
  use: KeyUse,
  { trusted, published }: ReadersKeys,
): readonly PublishedKey[] | undefined {
  const mine = trusted.filter((key) => key.use === use);
  const plain = ({ id, public_key }: ProofKey): PublishedKey => ({ use, id, public_key, record: null });
  if (new Set(ids).size === 1) return mine.filter(({ id }) => id === ids[0]).map(plain);
  const linked = mine.map((key): PublishedKey => {
    const record = published.find(({ public_key }) => public_key === key.public_key)?.record ?? null;
    const previous = record && readKeyRecord(record.body)?.previous;
    return mine.some(({ id }) => id === previous) ? { ...plain(key), record } : plain(key);
  });
  return linked.filter(({ record }) => record === null).length === 1 ? linked : undefined;
}

/**
 * Finds the things about which the trusted keys signed two different texts, one contradiction per thing. Unsigned and
 * foreign texts count for nothing.
 */
export async function findContradictions(
  texts: readonly AnySignedText[],
  keys: ReadersKeys,
): Promise<readonly Contradiction[]> {
  const byThing = new Map<string, { subject: Subject; versions: Map<string, AnySignedText[]> }>();
  for (const text of texts) {
    const subject = subjectOf(text);
    if (subject === undefined) continue;
    const thing = `${subject.kind} ${subject.about}`;
    const { versions } = byThing.get(thing) ?? { versions: new Map<string, AnySignedText[]>() };
    versions.set(text.body, [...(versions.get(text.body) ?? []), text]);
    byThing.set(thing, { subject, versions });
  }
  const found: Contradiction[] = [];
  for (const { subject, versions } of byThing.values()) {
    if (versions.size < 2) continue;
    const signed: AnySignedText[] = [];
    for (const version of versions.values()) {
      // Only one copy of a version may be signed rightly, for example if somebody spoiled another one.
      for (const text of version) {
        const own = subjectOf(text);
        if (own === undefined || !(await isSignedBy(text, own, keys.trusted))) continue;
        signed.push(text);
        break;
      }
    }
    const { kind, about } = subject;
    const [first, second] = firstPair(kind, signed);
    if (first === undefined || second === undefined) continue;
    const carried = keysFor([keyIdIn(first), keyIdIn(second)], useOf(kind), keys);
    if (carried === undefined) continue;
    const differs = listDifferences(kind, first.body, second.body);
    const contradiction: Contradiction = { v: 'contradiction/1', kind, about, first, second, keys: carried, differs };
    if ((await verifyContradiction(contradiction)) === null) found.push(contradiction);
  }
  return found;
}

/** The first two that can't both be true. Later heads of a customer may well differ from earlier ones. */
function firstPair(kind: ContradictionKind, texts: readonly AnySignedText[]): readonly AnySignedText[] {
  for (const [n, first] of texts.entries()) {
    const second = texts.slice(n + 1).find((text) => listDifferences(kind, first.body, text.body).length > 0);
    if (second !== undefined) return [first, second];
  }
  return [];
}

export function isPublishedKey(value: unknown): value is PublishedKey {
  if (!hasTexts(value, ['use', 'id', 'public_key'], ['record'])) return false;
  const { use, record } = value;
  return (
    (use === 'index' || use === 'receipt' || use === 'ledger') &&
    /^[0-9a-f]{64}$/.test(String(value.public_key)) &&
    (record === null || hasTexts(record, ['body', 'signature', 'previous_signature']))
  );
}

/** True if a value from a file has the shape of `contradiction/1`; `verifyContradiction` checks the content. */
export function isContradiction(value: unknown): value is Contradiction {
  if (!hasOnly(value, ['v', 'kind', 'about', 'first', 'second', 'keys', 'differs'])) return false;
  const kind = CONTRADICTION_KINDS.find((known) => known === value.kind);
  const isText = kind === 'terms' || kind === 'ack' ? isTreeSignedText : isSignedText;
  return (
    value.v === 'contradiction/1' &&
    kind !== undefined &&
    typeof value.about === 'string' &&
    isText(value.first) &&
    isText(value.second) &&
    isList(value.keys, isPublishedKey) &&
    isList(value.differs, (name): name is string => typeof name === 'string')
  );
}

export type ContradictionFault =
  /** One of the texts is not of this kind, or not about this thing. */
  | 'subject_differs'
  /** Both texts are the same, or they differ in other fields than named. */
  | 'differences_wrong'
  /** The keys are not the one that signed both, or not one line of keys. */
  | 'keys_wrong'
  | 'not_signed';

/** Returns the first fault; null if the holder of the keys signed two different texts about the same thing. */
export async function verifyContradiction(given: Contradiction): Promise<ContradictionFault | null> {
  const { kind, about, first, second, keys, differs } = given;
  for (const text of [first, second]) {
    const subject = subjectOf(text);
    if (subject?.kind !== kind || subject.about !== about) return 'subject_differs';
  }
  const wanted = listDifferences(kind, first.body, second.body);
  const isOther = first.body !== second.body && wanted.length > 0;
  if (!isOther || wanted.join() !== differs.join() || wanted.length !== differs.length) return 'differences_wrong';
  const ids = new Set([first, second].map(keyIdIn));
  const isOfUse = keys.every(({ use }) => use === useOf(kind));
  const roots = keys.filter(({ record }) => record === null).length;
  if (!isOfUse || roots !== 1 || (ids.size === 1 && keys.length !== 1)) return 'keys_wrong';
  const { trusted, refused } = await trustKeys(keys, []);
  if (refused.length > 0 || ![...ids].every((id) => trusted.some((key) => key.id === id))) return 'keys_wrong';
  for (const text of [first, second]) {
    const subject = subjectOf(text);
    if (subject === undefined || !(await isSignedBy(text, subject, trusted))) return 'not_signed';
  }
  return null;
}
