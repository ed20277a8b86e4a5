import { randomBytes, randomUUID } from 'node:crypto';
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

/** A used confirmation with such a signature, under which this operator proposes `content`. */
export async function unverifiableProposal(
  owner: pg.ClientBase,
  operator: number,
  { kind, subject, content }: { readonly kind: string; readonly subject: string; readonly content: string },
): Promise<string> {
  const [stepUp, session] = [randomUUID(), randomUUID()];
  await owner.query(
    `INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at)
     VALUES ($1::uuid, sha256(uuid_send($1)), $2, 'authenticator', 'd', 'a', now(), now())`,
    [session, operator],
  );
  await owner.query(
    `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at, confirmed_at, confirmed_by, vote_key, proof, used_at)
     VALUES ($1, 'decision', $2, $3, $4, $5, sha256($6), repeat('x', 43), now() + interval '1 minute', now(), 'passkey', $7, $8, now())`,
    [
      ...[stepUp, operator, session, `propose.${kind}`, subject, Buffer.from(content)],
      ...(await unverifiableSignature(owner, operator)),
    ],
  );
  return stepUp;
}
