import { keccak_256 } from '@noble/hashes/sha3';
import { money } from '@sathorn/money';
import { authorisationText } from '@sathorn/proof';
import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';
import { lateralLookUp } from './scan.ts';

/** The time since which withdrawals need authorisations. The signer pays earlier ones only with two people's votes. */
const SINCE = '(SELECT min(declared_at) FROM withdrawals.calendar)';

function isAuthorisationForged(evidence: readonly string[], keys: KnownKeys): boolean {
  const [body = '', signature = '', key = '', ...row] = evidence;
  const [withdrawal = '', customer = '', channel = '', chain, address = '', payee = '', amount, fee, quote, at] = row;
  const expected = authorisationText({
    withdrawal,
    customer,
    channel,
    chain: chain ?? null,
    address,
    payee,
    amount: money('USDT', BigInt(amount ?? 0)),
    fee: money('USDT', BigInt(fee ?? 0)),
    quote: quote ?? null,
    atMs: Number(at),
  });
  return body !== expected || !keys.hasSigned('authorisation', key, `authorisation/1\n${body}`, signature);
}

const isAnothersText = ([raw = '', hash = '']: readonly string[]): boolean =>
  `0x${Buffer.from(keccak_256(Buffer.from(raw.slice(2), 'hex'))).toString('hex')}` !== hash;

/**
 * Invariants of withdrawals (`w` in the SQL). The ledger scans check them when money is held or taken, and the custody
 * scan checks them again over the whole history.
 */
export const WITHDRAWAL_INVARIANTS: readonly Invariant[] = [
  {
    id: 'WW5',
    says: 'every withdrawal was authorised',
    text: `SELECT w.id::text AS subject FROM w ${lateralLookUp('withdrawals.authorisation', 'a', 'a.withdrawal_id = w.id', 'body')}
           WHERE w.created_at >= ${SINCE} AND a.body IS NULL`,
  },
  {
    id: 'WW6',
    says: 'every authorisation is signed by the edge’s key and is of exactly its withdrawal',
    text: `SELECT w.id::text AS subject, ARRAY[a.body, encode(a.signature, 'hex'), a.key, w.id::text, w.customer_id::text, w.channel, w.chain,
             CASE w.kind WHEN 'crypto' THEN w.address ELSE encode(p.digest, 'hex') END, w.payee_id, w.amount::text, w.fee::text, w.quote::text,
             trunc(extract(epoch FROM w.created_at) * 1000)::bigint::text] AS evidence
           FROM w ${lateralLookUp('withdrawals.authorisation', 'a', 'a.withdrawal_id = w.id', 'body, signature, key')}
           ${lateralLookUp('payees.payee', 'p', 'p.id = w.payee_id', 'digest')} WHERE a.body IS NOT NULL`,
    isBroken: isAuthorisationForged,
  },
  {
    id: 'WW7',
    says: 'every withdrawal has as many people as the sum of its customer’s day demanded',
    // Tolerates changes during the decision: another withdrawal that was returned within ten seconds, and thresholds
    // that came into force within a minute.
    text: `SELECT w.id::text AS subject FROM w
           CROSS JOIN LATERAL (SELECT time_zone AS zone FROM withdrawals.calendar WHERE effective_from <= w.created_at ORDER BY effective_from DESC LIMIT 1) calendar
           CROSS JOIN LATERAL (SELECT w.amount + coalesce(sum(o.amount), 0) AS units FROM withdrawals.withdrawal o
             WHERE o.customer_id = w.customer_id AND o.hold < w.hold AND (o.step = 'returned' AND o.finished_at <= w.created_at + interval '10 seconds') IS NOT TRUE
               AND o.created_at >= date_trunc('day', w.created_at AT TIME ZONE zone) AT TIME ZONE zone OFFSET 0) day
           WHERE w.created_at >= ${SINCE} AND w.people < (SELECT min(withdrawals.people_for(day.units::bigint, h.one_person_from, h.two_people_from)) FROM withdrawals.threshold h
             WHERE h.effective_from <= w.created_at + interval '1 minute' AND NOT EXISTS (SELECT FROM withdrawals.threshold n
               WHERE (n.effective_from, n.id) > (h.effective_from, h.id) AND n.effective_from <= w.created_at - interval '1 minute'))`,
  },
  {
    id: 'WW8',
    says: 'every wallet that was paid is the one that its customer saved, a day before it could be paid',
    text: `SELECT w.id::text AS subject FROM w ${lateralLookUp('payees.payee', 'p', 'p.id = w.payee_id', 'owner, commitment, stored_at')}
           WHERE w.created_at >= ${SINCE} AND w.kind = 'crypto'
             AND (p.owner = w.customer_id AND p.commitment = payees.commitment_of(w.payee_opening, w.chain, w.address)
               AND p.stored_at + interval '24 hours' <= coalesce(w.delayed_until, w.created_at) + interval '2 minutes') IS NOT TRUE`,
  },
  {
    id: 'WW9',
    says: 'every transaction of a payout has the hash of its text',
    text: `SELECT o.hash AS subject, ARRAY[o.raw, o.hash] AS evidence FROM w JOIN LATERAL (SELECT raw, hash FROM withdrawals.outbox WHERE withdrawal_id = w.id OFFSET 0) o ON true`,
    isBroken: isAnothersText,
  },
  {
    id: 'WW11',
    says: 'every payout that was given back as refused by the chain is sealed by the process that read the refusal there',
    text: `SELECT w.id::text AS subject, ARRAY[replace(w.refusal_seal::text, '-', ''), concat(w.id, ' ', w.hash)] AS evidence
           FROM w WHERE w.step = 'returned' AND w.refusal_seal IS NOT NULL`,
    isBroken: ([seal = '', said = '']: readonly string[], keys: KnownKeys): boolean =>
      !keys.isSealed('payout', seal, said),
  },
];
