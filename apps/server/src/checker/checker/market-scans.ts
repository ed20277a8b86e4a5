import { lateralLookUp, type Scan } from './scan.ts';

/** The last sequence in a coin's sealed segments; the ticks in the table follow it. */
const SEALED = (coin: string): string =>
  `coalesce((SELECT last_sequence FROM market.sealed_segment WHERE coin = ${coin} AND last_sequence > 0 ORDER BY last_sequence DESC LIMIT 1), 0)`;

/**
 * Compares each tick with its predecessor, however old. Each round also checks the newest ticks and the heads
 * (`invariants.ts`). Ticks that were sealed after the cursor was stored are checked with their segments.
 */
export const TICK_SCAN: Scan = {
  name: 'ticks',
  tables: ['market.tick'],
  starts: `SELECT ARRAY[coin, ${SEALED('head.coin')}::text] AS cursor FROM market.head ORDER BY coin`,
  next: `SELECT ARRAY[coin, upto::text] AS cursor, upto - ($1::text[])[2]::bigint AS rows
         FROM (SELECT coin, least(($1::text[])[2]::bigint + $2::bigint, sequence) AS upto FROM market.head
           WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint) ahead`,
  given: {
    t: `SELECT coin, sequence, at, price, hash, body FROM market.tick
        WHERE coin = ($1::text[])[1] AND sequence > greatest(($1::text[])[2]::bigint, ${SEALED('($1::text[])[1]')}) AND sequence <= ($2::text[])[2]::bigint`,
  },
  invariants: [
    {
      id: 'T1',
      says: 'the ticks of each coin are numbered without a gap, each names the hash of the one before, and has the price that its text says',
      text: `SELECT ($1::text[])[1] || ' ' || ($1::text[])[2] || ' to ' || ($2::text[])[2] AS subject
             FROM t HAVING count(DISTINCT sequence) <> greatest(0, ($2::text[])[2]::bigint - greatest(($1::text[])[2]::bigint, ${SEALED('($1::text[])[1]')}))
             UNION ALL
             SELECT t.coin || ' ' || t.sequence FROM t ${lateralLookUp('market.tick', 'b', 'b.coin = t.coin AND b.sequence = t.sequence - 1')}
             ${lateralLookUp('market.sealed_segment', 's', 's.coin = t.coin AND s.last_sequence = t.sequence - 1', 'last_hash')}
             WHERE t.body::jsonb->>'prev' IS DISTINCT FROM coalesce(encode(coalesce(s.last_hash, b.hash), 'hex'), repeat('0', 64))
               OR (t.body::jsonb->>'px', t.body::jsonb->>'t') IS DISTINCT FROM (t.price::text, (extract(epoch FROM t.at) * 1000)::bigint::text)
               OR t.hash <> sha256(convert_to('tick/1' || chr(10) || t.body, 'UTF8'))`,
    },
  ],
  newest: {
    starts: `SELECT ARRAY[coin, greatest(sequence - $1::bigint, least(sequence, ${SEALED('head.coin')}))::text] AS cursor FROM market.head ORDER BY coin`,
    invariants: [],
  },
};

/** Each segment continues its predecessor and has as many ticks as it states. `SegmentInspector` unpacks its texts. */
export const TICK_SEGMENT_SCAN: Scan = {
  name: 'sealed ticks',
  tables: ['market.sealed_segment'],
  starts: `SELECT ARRAY[coin, '0'] AS cursor FROM market.head ORDER BY coin`,
  next: `SELECT ARRAY[($1::text[])[1], max(last_sequence)::text] AS cursor, count(*) AS rows
         FROM (SELECT last_sequence FROM market.sealed_segment WHERE coin = ($1::text[])[1] AND last_sequence > ($1::text[])[2]::bigint
           ORDER BY last_sequence LIMIT $2::bigint) page HAVING count(*) > 0`,
  given: {
    s: `SELECT * FROM market.sealed_segment
        WHERE coin = ($1::text[])[1] AND last_sequence > ($1::text[])[2]::bigint AND last_sequence <= ($2::text[])[2]::bigint`,
  },
  invariants: [
    {
      id: 'T3',
      says: 'each sealed segment of ticks follows the one before, and has the hash and as many ticks as it says',
      text: `SELECT s.coin || ' sealed from ' || s.first_sequence AS subject FROM s
             ${lateralLookUp('market.sealed_segment', 'b', 'b.coin = s.coin AND b.last_sequence = s.first_sequence - 1', 'last_sequence, last_hash, last_at, late')}
             WHERE ((s.late IS NOT NULL OR b.late IS NULL) AND (s.first_sequence = 1 OR b.last_sequence IS NOT NULL) AND s.previous_hash = coalesce(b.last_hash, decode(repeat('0', 64), 'hex'))
               AND s.first_at > coalesce(b.last_at, '-infinity') AND s.hash = sha256(s.bytes) AND cardinality(s.prices) = s.last_sequence - s.first_sequence + 1
               AND cardinality(s.seconds) = cardinality(s.prices) AND s.first_at + s.seconds[cardinality(s.seconds)] * interval '1 second' = s.last_at
               AND s.signed[cardinality(s.signed)] = cardinality(s.prices) AND length(s.signatures) = 64 * cardinality(s.signed)) IS NOT TRUE`,
    },
  ],
  newest: {
    starts: `SELECT ARRAY[coin, coalesce((SELECT last_sequence FROM market.sealed_segment s WHERE s.coin = head.coin AND last_sequence > 0
        ORDER BY last_sequence DESC OFFSET least($1::bigint, 1000) LIMIT 1), 0)::text] AS cursor FROM market.head ORDER BY coin`,
    invariants: [],
  },
};
