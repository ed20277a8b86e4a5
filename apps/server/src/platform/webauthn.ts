import { timingSafeEqual } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** The host for which passkeys are valid: the one in the browser's address bar. */
export interface RelyingParty {
  readonly name: string;
  readonly id: string;
  readonly origins: readonly string[];
}

export interface Passkey {
  readonly id: string;
  readonly public_key: Buffer;
  readonly counter: bigint;
  readonly transports: readonly string[];
  /** Keyed digest over owner, id and key. A passkey with another digest is ignored. */
  readonly mac: Buffer;
}

/** The store of the passkeys of customers or of operators. */
interface PasskeyStore<Row extends Passkey> {
  find(id: string): Promise<Row | null>;
  /** Stores the counter; false if it is lower than the stored one, because then the passkey was copied. */
  use(id: string, counter: number): Promise<boolean>;
  macOf(row: Row): Buffer;
}

/** The library is loaded on first use, because it contains parsers for every attestation format. */
const library = () => import('@simplewebauthn/server');

function parsed<Json extends { readonly id: string }>(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    const hasId = typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
    return hasId ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** An attacker who can write rows but lacks the key cannot add a passkey, change its owner or replace its key. */
export const passkeyMacOf =
  (keyedHash: (...parts: [string, ...string[]]) => Buffer) =>
  (owner: bigint, { id, public_key }: Pick<Passkey, 'id' | 'public_key'>): Buffer =>
    keyedHash('passkey', String(owner), id, public_key.toString('hex'));

export const hasValidMac = ({ mac }: Passkey, right: Buffer): boolean =>
  mac.length === right.length && timingSafeEqual(mac, right);

/**
 * The challenge for the browser: for any passkey of this host, or only for the given ones. The browser must verify the
 * person by face, finger or PIN. `challenge` (base64url) replaces the random one.
 */
export async function passkeyRequestOptions(party: RelyingParty, passkeys: readonly Passkey[], challenge?: string) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    ...(challenge !== undefined && { challenge: new Uint8Array(Buffer.from(challenge, 'base64url')) }),
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: transports as never })),
  });
}

/** Returns the passkey that answered the challenge and updates its counter; null for anything invalid. */
export async function verifyPasskeyAnswer<Row extends Passkey>(
  party: RelyingParty,
  store: PasskeyStore<Row>,
  challenge: string,
  credential: string,
): Promise<Row | null> {
  const response = parsed<AuthenticationResponseJSON>(credential);
  const passkey = response && (await store.find(response.id));
  if (!response || !passkey || !hasValidMac(passkey, store.macOf(passkey))) return null;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    });
    return verified && (await store.use(passkey.id, authenticationInfo.newCounter)) ? passkey : null;
  } catch {
    // The library throws for every kind of wrong answer.
    return null;
  }
}

export async function passkeyCreationOptions(
  party: RelyingParty,
  user: { readonly id: string; readonly name: string },
  passkeys: readonly Pick<Passkey, 'id'>[],
  algorithms?: number[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new TextEncoder().encode(user.id) as Uint8Array<ArrayBuffer>,
    userName: user.name,
    attestationType: 'none',
    ...(algorithms !== undefined && { supportedAlgorithmIDs: algorithms }),
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** The new passkey; null for anything invalid. */
export async function verifyPasskeyRegistration(party: RelyingParty, challenge: string, credential: string) {
  const response = parsed<RegistrationResponseJSON>(credential);
  if (!response) return null;
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      id,
      public_key: Buffer.from(publicKey),
      counter: BigInt(counter),
      transports: response.response.transports ?? [],
    };
  } catch {
    return null;
  }
}
