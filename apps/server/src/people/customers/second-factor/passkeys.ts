import type { Queries } from '../../../platform/database/index.ts';
import { passkeyMacOf, type RelyingParty, verifyPasskeyAnswer } from '../../../platform/webauthn.ts';
import { type KeyedHash, keyedHashOf } from '../keyed-hash.ts';
import { findPasskey, type PasskeyRow, sealPasskeyRows, usePasskey } from './second-factor-store.ts';

export const customerPasskeyMac = (
  keyedHash: KeyedHash,
  row: Pick<PasskeyRow, 'id' | 'customer' | 'public_key'>,
): Buffer => passkeyMacOf(keyedHash)(row.customer, row);

/** Seals passkeys that older versions stored without a seal. Runs as the owner at each start. */
export const sealCustomerPasskeys = (owner: Queries, sessionKey: Buffer): Promise<number> => {
  const keyedHash = keyedHashOf(sessionKey);
  return sealPasskeyRows(owner, (row) => customerPasskeyMac(keyedHash, row));
};

/** The passkey that answered the challenge; null for anything invalid. */
export const findAnsweringPasskey = (
  queries: Queries,
  { party, keyedHash }: { readonly party: RelyingParty; readonly keyedHash: KeyedHash },
  challenge: string,
  credential: string,
  now: Date,
): Promise<PasskeyRow | null> =>
  verifyPasskeyAnswer<PasskeyRow>(
    party,
    {
      find: (id) => findPasskey(queries, id),
      use: (id, counter) => usePasskey(queries, id, counter, now),
      macOf: (row) => customerPasskeyMac(keyedHash, row),
    },
    challenge,
    credential,
  );
