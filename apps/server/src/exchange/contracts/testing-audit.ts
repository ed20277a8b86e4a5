import { setTimeout as pause } from 'node:timers/promises';
import type { BookView, ContractOrder } from '@sathorn/api';
import { COIN_CODES, COINS, type CoinCode, formatMoney, formatPrice, money, type Price } from '@sathorn/money';
import pg from 'pg';
import { findViolations, readHaltReason } from '../../checker/checker/index.ts';
import { type Connection, type Database, openDatabase, statement } from '../../platform/database/index.ts';
import { bookHashOfRows, CoinBook, type TradeRow } from './coin-book.ts';
import { type ContractRow, contractOrderOf, MARKET_MAKER_OWNER, openQuantityOf, orderIdOf } from './contract-order.ts';
import { type BookState, listTrades, readBookStates, readContractOrders, readLiveOrders } from './contract-store.ts';
import type { AnsweredCommand } from './testing-traders.ts';

const EVERYTHING = 10_000_000;
const PLACE = '/api/coin/trans/add';
/** Fields of an order that never change. */
const FIXED = ['code', 'side', 'type', 'tif', 'post_only', 'price', 'quantity', 'amount', 'created_at'] as const;
const SEQUENCES = statement(
  'test.sequences',
  'SELECT sequence FROM contracts.orders WHERE coin = $1 ORDER BY sequence',
);

