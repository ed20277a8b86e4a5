/**
 * An operator's vote, signed by the person. The database only stores votes, so anybody who can write to it can store
 * any vote. A vote counts only if a key signed exactly this decision on exactly this content, and if that key was
 * pinned or two trusted administrators signed its registration.
 */
import { canonicalText, parseCanonical } from './canonical.ts';
import { type Bytes, fromHex, sha256, toHex, utf8Bytes } from './hash.ts';
import { bytesToSign, hashOfBody, verifyEd25519 } from './signature.ts';

export type VoteDecision = 'approve' | 'reject';
/** A passkey, a key that a browser keeps, or a key of the demo that the server itself holds. */
const VOTER_KINDS = ['passkey', 'device', 'demo'] as const;
export type VoterKind = (typeof VOTER_KINDS)[number];

/** The subject of a vote. */
export interface VoteSubject {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  /** Canonical. */
  readonly content: string;
  /** SHA-256 of the content, hex. */
  readonly fingerprint: string;
}

/** The canonical `vote/1`, whose digest a key signs. */
export function writeVote(
  { id, kind, subject, fingerprint }: Omit<VoteSubject, 'content'>,
  operator: string,
  decision: VoteDecision,
): string {
  return canonicalText({ v: 'vote/1', approval: id, decision, fingerprint, kind, operator, subject });
}

/** An act by one person that moves money without a vote, such as a match of a bank line. */
export interface ActSubject {
  readonly act: string;
  readonly subject: string;
  /** SHA-256 of the content shown on the screen, hex. */
  readonly fingerprint: string;
  /** The confirmation's id, so that one signature is valid for one act only. */
  readonly stepUp: string;
}

/** The canonical text `act/1`. It is signed in the same way as a vote. */
export function writeAct({ act, subject, fingerprint, stepUp }: ActSubject, operator: string): string {
  return canonicalText({ v: 'act/1', act, fingerprint, operator, step_up: stepUp, subject });
}

/** The digest that is a passkey's challenge: SHA-256 of the signed bytes, in base64url. */
export const challengeOfVote = (body: string): string => toBase64Url(fromHex(hashOfBody(body), 32) ?? new Uint8Array());

/** The content that two administrators register: a key, its owner, and the roles for which its votes count. */
export interface VoterRegistration {
  /** An uncompressed point of P-256 (65 bytes) or an Ed25519 key (32 bytes), hex. */
  readonly key: string;
  readonly kind: VoterKind;
  readonly operator: string;
  /** The host at which a passkey is valid; empty for other kinds. */
  readonly party: string;
  readonly roles: readonly string[];
}

/** The canonical `voter/1`. */
export function writeVoter({ key, kind, operator, party, roles }: VoterRegistration): string {
  return canonicalText({ v: 'voter/1', key, kind, operator, party, roles: roles.toSorted() });
}

const POINT = /^04[0-9a-f]{128}$/;
const ED25519 = /^[0-9a-f]{64}$/;

/** Undefined unless the text is exactly what `writeVoter` writes. */
export function readVoter(body: string): VoterRegistration | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const field = (name: string): string => {
    const member: unknown = Reflect.get(value, name);
    return typeof member === 'string' ? member : '';
  };
  const roles: unknown = Reflect.get(value, 'roles');
  const kind = VOTER_KINDS.find((name) => name === field('kind'));
  const [key, operator, party] = [field('key'), field('operator'), field('party')];
  if (kind === undefined || !Array.isArray(roles) || !roles.every((role) => typeof role === 'string')) return undefined;
  if (!(POINT.test(key) || ED25519.test(key)) || !/^[1-9][0-9]*$/.test(operator)) return undefined;
  const voter = { key, kind, operator, party, roles: roles as readonly string[] };
  return writeVoter(voter) === body ? voter : undefined;
}

/** A key's id: the first 32 hex digits of its SHA-256. */
export const voterIdOf = (key: string): string =>
  toHex(sha256(fromHex(key, key.length / 2) ?? new Uint8Array())).slice(0, 32);

/** A person's signature as it is stored. */
export interface StoredSignature {
  readonly operator: string;
  /** Id of the key that signed it. */
  readonly key: string;
  /** Canonical: `{signature}` in hex, or a passkey's `{authenticator_data, client_data, signature}` in base64url. */
  readonly proof: string;
  readonly atMs: number;
}

/** A vote as it is stored. */
export interface CastVote extends StoredSignature {
  readonly decision: VoteDecision;
}

/** A key that the reader trusts. */
export interface TrustedVoter extends VoterRegistration {
  /** The roles from each moment on, earliest first; a pinned key's first roles count from the beginning. */
  readonly grants: readonly { readonly roles: readonly string[]; readonly fromMs: number }[];
  /** When the key or its owner was removed; null while it counts. */
  readonly untilMs: number | null;
}

