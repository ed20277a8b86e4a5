import { ACCOUNTS, PURPOSES } from '../../ledger/index.ts';
import { lateralLookUp, type Scan } from './scan.ts';

/** Names by code, from the code and not from the database, whose owner can change them. */
const namesOf = (table: Readonly<Record<string, { readonly code: number }>>): string =>
  `'${JSON.stringify(Object.fromEntries(Object.entries(table).map(([name, { code }]) => [code, name])))}'::jsonb`;

const SIDE = (side: 'debit' | 'credit', sign: string): string => `
  SELECT sequence, journal, kind, resolves, ${sign}units AS amount, ${side}_held AS held, ${side}_total AS total, code, at
  FROM ledger.transfer WHERE ${side} = c.account AND ${side}_entry = c.entry + 1`;

/** The text of entry/1 that the transfer `t` demands after the hash of `c`, written here anew. */
const ENTRY = `'{"account":"' || (${namesOf(ACCOUNTS)} ->> c.code::text) || '","amount":"' || t.amount || '","asset":"' || c.asset
  || '","at":"' || floor(extract(epoch FROM t.at) * 1000)::bigint || '","held":"' || t.held || '","journal":"' || t.journal
  || '","kind":"' || CASE t.kind WHEN 's' THEN 'single' WHEN 'h' THEN 'hold' WHEN 'p' THEN 'post' ELSE 'void' END
  || '","n":"' || c.entry + 1 || '","prev":"' || encode(c.hash, 'hex') || '","purpose":"' || (${namesOf(PURPOSES)} ->> t.code::text)
  || '","resolves":' || coalesce('"' || t.resolves || '"', 'null') || ',"seq":"' || t.sequence || '","total":"' || t.total || '","v":"entry/1"}'`;

/**
 * The heads of customers' accounts that were signed. Each is computed again from the head before it and the entries in
 * between, so a pass over all heads covers the whole history of every account.
 */
export const ACCOUNT_HEAD_SCAN: Scan = {
  name: 'account heads',
  tables: ['ledger.account_head', 'ledger.transfer', 'ledger.transfer'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  // A page is limited by the entries to hash, since a head may stand for a thousand of them.
  next: `SELECT ARRAY[max(number)::text] AS cursor, sum(entry - previous) AS rows FROM (
           SELECT number, entry, previous, sum(entry - previous) OVER (ORDER BY number) AS upto
           FROM (SELECT number, entry, previous FROM ledger.account_head WHERE number > ($1::text[])[1]::bigint ORDER BY number LIMIT $2::bigint) ahead
         ) page WHERE upto - (entry - previous) < $2::bigint HAVING count(*) > 0`,
  given: {
    h: `SELECT * FROM ledger.account_head WHERE number > ($1::text[])[1]::bigint AND number <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'I10',
      says: 'every signed head of a customer’s account follows from all of its entries',
      // All chains of a page take one step at a time.
      text: `SELECT concat_ws(' ', h.account, h.previous + 1, h.entry) AS subject FROM h
             LEFT JOIN (
               WITH RECURSIVE chain AS (
                 SELECT h.number, h.account, a.code, a.asset, h.entry AS upto, h.previous AS entry,
                   CASE WHEN h.previous = 0 THEN decode(repeat('00', 32), 'hex') ELSE before.hash END AS hash
                 FROM h ${lateralLookUp('ledger.account', 'a', 'a.id = h.account', 'code, asset')}
                   ${lateralLookUp('ledger.account_head', 'before', 'before.account = h.account AND before.entry = h.previous', 'hash')}
                 UNION ALL
                 SELECT c.number, c.account, c.code, c.asset, c.upto, c.entry + 1, sha256(convert_to('entry/1' || chr(10) || ${ENTRY}, 'UTF8'))
                 FROM chain c CROSS JOIN LATERAL (${SIDE('debit', '-')} UNION ALL ${SIDE('credit', '')} OFFSET 0) t
                 WHERE c.entry < c.upto
               )
               SELECT number, hash FROM chain WHERE entry = upto
             ) computed ON computed.number = h.number
             WHERE computed.hash IS DISTINCT FROM h.hash`,
    },
  ],
  newest: {
    starts: 'SELECT ARRAY[greatest(coalesce(max(number), 0) - $1::bigint, 0)::text] AS cursor FROM ledger.account_head',
    invariants: [],
  },
};
