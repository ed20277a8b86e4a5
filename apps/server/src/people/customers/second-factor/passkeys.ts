import { timingSafeEqual } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Queries } from '../../../platform/database/index.ts';
import { type KeyedHash, keyedHashOf } from '../keyed-hash.ts';
import { findPasskey, type PasskeyRow, sealRows, usePasskey } from './second-factor-store.ts';

/** The host at which this brand's passkeys are valid: the one that the browser shows. */
export interface RelyingParty {
  readonly name: string;
  readonly id: string;
  readonly origins: readonly string[];
}

/** Loaded on first use, because it contains parsers for every attestation format. */
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

type Bound = Pick<PasskeyRow, 'id' | 'customer' | 'public_key'>;
/** Whoever can write rows but lacks the key cannot add a passkey, give it another owner, or exchange its key. */
export const passkeyMac = (keyedHash: KeyedHash, { id, customer, public_key }: Bound): Buffer =>
  keyedHash('passkey', String(customer), id, public_key.toString('hex'));
const isSealed = (keyedHash: KeyedHash, row: PasskeyRow): boolean =>
  row.mac.length === MAC_BYTES && timingSafeEqual(row.mac, passkeyMac(keyedHash, row));
const MAC_BYTES = 32;

/** Runs as the owner at each start, for passkeys from before they were sealed. */
export const sealPasskeys = (owner: Queries, sessionKey: Buffer): Promise<number> => {
  const keyedHash = keyedHashOf(sessionKey);
  return sealRows(owner, (row) => passkeyMac(keyedHash, row));
};

/** A challenge for any passkey of this brand, or only for those given. It requires the person's face, finger or PIN. */
export async function questionOf(party: RelyingParty, passkeys: readonly PasskeyRow[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: transports as never })),
  });
}

export async function registrationQuestionOf(
  party: RelyingParty,
  customer: { readonly id: bigint; readonly username: string },
  passkeys: readonly PasskeyRow[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new TextEncoder().encode(`customer ${customer.id}`) as Uint8Array<ArrayBuffer>,
    userName: customer.username,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Returns the passkey that answered the challenge and updates its counter; null for anything invalid. */
export async function answerOf(
  queries: Queries,
  { party, keyedHash }: { readonly party: RelyingParty; readonly keyedHash: KeyedHash },
  challenge: string,
  credential: string,
  now: Date,
): Promise<PasskeyRow | null> {
  const response = parsed<AuthenticationResponseJSON>(credential);
  const passkey = response && (await findPasskey(queries, response.id));
  if (!response || !passkey || !isSealed(keyedHash, passkey)) return null;
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
    return verified && (await usePasskey(queries, passkey.id, authenticationInfo.newCounter, now)) ? passkey : null;
  } catch {
    // The library throws for every kind of wrong answer.
    return null;
  }
}

export async function registrationOf(party: RelyingParty, challenge: string, credential: string) {
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
    return { id, publicKey: Buffer.from(publicKey), counter, transports: response.response.transports ?? [] };
  } catch {
    return null;
  }
}
