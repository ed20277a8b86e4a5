import { lookUp, type Walk } from './walk.ts';

/** What each tick says of the one before, however old; of the newest and the heads, `invariants.ts` asks at every round. */
export const TICKS: Walk = {
  name: 'ticks',
  tables: ['market.tick'],
  starts: `SELECT ARRAY[coin, '0'] AS place FROM market.head ORDER BY coin`,
  next: `SELECT ARRAY[coin, upto::text] AS place, upto - ($1::text[])[2]::bigint AS rows
         FROM (SELECT coin, least(($1::text[])[2]::bigint + $2::bigint, sequence) AS upto FROM market.head
           WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint) ahead`,
  given: {
    t: `SELECT coin, sequence, at, price, hash, body FROM market.tick
        WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint AND sequence <= ($2::text[])[2]::bigint`,
  },
  invariants: [
    {
      id: 'T1',
      says: 'the ticks of each coin are numbered without a gap, each names the hash of the one before, and has the price that its text says',
      text: `SELECT ($1::text[])[1] || ' ' || ($1::text[])[2] || ' to ' || ($2::text[])[2] AS subject
             FROM t HAVING count(DISTINCT sequence) <> ($2::text[])[2]::bigint - ($1::text[])[2]::bigint
             UNION ALL
             SELECT t.coin || ' ' || t.sequence FROM t ${lookUp('market.tick', 'b', 'b.coin = t.coin AND b.sequence = t.sequence - 1')}
             WHERE t.body::jsonb->>'prev' IS DISTINCT FROM coalesce(encode(b.hash, 'hex'), repeat('0', 64))
               OR (t.body::jsonb->>'px', t.body::jsonb->>'t') IS DISTINCT FROM (t.price::text, (extract(epoch FROM t.at) * 1000)::bigint::text)
               OR t.hash <> sha256(convert_to('tick/1' || chr(10) || t.body, 'UTF8'))`,
    },
  ],
  newest: {
    starts: 'SELECT ARRAY[coin, greatest(sequence - $1::bigint, 0)::text] AS place FROM market.head ORDER BY coin',
    invariants: [],
  },
};