type VoteFault =
  | 'content_differs'
  /** The key is neither pinned nor registered by two trusted administrators. */
  | 'key_unknown'
  | 'key_of_another'
  /** A demo's key used outside a demo. */
  | 'demo_key'
  | 'not_yet_registered'
  | 'removed'
  | 'role_missing'
  | 'proof_malformed'
  /** The signature is for another approval, decision, content or person. */
  | 'challenge_differs'
  | 'party_differs'
  | 'person_not_verified'
  | 'signature_wrong';

interface VoteRules {
  /** The voter must have at least one of these roles. */
  readonly roles: readonly string[];
  readonly isDemo: boolean;
}

const rolesAt = ({ grants }: TrustedVoter, atMs: number): readonly string[] | undefined =>
  grants.findLast(({ fromMs }) => fromMs <= atMs)?.roles;

/** Returns the first fault of a vote; null if the key's owner signed it. */
export async function verifyVote(
  vote: CastVote,
  on: VoteSubject,
  voters: readonly TrustedVoter[],
  rules: VoteRules,
): Promise<VoteFault | null> {
  if (toHex(sha256(utf8Bytes(on.content))) !== on.fingerprint) return 'content_differs';
  return verifySigned(vote, writeVote(on, vote.operator, vote.decision), voters, rules);
}

/** Does the same for an act by one person. */
export const verifyAct = (
  signed: StoredSignature,
  on: ActSubject,
  voters: readonly TrustedVoter[],
  rules: VoteRules,
): Promise<VoteFault | null> => verifySigned(signed, writeAct(on, signed.operator), voters, rules);

async function verifySigned(
  vote: StoredSignature,
  body: string,
  voters: readonly TrustedVoter[],
  { roles, isDemo }: VoteRules,
): Promise<VoteFault | null> {
  const voter = voters.find(({ key }) => voterIdOf(key) === vote.key);
  if (!voter) return 'key_unknown';
  if (voter.operator !== vote.operator) return 'key_of_another';
  if (voter.kind === 'demo' && !isDemo) return 'demo_key';
  if (voter.untilMs !== null && vote.atMs >= voter.untilMs) return 'removed';
  const held = rolesAt(voter, vote.atMs);
  if (held === undefined) return 'not_yet_registered';
  if (!held.some((role) => roles.includes(role))) return 'role_missing';
  return faultOfProof(vote.proof, body, voter);
}

/** Returns why the proof is not this key's signature of this text, or null if it is. */
export async function faultOfProof(
  proof: string,
  body: string,
  { key, kind, party }: VoterRegistration,
): Promise<VoteFault | null> {
  const value = parseCanonical(proof);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'proof_malformed';
  const bytes = bytesToSign(body);
  const members = value as { readonly [name: string]: unknown };
  const textOf = (name: string): string => (typeof members[name] === 'string' ? members[name] : '');
  if (bytes === undefined) return 'proof_malformed';
  if (kind !== 'passkey') {
    if (Object.keys(members).join() !== 'signature') return 'proof_malformed';
    const signature = fromHex(textOf('signature'), 64);
    if (signature === undefined) return 'proof_malformed';
    return (await hasSigned(key, signature, bytes)) ? null : 'signature_wrong';
  }
  if (Object.keys(members).sort().join() !== 'authenticator_data,client_data,signature') return 'proof_malformed';
  const [data, client, given] = ['authenticator_data', 'client_data', 'signature'].map((name) =>
    fromBase64Url(textOf(name)),
  );
  if (!data || !client || !given || data.length < AUTHENTICATOR_DATA_MIN) return 'proof_malformed';
  const said = readClientData(client);
  if (said === undefined || said.type !== 'webauthn.get') return 'proof_malformed';
  if (said.challenge !== challengeOfVote(body)) return 'challenge_differs';
  if (said.host !== party || toHex(data.slice(0, 32)) !== toHex(sha256(utf8Bytes(party)))) return 'party_differs';
  const flags = data[32] ?? 0;
  if ((flags & PRESENT) === 0 || (flags & VERIFIED) === 0) return 'person_not_verified';
  const signature = key.length === 64 ? given : fromDer(given);
  if (signature?.length !== 64) return 'proof_malformed';
  const signed = new Uint8Array([...data, ...sha256(client)]);
  return (await hasSigned(key, signature, signed)) ? null : 'signature_wrong';
}

/** Hash of the party, flags, counter. */
const AUTHENTICATOR_DATA_MIN = 37;
const PRESENT = 1;
const VERIFIED = 4;

function readClientData(bytes: Bytes): { type: unknown; challenge: unknown; host: string } | undefined {
  try {
    const said = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<string, unknown>;
    if (said.crossOrigin === true) return undefined;
    return { type: said.type, challenge: said.challenge, host: new URL(String(said.origin)).hostname };
  } catch {
    return undefined;
  }
}

