import { hashOfBody, NO_LINK_HASH, promisesRoot, readPromiseLink } from '@sathorn/proof';
import type { Invariant } from './invariant.ts';
import { lateralLookUp, type Scan } from './scan.ts';

function isLinkBroken([body = '', hash = '', sequence = '', before = '', heads = '']: readonly string[]): boolean {
  const link = readPromiseLink(body);
  const members = heads.split(' ');
  return !(
    String(link?.sequence) === sequence &&
    link?.previous === (before === '' ? NO_LINK_HASH : before) &&
    hashOfBody(body) === hash &&
    link.size === members.length &&
    members.every((head) => /^[0-9a-f]{64}$/.test(head)) &&
    link.root === promisesRoot(members)
  );
}

/** Each link names the one before it and contains the trees of terms that are stored under it. */
export const PROMISE_SCAN: Scan = {
  name: 'promises',
  tables: Array(4).fill('proofs.promise_link'),
  starts: `SELECT ARRAY['0'] AS cursor`,
  next: `SELECT ARRAY[max(sequence)::text] AS cursor, count(*) AS rows FROM (
           SELECT sequence FROM proofs.promise_link WHERE sequence > ($1::text[])[1]::bigint ORDER BY sequence LIMIT $2::bigint) page
         HAVING count(*) > 0`,
  given: {
    l: `SELECT * FROM proofs.promise_link WHERE sequence > ($1::text[])[1]::bigint AND sequence <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'PR1',
      says: 'each link of promises follows the one before it and has the root of its trees of terms',
      text: `SELECT l.sequence::text AS subject,
               ARRAY[l.body, encode(l.hash, 'hex'), l.sequence::text, coalesce(encode(b.hash, 'hex'), ''), coalesce(of_link.heads, '')] AS evidence
             FROM l ${lateralLookUp('proofs.promise_link', 'b', 'b.sequence = l.sequence - 1', 'hash')}
             LEFT JOIN LATERAL (
               SELECT string_agg(CASE t.hash WHEN p.head THEN t.hash ELSE '' END, ' ' ORDER BY p.index) AS heads
               FROM (SELECT * FROM proofs.promised_tree WHERE link = l.sequence OFFSET 0) p
               ${lateralLookUp('options.terms_tree', 't', 't.id = p.tree', 'hash')}) of_link ON true`,
      isBroken: isLinkBroken,
      isKeyless: true,
    },
  ],
  newest: {
    starts: `SELECT ARRAY[greatest(coalesce(max(sequence), 0) - least($1::bigint, 100), 0)::text] AS cursor FROM proofs.promise_link`,
    invariants: [],
  },
};

const NEWEST_TICK = `(SELECT max(at) FROM market.head)`;

/** Trees among these that should be in a link and are in none. Terms before `opt/4` are not promised. */
const unpromised = (trees: string): string =>
  `SELECT tree.id::text AS subject FROM (${trees}) named
   ${lateralLookUp('options.terms_tree', 'tree', 'tree.id = named.terms_tree')}
   ${lateralLookUp('proofs.promised_tree', 'place', 'place.tree = tree.id', 'link')}
   ${lateralLookUp('proofs.promise_link', 'link', 'link.sequence = place.link', 'sequence')}
   WHERE right(tree.bodies, 7) IN ('opt/4"}', 'opt/5"}') AND link.sequence IS NULL`;

/** Checks option orders in `o`. Without ticks an order is void before it is promised. */
export const PROMISED_TERMS_INVARIANT: Invariant = {
  id: 'PR2',
  says: 'the terms of every settled option order are in the chain of promises',
  // An option may be sold some seconds after its purchase, before its terms are in a link.
  text: unpromised(`SELECT DISTINCT terms_tree FROM o WHERE status NOT IN ('holding', 'void')
    AND (status <> 'sold' OR accepted_ms < (SELECT extract(epoch FROM ${NEWEST_TICK}) * 1000 - 60000))`),
};

/** Also checked in every round: terms that nobody promised, and promises that no tick names. */
export const PROMISE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'PR2',
    says: 'the terms of every option order are in the chain of promises within a minute of prices',
    text: unpromised(`SELECT DISTINCT terms_tree FROM options.orders, (SELECT (extract(epoch FROM ${NEWEST_TICK}) * 1000)::bigint AS ms) newest
             WHERE accepted_ms BETWEEN newest.ms - 600000 AND newest.ms - 60000`),
  },
  {
    id: 'PR3',
    says: 'ticks name each of the newest links of promises',
    text: `SELECT l.sequence::text AS subject FROM (SELECT * FROM proofs.promise_link ORDER BY sequence DESC LIMIT 20) l
           WHERE l.at BETWEEN ${NEWEST_TICK} - interval '2 minutes' AND ${NEWEST_TICK} - interval '5 seconds' AND NOT EXISTS (
             SELECT FROM market.tick t WHERE t.at BETWEEN l.at - interval '62 seconds' AND l.at
               AND strpos(t.body, '"promises":"' || encode(l.hash, 'hex') || '"') > 0)`,
  },
];
