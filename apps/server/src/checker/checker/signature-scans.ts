import { hashOfBody, leafHash, toHex, treeRoot, utf8Bytes } from '@sathorn/proof';
import '../../platform/proofs/index.ts';
import type { Invariant } from './invariant.ts';
import type { KnownKeys } from './known-keys.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** A signature costs as much as reading this many rows. */
const SIGNATURE_ROWS = 4;
/** How many recent items per coin are checked at startup. The slow pass reaches older ones. */
const NEW_AT_START = 1_000;

function isTickForged([body = '', signature = '', key = '']: readonly string[], keys: KnownKeys): boolean {
  return !keys.hasSigned('index', key, `tick/1\n${body}`, signature);
}

/** T1 compares each tick with its predecessor; this scan verifies the signature, which may have been replaced. */
export const TICK_SIGNATURE_SCAN: Scan = {
  name: 'tick signatures',
  tables: Array(SIGNATURE_ROWS).fill('market.tick'),
  // Starts at the first tick in the table. Earlier ticks are in segments and are not read.
  starts: `SELECT ARRAY[coin, coalesce((SELECT sequence - 1 FROM market.tick t WHERE t.coin = head.coin AND sequence > 0 ORDER BY sequence LIMIT 1), 0)::text] AS cursor
           FROM market.head ORDER BY coin`,
  next: `SELECT ARRAY[coin, upto::text] AS cursor, upto - ($1::text[])[2]::bigint AS rows
         FROM (SELECT coin, least(($1::text[])[2]::bigint + $2::bigint, sequence) AS upto FROM market.head
           WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint) ahead`,
  given: {},
  invariants: [
    {
      id: 'S1',
      says: 'every tick is signed by a known key of the index',
      text: `SELECT coin || ' ' || sequence AS subject, ARRAY[body, encode(signature, 'hex'), key] AS evidence FROM market.tick
             WHERE coin = ($1::text[])[1] AND sequence > ($1::text[])[2]::bigint AND sequence <= ($2::text[])[2]::bigint`,
      isBroken: isTickForged,
    },
  ],
  newest: {
    starts: `SELECT ARRAY[coin, greatest(sequence - least($1::bigint, ${NEW_AT_START}), 0)::text] AS cursor FROM market.head ORDER BY coin`,
    invariants: [],
  },
};

/** The type of a canonical text. No value contains a quotation mark, which I7c checks. */
const typeOf = (body: string): string => /"v":"([a-z]+\/[0-9]+)"/.exec(body)?.[1] ?? '';

/** True if the root differs from the one of the lines: a removed, added or changed line gives another root. */
function isTreeForged(
  [bodies = '', head = '', hash = '', signature = '', key = '']: readonly string[],
  keys: KnownKeys,
): boolean {
  const lines = bodies.split('\n');
  const root = toHex(treeRoot(lines.map((line) => leafHash(utf8Bytes(`${typeOf(line)}\n${line}`)))));
  const written = `{"root":"${root}","size":"${lines.length}","v":"tree/1"}`;
  return (
    head !== written || hashOfBody(written) !== hash || !keys.hasSigned('receipt', key, `tree/1\n${head}`, signature)
  );
}

/** Checks option orders in `o`. One signature covers all terms that were accepted together. */
export const TERMS_SIGNATURE_INVARIANT: Invariant = {
  id: 'S2',
  says: 'the terms of every option order are signed by a known key',
  text: `SELECT tree.id::text AS subject, ARRAY[tree.bodies, tree.head, tree.hash, tree.signature, tree.key] AS evidence
         FROM (SELECT DISTINCT terms_tree FROM o) named ${lateralLookUp('options.terms_tree', 'tree', 'tree.id = named.terms_tree')} WHERE tree.id IS NOT NULL`,
  isBroken: isTreeForged,
};
