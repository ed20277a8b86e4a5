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

/** Where passkeys of this console are good: the host that the browser shows, and nowhere else. */
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

/** The question for the browser; a person is asked for their face, finger or PIN. */
export function questionOf(party: RelyingParty, passkeys: readonly PasskeyRow[]) {
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: transports as never })),
  });
}

/** Whose passkey answered the challenge; null for anything that is not exactly that. The counter moves on. */
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
    // The library throws for each kind of wrong answer.
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
    // Ed25519, P-256 and RSA: what authenticators have and Node verifies without experiments.
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
