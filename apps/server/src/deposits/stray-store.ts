import { column, plainArray, type Queries, statement, table } from '../database/index.ts';
import type { SeenDeposit } from './deposit-store.ts';

/**
 * How many cases of other tokens, and of small amounts of the coin, an address may have open. Strangers send them for
 * next to nothing.
 */
export const STRAYS_OPEN_MAX = 20;
/** In the coin's smallest units: 0.01 coins are always a case, because nobody gives them away to make work. */
const COINS_ALWAYS = 10n ** 16n;

const OPEN = statement(
  'deposits.read_open_strays',
  `SELECT address, token, id, reason FROM deposits.deposit
   WHERE chain = $1 AND address = ANY ($2::text[]) AND reason IN ('other_token', 'native_coin') AND step IN ('recovery', 'recovering')`,
);
interface Stray {
  readonly chain: string;
  readonly address: string;
  readonly transfers: number;
  readonly coins: bigint;
  readonly last_hash: string;
  readonly last_height: bigint;
}
const STRAYS = table<Stray>({
  chain: column.text(),
  address: column.text(),
  transfers: column.integer,
  coins: column.numeric,
  last_hash: column.text(),
  last_height: column.bigint,
});
const COUNT = statement(
  'deposits.count_strays',
  `${STRAYS.insertInto('deposits.stray AS s')}
   ON CONFLICT (chain, address) DO UPDATE SET transfers = s.transfers + excluded.transfers, coins = s.coins + excluded.coins, last_hash = excluded.last_hash, last_height = excluded.last_height`,
);
const READ = statement(
  'deposits.read_strays',
  'SELECT transfers FROM deposits.stray WHERE chain = $1 AND address = $2',
);

/**
 * Returns the transfers of other tokens and of the coin that become cases: one of each token and address, and no more
 * than the limit of an address; of the coin each, up to the same limit. The rest is only counted. Runs in the
 * transaction that moves the cursor, so each is counted once.
 */
export async function admitStrays(queries: Queries, rows: readonly SeenDeposit[]): Promise<SeenDeposit[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { chain } = first;
  const open = new Map<string, Set<string>>();
  const openCoins = new Map<string, number>();
  const known = new Set<string>();
  const found = await queries.query<{ address: string; token: string; id: string; reason: string }>(OPEN, [
    chain,
    plainArray([...new Set(rows.map(({ address }) => address))]),
  ]);
  const openAt = (address: string): Set<string> => {
    const tokens = open.get(address) ?? new Set();
    open.set(address, tokens);
    return tokens;
  };
  for (const { address, token, id, reason } of found) {
    if (reason === 'native_coin') openCoins.set(address, (openCoins.get(address) ?? 0) + 1);
    else openAt(address).add(token);
    known.add(id);
  }
  const admitted: SeenDeposit[] = [];
  const counted = new Map<string, Stray>();
  for (const row of rows) {
    const { address, token, amount, reason, hash: last_hash, block_height: last_height } = row;
    const tokens = openAt(address);
    if (known.has(row.id)) continue;
    const isCoin = reason === 'native_coin';
    const coinsOpen = openCoins.get(address) ?? 0;
    if (isCoin && (amount >= COINS_ALWAYS || coinsOpen < STRAYS_OPEN_MAX)) {
      openCoins.set(address, coinsOpen + 1);
      admitted.push(row);
    } else if (!isCoin && !tokens.has(token) && tokens.size < STRAYS_OPEN_MAX) {
      tokens.add(token);
      admitted.push(row);
    } else {
      const before = counted.get(address);
      const transfers = (before?.transfers ?? 0) + 1;
      const coins = (before?.coins ?? 0n) + (isCoin ? amount : 0n);
      counted.set(address, { chain, address, transfers, coins, last_hash, last_height });
    }
  }
  if (counted.size > 0) await queries.query(COUNT, STRAYS.values([...counted.values()]));
  return admitted;
}

/** How many transfers of other tokens and coins to this address were only counted. */
export async function readStrays(queries: Queries, chain: string, address: string): Promise<number> {
  const [row] = await queries.query<{ transfers: bigint }>(READ, [chain, address]);
  return Number(row?.transfers ?? 0);
}
