import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { money } from '@sathorn/money';
import { type Ledger, uuidOfName } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { AuditLog } from '../../staff/operators/index.ts';
import {
  type Block,
  type ChainConfig,
  type ChainReader,
  type ChooseItems,
  type CoinTransfer,
  custodyAddressesAmong,
  type DepositAddresses,
  type EventLog,
  RpcFault,
  RpcRefusal,
  type TokenTransfer,
  tokenTransfersOf,
  transferEventOf,
  walletsOf,
} from '../chain/index.ts';
import { readSafe } from '../treasury/read-safe.ts';
import { storeTreasuryState } from '../treasury/treasury-state.ts';
import { openBalanceCounter } from './count-balances.ts';
import { CHAIN_CREDIT_KIND, HOT_INCOME_KIND, type reversalKind } from './deposit-kinds.ts';
import {
  type DepositRow,
  expireOrphanedDeposits,
  orphanDeposits,
  readConfirmingDeposits,
  readDepositsCreditedSince,
  readOrphanedTokenDeposits,
  type SeenDeposit,
  setDepositAside,
  storeSeenDeposits,
} from './deposit-store.ts';
import { type DustSum, mergeDustRows, selectDustCases } from './dust-store.ts';
import { orderNumberOf } from './order-number.ts';
import { reopenDecidedCases } from './reopen-decided-cases.ts';
import {
  type BlockCheckpoint,
  type ChainCursor,
  dropCheckpoints,
  type ForgottenTransfer,
  forgetBlocksAbove,
  type HotTransfer,
  isNewestObservation,
  moveChainCursor,
  type Observation,
  type OwnTransaction,
  readAddressesWithMoney,
  readChainCursor,
  readCheckpoints,
  readHotIncome,
  readMinimumBalances,
  storeBalanceObservation,
  storeCheckpoint,
  storeForgottenTransfers,
  storeHotTransfers,
  storeUnsignedTransactions,
  WatcherLeaseLostError,
} from './scan-store.ts';
import { COIN_CASE_ALWAYS_UNITS, COIN_TOKEN, type CoinSum, selectCoinCases } from './unassigned-store.ts';

/** How many blocks one query covers. Reduced when a node refuses the range. */
const RANGE_MAX = 1_000;
/**
 * How many worthless transfers per block and address are read; the rest is summed in a row. Transfers of value are all
 * read, because sending them costs their value.
 */
export const TRANSFERS_EXAMINED_MAX = 200;
/** Blocks per scan for transfers of coins, which needs all their transactions. */
const RESCAN_BLOCKS_MAX = 100;
/** In the smallest units of the chain's own coin. People need not decide about smaller amounts. */
const COIN_MIN = 10n ** 13n;
/** Greater than the index of any event. */
const COIN_OUTPUT = 1_000_000;
/** Credited deposits are checked again until they are this deep, and checkpoints reach as far back. */
export const WATCHED_DEPTH_BLOCKS = 256;
/** How long a transaction whose block left the chain may stay without a block before it is given up. */
const ORPHAN_MAX_MS = 24 * 60 * 60 * 1_000;
/** The longest freeze of a customer who spent a deposit that was reversed. */
export const REVERSAL_FREEZE_MAX_MS = 14 * 24 * 60 * 60 * 1_000;
const OBSERVE_EVERY_MS = 10_000;
/** How often the next deposit addresses are counted. */
const COUNT_EVERY_MS = 10_000;

interface WatchedChain {
  readonly config: ChainConfig;
  /** A deposit is credited only if all of these nodes agree; the scan reads from the first. */
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  readonly addresses: DepositAddresses;
}

interface ChainWatcherDependencies extends WatchedChain {
  /** The key of the seals on credits and on what the wallets hold. */
  readonly watchKey: KeyObject;
  readonly database: Database;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly reversal: ReturnType<typeof reversalKind>;
  readonly audit: AuditLog;
  /** In units of USDT. Smaller deposits wait for an operator. */
  readonly minimum: bigint;
  readonly observeEveryMs?: number;
  readonly countEveryMs?: number;
  readonly onFault: (error: unknown) => void;
  /** Called with the ids of rows that changed or gained a confirmation. */
  readonly onChanged: (ids: readonly string[]) => Promise<void>;
}

