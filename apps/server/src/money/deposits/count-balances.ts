import { unseenArrivalOf } from '@sathorn/settlement';
import { uuidOfName } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { arrayLiteral, column, type Database, type Queries, statement, table } from '../../platform/database/index.ts';
import type { Block, ChainConfig, ChainReader, DepositAddresses } from '../chain/index.ts';
import type { DepositReason } from './deposit-store.ts';
import { orderNumberOf } from './order-number.ts';
import { COIN_CASE_ALWAYS_UNITS, COIN_TOKEN } from './unassigned-store.ts';

/** How many addresses are counted at a time; each takes two queries, all in one batch. */
const COUNTED_AT_ONCE = 100;

interface KnownRow {
  readonly index: number;
  readonly address: string;
  readonly customer_id: bigint;
  readonly since: bigint;
  readonly coins: bigint;
  readonly units: bigint;
  readonly is_moving: boolean;
}
const { bigint, integer, text, uuid, time, numeric, boolean } = column;
const KNOWN = table<KnownRow>({
  index: integer,
  address: text(),
  customer_id: bigint,
  since: bigint,
  coins: numeric,
  units: numeric,
  is_moving: boolean,
});
const READ = statement('deposits.known_at', `SELECT ${KNOWN.names} FROM deposits.known_at($1, $2, $3, $4, $5)`);
const LOCK = statement('deposits.lock_count', 'SELECT deposits.lock_count($1)');
const MARK = statement(
  'deposits.mark_counted',
  `INSERT INTO deposits.counted AS c (chain, address, height) SELECT $1, unnest($2::text[]), $3
   ON CONFLICT (chain, address) DO UPDATE SET height = excluded.height WHERE c.height < excluded.height`,
);

interface CountedDeposit {
  readonly id: string;
  readonly order_number: string;
  readonly customer_id: bigint;
  readonly channel: string;
  readonly kind: 'crypto';
  readonly step: 'recovery';
  readonly reason: DepositReason;
  readonly amount: bigint;
  readonly created_at: Date;
  readonly finished_at: Date;
  readonly chain: string;
  readonly token: string;
  readonly address: string;
  readonly block_height: bigint;
  readonly block_hash: string;
  readonly in_block_at: Date;
  readonly counted_since: bigint;
}
const COUNTED = table<CountedDeposit>({
  id: uuid,
  order_number: text(),
  customer_id: bigint,
  channel: text(),
  kind: text<'crypto'>(),
  step: text<'recovery'>(),
  reason: text<DepositReason>(),
  amount: numeric,
  created_at: time,
  finished_at: time,
  chain: text(),
  token: text(),
  address: text(),
  block_height: bigint,
  block_hash: text(),
  in_block_at: time,
  counted_since: bigint,
});
const OPEN = statement(
  'deposits.open_counted',
  `${COUNTED.insertInto('deposits.deposit')} ON CONFLICT DO NOTHING RETURNING id`,
);

export interface BalanceCounter {
  /**
   * Counts the next addresses at this block, which must be deeper than any reorganisation, and opens a case for money
   * that came there unseen. Returns the ids of new cases. `fence` fails if another watcher has taken over.
   */
  count(block: Block, fence: (transaction: Queries) => Promise<unknown>): Promise<string[]>;
}

/** Compares the balances of deposit addresses with the transfers that were seen, some addresses at a time. */
export function openBalanceCounter({
  config,
  readers,
  addresses: { planted },
  database,
  clock,
  timeZone,
}: {
  readonly config: Pick<ChainConfig, 'code' | 'token'>;
  readonly readers: readonly ChainReader[];
  readonly addresses: Pick<DepositAddresses, 'planted'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly timeZone: string;
}): BalanceCounter {
  const { code, token } = config;
  let after = -1;

  const known = (queries: Queries, height: number, from: number, limit: number): Promise<KnownRow[]> =>
    KNOWN.query(queries, READ, [code, token, height, from, limit]);

  return {
    async count(block, fence) {
      const page = await known(database, block.height, after, COUNTED_AT_ONCE);
      const addresses = page.map(({ address }) => address);
      const notOurs = await planted(addresses);
      if (addresses.length === 0) {
        after = -1;
        return [];
      }
      const said = await Promise.all(
        readers.map(async (reader) => {
          const coins = await reader.coins(addresses, block.height);
          const units = await reader.balances(addresses, block.height);
          const [still] = await reader.blocks([block.height]);
          return still?.hash === block.hash ? { coins, units } : null;
        }),
      );
      const unseen = ({ address, coins, units, is_moving: isMoving }: KnownRow, n: number) => {
        if (notOurs.has(address)) return { coins: null, units: null };
        return {
          coins: unseenArrivalOf({
            held: said.map((one) => one?.coins[n] ?? -1n),
            seen: coins,
            isMoving,
            least: COIN_CASE_ALWAYS_UNITS,
          }),
          units: unseenArrivalOf({ held: said.map((one) => one?.units[n] ?? -1n), seen: units, isMoving, least: 1n }),
        };
      };
      const isMore = page.some((row, n) => Object.values(unseen(row, n)).some((units) => units !== null));
      const opened = await database.transaction(async (transaction) => {
        await fence(transaction);
        // Reads again under the lock, because a customer may have named a transfer in the meantime.
        if (isMore) await transaction.query(LOCK, [code]);
        const now = isMore ? await known(transaction, block.height, after, COUNTED_AT_ONCE) : page;
        const at = clock.now();
        const found = now.flatMap((row): CountedDeposit[] => {
          const n = addresses.indexOf(row.address);
          const more = n < 0 ? { coins: null, units: null } : unseen(row, n);
          const caseOf = (of: string, reason: DepositReason, amount: bigint | null): CountedDeposit[] => {
            if (amount === null || row.since >= block.height) return [];
            const id = uuidOfName(`counted ${code} ${row.address} ${of} ${row.since} ${block.hash}`);
            return [
              {
                id,
                order_number: orderNumberOf('D', id, at, timeZone),
                customer_id: row.customer_id,
                channel: code,
                kind: 'crypto',
                step: 'recovery',
                reason,
                amount,
                created_at: at,
                finished_at: at,
                chain: code,
                token: of,
                address: row.address,
                block_height: BigInt(block.height),
                block_hash: block.hash,
                in_block_at: block.at,
                counted_since: row.since,
              },
            ];
          };
          return [...caseOf(COIN_TOKEN, 'native_coin', more.coins), ...caseOf(token, 'counted', more.units)];
        });
        const ids =
          found.length === 0
            ? []
            : (await transaction.query<{ id: string }>(OPEN, COUNTED.values(found))).map(({ id }) => id);
        // An address without an answer, or with money in motion, is counted again next time.
        const done = page.filter(({ is_moving }) => !is_moving && said.every((one) => one !== null));
        await transaction.query(MARK, [code, arrayLiteral(done.map(({ address }) => address)), block.height]);
        return ids;
      });
      after = page.length < COUNTED_AT_ONCE ? -1 : (page.at(-1)?.index ?? -1);
      return opened;
    },
  };
}
