/**
 * What a server signs in its answer about one thing that it has accepted: an order, a lock-up, a withdrawal. The facts
 * never change afterwards, so two acknowledgements of one thing with different facts prove that its history was
 * rewritten.
 */
import { canonicalText, parseCanonical } from './canonical.ts';
import { accountSeal, isSealOpening } from './option-terms.ts';
import { isKeyInTime, type ProofKey } from './proof-keys.ts';
import { keyIdOf } from './signature.ts';
import { type TreeFault, type TreeSignedText, verifyTreeSignedText } from './terms-tree.ts';

export type Facts = Readonly<Record<string, string | null>>;

/** One thing with the facts about it that never change. */
export interface Acknowledged {
  /** Its kind: `order`, `lockup`, `withdrawal`, … A reader needs no list of kinds. */
  readonly about: string;
  readonly id: string;
  readonly facts: Facts;
}

export interface Acknowledgement extends Acknowledged {
  /** The customer's `accountSeal`, the same as in their statements. */
  readonly account: string;
  /** When it was accepted, in ms since 1970, but not before the key that signs. It dates the signature. */
  readonly atMs: number;
  readonly environment: 'live' | 'demo';
}

export const ACKNOWLEDGEMENT_TYPE = 'ack/1';
const FACTS_MAX = 40;
const TEXT_MAX = 2_000;

export function writeAcknowledgement({ about, id, account, atMs, environment, facts }: Acknowledgement): string {
  return canonicalText({
    v: ACKNOWLEDGEMENT_TYPE,
    about,
    id,
    acct: account,
    at: String(atMs),
    env: environment,
    facts,
  });
}

const isName = (text: unknown): text is string => typeof text === 'string' && /^[a-z][a-z_]{0,39}$/.test(text);
const isFact = (value: unknown): boolean => value === null || (typeof value === 'string' && value.length <= TEXT_MAX);

/** Undefined unless the text is exactly what `writeAcknowledgement` writes. */
export function readAcknowledgement(body: string): Acknowledgement | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { about, id, acct, at, env, facts } = value as Record<string, unknown>;
  if (!isName(about) || typeof id !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(id)) return undefined;
  if (typeof acct !== 'string' || !/^[0-9a-f]{64}$/.test(acct)) return undefined;
  if (typeof at !== 'string' || !/^[1-9][0-9]{0,14}$/.test(at) || (env !== 'live' && env !== 'demo')) return undefined;
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return undefined;
  const members = Object.entries(facts);
  if (members.length === 0 || members.length > FACTS_MAX) return undefined;
  if (!members.every(([name, fact]) => isName(name) && isFact(fact))) return undefined;
  const read = { about, id, account: acct, atMs: Number(at), environment: env, facts: facts as Facts } as const;
  return writeAcknowledgement(read) === body ? read : undefined;
}

/** The names of the facts that two accounts of one thing do not share, sorted. */
export function listDifferentFacts(one: Facts, other: Facts): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const factOf = (facts: Facts, name: string) => (Object.hasOwn(facts, name) ? facts[name] : undefined);
  return names.filter((name) => factOf(one, name) !== factOf(other, name));
}

/** The thing that two acknowledgements can contradict each other about. One id may be used for several customers. */
export const thingOf = ({ about, id, account }: Pick<Acknowledgement, 'about' | 'id' | 'account'>): string =>
  `${about} ${id} ${account}`;

export type AcknowledgementFault =
  | TreeFault
  | 'acknowledgement_malformed'
  | 'key_unknown'
  | 'key_not_in_time'
  /** The salt and the customer do not open the seal. */
  | 'seal_differs';

/** Verifies a signed acknowledgement by keys that the reader trusts, and whose it is if the opening is given. */
export async function verifyAcknowledgement(
  signed: TreeSignedText,
  keys: readonly ProofKey[],
  opening?: { readonly salt: string; readonly customer: string },
): Promise<
  | { readonly ok: true; readonly acknowledgement: Acknowledgement }
  | { readonly ok: false; readonly fault: AcknowledgementFault }
> {
  const acknowledgement = readAcknowledgement(signed.body);
  if (acknowledgement === undefined) return { ok: false, fault: 'acknowledgement_malformed' };
  const key = keys.find(
    ({ use, id, public_key }) => use === 'receipt' && id === signed.tree.key && keyIdOf(public_key) === id,
  );
  if (key === undefined) return { ok: false, fault: 'key_unknown' };
  const fault = await verifyTreeSignedText(signed, key.public_key);
  if (fault !== null) return { ok: false, fault };
  if (!isKeyInTime(key, acknowledgement.atMs)) return { ok: false, fault: 'key_not_in_time' };
  if (
    opening !== undefined &&
    (!isSealOpening(opening) || accountSeal(opening.salt, opening.customer) !== acknowledgement.account)
  )
    return { ok: false, fault: 'seal_differs' };
  return { ok: true, acknowledgement };
}