export interface ChainWatcher {
  /** Called when this process becomes the leader: another one may have watched meanwhile. */
  begin(): void;
  /** Reads new blocks and credits deposits that are deep enough. Returns true if there is more to read at once. */
  round(): Promise<boolean>;
  /** Reads one range without crediting; used by benchmarks. */
  scanOnly(): Promise<void>;
  /** The problem with the chain; null if there is none. */
  trouble(): string | null;
}

const depositIdOf = (chain: string, { hash, output }: Pick<TokenTransfer, 'hash' | 'output'>): string =>
  uuidOfName(`deposit ${chain} ${hash} ${output}`);

/** How many confirmations a deposit has when the newest block is `head`. */
export const confirmationsOf = (height: bigint | null, head: bigint | null): number =>
  height === null || head === null || head < height ? 0 : Number(head - height) + 1;

/** Builds deposit rows from transfers to customers. */
export function seenDepositOf(
  { config, timeZone, at }: { config: ChainConfig; timeZone: string; at: Date },
  { hash, output, token, from, to, units, height, blockHash }: Omit<TokenTransfer, 'index'>,
  customer: bigint,
  blockAt: Date,
): SeenDeposit {
  const id = depositIdOf(config.code, { hash, output });
  const isOurs = token === config.token;
  return {
    id,
    order_number: orderNumberOf('D', id, at, timeZone),
    customer_id: customer,
    channel: config.code,
    step: isOurs ? 'confirming' : 'recovery',
    reason: isOurs ? null : token === COIN_TOKEN ? 'native_coin' : 'other_token',
    amount: units,
    created_at: at,
    finished_at: isOurs ? null : at,
    chain: config.code,
    hash,
    output,
    token,
    sender: from,
    address: to,
    block_height: BigInt(height),
    block_hash: blockHash,
    in_block_at: blockAt,
  };
}

/** Counts calls by place. Each try of a query opens its own counter, so a retry starts again from one. */
function openCount(): (place: string) => number {
  const counts = new Map<string, number>();
  return (place) => {
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count;
  };
}

/**
 * Reads a chain from its cursor and credits deposits. It resumes from the cursor after any failure. A transfer is one
 * row, identified by its place in its transaction, and its journal's id is derived from that place, so it is credited
 * once.
 */
