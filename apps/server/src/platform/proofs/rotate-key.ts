import { type KeyRecord, type KeyUse, writeKeyRecord } from '@sathorn/proof';
import { type Queries, statement } from '../database/index.ts';
import { assertKeyInForce, enrolKey, readKeys } from './key-store.ts';
import type { Signer } from './signer.ts';

/** The announcement of a key, signed by its predecessor and by itself. */
export function keyRecordOf(use: KeyUse, previous: Signer, next: Signer, fromMs: number): KeyRecord {
  const body = writeKeyRecord({ use, publicKey: next.publicKeyHex, fromMs, previous: previous.keyId });
  return { body, signature: next.sign(body).signature, previous_signature: previous.sign(body).signature };
}

const NOW = statement('proofs.now', 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms');

/**
 * Publishes `next` as the successor of `previous`, starting at the database's current time. From then on nothing may
 * sign with `previous`: readers reject its later signatures. Does nothing if `next` is already published, so that an
 * interrupted change can be completed.
 */
export async function rotateKey(database: Queries, use: KeyUse, previous: Signer, next: Signer): Promise<void> {
  const keys = await readKeys(database);
  if (keys.some((key) => key.use === use && key.publicKeyHex === next.publicKeyHex)) return;
  await assertKeyInForce(database, use, previous);
  const [row] = await database.query<{ ms: bigint }>(NOW);
  if (row === undefined) throw new Error('the database did not return its time');
  await enrolKey(database, use, next, keyRecordOf(use, previous, next, Number(row.ms)));
}
