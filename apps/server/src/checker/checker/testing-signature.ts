import { randomBytes } from 'node:crypto';
import { voterIdOf } from '@sathorn/proof';
import type pg from 'pg';

/**
 * A key of this operator that counts, and what the database can't tell from its signature: only who verifies it can.
 * Votes of rooms that don't look at signatures are cast with it.
 */
export async function seemingSignature(owner: pg.ClientBase, operator: number): Promise<[key: string, proof: string]> {
  const publicKey = randomBytes(32);
  const id = voterIdOf(publicKey.toString('hex'));
  await owner.query(
    `INSERT INTO votes.key (id, operator, kind, public_key, party, name, pinned_roles) VALUES ($1, $2, 'demo', $3, '', 'x', '{}')`,
    [id, operator, publicKey],
  );
  return [id, JSON.stringify({ signature: '0'.repeat(128) })];
}