const ONE_MOMENT = statement('test.one_moment', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
const SAME_STATE_TRIES = 100;

interface Kept {
  readonly coin: CoinCode;
  readonly orders: readonly ContractRow[];
  /** Oldest first. */
  readonly trades: readonly TradeRow[];
  readonly state: BookState;
  /** The orders from which a new matcher would build the book. */
  readonly live: readonly ContractRow[];
}

/**
 * Audits contracts after any sequence of events; returns one sentence per defect. Call it when no request is in
 * progress and every request has been answered.
 */
export async function auditContracts(
  { app, checker }: { readonly app: Connection; readonly checker: Connection },
  urls: readonly string[],
  answered: readonly AnsweredCommand[],
): Promise<string[]> {
  const database = openDatabase(app, { connections: 4 });
  try {
    const kept: Kept[] = [];
    for (const coin of COIN_CODES) kept.push(await readKept(database, coin));
    const findings = [
      ...(await findViolations(checker)).map(({ invariant, subjects }) => `${invariant}: ${subjects.join(', ')}`),
      ...(await haltOf(checker)),
      ...compareAnswers(
        kept.flatMap(({ orders }) => orders),
        answered,
      ),
      ...kept.flatMap(findUnfairTrades),
    ];
    for (const coin of COIN_CODES) findings.push(...(await compareBook(database, coin, urls)));
    return findings;
  } finally {
    await database.close();
  }
}

async function haltOf(checker: Connection): Promise<string[]> {
  const client = new pg.Client(checker);
  await client.connect();
  try {
    const halted = await readHaltReason(client);
    return halted === null ? [] : [`money is halted: ${halted}`];
  } finally {
    await client.end();
  }
}

/** Reads in one snapshot, because the house's market maker keeps quoting. */
function readKept(database: Database, coin: CoinCode): Promise<Kept> {
  return database.transaction(async (transaction) => {
    await transaction.query(ONE_MOMENT);
    const rows = await transaction.query<{ sequence: bigint }>(SEQUENCES, [coin]);
    const orders = await readContractOrders(
      transaction,
      rows.map(({ sequence }) => ({ coin, sequence: Number(sequence) })),
    );
    orders.sort((a, b) => a.sequence - b.sequence);
    const trades = (await listTrades(transaction, coin, { before: null, skip: 0 }, EVERYTHING)).reverse();
    const [state] = await readBookStates(transaction, [coin]);
    if (state === undefined) throw new Error(`${coin} has no book`);
    return { coin, orders, trades, state, live: await readLiveOrders(transaction, coin) };
  });
}

/** Checks that each acknowledged order exists exactly once and unchanged, and that there are no others. */
function compareAnswers(orders: readonly ContractRow[], answered: readonly AnsweredCommand[]): string[] {
  const findings: string[] = [];
  const unasked = new Map(
    orders.filter(({ customer }) => customer !== MARKET_MAKER_OWNER).map((row) => [orderIdOf(row), row]),
  );
  const rows = new Map(unasked);
  for (const { at, answer, key } of answered) {
    if (answer.ret !== 1) continue;
    const said = answer.data as ContractOrder;
    const row = rows.get(said.id);
    const is = row && contractOrderOf(row);
    if (is === undefined) findings.push(`${said.id} was acknowledged and is lost (${key})`);
    else if (at === PLACE) {
      for (const field of FIXED)
        if (is[field] !== said[field]) findings.push(`${said.id} was acknowledged with another ${field}`);
      if (!unasked.delete(said.id)) findings.push(`${said.id} was acknowledged to two requests`);
    } else if (is.reason !== 'revoked') findings.push(`${said.id} was revoked and is ${is.status}`);
  }
  for (const id of unasked.keys()) findings.push(`${id} is there without a request`);
  const journals = new Set(orders.map(({ coin, customer, journal }) => `${coin} ${customer} ${journal}`));
  const own = orders.filter(({ customer }) => customer !== MARKET_MAKER_OWNER).length;
  const ownJournals = [...journals].filter((text) => !text.includes(` ${MARKET_MAKER_OWNER} `)).length;
  if (own !== ownJournals) findings.push(`${own} orders of ${ownJournals} requests`);
  return findings;
}

/**
 * Checks that every trade matched the best order of its moment at that order's price. A wrongly rebuilt book would have
 * skipped an order.
 */
function findUnfairTrades({ coin, orders, trades }: Kept): string[] {
  const findings: string[] = [];
  const byNumber = new Map(orders.map((row) => [row.sequence, row]));
  const resting = new Map<number, { readonly row: ContractRow; left: bigint }>();
  const arriving = orders.filter(({ timeInForce, type }) => type === 'limit' && timeInForce === 'GTC');
  const ownTrades = new Map<number, bigint>();
  for (const { takerSequence, quantity } of trades)
    ownTrades.set(takerSequence, (ownTrades.get(takerSequence) ?? 0n) + quantity);
  let next = 0;
  for (const trade of trades) {
    const taker = byNumber.get(trade.takerSequence);
    if (taker === undefined) return [`${coin}: trade ${trade.number} has no taker`];
    for (let row = arriving[next]; row !== undefined && row.sequence < taker.sequence; row = arriving[++next])
      resting.set(row.sequence, { row, left: row.quantity - (ownTrades.get(row.sequence) ?? 0n) });
    const maker = resting.get(trade.makerSequence);
    if (maker === undefined || maker.left < trade.quantity || maker.row.price !== trade.price) {
      findings.push(`${coin}: trade ${trade.number} is with an order that did not rest so`);
      continue;
    }
    for (const [sequence, { row, left }] of resting) {
      // Within one millisecond the order of events is unknown.
      const mayHaveEnded = row.reason !== null && row.updatedMs <= taker.acceptedMs;
      if (left === 0n || (row.reason !== null && row.updatedMs < taker.acceptedMs)) resting.delete(sequence);
      else if (!mayHaveEnded && row.customer !== taker.customer && isBefore(row, maker.row))
        findings.push(`${coin}: trade ${trade.number} passed over ${sequence}`);
    }
    maker.left -= trade.quantity;
  }
  return findings;
}

function isBefore(one: ContractRow, other: ContractRow): boolean {
  if (one.side !== other.side || one.price === null || other.price === null) return false;
  if (one.price === other.price) return one.sequence < other.sequence;
  return one.side === 'buy' ? one.price > other.price : one.price < other.price;
}

/**
 * Compares three books with the one that follows from the trades: the matcher's memory, the book that each edge shows,
 * and the one that a new matcher would build.
 */
async function compareBook(database: Database, coin: CoinCode, urls: readonly string[]): Promise<string[]> {
  const kept = await readKept(database, coin);
  const rebuilt = new CoinBook(coin);
  rebuilt.restore(kept.state, kept.live);
  const findings =
    rebuilt.stateHash() === bookHashOfRows(leftOf(kept)) ? [] : [`${coin}: the book that is rebuilt is another`];
  for (const url of urls) findings.push(...(await compareShown(database, coin, url)));
  return findings;
}

async function compareShown(database: Database, coin: CoinCode, url: string): Promise<string[]> {
  for (let n = 0; n < SAME_STATE_TRIES; n++) {
    const response = await fetch(`${url}/api/coin/book?code=${coin}&depth=50`);
    const { bids, asks, sequence } = ((await response.json()) as { data: BookView }).data;
    const kept = await readKept(database, coin);
    if (sequence === String(kept.state.sequence)) {
      const left = leftOf(kept);
      const [shown, said] = [
        { bids, asks },
        { bids: levelsOf(coin, 'buy', left), asks: levelsOf(coin, 'sell', left) },
      ];
      if (JSON.stringify(shown) === JSON.stringify(said)) return [];
      return [`${coin}: the book in memory is ${JSON.stringify(shown)}, should be ${JSON.stringify(said)}`];
    }
    await pause(50);
  }
  return [`${coin}: ${url} never shows the book as it is`];
}

/** Computes the resting orders from the orders, trades and revokes, without the orders' own status. */
function leftOf({ orders, trades }: Kept): ContractRow[] {
  const dealt = new Map<number, bigint>();
  for (const { makerSequence, takerSequence, quantity } of trades)
    for (const sequence of [makerSequence, takerSequence]) dealt.set(sequence, (dealt.get(sequence) ?? 0n) + quantity);
  return orders
    .map((row) => ({ ...row, dealtQuantity: dealt.get(row.sequence) ?? 0n }))
    .filter(({ quantity, cut, dealtQuantity, reason }) => reason === null && dealtQuantity < quantity - cut);
}

function levelsOf(coin: CoinCode, side: 'buy' | 'sell', rows: readonly ContractRow[]): [string, string][] {
  const levels = new Map<bigint, bigint>();
  for (const row of rows)
    if (row.side === side && row.price !== null)
      levels.set(row.price, (levels.get(row.price) ?? 0n) + openQuantityOf(row));
  return [...levels]
    .sort(([a], [b]) => Number(side === 'buy' ? b - a : a - b))
    .slice(0, 50)
    .map(([price, quantity]) => [
      formatPrice(price as Price, COINS[coin].priceDecimals),
      formatMoney(money(coin, quantity)),
    ]);
}
