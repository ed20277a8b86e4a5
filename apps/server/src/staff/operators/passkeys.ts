import type { Queries } from '../../platform/database/index.ts';
import { passkeyMacOf, type RelyingParty, verifyPasskeyAnswer } from '../../platform/webauthn.ts';
import type { OperatorKeys } from './operator-keys.ts';
import { findPasskey, type PasskeyRow, usePasskey } from './passkey-store.ts';

/** P-256 and Ed25519, the algorithms of signatures under votes. The chain verifies only P-256, so it comes first. */
export const VOTE_ALGORITHMS = [-7, -8];

export function relyingPartyOf(title: string, consoleUrl: string): RelyingParty {
  const { hostname, origin } = new URL(consoleUrl);
  return { name: `${title} console`, id: hostname, origins: [origin] };
}

export const operatorPasskeyMac = (
  keys: OperatorKeys,
  row: Pick<PasskeyRow, 'id' | 'operator' | 'public_key'>,
): Buffer => passkeyMacOf(keys.hash)(row.operator, row);

/** The key with which this passkey signs votes, hex; null for an algorithm that votes do not use. */
export async function voteKeyOf({ public_key }: Pick<PasskeyRow, 'public_key'>): Promise<string | null> {
  // The library is loaded on first use, because it contains parsers for every attestation format.
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const key = decodeCredentialPublicKey(new Uint8Array(public_key));
  const x = key.get(cose.COSEKEYS.x as never) as Uint8Array | undefined;
  if (x === undefined) return null;
  if (cose.isCOSEPublicKeyOKP(key)) return Buffer.from(x).toString('hex');
  const y = key.get(cose.COSEKEYS.y as never) as Uint8Array | undefined;
  return y === undefined ? null : `04${Buffer.from(x).toString('hex')}${Buffer.from(y).toString('hex')}`;
}

/** The passkey that answered the challenge; null for anything invalid. */
export const findAnsweringPasskey = (
  queries: Queries,
  { party, keys }: { readonly party: RelyingParty; readonly keys: OperatorKeys },
  challenge: string,
  credential: string,
  now: Date,
): Promise<PasskeyRow | null> =>
  verifyPasskeyAnswer<PasskeyRow>(
    party,
    {
      find: (id) => findPasskey(queries, id),
      use: (id, counter) => usePasskey(queries, id, counter, now),
      macOf: (row) => operatorPasskeyMac(keys, row),
    },
    challenge,
    credential,
  );
