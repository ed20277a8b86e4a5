import { type Connection, openDatabase } from './database/index.ts';
import { announceKey, ed25519Signer, type Signer } from './proofs/index.ts';

/** Signs the ticks of tests. */
export const testSigner: Signer = ed25519Signer(Buffer.alloc(32, 5));

/** Publishes a test's key as the owner does at startup. */
export async function announceTestKey(
  { owner }: { readonly owner: Connection },
  signer: Pick<Signer, 'keyId' | 'publicKeyHex'> = testSigner,
  use: 'index' | 'receipt' = 'index',
): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  await announceKey(database, use, signer).finally(database.close);
}