/** True if this key, of P-256 or Ed25519, signed the bytes. */
export async function hasSigned(keyHex: string, signature: Bytes, bytes: Bytes): Promise<boolean> {
  if (keyHex.length === 64) {
    const key = fromHex(keyHex, 32);
    return key !== undefined && verifyEd25519(key, signature, bytes);
  }
  const point = fromHex(keyHex, 65);
  if (point === undefined) return false;
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('raw', point, curve, false, ['verify']).catch(() => null);
  return key !== null && crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, bytes);
}

/** The two numbers of an ECDSA signature in DER, 32 bytes each; undefined for any other text. */
function fromDer(der: Bytes): Bytes | undefined {
  const [kind, length] = der;
  if (kind !== 0x30 || length !== der.length - 2) return undefined;
  const numbers: number[][] = [];
  let at = 2;
  while (at < der.length) {
    const size = der[at + 1] ?? 0;
    const bytes = [...der.slice(at + 2, at + 2 + size)];
    if (der[at] !== 2 || size === 0 || bytes.length !== size || (bytes[0] ?? 0) >= 0x80) return undefined;
    if (bytes[0] === 0 && size > 1) {
      if ((bytes[1] ?? 0) < 0x80) return undefined;
      bytes.shift();
    }
    if (bytes.length > 32) return undefined;
    numbers.push([...new Array<number>(32 - bytes.length).fill(0), ...bytes]);
    at += 2 + size;
  }
  return numbers.length === 2 ? new Uint8Array(numbers.flat()) : undefined;
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Returns undefined unless the text is the only spelling of its bytes. */
function fromBase64Url(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** An approved registration of a key, with its votes. The content is the canonical `voter/1`. */
export interface RegistrationBallot {
  readonly on: VoteSubject;
  readonly votes: readonly CastVote[];
}

/** The kind of an approval that registers a key. */
export const VOTER_APPROVAL = 'voting_key';
const REGISTRARS = 2;

interface VoterEnds {
  /** Since when each key no longer counts, by the key's id; absent while it counts. */
  readonly keys: ReadonlyMap<string, number>;
  /** The same for all keys of an operator who was removed. */
  readonly operators: ReadonlyMap<string, number>;
}

/**
 * Returns the trusted keys: pinned ones, and those that two trusted administrators registered. Each registration is
 * judged by the keys trusted at the time of its votes, so a chain of forged ones reaches nothing.
 */
export async function trustVoters(
  pinned: readonly VoterRegistration[],
  registrations: readonly RegistrationBallot[],
  ends: VoterEnds,
  isDemo: boolean,
): Promise<readonly TrustedVoter[]> {
  const untilOf = ({ key, operator }: VoterRegistration): number | null => {
    const times = [ends.keys.get(voterIdOf(key)), ends.operators.get(operator)].filter((ms) => ms !== undefined);
    return times.length === 0 ? null : Math.min(...times);
  };
  const voters = new Map<string, TrustedVoter>();
  for (const voter of pinned)
    voters.set(voter.key, { ...voter, grants: [{ roles: voter.roles, fromMs: 0 }], untilMs: untilOf(voter) });
  const open = new Set(registrations);
  // Each pass may trust a key that signed a later registration. A pass that trusts no new key ends the loop.
  for (let before = -1; before !== open.size; ) {
    before = open.size;
    for (const registering of open) {
      const voter = readVoter(registering.on.content);
      const isOne = voter !== undefined && registering.on.subject === voterIdOf(voter.key);
      if (!isOne || registering.on.kind !== VOTER_APPROVAL) continue;
      const rules = { roles: ['admin'], isDemo };
      const atMs = await momentOfApproval(registering, [...voters.values()], rules);
      if (atMs === null) continue;
      open.delete(registering);
      const known = voters.get(voter.key);
      // A key never changes its owner or kind; another registration of it changes only its roles.
      if (known && (known.operator !== voter.operator || known.kind !== voter.kind || known.party !== voter.party))
        continue;
      const grants = [...(known?.grants ?? []), { roles: voter.roles, fromMs: atMs }];
      grants.sort((a, b) => a.fromMs - b.fromMs);
      voters.set(voter.key, { ...voter, grants, untilMs: untilOf(voter) });
    }
  }
  return [...voters.values()];
}

/** Returns when the second of two trusted people approved; null if they have not. */
async function momentOfApproval(
  { on, votes }: RegistrationBallot,
  voters: readonly TrustedVoter[],
  rules: VoteRules,
): Promise<number | null> {
  const approvers = await approversOf({ on, votes }, voters, rules);
  const times = [...approvers.values()].sort((a, b) => a - b);
  return times[REGISTRARS - 1] ?? null;
}

/** Returns the different people whose approvals are verified, each with the time of the vote. */
export async function approversOf(
  { on, votes }: RegistrationBallot,
  voters: readonly TrustedVoter[],
  rules: VoteRules,
): Promise<ReadonlyMap<string, number>> {
  const approvers = new Map<string, number>();
  for (const vote of votes)
    if (vote.decision === 'approve' && (await verifyVote(vote, on, voters, rules)) === null)
      approvers.set(vote.operator, vote.atMs);
  return approvers;
}
