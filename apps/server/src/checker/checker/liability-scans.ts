import type { Invariant } from './invariant.ts';

/** The most transfers that a round undoes. */
const SINCE_MAX = 200_000;

/** What was told to be owed, beside the books. Money goes on: a wrong figure is told, and nothing was paid by it. */
export const LIABILITY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'LI1',
    says: 'the newest signed sums of what is owed are those of all customers’ accounts at that transfer',
    isHalting: false,
    // Undoes the transfers since, so the sums are compared while these are few: at once after they were signed.
    text: `WITH told AS (SELECT * FROM (SELECT sequence, body::jsonb AS body FROM books.liabilities ORDER BY sequence DESC LIMIT 1) newest
               WHERE (body ->> 'ledger')::bigint >= (SELECT last_sequence FROM ledger.head) - ${SINCE_MAX}),
             sums AS (SELECT s ->> 0 AS asset, (s ->> 1)::numeric AS units FROM told, jsonb_array_elements(body -> 'sums') s WHERE s ->> 0 <> 'options'),
             owned AS (SELECT asset, sum(credits_posted - debits_posted) AS units FROM ledger.account WHERE owner > 0 GROUP BY asset),
             since AS (
               SELECT t.asset, sum(CASE WHEN c.owner > 0 THEN t.units ELSE 0 END - CASE WHEN d.owner > 0 THEN t.units ELSE 0 END) AS units
               FROM told JOIN ledger.transfer t ON t.sequence > (told.body ->> 'ledger')::bigint AND t.kind IN ('s', 'p')
               JOIN ledger.account d ON d.id = t.debit JOIN ledger.account c ON c.id = t.credit GROUP BY t.asset)
           SELECT concat_ws(' ', told.sequence, asset, coalesce(sums.units, 0) - coalesce(owned.units, 0) + coalesce(since.units, 0)) AS subject
           FROM told CROSS JOIN (sums FULL JOIN owned USING (asset) FULL JOIN since USING (asset))
           WHERE coalesce(sums.units, 0) <> coalesce(owned.units, 0) - coalesce(since.units, 0)`,
  },
  {
    id: 'LI2',
    says: 'each signed text of what is owed names the one before it',
    isHalting: false,
    text: `SELECT sequence::text AS subject FROM (
             SELECT sequence, body, hash, lag(sequence) OVER w AS before, lag(hash) OVER w AS named FROM books.liabilities WINDOW w AS (ORDER BY sequence)
             ORDER BY sequence DESC LIMIT 500) newest
           WHERE (body::jsonb ->> 'seq' = sequence::text AND hash = sha256(convert_to('liabilities/1' || chr(10) || body, 'UTF8'))
             AND coalesce(before, sequence - 1) = sequence - 1 AND body::jsonb ->> 'prev' = coalesce(encode(named, 'hex'), CASE sequence WHEN 1 THEN repeat('0', 64) ELSE body::jsonb ->> 'prev' END)) IS NOT TRUE`,
  },
  {
    id: 'LI3',
    says: 'a live platform owes no coin of which two people have not counted at least as much',
    isHalting: false,
    text: `WITH owed AS (SELECT asset, sum(credits_posted - debits_posted) AS units FROM ledger.account
               WHERE owner > 0 AND asset NOT IN ('USDT', 'THB', 'POINTS') GROUP BY asset),
             counted AS (SELECT DISTINCT ON (asset) asset, counted FROM books.attestation
               GROUP BY asset, as_of, counted HAVING count(DISTINCT operator) > 1 ORDER BY asset, as_of DESC, counted)
           SELECT asset AS subject FROM owed LEFT JOIN counted USING (asset)
           WHERE owed.units > coalesce(counted.counted, 0) AND (SELECT mode FROM ledger.deployment) = 'live'`,
  },
];
