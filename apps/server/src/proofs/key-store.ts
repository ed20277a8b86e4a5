import { type Queries, statement } from '../database/index.ts';
import type { Signer } from './signer.ts';

export type KeyUse = 'index' | 'receipt' | 'ledger';

export interface PublishedKey {
  readonly use: KeyUse;
  readonly id: string;
  readonly publicKeyHex: string;
  /** Since when it signs. */
  readonly from: Date;
}

const announce = statement(
  'proofs.announce_key',
  `INSERT INTO proofs.key (id, use, public_key) VALUES ($1, $2, decode($3, 'hex')) ON CONFLICT (use, id) DO NOTHING`,
);
const list = statement(
  'proofs.list_keys',
  `SELECT use, id, encode(public_key, 'hex') AS "publicKeyHex", at AS "from" FROM proofs.key ORDER BY at, use, id`,
);

/** Publishes a key before it signs anything. Keys are never withdrawn: what an old one signed stays checkable. */
export async function announceKey(
  database: Queries,
  use: KeyUse,
  signer: Pick<Signer, 'keyId' | 'publicKeyHex'>,
): Promise<void> {
  await database.query(announce, [signer.keyId, use, signer.publicKeyHex]);
}

/** Every key that ever signed, oldest first. */
export function readKeys(database: Queries): Promise<PublishedKey[]> {
  return database.query<PublishedKey>(list);
}
