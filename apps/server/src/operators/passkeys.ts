import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Queries } from '../database/index.ts';
import { findPasskey, type PasskeyRow, usePasskey } from './passkey-store.ts';

/** The host at which this console's passkeys are valid: the one that the browser shows. */
export interface RelyingParty {
  readonly name: string;
  readonly id: string;
  readonly origin: string;
}

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

/** The challenge for the browser. It requires the person's face, finger or PIN. */
export function questionOf(party: RelyingParty, passkeys: readonly PasskeyRow[]) {
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: transports as never })),
  });
}

/** Returns whose passkey answered the challenge and updates its counter; null for anything invalid. */
export async function answerOf(
  queries: Queries,
  party: RelyingParty,
  challenge: string,
  credential: string,
  now: Date,
): Promise<PasskeyRow | null> {
  const response = parsed<AuthenticationResponseJSON>(credential);
  const passkey = response && (await findPasskey(queries, response.id));
  if (!response || !passkey) return null;
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

export function registrationQuestionOf(
  party: RelyingParty,
  operator: { readonly id: bigint; readonly workName: string },
  passkeys: readonly PasskeyRow[],
) {
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new TextEncoder().encode(`operator ${operator.id}`) as Uint8Array<ArrayBuffer>,
    userName: operator.workName,
    attestationType: 'none',
    // Ed25519, P-256 and RSA: what authenticators offer and Node verifies with stable APIs.
    supportedAlgorithmIDs: [-8, -7, -257],
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export async function registrationOf(party: RelyingParty, challenge: string, credential: string) {
  const response = parsed<RegistrationResponseJSON>(credential);
  if (!response) return null;
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
