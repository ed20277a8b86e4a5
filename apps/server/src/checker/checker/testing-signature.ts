import { randomBytes } from 'node:crypto';
import { voterIdOf } from '@sathorn/proof';
import type pg from 'pg';

/**
 * Creates a trusted key of this operator, and a signature that only its verifier can tell from a real one. Tests of
 * modules that do not verify signatures cast votes with it.
 */
export async function unverifiableSignature(
  owner: pg.ClientBase,
  operator: number,
): Promise<[key: string, proof: string]> {
  const publicKey = randomBytes(32);
  const id = voterIdOf(publicKey.toString('hex'));
  await owner.query(
    `INSERT INTO votes.key (id, operator, kind, public_key, party, name, pinned_roles) VALUES ($1, $2, 'demo', $3, '', 'x', '{}')`,
    [id, operator, publicKey],
  );
  return [id, JSON.stringify({ signature: '0'.repeat(128) })];
}
