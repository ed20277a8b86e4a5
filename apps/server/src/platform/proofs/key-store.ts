import { type KeyRecord, type KeyUse, type ProofKey, readKeyRecord, trustKeys } from '@sathorn/proof';
import { type Queries, statement } from '../database/index.ts';
import type { Signer } from './signer.ts';

export interface StoredKey {
  readonly use: KeyUse;
  readonly id: string;
  readonly publicKeyHex: string;
  /** The time from which its signatures count: from its record, or when it was first published. */
  readonly from: Date;
  /** Null for the first key of a use. */
  readonly record: KeyRecord | null;
}

const ANNOUNCE_FIRST = statement(
  'proofs.announce_first_key',
  `INSERT INTO proofs.key (id, use, public_key) SELECT $1, $2, decode($3, 'hex')
   WHERE NOT EXISTS (SELECT FROM proofs.key WHERE use = $2) ON CONFLICT (use, id) DO NOTHING`,
);
const ENROL = statement(
  'proofs.enrol_key',
  `INSERT INTO proofs.key (id, use, public_key, record, signature, previous_signature)
   VALUES ($1, $2, decode($3, 'hex'), $4, decode($5, 'hex'), decode($6, 'hex')) ON CONFLICT (use, id) DO NOTHING`,
);
const LIST = statement(
  'proofs.list_keys',
  `SELECT use, id, encode(public_key, 'hex') AS "publicKeyHex", at, record, encode(signature, 'hex') AS signature,
     encode(previous_signature, 'hex') AS "previousSignature"
   FROM proofs.key ORDER BY at, use, id`,
);

/**
 * Publishes the first key of a use before it signs anything; later keys are enrolled by their predecessor. Throws if
 * the signer is not the current one, because customers would reject everything that it signs.
 */
export async function announceKey(
  database: Queries,
  use: KeyUse,
  signer: Pick<Signer, 'keyId' | 'publicKeyHex'>,
): Promise<void> {
  await database.query(ANNOUNCE_FIRST, [signer.keyId, use, signer.publicKeyHex]);
  await assertKeyInForce(database, use, signer);
}

/** Throws unless the signer's key is published and in force for this use. For a process that may not insert keys. */
export async function assertKeyInForce(
  database: Queries,
  use: KeyUse,
  { keyId, publicKeyHex }: Pick<Signer, 'keyId' | 'publicKeyHex'>,
): Promise<void> {
  const keys = (await readKeys(database)).filter((key) => key.use === use);
  const isPublished = keys.some((key) => key.publicKeyHex === publicKeyHex);
  const isReplaced = keys.some(({ record }) => record && readKeyRecord(record.body)?.previous === keyId);
  if (!isPublished)
    throw new Error(
      `the ${use} key of this server's secrets (${keyId}) was never published: restore the secrets from their backup, or change keys by npm run rotate-keys -- ${use}`,
    );
  if (isReplaced)
    throw new Error(
      `the ${use} key of this server's secrets (${keyId}) has a successor: finish the change by npm run rotate-keys -- ${use}`,
    );
}

/**
 * Publishes a key that its predecessor has announced. Keys are never withdrawn, so that old signatures can still be
 * verified.
 */
export async function enrolKey(
  database: Queries,
  use: KeyUse,
  signer: Pick<Signer, 'keyId' | 'publicKeyHex'>,
  record: KeyRecord,
): Promise<void> {
  const { body, signature, previous_signature } = record;
  await database.query(ENROL, [signer.keyId, use, signer.publicKeyHex, body, signature, previous_signature]);
}

/** All keys that have ever signed, oldest first. */
export async function readKeys(database: Queries): Promise<StoredKey[]> {
  const rows = await database.query<{
    use: KeyUse;
    id: string;
    publicKeyHex: string;
    at: Date;
    record: string | null;
    signature: string | null;
    previousSignature: string | null;
  }>(LIST);
  return rows.map(({ use, id, publicKeyHex, at, record: body, signature, previousSignature }) => {
    const isEnrolled = body !== null && signature !== null && previousSignature !== null;
    const fromMs = isEnrolled ? readKeyRecord(body)?.fromMs : undefined;
    return {
      use,
      id,
      publicKeyHex,
      from: fromMs === undefined ? at : new Date(fromMs),
      record: isEnrolled ? { body, signature, previous_signature: previousSignature } : null,
    };
  });
}

/**
 * Reads once from when on the signer's key may sign, in ms since 1970: what is dated earlier belongs to the key before.
 * 1 for a first key, which has no record.
 */
export function openKeyStart(database: Queries, signer: Pick<Signer, 'keyId'>): () => Promise<number> {
  let start: Promise<number> | undefined;
  const read = async (): Promise<number> => {
    const own = (await readKeys(database)).find(({ use, id }) => use === 'receipt' && id === signer.keyId);
    return own?.record ? own.from.getTime() : 1;
  };
  return () => {
    start ??= read().catch((error: unknown) => {
      start = undefined;
      throw error;
    });
    return start;
  };
}

/**
 * The keys that a customer who has seen only the first ones trusts: a later key counts only if the key before it has
 * signed it.
 */
export async function trustStoredKeys(keys: readonly StoredKey[]): Promise<readonly ProofKey[]> {
  const published = keys.map(({ use, id, publicKeyHex, record }) => ({ use, id, public_key: publicKeyHex, record }));
  const first = published.filter(({ record }) => record === null);
  const { trusted } = await trustKeys(
    published,
    first.map(({ use, id, public_key }) => ({ use, id, public_key })),
  );
  return trusted;
}
