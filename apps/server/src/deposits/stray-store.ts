import { column, plainArray, type Queries, statement, table } from '../database/index.ts';
import type { SeenDeposit } from './deposit-store.ts';

/** How many cases of other tokens an address may have open. Strangers send such tokens for next to nothing. */
export const STRAYS_OPEN_MAX = 20;

const OPEN = statement(
  'deposits.read_open_strays',
  `SELECT address, token, id FROM deposits.deposit
   WHERE chain = $1 AND address = ANY ($2::text[]) AND reason = 'other_token' AND step IN ('recovery', 'recovering')`,
);
interface Stray {
  readonly chain: string;
  readonly address: string;
  readonly transfers: number;
  readonly last_hash: string;
  readonly last_height: bigint;
}
const STRAYS = table<Stray>({
  chain: column.text(),
  address: column.text(),
  transfers: column.integer,
  last_hash: column.text(),
  last_height: column.bigint,
});
const COUNT = statement(
  'deposits.count_strays',
  `${STRAYS.insertInto('deposits.stray AS s')}
   ON CONFLICT (chain, address) DO UPDATE SET transfers = s.transfers + excluded.transfers, last_hash = excluded.last_hash, last_height = excluded.last_height`,
);
const READ = statement(
  'deposits.read_strays',
  'SELECT transfers FROM deposits.stray WHERE chain = $1 AND address = $2',
);

/**
 * Returns the transfers of other tokens that become cases: one of each token and address, and no more than the limit of
 * an address. The rest is only counted. Runs in the transaction that moves the cursor, so each is counted once.
 */
export async function admitStrays(queries: Queries, rows: readonly SeenDeposit[]): Promise<SeenDeposit[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { chain } = first;
  const open = new Map<string, Set<string>>();
  const known = new Set<string>();
  const found = await queries.query<{ address: string; token: string; id: string }>(OPEN, [
    chain,
    plainArray([...new Set(rows.map(({ address }) => address))]),
  ]);
  const openAt = (address: string): Set<string> => {
    const tokens = open.get(address) ?? new Set();
    open.set(address, tokens);
    return tokens;
  };
  for (const { address, token, id } of found) {
    openAt(address).add(token);
    known.add(id);
  }
  const admitted: SeenDeposit[] = [];
  const counted = new Map<string, Stray>();
  for (const row of rows) {
    const { address, token, hash: last_hash, block_height: last_height } = row;
    const tokens = openAt(address);
    if (known.has(row.id)) continue;
    if (!tokens.has(token) && tokens.size < STRAYS_OPEN_MAX) {
      tokens.add(token);
      admitted.push(row);
    } else {
      const transfers = (counted.get(address)?.transfers ?? 0) + 1;
      counted.set(address, { chain, address, transfers, last_hash, last_height });
    }
  }
  if (counted.size > 0) await queries.query(COUNT, STRAYS.values([...counted.values()]));
  return admitted;
}

/** How many transfers of other tokens to this address were only counted. */
export async function readStrays(queries: Queries, chain: string, address: string): Promise<number> {
  const [row] = await queries.query<{ transfers: bigint }>(READ, [chain, address]);
  return Number(row?.transfers ?? 0);
}
