import { arrayLiteral, column, type Queries, statement, table } from '../../platform/database/index.ts';
import type { SeenDeposit } from './deposit-store.ts';

/** Stands for the contract of a transfer of the chain's own coin, which has no contract and no event. */
export const COIN_TOKEN = `0x${'0'.repeat(40)}`;
/** Open cases of small amounts of the coin per address. Strangers can send such amounts for next to nothing. */
const OPEN_COIN_CASES_MAX = 20;
/** In the coin's smallest units. From 0.01 coins on, always a case: too expensive to send only to cause work. */
export const COIN_CASE_ALWAYS_UNITS = 10n ** 16n;

const OPEN = statement(
  'deposits.read_open_coins',
  `SELECT address, id FROM deposits.deposit
   WHERE chain = $1 AND address = ANY ($2::text[]) AND reason = 'native_coin' AND step IN ('recovery', 'recovering')`,
);
interface Unassigned {
  readonly chain: string;
  readonly address: string;
  readonly transfers: number;
  readonly coins: bigint;
  readonly last_hash: string;
  readonly last_height: bigint;
}
/** The number of transfers of one block to an address that were counted without being read. */
export type CoinSum = Omit<Unassigned, 'chain'>;

const UNASSIGNED = table<Unassigned>({
  chain: column.text(),
  address: column.text(),
  transfers: column.integer,
  coins: column.numeric,
  last_hash: column.text(),
  last_height: column.bigint,
});
const COUNT = statement(
  'deposits.count_unassigned',
  `${UNASSIGNED.insertInto('deposits.stray AS s')}
   ON CONFLICT (chain, address) DO UPDATE SET transfers = s.transfers + excluded.transfers, coins = s.coins + excluded.coins, last_hash = excluded.last_hash, last_height = excluded.last_height`,
);
const READ = statement(
  'deposits.read_unassigned',
  'SELECT transfers FROM deposits.stray WHERE chain = $1 AND address = $2',
);

/**
 * Returns the transfers of the coin that become cases: all of value, and others up to the limit of their address. The
 * rest is only counted, as are `summed`. Runs in the transaction that moves the cursor, so each is counted once.
 */
export async function selectCoinCases(
  queries: Queries,
  chain: string,
  rows: readonly SeenDeposit[],
  summed: readonly CoinSum[],
): Promise<SeenDeposit[]> {
  if (rows.length === 0 && summed.length === 0) return [];
  const found = await queries.query<{ address: string; id: string }>(OPEN, [
    chain,
    arrayLiteral([...new Set(rows.map(({ address }) => address))]),
  ]);
  const open = new Map<string, number>();
  const known = new Set<string>();
  for (const { address, id } of found) {
    open.set(address, (open.get(address) ?? 0) + 1);
    known.add(id);
  }
  const admitted: SeenDeposit[] = [];
  const counted = new Map<string, Unassigned>();
  const count = (one: CoinSum): void => {
    const { transfers, coins } = counted.get(one.address) ?? { transfers: 0, coins: 0n };
    counted.set(one.address, { ...one, chain, transfers: transfers + one.transfers, coins: coins + one.coins });
  };
  for (const row of rows) {
    const { address, amount, hash: last_hash, block_height: last_height } = row;
    const isOpen = open.get(address) ?? 0;
    // A reorganisation may have moved a known transfer to another block.
    if (known.has(row.id)) admitted.push(row);
    else if (amount >= COIN_CASE_ALWAYS_UNITS || isOpen < OPEN_COIN_CASES_MAX) {
      open.set(address, isOpen + 1);
      admitted.push(row);
    } else count({ address, transfers: 1, coins: amount, last_hash, last_height });
  }
  for (const sum of summed) count(sum);
  if (counted.size > 0) await queries.query(COUNT, UNASSIGNED.values([...counted.values()]));
  return admitted;
}

/** Transfers to this address that were only counted: of the coin, and in older versions of tokens. */
export async function readUnassigned(queries: Queries, chain: string, address: string): Promise<number> {
  const [row] = await queries.query<{ transfers: bigint }>(READ, [chain, address]);
  return Number(row?.transfers ?? 0);
}
