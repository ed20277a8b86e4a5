import { timingSafeEqual } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Queries } from '../../platform/database/index.ts';
import { findPasskey, type PasskeyRow, usePasskey } from './passkey-store.ts';
import type { RoomKeys } from './room-keys.ts';

/** The host at which this console's passkeys are valid: the one that the browser shows. */
export interface RelyingParty {
  readonly name: string;
  readonly id: string;
  readonly origin: string;
}

/** Loaded on first use, because it contains parsers for every attestation format. */
const library = () => import('@simplewebauthn/server');

export function relyingPartyOf(title: string, consoleUrl: string): RelyingParty {
  const { hostname, origin } = new URL(consoleUrl);
  return { name: `${title} console`, id: hostname, origin };
}

function parsed<Json extends { readonly id: string }>(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? (value as Json)
      : null;
  } catch {
    return null;
  }
}

/** Whoever can write rows but lacks the key cannot add a passkey, give it another owner, or exchange its key. */
export const passkeyMac = (
  keys: RoomKeys,
  { id, operator, public_key }: Pick<PasskeyRow, 'id' | 'operator' | 'public_key'>,
) => keys.hash('passkey', String(operator), id, public_key.toString('hex'));
export const isSealed = (keys: RoomKeys, row: PasskeyRow): boolean =>
  row.mac.length === MAC_BYTES && timingSafeEqual(row.mac, passkeyMac(keys, row));
const MAC_BYTES = 32;

/** The key with which this passkey signs votes, hex; null for an algorithm that votes do not use. */
export async function voteKeyOf({ public_key }: Pick<PasskeyRow, 'public_key'>): Promise<string | null> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const key = decodeCredentialPublicKey(new Uint8Array(public_key));
  const x = key.get(cose.COSEKEYS.x as never) as Uint8Array | undefined;
  if (x === undefined) return null;
  if (cose.isCOSEPublicKeyOKP(key)) return Buffer.from(x).toString('hex');
  const y = key.get(cose.COSEKEYS.y as never) as Uint8Array | undefined;
  return y === undefined ? null : `04${Buffer.from(x).toString('hex')}${Buffer.from(y).toString('hex')}`;
}

/** The challenge for the browser. It requires the person's face, finger or PIN. A vote's is its digest. */
export async function questionOf(party: RelyingParty, passkeys: readonly PasskeyRow[], challenge?: string) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    ...(challenge !== undefined && { challenge: new Uint8Array(Buffer.from(challenge, 'base64url')) }),
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: transports as never })),
  });
}

/** Returns whose passkey answered the challenge and updates its counter; null for anything invalid. */
export async function answerOf(
  queries: Queries,
  { party, keys }: { readonly party: RelyingParty; readonly keys: RoomKeys },
  challenge: string,
  credential: string,
  now: Date,
): Promise<PasskeyRow | null> {
  const response = parsed<AuthenticationResponseJSON>(credential);
  const passkey = response && (await findPasskey(queries, response.id));
  if (!response || !passkey || !isSealed(keys, passkey)) return null;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    });
    if (!verified) return null;
    await usePasskey(queries, passkey.id, authenticationInfo.newCounter, now);
    return passkey;
  } catch {
    // The library throws for every kind of wrong answer.
    return null;
  }
}

export async function registrationQuestionOf(
  party: RelyingParty,
  operator: { readonly id: bigint; readonly workName: string },
  passkeys: readonly PasskeyRow[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new TextEncoder().encode(`operator ${operator.id}`) as Uint8Array<ArrayBuffer>,
    userName: operator.workName,
    attestationType: 'none',
    // Ed25519 and P-256: votes are verified with these.
    supportedAlgorithmIDs: [-8, -7],
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export async function registrationOf(party: RelyingParty, challenge: string, credential: string) {
  const response = parsed<RegistrationResponseJSON>(credential);
  if (!response) return null;
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey), counter, transports: response.response.transports ?? [] };
  } catch {
    return null;
  }
}