export function openChainWatcher(dependencies: ChainWatcherDependencies): ChainWatcher {
  const {
    config,
    readers,
    addresses,
    database,
    ledger,
    clock,
    timeZone,
    reversal,
    minimum,
    onFault,
    onChanged,
    watchKey,
    observeEveryMs = OBSERVE_EVERY_MS,
    countEveryMs = COUNT_EVERY_MS,
  } = dependencies;
  const counter = openBalanceCounter(dependencies);
  const [leader] = readers;
  const { code, confirmations, treasury } = config;
  const wallets = walletsOf(config);
  const isWallet = (address: string): boolean => wallets.includes(address);
  const customers = new Map<string, bigint>();
  /**
   * Addresses of customers whom a restoration may have lost, with indexes. Money that arrives there is credited to
   * nobody.
   */
  const forgotten = new Map<string, number>();
  let newest = -1;
  let range = RANGE_MAX;
  let toldHead = -1;
  /** The newest block when nothing was left to do. Its hash covers the chain, so the same block means no change. */
  let restingAt: string | null = null;
  let observedMs = Number.NEGATIVE_INFINITY;
  /**
   * The newest observation, once this watcher has made one. The checker counts every credit, so a credit waits until
   * its block is observed.
   */
  let observed: Observation | null = null;
  let countedMs = Number.NEGATIVE_INFINITY;
  let trouble: string | null = null;

  const alarm = (what: string): void => {
    if (trouble !== what) onFault(new Error(`alarm: deposits of ${code}: ${what}`));
    trouble = what;
  };

  /**
   * Reads new addresses after the newest block is known and before its events. An address exists before anybody can
   * send to it, so no transfer is missed.
   */
  const learnAddresses = async (): Promise<void> => {
    for (const { index, address, customer } of await addresses.newer(newest)) {
      customers.set(address, customer);
      newest = Math.max(newest, index);
    }
    for (let some = await addresses.leftOut(); some.length > 0; some = await addresses.leftOut())
      for (const [address, index] of some) forgotten.set(address, index);
  };

  /**
   * Reads the token's events that concern us, and filters while reading, because on a busy chain they are a small part.
   * If a range contains more than the node returns, or than we read, the next range is smaller and this returns null.
   */
  const readLogs = async (
    reader: ChainReader,
    from: number,
    to: number,
  ): Promise<{ logs: EventLog[]; sums: Map<string, DustSum> } | null> => {
    const sums = new Map<string, DustSum>();
    const choose: ChooseItems<EventLog> = () => {
      const countAt = openCount();
      return (log) => {
        const { height, hash: last_hash } = log;
        const { to: address, from: sender, units } = transferEventOf(log) ?? { to: '', from: '', units: 0n };
        if (units === 0n) return false;
        if (isWallet(address) || isWallet(sender)) return true;
        if (!customers.has(address)) return forgotten.has(address) && units >= minimum;
        const place = `${address} ${height}`;
        const count = units < minimum ? countAt(place) : 0;
        if (count <= TRANSFERS_EXAMINED_MAX) return true;
        const before = count === TRANSFERS_EXAMINED_MAX + 1 ? undefined : sums.get(place);
        const [transfers, sum] = [(before?.transfers ?? 0) + 1, (before?.units ?? 0n) + units];
        sums.set(place, { address, block_height: BigInt(height), transfers, units: sum, last_hash });
        return false;
      };
    };
    try {
      const logs = await reader.tokenLogs(from, to, choose);
      range = Math.min(RANGE_MAX, range * 2);
      return { logs, sums };
    } catch (error) {
      if (!(error instanceof RpcRefusal) || from === to) throw error;
      range = Math.max(1, Math.floor((to - from + 1) / 4));
      return null;
    }
  };

  const rowsOf = async (
    logs: readonly EventLog[],
    reader: ChainReader,
  ): Promise<{ deposits: SeenDeposit[]; hot: HotTransfer[]; unassigned: ForgottenTransfer[] }> => {
    const hashes = [...new Set(logs.map(({ hash }) => hash))];
    if (hashes.length === 0) return { deposits: [], hot: [], unassigned: [] };
    const planted = await addresses.planted(logs.flatMap((log) => transferEventOf(log)?.to ?? []));
    for (const address of planted)
      if (customers.delete(address))
        alarm(`${address} is not derived from the house's key; what comes there is credited to nobody`);
    // A transfer is identified by its place in its transaction, which only the receipt contains.
    const wanted = new Set(logs.map(({ hash, index }) => `${hash} ${index}`));
    const receipts = await reader.receipts(
      hashes,
      () =>
        ({ hash, index }) =>
          wanted.has(`${hash} ${index}`),
    );
    const outputs = receipts.flatMap((receipt) => (receipt ? tokenTransfersOf(receipt) : []));
    const heights = [...new Set(outputs.map(({ height }) => height))];
    const times = new Map(
      (await reader.blocks(heights)).flatMap((block) => (block ? [[block.height, block.at]] : [])) as [number, Date][],
    );
    const at = clock.now();
    const deposits: SeenDeposit[] = [];
    const hot: HotTransfer[] = [];
    const unassigned: ForgottenTransfer[] = [];
    for (const output of outputs) {
      const { token, from, to, units, height, blockHash } = output;
      if (units === 0n) continue;
      const customer = customers.get(to);
      if (customer !== undefined)
        deposits.push(seenDepositOf({ config, timeZone, at }, output, customer, times.get(height) ?? at));
      if (token !== config.token) continue;
      const index = forgotten.get(to);
      if (customer === undefined && index !== undefined)
        unassigned.push({
          chain: code,
          hash: output.hash,
          output: output.output,
          address: to,
          index,
          sender: from,
          amount: units,
          block_height: BigInt(height),
          at: times.get(height) ?? at,
        });
      // Between two wallets the money stays where it is in the books.
      if (from !== to && isWallet(from) && isWallet(to)) continue;
      // A transfer of the wallet to itself has both directions, as in the books.
      const directions: HotTransfer['direction'][] = [];
      if (isWallet(from)) directions.push('out');
      if (isWallet(to)) directions.push(customers.has(from) ? 'sweep' : 'in');
      for (const way of directions)
        hot.push({
          chain: code,
          hash: output.hash,
          output: output.output,
          direction: way,
          sender: from,
          receiver: to,
          amount: money('USDT', units),
          block_height: BigInt(height),
          block_hash: blockHash,
        });
    }
    return { deposits, hot, unassigned };
  };

  /** The newest block that is both in our checkpoints and on the chain; null if there is none. */
  const commonHeight = async (checkpoints: readonly BlockCheckpoint[]): Promise<number | null> => {
    for (let at = 0, size = 1; at < checkpoints.length; at += size, size = 50) {
      const some = checkpoints.slice(at, at + size);
      const blocks = await leader.blocks(some.map(({ height }) => height));
      const found = some.find(({ hash }, n) => blocks[n]?.hash === hash);
      if (found) return found.height;
    }
    return null;
  };

  const followReorganisation = async (cursor: ChainCursor, head: Block): Promise<ChainCursor> => {
    const checkpoints = await readCheckpoints(database, code);
    if (checkpoints.length === 0) return cursor;
    const common = await commonHeight(checkpoints);
    if (common === cursor.scanned) return cursor;
    if (common === null && !config.isLocal) {
      alarm('no block that was read is on the chain any more: it is another chain, or a broken node');
      throw new RpcFault('another chain');
    }
    const back = common ?? config.firstBlock - 1;
    onFault(new Error(`deposits of ${code}: the chain left ${cursor.scanned - back} blocks above ${back}`));
    if (observed !== null && observed.height > back) observed = null;
    let changed: string[] = [];
    const moved = await database.transaction(async (transaction) => {
      const to = { scanned: back, head: head.height, rescanned: Math.min(cursor.rescanned, back) };
      const moving = await moveChainCursor(transaction, code, cursor, to);
      changed = await orphanDeposits(transaction, code, back, clock.now());
      await forgetBlocksAbove(transaction, code, back);
      return moving;
    });
    await onChanged(changed);
    return moved;
  };

  /** Limits the rows for transfers below the minimum; all other transfers are kept. */
  const withDust = async (
    transaction: Queries,
    deposits: readonly SeenDeposit[],
    sums: ReadonlyMap<string, DustSum>,
    { head, rescanned }: ChainCursor,
  ): Promise<SeenDeposit[]> => {
    const isDust = ({ token, amount }: SeenDeposit): boolean => token === config.token && amount < minimum;
    const dust = deposits.filter(isDust);
    const addresses = [...new Set(dust.map(({ address }) => address))];
    await mergeDustRows(transaction, code, addresses, Math.min(head - WATCHED_DEPTH_BLOCKS * 2, rescanned));
    return [...deposits.filter((one) => !isDust(one)), ...(await selectDustCases(transaction, dust, sums, minimum))];
  };

  const scan = async (cursor: ChainCursor, head: Block): Promise<ChainCursor> => {
    const from = cursor.scanned + 1;
    const to = Math.min(cursor.scanned + range, head.height);
    const [before] = to === head.height ? [head] : await leader.blocks([to]);
    const read = await readLogs(leader, from, to);
    if (read === null) return cursor;
    const { deposits, hot, unassigned } = await rowsOf(read.logs, leader);
    // The last block's hash covers all earlier blocks. If it has changed, the chain reorganised while we read.
    const [after] = await leader.blocks([to]);
    if (!before || !after || before.hash !== after.hash) return cursor;
    let changed: string[] = [];
    const moved = await database.transaction(async (transaction) => {
      const moving = await moveChainCursor(transaction, code, cursor, {
        scanned: to,
        head: head.height,
        rescanned: cursor.rescanned,
      });
      changed = await storeSeenDeposits(transaction, await withDust(transaction, deposits, read.sums, moving));
      await storeHotTransfers(transaction, hot, watchKey);
      await storeForgottenTransfers(transaction, unassigned);
      await storeCheckpoint(transaction, code, after);
      await dropCheckpoints(transaction, code, to - WATCHED_DEPTH_BLOCKS * 2, to);
      return moving;
    });
    await onChanged(changed);
    return moved;
  };

  type Verdict = 'agreed' | 'wait' | 'disagree' | 'gone' | 'emptied';

  /** Returns whether all nodes have this transfer in the row's block, deep enough, and confirm the balance. */
  const verify = async (deposit: DepositRow, depth: number): Promise<Verdict> => {
    const { hash, output, address, amount, block_height: height, block_hash: blockHash } = deposit;
    if (hash === null || height === null || address === null) return 'wait';
    const said = await Promise.all(
      readers.map(async (reader): Promise<Verdict> => {
        const [[receipt], [block], head] = await Promise.all([
          reader.receipts([hash], () => (one) => one.output === output),
          reader.blocks([Number(height)]),
          reader.head(),
        ]);
        if (head.height < Number(height) + depth - 1) return 'wait';
        if (!receipt || !block || receipt.blockHash !== blockHash || block.hash !== blockHash) return 'gone';
        const found = tokenTransfersOf(receipt).find((one) => one.output === output);
        if (!found || found.token !== config.token || found.to !== address || found.units !== amount) return 'gone';
        const [held = 0n] = await reader.balances([address]);
        const least = (await readMinimumBalances(database, code, config.token, [address])).get(address) ?? 0n;
        // An event alone costs nothing, so the contract must also report the balance.
        return held >= least ? 'agreed' : 'emptied';
      }),
    );
    const [first] = said;
    if (said.every((one) => one === first)) return first ?? 'wait';
    return said.some((one) => one === 'wait') ? 'wait' : 'disagree';
  };

  const creditIntent = ({ id, round }: DepositRow) => ({
    id: uuidOfName(`credit ${id} ${round}`),
    digest: 'deposits.credit',
  });

  /** A node may have dropped the state of a block that was recently the newest. */
  const unlessDropped = (error: unknown): void => {
    if (!(error instanceof RpcRefusal)) throw error;
  };

  const lookAtWallets = async (head: Block): Promise<void> => {
    const addresses = await readAddressesWithMoney(database, code, config.token);
    const units = await leader.balances([...wallets, ...addresses], head.height);
    const safe = treasury && (await readSafe(leader.rpc, treasury.safe, head.height));
    const [still] = await leader.blocks([head.height]);
    if (still?.hash !== head.hash) return;
    const sum = (from: number, to?: number): bigint => units.slice(from, to).reduce((all, one) => all + one, 0n);
    const held = sum(wallets.length);
    const at = clock.now();
    const seen = {
      chain: code,
      height: head.height,
      hash: head.hash,
      hot: sum(0, wallets.length),
      addresses: held,
      at,
    };
    await storeBalanceObservation(database, seen, watchKey);
    if (safe !== null)
      await storeTreasuryState(database, { ...seen, ...safe, hot: sum(0, 1), units: sum(1, wallets.length) }, watchKey);
    observedMs = performance.now();
    observed = seen;
  };
  /**
   * The leader alone writes observations. Whoever has the application's login could exchange them, so that the checker
   * finds money on the chain that is not there.
   */
  const guardObservation = async (): Promise<void> => {
    if (observed === null || (await isNewestObservation(database, observed))) return;
    alarm(`somebody has changed what was counted at block ${observed.height}; money is halted`);
    await ledger.halt(`somebody has changed what the wallets on ${code} held at block ${observed.height}`);
    observed = null;
  };
  /** Records what the wallets hold at a block that was read, for the checker. */
  const observe = async (cursor: ChainCursor, head: Block): Promise<void> => {
    if (cursor.scanned === head.height) await lookAtWallets(head).catch(unlessDropped);
  };

  const settle = async (cursor: ChainCursor, head: Block): Promise<void> => {
    const changed: string[] = [];
    let disagreements = 0;
    let emptied = 0;
    const due = (await readConfirmingDeposits(database, code)).filter(
      ({ block_height: height }) =>
        height !== null &&
        Number(height) <= cursor.scanned &&
        confirmationsOf(height, BigInt(cursor.head)) >= confirmations,
    );
    const isObserved = ({ block_height: height }: DepositRow): boolean => Number(height) <= (observed?.height ?? -1);
    if (!due.every(isObserved)) await observe(cursor, head);
    for (const deposit of due.filter(isObserved)) {
      const verdict = await verify(deposit, confirmations);
      if (verdict === 'disagree') disagreements += 1;
      if (verdict === 'emptied') emptied += 1;
      if (verdict !== 'agreed') continue;
      if (deposit.amount < minimum) await setDepositAside(database, deposit.id, 'below_minimum', clock.now());
      else await ledger.post(CHAIN_CREDIT_KIND, { deposit, at: clock.now(), key: watchKey }, creditIntent(deposit));
      changed.push(deposit.id);
    }
    if (disagreements > 0) alarm(`nodes disagree about ${disagreements} deposits; nothing of them is credited`);
    else if (emptied > 0)
      alarm(
        `the addresses of ${emptied} deposits hold less than came there, and the wallet has not got it; nothing of them is credited`,
      );
    else trouble = null;
    const incomes = await readHotIncome(database, code, cursor.head - confirmations + 1);
    const kept = await custodyAddressesAmong(
      database,
      incomes.map(({ sender }) => sender),
    );
    for (const income of incomes) {
      const id = uuidOfName(`hot ${code} ${income.hash} ${income.output}`);
      const isFromHouse = income.sender !== income.receiver && kept.has(income.sender);
      await ledger.post(HOT_INCOME_KIND, { ...income, isFromHouse }, { id, digest: 'deposits.hot_income' });
    }
    changed.push(
      ...(await reopenDecidedCases(dependencies, clock.now())),
      ...(await expireOrphanedDeposits(database, code, clock.now(), new Date(clock.now().getTime() - ORPHAN_MAX_MS))),
    );
    await onChanged(changed);
  };

  /** Reverses credited deposits whose transactions are no longer in any block. */
  const lookBack = async (cursor: ChainCursor): Promise<void> => {
    const credited = await readDepositsCreditedSince(database, code, cursor.head - WATCHED_DEPTH_BLOCKS);
    if (credited.length === 0) return;
    const heights = [...new Set(credited.map(({ block_height: height }) => Number(height)))];
    const hashes = new Map(heights.map((height) => [height, '']));
    for (const block of await leader.blocks(heights)) if (block) hashes.set(block.height, block.hash);
    const changed: string[] = [];
    for (const deposit of credited) {
      if (hashes.get(Number(deposit.block_height)) === deposit.block_hash) continue;
      if ((await verify(deposit, 1)) !== 'gone') continue;
      const at = clock.now();
      const intent = { id: uuidOfName(`reverse ${deposit.id} ${deposit.round}`), digest: 'deposits.reverse' };
      const until = new Date(at.getTime() + REVERSAL_FREEZE_MAX_MS);
      const decision = await ledger.post(reversal, { deposit, at, until }, intent);
      changed.push(deposit.id);
      onFault(
        new Error(
          decision.ok
            ? `alarm: deposits of ${code}: ${deposit.order_number} was credited and its block is gone; the house bears ${decision.effect.shortfall} units`
            : `alarm: deposits of ${code}: ${deposit.order_number} can't be reversed: ${decision.refusal}`,
        ),
      );
    }
    await onChanged(changed);
  };

  /** True for the wallets and for deposit addresses. */
  const isOwn = (address: string): boolean => isWallet(address) || customers.has(address);

  /**
   * Transfers of the chain's own coin emit no events, so each transaction is read. Gas that the house itself sends is
   * not a deposit.
   */
  const coinsIn = async (
    from: number,
    to: number,
    reader: ChainReader,
  ): Promise<{ coins: SeenDeposit[]; sums: Map<string, CoinSum>; own: OwnTransaction[] }> => {
    const sums = new Map<string, CoinSum>();
    const choose: ChooseItems<Omit<CoinTransfer, 'blockAt'>> = () => {
      const countAt = openCount();
      return ({ hash: last_hash, to: address, from: sender, units, height }) => {
        if (isOwn(sender)) return true;
        if (address === null || !customers.has(address) || units < COIN_MIN) return false;
        const place = `${address} ${height}`;
        const count = units < COIN_CASE_ALWAYS_UNITS ? countAt(place) : 0;
        if (count <= TRANSFERS_EXAMINED_MAX) return true;
        const before = count === TRANSFERS_EXAMINED_MAX + 1 ? undefined : sums.get(place);
        const [transfers, coins] = [(before?.transfers ?? 0) + 1, (before?.coins ?? 0n) + units];
        sums.set(place, { address, transfers, coins, last_hash, last_height: BigInt(height) });
        return false;
      };
    };
    const found = await reader.coinTransfers(from, to, choose);
    const own = found
      .filter((one) => isOwn(one.from))
      .map(
        ({ hash, from: sender, nonce, to: receiver, units: value, height, blockAt }): OwnTransaction => ({
          chain: code,
          hash,
          sender,
          nonce,
          receiver,
          value,
          block_height: BigInt(height),
          at: blockAt,
        }),
      );
    const sent = found.filter(({ from: sender, units }) => sender !== config.hot && units >= COIN_MIN);
    const receipts = await reader.receipts(
      sent.map(({ hash }) => hash),
      () => () => false,
    );
    const at = clock.now();
    const coins = sent.flatMap(({ blockAt, ...one }, n) => {
      const { to: address } = one;
      const customer = address === null ? undefined : customers.get(address);
      if (address === null || customer === undefined || !receipts[n]?.isSuccess) return [];
      const output = { ...one, to: address, output: COIN_OUTPUT, token: COIN_TOKEN };
      return seenDepositOf({ config, timeZone, at }, output, customer, blockAt);
    });
    return { coins, sums, own };
  };

  /**
   * Reads transfers of other tokens again, only in transactions that a customer named. After a reorganisation they may
   * be in another block.
   */
  const movedTokens = async (reader: ChainReader, deep: number): Promise<SeenDeposit[]> => {
    const moved = await readOrphanedTokenDeposits(database, code);
    const wanted = new Map(moved.map((row) => [`${row.hash} ${row.output}`, row]));
    const receipts = await reader.receipts(
      [...new Set(moved.flatMap(({ hash }) => hash ?? []))],
      () => (output) => wanted.has(`${output.hash} ${output.output}`),
    );
    const at = clock.now();
    return receipts
      .flatMap((receipt) => (receipt && receipt.height <= deep ? tokenTransfersOf(receipt) : []))
      .flatMap((output) => {
        const customer = customers.get(output.to);
        const row = wanted.get(`${output.hash} ${output.output}`);
        if (customer === undefined || row?.token !== output.token) return [];
        return seenDepositOf({ config, timeZone, at }, output, customer, row.in_block_at ?? at);
      });
  };

  /**
   * Scans confirmed blocks a second time, through the last node. It finds transfers of our token that the first scan
   * missed, and of the chain's coin, which wait for an operator. It never queries the events of other contracts,
   * because anybody can fill blocks with them for next to nothing.
   */
  const rescan = async (cursor: ChainCursor): Promise<ChainCursor> => {
    const deep = Math.min(cursor.head - confirmations + 1, cursor.scanned);
    if (deep <= cursor.rescanned) return cursor;
    const reader = readers.at(-1) ?? leader;
    const from = cursor.rescanned + 1;
    const to = Math.min(deep, cursor.rescanned + Math.min(range, RESCAN_BLOCKS_MAX));
    const read = await readLogs(reader, from, to);
    if (read === null) return cursor;
    const { deposits } = await rowsOf(read.logs, reader);
    const { coins, sums, own } = await coinsIn(from, to, reader);
    const tokens = await movedTokens(reader, deep);
    let changed: string[] = [];
    const moved = await database.transaction(async (transaction) => {
      const moving = await moveChainCursor(transaction, code, cursor, { ...cursor, rescanned: to });
      await storeUnsignedTransactions(transaction, own);
      changed = await storeSeenDeposits(transaction, [
        ...(await withDust(transaction, deposits, read.sums, moving)),
        ...(await selectCoinCases(transaction, code, coins, [...sums.values()])),
        ...tokens,
      ]);
      return moving;
    });
    await onChanged(changed);
    return moved;
  };

  /** Counts only after everything up to the block was read twice, so that the rest is what no scan can see. */
  const count = async (cursor: ChainCursor): Promise<void> => {
    const deep = Math.min(cursor.head - confirmations + 1, cursor.scanned);
    if (performance.now() - countedMs < countEveryMs || deep < 0 || cursor.rescanned !== deep) return;
    countedMs = performance.now();
    const [block] = await leader.blocks([deep]);
    if (!block) return;
    const opened = await counter.count(block, (transaction) => moveChainCursor(transaction, code, cursor, cursor));
    await onChanged(opened);
  };

  return {
    begin() {
      observed = null;
    },
    trouble: () => trouble,
    async scanOnly() {
      const head = await leader.head();
      await learnAddresses();
      const cursor = await readChainCursor(database, code, config.firstBlock);
      if (cursor.scanned < head.height) await scan(cursor, head);
    },
    async round() {
      const head = await leader.head();
      if (head.hash === restingAt) return false;
      restingAt = null;
      let cursor = await readChainCursor(database, code, config.firstBlock);
      await learnAddresses();
      cursor = await followReorganisation(cursor, head);
      await guardObservation();
      if (cursor.scanned < head.height) {
        const [{ scanned }, wanted] = [cursor, range];
        cursor = await scan(cursor, head);
        if (cursor.scanned < head.height) return cursor.scanned > scanned || range < wanted;
      }
      if (head.height === toldHead) return false;
      if (cursor.head !== head.height)
        cursor = await database.transaction((transaction) =>
          moveChainCursor(transaction, code, cursor, { ...cursor, head: head.height }),
        );
      await lookBack(cursor);
      await settle(cursor, head);
      cursor = await rescan(cursor);
      await onChanged((await readConfirmingDeposits(database, code)).map(({ id }) => id));
      if (performance.now() - observedMs >= observeEveryMs) await observe(cursor, head);
      await count(cursor).catch(unlessDropped);
      toldHead = cursor.rescanned < Math.min(head.height - confirmations + 1, cursor.scanned) ? -1 : head.height;
      restingAt = toldHead === -1 ? null : head.hash;
      return toldHead === -1;
    },
  };
}

const EVERY_MS = 500;
const AFTER_FAULT_MS = 2_000;

/** Repeats `round` until the signal aborts. While the chain does not answer it waits; the cursor keeps its place. */
export async function runChainWatcher(
  watcher: ChainWatcher,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> {
  let isOut = false;
  watcher.begin();
  while (!signal.aborted) {
    let waitMs = EVERY_MS;
    try {
      if (await watcher.round()) waitMs = 0;
      isOut = false;
    } catch (error) {
      if (error instanceof WatcherLeaseLostError) return;
      // An outage is reported once, however long it lasts.
      if (!(error instanceof RpcFault) || !isOut) onFault(error);
      isOut = error instanceof RpcFault;
      waitMs = AFTER_FAULT_MS;
    }
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
}
