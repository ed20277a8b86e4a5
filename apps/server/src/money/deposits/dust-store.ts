import { arrayLiteral, column, type Queries, statement, table } from '../../platform/database/index.ts';
import type { SeenDeposit } from './deposit-store.ts';

/** How many transfers below the minimum an address may have open as cases. */
export const DUST_OPEN_MAX = 20;

interface Dust {
  readonly chain: string;
  readonly address: string;
  readonly block_height: bigint;
  readonly transfers: number;
  readonly units: bigint;
  readonly last_hash: string;
}
/** The sum of transfers of one block to an address that were not read one by one. */
export type DustSum = Omit<Dust, 'chain'>;

const DUST = table<Dust>({
  chain: column.text(),
  address: column.text(),
  block_height: column.bigint,
  transfers: column.number,
  units: column.numeric,
  last_hash: column.text(),
});
const KEEP = statement(
  'deposits.keep_dust',
  `${DUST.insertInto('deposits.crumb')}
   ON CONFLICT (chain, address, block_height) DO UPDATE SET transfers = excluded.transfers, units = excluded.units, last_hash = excluded.last_hash`,
);
const DROP = statement(
  'deposits.drop_dust',
  'DELETE FROM deposits.crumb WHERE chain = $1 AND address = $2 AND block_height = $3',
);
const OPEN = statement(
  'deposits.read_open_dust',
  `SELECT address, count(*)::integer AS open FROM deposits.deposit
   WHERE chain = $1 AND address = ANY ($2::text[]) AND step IN ('confirming', 'recovery', 'recovering') AND token = $3 AND amount < $4 GROUP BY address`,
);
const KNOWN = statement('deposits.known_dust', 'SELECT id FROM deposits.deposit WHERE id = ANY ($1::uuid[])');
const TAKE_OLD = statement(
  'deposits.take_old_dust',
  `DELETE FROM deposits.crumb WHERE chain = $1 AND address = ANY ($2::text[]) AND block_height < $3 RETURNING ${DUST.names}`,
);

/**
 * Returns which transfers of our token below the minimum become cases, and sums the others per block. `rows` and
 * `summed` must be all of them in a range of whole blocks, so that reading the range again gives the same sums. Runs in
 * the transaction that moves the cursor.
 */
export async function selectDustCases(
  queries: Queries,
  rows: readonly SeenDeposit[],
  summed: ReadonlyMap<string, DustSum>,
  minimum: bigint,
): Promise<SeenDeposit[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { chain, token } = first;
  const addresses = [...new Set(rows.map(({ address }) => address))];
  const [counted, found] = await Promise.all([
    queries.query<{ address: string; open: number }>(OPEN, [chain, arrayLiteral(addresses), token, minimum]),
    queries.query<{ id: string }>(KNOWN, [arrayLiteral(rows.map(({ id }) => id))]),
  ]);
  const open = new Map(counted.map((one) => [one.address, one.open]));
  const known = new Set(found.map(({ id }) => id));
  const admitted: SeenDeposit[] = [];
  const sums = new Map<string, Dust>();
  for (const [place, sum] of summed) sums.set(place, { ...sum, chain });
  const blocks = new Map<string, { address: string; height: bigint }>();
  for (const row of rows) {
    const { id, address, amount, hash: last_hash, block_height } = row;
    const place = `${address} ${block_height}`;
    blocks.set(place, { address, height: block_height });
    const isOpen = open.get(address) ?? 0;
    if (known.has(id)) admitted.push(row);
    else if (isOpen < DUST_OPEN_MAX) {
      open.set(address, isOpen + 1);
      admitted.push(row);
    } else {
      const sum = sums.get(place);
      const [transfers, units] = [(sum?.transfers ?? 0) + 1, (sum?.units ?? 0n) + amount];
      sums.set(place, { chain, address, block_height, transfers, units, last_hash });
    }
  }
  for (const [place, { address, height }] of blocks)
    if (!sums.has(place)) await queries.query(DROP, [chain, address, height]);
  if (sums.size > 0) await queries.query(KEEP, DUST.values([...sums.values()]));
  return admitted;
}

/** Merges an address's dust sums below this height into one row. No reorganisation and no scan reaches that deep. */
export async function mergeDustRows(
  queries: Queries,
  chain: string,
  addresses: readonly string[],
  below: number,
): Promise<void> {
  if (addresses.length === 0) return;
  const old = await DUST.query(queries, TAKE_OLD, [chain, arrayLiteral(addresses), below]);
  const merged = new Map<string, Dust>();
  for (const dust of old) {
    const before = merged.get(dust.address);
    const newest = before && before.block_height > dust.block_height ? before : dust;
    const [transfers, units] = [(before?.transfers ?? 0) + dust.transfers, (before?.units ?? 0n) + dust.units];
    merged.set(dust.address, { ...newest, transfers, units });
  }
  if (merged.size > 0) await queries.query(KEEP, DUST.values([...merged.values()]));
}
