import {
  decideTreasuryTransaction,
  type Hex,
  hashOfSafeTransaction,
  type RunKind,
  readOwnerChange,
  transactionOfRun,
} from '@sathorn/treasury';
import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';

/** True unless the hash is that of exactly these lines, in a call that a treasury may make. */
function isRunForged([
  kind,
  chainId,
  safe = '',
  multiSend = '',
  nonce,
  data,
  hash,
  token = '',
  ...lines
]: readonly string[]): boolean {
  const place = { safe, multiSend };
  const run = { kind: kind as RunKind, data: data as Hex, nonce: BigInt(nonce ?? 0) };
  const transaction = transactionOfRun(run, place);
  if (hashOfSafeTransaction({ chainId: Number(chainId), safe }, transaction) !== hash) return true;
  // The chain itself decides which owners a change may name.
  if (run.kind === 'owners') return readOwnerChange(run.data) === undefined || lines.length > 0;
  const facts = { ...place, tokens: [token], owners: [], threshold: 2, nonce: run.nonce };
  const decision = decideTreasuryTransaction(transaction, facts);
  if (!decision.ok || decision.effect.kind !== 'run') return true;
  return decision.effect.lines.map(({ to, units }) => `${to} ${units}`).join() !== lines.join();
}

/** Verified in every round, because the status page shows it. */
export const SEALED_TREASURY: Invariant = {
  id: 'TR6',
  says: 'what the chain says of the treasury is sealed by the watcher, which read it there',
  text: `SELECT chain AS subject, ARRAY[replace(seal::text, '-', ''), concat_ws(' ', chain, height, block_hash, safe, hot, addresses, version,
           array_to_string(owners, ','), threshold, nonce, array_to_string(modules, ','), coalesce(guard, ''))] AS evidence
         FROM treasury.state WHERE seal IS NOT NULL`,
  isBroken: ([seal = '', said = '']: readonly string[], keys: KnownKeys): boolean =>
    !keys.isSealed('watch', seal, said),
};

/**
 * The treasury and the runs of the chain and the bank. The chain counts the signatures of its runs. OP6 verifies those
 * under a bank's file.
 */
export const TREASURY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'TR1',
    says: 'the treasury needs two of at least three registered owners, and nothing can act without them',
    text: `SELECT s.chain AS subject FROM treasury.state s WHERE s.threshold < 2 OR cardinality(s.owners) < 3 OR cardinality(s.modules) > 0
             OR s.guard IS NOT NULL OR EXISTS (SELECT FROM unnest(s.owners) AS named WHERE NOT EXISTS (SELECT FROM treasury.owner o WHERE o.chain = s.chain AND o.address = named))
               -- The first start names the owners after it has read them.
               AND EXISTS (SELECT FROM treasury.safe t WHERE t.chain = s.chain AND t.since < clock_timestamp() - interval '10 minutes')`,
  },
  {
    id: 'TR2',
    says: 'the hash of each signed payment run is that of exactly its lines',
    text: `SELECT r.id::text AS subject, ARRAY[r.kind, s.chain_id::text, s.address, s.multi_send, r.nonce::text, r.data, r.hash,
             (SELECT t.address FROM chain.house_address t WHERE t.chain = r.chain AND t.role = 'token' ORDER BY t.since DESC LIMIT 1)]
             || ARRAY(SELECT l.receiver || ' ' || l.units FROM treasury.line l WHERE l.run = r.id ORDER BY l.place) AS evidence
           FROM treasury.run r JOIN treasury.safe s ON s.chain = r.chain WHERE r.step NOT IN ('withdrawn', 'lapsed')`,
    isBroken: isRunForged,
    isKeyless: true,
  },
  {
    id: 'TR3',
    says: 'each withdrawal of a payment run was examined by somebody who did not sign the run, and is exactly its line',
    text: `SELECT concat_ws(' ', l.run, l.place) AS subject FROM treasury.line l JOIN treasury.run r ON r.id = l.run AND r.step IN ('signed', 'sending', 'done')
           LEFT JOIN withdrawals.withdrawal w ON w.id = l.withdrawal_id
           WHERE CASE WHEN l.withdrawal_id IS NULL
             THEN NOT EXISTS (SELECT FROM chain.house_address h WHERE h.chain = r.chain AND h.address = l.receiver AND h.role = 'wallet')
             ELSE (w.address = l.receiver AND w.amount - w.fee = l.units AND w.chain = r.chain
               AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = w.approval AND v.decision = 'approve'
                 AND NOT EXISTS (SELECT FROM treasury.signature s WHERE s.run = l.run AND s.operator = v.operator))) IS NOT TRUE END`,
  },
  {
    id: 'TR4',
    says: 'no withdrawal is paid by two payment runs, nor by a run and the hot wallet',
    text: `SELECT l.withdrawal_id::text AS subject FROM treasury.line l JOIN treasury.run r ON r.id = l.run AND r.step IN ('sending', 'done')
           WHERE l.withdrawal_id IS NOT NULL GROUP BY l.withdrawal_id
           HAVING count(*) > 1 OR EXISTS (SELECT FROM withdrawals.payout p WHERE p.withdrawal_id = l.withdrawal_id)`,
  },
  {
    id: 'TR5',
    says: 'each bank payment since files are signed is in exactly one file, with the signatures of two people who examined none of it',
    text: `SELECT w.id::text AS subject FROM withdrawals.withdrawal w
           WHERE w.kind = 'bank' AND (w.export IS NOT NULL OR w.step IN ('sending', 'sent_unknown', 'confirming', 'done'))
             AND NOT EXISTS (SELECT FROM withdrawals.bank_file_before b WHERE b.export = w.export)
             AND ((SELECT count(*) FROM withdrawals.bank_line l JOIN withdrawals.bank_run r ON r.id = l.run WHERE l.withdrawal_id = w.id AND r.step = 'signed') <> 1
               OR NOT EXISTS (SELECT FROM withdrawals.bank_line l JOIN withdrawals.bank_run r ON r.id = l.run AND r.step = 'signed' WHERE l.withdrawal_id = w.id AND r.id = w.export
                 AND (SELECT count(*) FROM withdrawals.bank_signature s WHERE s.run = r.id AND NOT EXISTS (SELECT FROM withdrawals.bank_line o
                   JOIN withdrawals.bank_examined e ON e.id = o.withdrawal_id WHERE o.run = r.id AND s.operator::text = ANY (e.examined_by))) >= 2))`,
  },
  {
    id: 'TR7',
    says: 'a payment run that paid on the chain is on its way or done, not refused',
    text: `SELECT DISTINCT p.withdrawal_id::text AS subject FROM treasury.paid p JOIN treasury.run r ON r.id = p.run WHERE p.is_own AND r.step NOT IN ('sending', 'done')`,
  },
];
