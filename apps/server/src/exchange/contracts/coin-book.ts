import { Book, type BookEvent, EventList, type RejectReason, type RestingOrder } from '@sathorn/matching';
import {
  type AssetCode,
  type CoinCode,
  formatMoney,
  lotUnits,
  type Money,
  money,
  mulDiv,
  type Price,
  price,
  priceStepUnits,
  rateFromBasisPoints,
  scaleOf,
} from '@sathorn/money';
import {
  type AllowedOrder,
  accept,
  type BestPrices,
  type ContractFees,
  contractAmount,
  contractHold,
  type Decision,
  type FillMove,
  refuse,
  settleFill,
  type TriggerTick,
  triggeredOrder,
} from '@sathorn/settlement';
import { type AccountKey, customerAccount, houseAccount, type PurposeName, type Transfer } from '../../ledger/index.ts';
import type { RecurringRun } from './contract-command.ts';
import { type ContractRow, MARKET_MAKER_OWNER, openQuantityOf } from './contract-order.ts';
import { type WaitingRow, waitingTicketOf } from './waiting-order.ts';
import { WaitingOrders } from './waiting-orders.ts';

/** A trade in the form of its row. */
export interface TradeRow {
  readonly coin: CoinCode;
  readonly number: number;
  readonly price: Price;
  readonly quantity: bigint;
  readonly amount: bigint;
  readonly takerSide: 'buy' | 'sell';
  readonly makerSequence: number;
  readonly takerSequence: number;
  readonly makerCustomer: bigint;
  readonly takerCustomer: bigint;
  readonly makerFee: bigint;
  readonly takerFee: bigint;
  readonly atMs: number;
}

export interface NewOrder extends AllowedOrder {
  readonly customer: bigint;
  readonly journal: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly: boolean;
  readonly fees: ContractFees;
  /** Units of the asset that pays for the order. */
  readonly available: bigint;
  readonly atMs: number;
  /** A resting order of the same customer that ends as this one is placed. */
  readonly replaces?: number;
  /** The waiting order that this one was. */
  readonly waiting?: number;
  /** The regular purchase that this is an execution of. */
  readonly recurring?: RecurringRun;
}

/** A waiting order that the book has not numbered yet. */
export type NewWaitingOrder = Omit<
  WaitingRow,
  'coin' | 'sequence' | 'state' | 'refusal' | 'tick' | 'tickMs' | 'tickPrice' | 'order' | 'updatedMs'
>;

interface WaitedOrder {
  readonly row: WaitingRow;
  readonly transfers: readonly Transfer[];
}

interface MatchedOrder {
  readonly order: ContractRow;
  readonly transfers: readonly Transfer[];
}

/** A batch's changes to the book, which must be written. */
export interface BookChanges {
  readonly coin: CoinCode;
  readonly before: number;
  readonly sequence: number;
  readonly trades: number;
  readonly inserted: readonly ContractRow[];
  readonly updated: readonly ContractRow[];
  readonly newTrades: readonly TradeRow[];
  readonly waitingInserted: readonly WaitingRow[];
  readonly waitingUpdated: readonly WaitingRow[];
}

interface TriggeredOrder {
  readonly waiting: WaitingRow;
  /** Null if the book refused it, or its owner may not trade. */
  readonly order: ContractRow | null;
  readonly transfers: readonly Transfer[];
}

export type BookRefusal =
  | 'above_maximum'
  | 'below_minimum'
  | 'post_only_would_cross'
  | 'fok_not_fillable'
  | 'no_liquidity'
  | 'beyond_price_band'
  | 'book_full'
  | 'exceeds_balance';

const REFUSALS: Partial<Record<RejectReason, BookRefusal>> = {
  book_full: 'book_full',
  post_only_would_cross: 'post_only_would_cross',
  fok_not_fillable: 'fok_not_fillable',
  no_liquidity: 'no_liquidity',
  beyond_price_band: 'beyond_price_band',
};
const FIELDS: Partial<Record<BookRefusal, string>> = { post_only_would_cross: 'price' };

/** The largest quantity, in a coin's smallest unit, that a row can store and a book can count in lots. */
const QUANTITY_MAX = 9_000_000_000_000_000_000n;

const ENDED_MAX = 10_000;

const spotOf = (customer: bigint, asset: AssetCode): AccountKey =>
  customer === MARKET_MAKER_OWNER ? houseAccount('maker', asset) : customerAccount(customer, asset);
const inOrdersOf = (customer: bigint, asset: AssetCode): AccountKey =>
  customer === MARKET_MAKER_OWNER
    ? houseAccount('maker_in_orders', asset)
    : customerAccount(customer, asset, 'in_orders');

/** The account that pays for an order of this side. */
export const payingAccountOf = (customer: bigint, coin: CoinCode, side: 'buy' | 'sell'): AccountKey =>
  spotOf(customer, side === 'buy' ? 'USDT' : coin);

/** The book requires owner numbers from 1, and the market maker is customer 0. */
const ownerOf = (customer: bigint): number => Number(customer) + 1;

/** Collects the transfers of one command in order, and skips those of amount zero. */
class Transfers {
  readonly list: Transfer[] = [];
  add(debit: AccountKey, credit: AccountKey, units: bigint, code: PurposeName): void {
    if (units > 0n) this.list.push({ kind: 'single', debit, credit, units, code });
  }
}

/**
 * A coin's book with the data about its orders that the ledger and the tables need. A batch's changes overlay the
 * committed state until `commit` or `rollback`; `sequence` identifies the version in the database.
 */
export class CoinBook {
  readonly coin: CoinCode;
  #events = new EventList();
  #book = new Book(this.#events);
  #live = new Map<number, ContractRow>();
  /** The market maker's live orders. It replaces them often, so they must be found without searching all orders. */
  readonly #quotes = new Set<number>();
  /** Customers of the newest ended orders, oldest first, so that revoking a just filled order needs no query. */
  readonly #ended = new Map<number, bigint>();
  readonly #changed = new Map<number, ContractRow>();
  readonly #added = new Set<number>();
  readonly waiting = new WaitingOrders();
  #newTrades: TradeRow[] = [];
  #sequence = -1;
  #trades = 0;
  #before = { sequence: -1, trades: 0 };
  /** True if the book has an open checkpoint. */
  #isOpen = false;

  constructor(coin: CoinCode) {
    this.coin = coin;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get lastTrade(): number {
    return this.#trades;
  }

  /** True if no batch that changed the book is in progress, so that the database has all of it. */
  get isCommitted(): boolean {
    return this.#sequence === this.#before.sequence;
  }

  /** Restores the book from the database's live orders and those that wait, each in order of their sequence. */
  restore(
    state: { sequence: number; trades: number },
    rows: readonly ContractRow[],
    waiting: readonly WaitingRow[] = [],
  ): void {
    this.waiting.restore(waiting);
    this.#events = new EventList();
    this.#book = Book.restore(rows.map(restingOf), this.#events);
    this.#live = new Map(rows.map((row) => [row.sequence, row]));
    this.#quotes.clear();
    for (const { sequence, customer } of rows) if (customer === MARKET_MAKER_OWNER) this.#quotes.add(sequence);
    this.#isOpen = false;
    this.#changed.clear();
    this.#added.clear();
    this.#newTrades = [];
    this.#sequence = state.sequence;
    this.#trades = state.trades;
    this.#before = { sequence: state.sequence, trades: state.trades };
  }

  stateHash(): string {
    return this.#book.stateHash();
  }

  depth(side: 'buy' | 'sell', count: number): { price: Price; quantity: bigint }[] {
    return this.#book.depth(side, count).map((level) => ({
      price: this.#price(level.price),
      quantity: this.#quantity(level.quantity).units,
    }));
  }

  /** The best prices at which customers' orders rest. */
  bestOfCustomers(): BestPrices {
    const quotes = this.quotes();
    const bestOf = (side: 'buy' | 'sell'): Price | null => {
      const own = new Map<Price, bigint>();
      for (const row of quotes)
        if (row.side === side && row.price !== null)
          own.set(row.price, (own.get(row.price) ?? 0n) + openQuantityOf(row));
      const found = this.depth(side, own.size + 1).find((level) => level.quantity > (own.get(level.price) ?? 0n));
      return found?.price ?? null;
    };
    return { buy: bestOf('buy'), sell: bestOf('sell') };
  }

  openOrdersOf(customer: bigint): number {
    return this.#book.countOf(ownerOf(customer));
  }

  /** Resting quotes of the house's market maker after the batch. */
  quotes(): ContractRow[] {
    const rows = [...this.#quotes, ...this.#added].flatMap((sequence) => this.find(sequence) ?? []);
    return rows.filter(({ customer }) => customer === MARKET_MAKER_OWNER);
  }

  /** Undefined if the order is not resting. */
  find(sequence: number): ContractRow | undefined {
    const row = this.#changed.get(sequence) ?? this.#live.get(sequence);
    return row?.isLive ? row : undefined;
  }

  /** The owner of an ended order; undefined if the order still rests, or ended too long ago to be in memory. */
  ownerOfEnded(sequence: number): bigint | undefined {
    const row = this.#changed.get(sequence);
    const waited = this.waiting.ownerOfEnded(sequence);
    if (waited !== undefined) return waited;
    return row === undefined ? this.#ended.get(sequence) : row.isLive ? undefined : row.customer;
  }

  /** True if the order is in memory, so that no query is needed. */
  knows(sequence: number): boolean {
    return (
      this.find(sequence) !== undefined ||
      this.waiting.find(sequence) !== undefined ||
      this.ownerOfEnded(sequence) !== undefined
    );
  }

  /**
   * Matches an order that passed the checks before the book. It first ends resting orders of customers who may no
   * longer trade, so that the order trades with none of them. A refused order changes nothing.
   */
  place(order: NewOrder, barred: readonly bigint[] = []): Decision<MatchedOrder, BookRefusal> {
    const start = this.#checkpoint();
    for (const customer of barred) this.#book.cancelAll(ownerOf(customer));
    if (order.replaces !== undefined) this.#book.cancel(order.replaces, ownerOf(order.customer));
    const matched = this.#match(order, this.#events.take());
    if (!matched.ok) this.#book.rollback(start);
    return matched;
  }

  #match(order: NewOrder, ended: readonly BookEvent[]): Decision<MatchedOrder, BookRefusal> {
    const { coin } = this;
    const { customer, side, limit, timeInForce, size, rest } = order;
    const steps = Number(limit / priceStepUnits(coin));
    const owner = ownerOf(customer);
    const lotsMax = Number(QUANTITY_MAX / lotUnits(coin));
    // The amount may exceed what the book offers; the excess is counted so that the order reports it as unfilled.
    const lots =
      size.asset === 'USDT'
        ? Math.min(this.#book.lotsFor(owner, steps, this.#budget(size.units)), lotsMax)
        : Number(size.units / lotUnits(coin));
    if (lots === 0 && !rest) return this.#refuseNothing(steps, size.units);
    if (lots > lotsMax) return this.#refuseTooMuch(steps, lotsMax);

    // The maker's order must have the lower sequence.
    const houseSequence = this.#sequence + 1;
    const sequence = rest ? houseSequence + 1 : houseSequence;
    if (lots > 0)
      this.#book.place({
        id: sequence,
        owner,
        side,
        type: order.type,
        price: steps,
        quantity: lots,
        timeInForce,
        postOnly: order.postOnly,
      });
    const events = this.#events.take();
    const [first] = events;
    if (first?.type === 'rejected') return refused(first.reason);
    if (side === 'buy' && this.#costOf(events) > order.available) {
      const available = formatMoney(money('USDT', order.available));
      return refuse('exceeds_balance', { field: 'quantity', params: { available } });
    }

    this.#sequence = sequence;
    const row: ContractRow = {
      coin,
      sequence,
      customer,
      journal: order.journal,
      side,
      type: order.type,
      timeInForce,
      postOnly: order.postOnly,
      price: order.type === 'limit' ? limit : null,
      quantity: this.#quantity(lots).units + (rest?.quantity.units ?? 0n),
      amount: size.asset === 'USDT' ? size.units : null,
      makerBps: order.fees.makerBps,
      takerBps: order.fees.takerBps,
      acceptedMs: order.atMs,
      replaces: order.replaces ?? null,
      waiting: order.waiting ?? null,
      recurring: order.recurring?.id ?? null,
      recurringNumber: order.recurring?.number ?? null,
      recurringDay: order.recurring?.day ?? null,
      cut: 0n,
      dealtQuantity: 0n,
      dealtAmount: 0n,
      dealtValue: 0n,
      fee: 0n,
      held: 0n,
      isLive: false,
      reason: null,
      updatedMs: order.atMs,
    };
    this.#changed.set(sequence, row);
    this.#added.add(sequence);
    const transfers = new Transfers();
    for (const event of ended)
      if (event.type === 'cancelled')
        this.#end(event.id, event.id === order.replaces ? 'amended' : 'revoked', order.atMs, transfers);
    for (const event of events) this.#apply(event, row, transfers);
    if (rest) this.#sellRest(rest, houseSequence, row, transfers);
    return accept({ order: row, transfers: transfers.list });
  }

  /** Removes a resting order. */
  revoke(sequence: number, atMs: number): MatchedOrder {
    const found = this.find(sequence);
    if (found === undefined) throw new Error(`order ${this.coin}-${sequence} does not rest`);
    this.#checkpoint();
    this.#book.cancel(sequence, ownerOf(found.customer));
    this.#events.take();
    this.#sequence += 1;
    const transfers = new Transfers();
    const row = this.#end(sequence, 'revoked', atMs, transfers);
    return { order: row, transfers: transfers.list };
  }

  /** Takes a part of a resting order back, which keeps its place, and `released` of its hold. */
  shrink(sequence: number, { cut, released }: { cut: bigint; released: bigint }, atMs: number): MatchedOrder {
    if (this.find(sequence) === undefined) throw new Error(`order ${this.coin}-${sequence} does not rest`);
    this.#checkpoint();
    const row = this.#change(sequence);
    row.cut += cut;
    this.#book.shrink(sequence, ownerOf(row.customer), Number(openQuantityOf(row) / lotUnits(this.coin)));
    if (this.#events.take()[0]?.type !== 'shrunk') throw new Error(`order ${this.coin}-${sequence} did not shrink`);
    this.#sequence += 1;
    const asset = row.side === 'buy' ? 'USDT' : this.coin;
    const transfers = new Transfers();
    transfers.add(inOrdersOf(row.customer, asset), spotOf(row.customer, asset), released, 'contract_release');
    row.held -= released;
    row.updatedMs = atMs;
    return { order: row, transfers: transfers.list };
  }

  /** Adds an order that waits for the index. The caller has checked that its hold is available. */
  placeWaiting(order: NewWaitingOrder, transfers = new Transfers()): WaitedOrder {
    const asset = order.side === 'buy' ? 'USDT' : this.coin;
    if (order.replaces !== null) this.#endWaiting(order.replaces, 'amended', order.acceptedMs, transfers);
    this.#sequence += 1;
    const row: WaitingRow = {
      ...order,
      coin: this.coin,
      sequence: this.#sequence,
      state: 'waiting',
      refusal: null,
      tick: null,
      tickMs: null,
      tickPrice: null,
      order: null,
      updatedMs: order.acceptedMs,
    };
    this.waiting.add(row);
    transfers.add(spotOf(row.customer, asset), inOrdersOf(row.customer, asset), row.held, 'contract_hold');
    return { row, transfers: transfers.list };
  }

  /** Ends a waiting order. */
  revokeWaiting(sequence: number, atMs: number): WaitedOrder {
    const transfers = new Transfers();
    const row = this.#endWaiting(sequence, 'revoked', atMs, transfers);
    this.#sequence += 1;
    return { row, transfers: transfers.list };
  }

  /**
   * Triggers the first accepted of the waiting orders that the tick reaches; null if there is none. Its hold pays for
   * what it becomes. An order that the book refuses ends, and so does the one that rests beside it.
   */
  triggerNext(
    tick: TriggerTick,
    { journal, atMs, barred }: { journal: string; atMs: number; barred: readonly bigint[] },
  ): TriggeredOrder | null {
    const due = this.waiting.nextDue(tick);
    if (due === undefined) return null;
    const { customer, side, type, timeInForce, postOnly, makerBps, takerBps, pair, sequence } = due;
    const transfers = new Transfers();
    let available = due.held;
    const beside = pair === null ? undefined : this.find(pair);
    const waiting = this.#endWaiting(sequence, 'triggered', atMs, transfers);
    if (beside !== undefined) {
      available += beside.held;
      this.#checkpoint();
      this.#book.cancel(beside.sequence, ownerOf(customer));
      this.#events.take();
      this.#end(beside.sequence, 'paired', atMs, transfers);
    }
    this.#sequence += 1;
    if (barred.includes(customer)) {
      waiting.state = 'revoked';
      return { waiting, order: null, transfers: transfers.list };
    }
    waiting.tick = tick.sequence;
    waiting.tickMs = tick.atMs;
    waiting.tickPrice = tick.price;
    const placed = this.place(
      {
        ...triggeredOrder(waitingTicketOf(due), tick),
        customer,
        journal,
        side,
        type,
        timeInForce,
        postOnly,
        fees: { makerBps, takerBps },
        available,
        atMs,
        waiting: sequence,
      },
      barred.filter((other) => this.openOrdersOf(other) > 0),
    );
    if (!placed.ok) {
      waiting.state = 'refused';
      waiting.refusal = placed.refusal;
      return { waiting, order: null, transfers: transfers.list };
    }
    const { order } = placed.effect;
    waiting.order = order.sequence;
    return { waiting, order, transfers: [...transfers.list, ...placed.effect.transfers] };
  }

  /** Removes all resting orders of a customer, oldest first, and then all waiting ones, as one command. */
  revokeAll(
    customer: bigint,
    atMs: number,
  ): {
    readonly orders: readonly ContractRow[];
    readonly waiting: readonly WaitingRow[];
    readonly transfers: readonly Transfer[];
  } {
    const waiting = this.waiting.ofCustomer(customer);
    if (this.openOrdersOf(customer) === 0 && waiting.length === 0) return { orders: [], waiting: [], transfers: [] };
    this.#checkpoint();
    this.#book.cancelAll(ownerOf(customer));
    this.#sequence += 1;
    const transfers = new Transfers();
    const orders = this.#events
      .take()
      .flatMap((event) => (event.type === 'cancelled' ? this.#end(event.id, 'revoked', atMs, transfers) : []));
    // One that waited beside a resting order has ended with it.
    for (const { sequence } of waiting)
      if (this.waiting.find(sequence) !== undefined) this.#endWaiting(sequence, 'revoked', atMs, transfers);
    return { orders, waiting, transfers: transfers.list };
  }

  #endWaiting(sequence: number, state: WaitingRow['state'], atMs: number, transfers: Transfers): WaitingRow {
    const row = this.waiting.change(sequence);
    const asset = row.side === 'buy' ? 'USDT' : this.coin;
    transfers.add(inOrdersOf(row.customer, asset), spotOf(row.customer, asset), row.held, 'contract_release');
    row.held = 0n;
    row.state = state;
    row.updatedMs = atMs;
    return row;
  }

  /** Ends the order that waits beside one that was filled or has ended. */
  #endPairOf(sequence: number, atMs: number, transfers: Transfers): void {
    const beside = this.waiting.pairOf(sequence);
    if (beside !== undefined) this.#endWaiting(beside.sequence, 'paired', atMs, transfers);
  }

  /** Null if the batch has changed nothing. */
  changes(): BookChanges | null {
    if (this.#sequence === this.#before.sequence) return null;
    const rows = [...this.#changed.values()];
    const waiting = this.waiting.changes();
    return {
      coin: this.coin,
      before: this.#before.sequence,
      sequence: this.#sequence,
      trades: this.#trades,
      inserted: rows.filter(({ sequence }) => this.#added.has(sequence)),
      updated: rows.filter(({ sequence }) => !this.#added.has(sequence)),
      newTrades: this.#newTrades,
      waitingInserted: waiting.inserted,
      waitingUpdated: waiting.updated,
    };
  }

  unchanged(): BookChanges {
    const { coin } = this;
    const { sequence, trades } = this.#before;
    return {
      coin,
      before: sequence,
      sequence,
      trades,
      inserted: [],
      updated: [],
      newTrades: [],
      waitingInserted: [],
      waitingUpdated: [],
    };
  }

  commit(): void {
    for (const [sequence, row] of this.#changed) {
      if (row.isLive) this.#live.set(sequence, row);
      else this.#live.delete(sequence);
      if (row.customer !== MARKET_MAKER_OWNER) {
        if (!row.isLive) this.#remember(sequence, row.customer);
        continue;
      }
      if (row.isLive) this.#quotes.add(sequence);
      else this.#quotes.delete(sequence);
    }
    this.waiting.commit(({ sequence, customer }) => this.#remember(sequence, customer));
    if (this.#isOpen) this.#book.commit();
    this.#before = { sequence: this.#sequence, trades: this.#trades };
    this.#clear();
  }

  rollback(): void {
    if (this.#isOpen) {
      this.#book.rollback(0 as ReturnType<Book['checkpoint']>);
      this.#book.commit();
    }
    this.#sequence = this.#before.sequence;
    this.#trades = this.#before.trades;
    this.waiting.rollback();
    this.#clear();
  }

  #clear(): void {
    this.#isOpen = false;
    this.#changed.clear();
    this.#added.clear();
    this.#newTrades = [];
  }

  #remember(sequence: number, customer: bigint): void {
    this.#ended.set(sequence, customer);
    if (this.#ended.size <= ENDED_MAX) return;
    for (const oldest of this.#ended.keys()) {
      this.#ended.delete(oldest);
      break;
    }
  }

  #checkpoint(): ReturnType<Book['checkpoint']> {
    this.#isOpen = true;
    return this.#book.checkpoint();
  }

  /** The budget in steps × lots, rounded down so that the order never spends more. */
  #budget(usdtUnits: bigint): bigint {
    const oneLotTick = priceStepUnits(this.coin) * lotUnits(this.coin);
    return mulDiv(usdtUnits, 10n ** BigInt(scaleOf(this.coin)), oneLotTick, 'down');
  }

  /** Refuses an amount that does not buy a single lot. */
  #refuseNothing(limitSteps: number, amount: bigint): Decision<MatchedOrder, BookRefusal> {
    const best = this.#book.bestPrice('sell');
    if (best === null) return refused('no_liquidity');
    if (best > limitSteps) return refused('beyond_price_band');
    const lot = this.#amountOf(best, 1, 'up');
    if (amount >= lot) return refused('no_liquidity');
    return refuse('below_minimum', { field: 'amount', params: { min: formatMoney(money('USDT', lot)) } });
  }

  /** Refuses orders for more lots than can be counted: the largest amount may buy too many coins of a cheap one. */
  #refuseTooMuch(limitSteps: number, lotsMax: number): Decision<MatchedOrder, BookRefusal> {
    const max = this.#amountOf(limitSteps, lotsMax);
    return refuse('above_maximum', { field: 'quantity', params: { max: formatMoney(money('USDT', max)) } });
  }

  #price(steps: number): Price {
    return price(BigInt(steps) * priceStepUnits(this.coin));
  }

  #quantity(lots: number): Money<CoinCode> {
    return money(this.coin, BigInt(lots) * lotUnits(this.coin));
  }

  #amountOf(steps: number, lots: number, rounding: 'up' | 'down' = 'down'): bigint {
    return contractAmount(this.#price(steps), this.#quantity(lots), rounding).units;
  }

  /** The USDT that a buy's fills cost. The resting part of a limit order is within the checked amount. */
  #costOf(events: readonly BookEvent[]): bigint {
    let cost = 0n;
    for (const event of events) if (event.type === 'traded') cost += this.#amountOf(event.price, event.quantity);
    return cost;
  }

  /** Sells the remaining part of a lot. The house buys exactly this quantity, and neither order leaves a rest. */
  #sellRest(
    { quantity, price: at }: NonNullable<AllowedOrder['rest']>,
    sequence: number,
    taker: ContractRow,
    transfers: Transfers,
  ): void {
    const held = contractHold('buy', at, quantity).units;
    const maker: ContractRow = {
      ...taker,
      sequence,
      customer: MARKET_MAKER_OWNER,
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      postOnly: true,
      price: at,
      quantity: quantity.units,
      // The maker pays no fee, because the house would pay it to itself.
      makerBps: 0,
      dealtQuantity: 0n,
      dealtAmount: 0n,
      dealtValue: 0n,
      fee: 0n,
      held,
      isLive: true,
      reason: null,
    };
    this.#changed.set(sequence, maker);
    this.#added.add(sequence);
    transfers.add(spotOf(MARKET_MAKER_OWNER, 'USDT'), inOrdersOf(MARKET_MAKER_OWNER, 'USDT'), held, 'contract_hold');
    this.#fill(maker, at, quantity, true, taker, transfers);
  }

  #apply(event: BookEvent, taker: ContractRow, transfers: Transfers): void {
    if (event.type === 'traded') {
      const [at, quantity] = [this.#price(event.price), this.#quantity(event.quantity)];
      this.#fill(this.#change(event.makerId), at, quantity, event.makerLeft === 0, taker, transfers);
    } else if (event.type === 'rested') this.#rest(event.quantity, taker, transfers);
    else if (event.type === 'cancelled' && event.id === taker.sequence) taker.reason = 'unfilled';
    else if (event.type === 'cancelled') this.#end(event.id, 'self_trade', taker.acceptedMs, transfers);
  }

  #fill(
    maker: ContractRow,
    tradedAt: Price,
    quantity: Money<CoinCode>,
    isMakerFilled: boolean,
    taker: ContractRow,
    transfers: Transfers,
  ): void {
    const { coin } = this;
    const fill = settleFill({
      takerSide: taker.side,
      price: tradedAt,
      quantity,
      makerRate: rateFromBasisPoints(BigInt(maker.makerBps)),
      takerRate: rateFromBasisPoints(BigInt(taker.takerBps)),
      makerHeld: money(taker.side === 'buy' ? coin : 'USDT', maker.held),
      isMakerFilled,
    });
    const [amount, makerFee, takerFee] = [fill.amount.units, fill.makerFee.units, fill.takerFee.units];
    const accounts: Record<FillMove['from'], (asset: AssetCode) => AccountKey> = {
      taker: (asset) => spotOf(taker.customer, asset),
      maker: (asset) => spotOf(maker.customer, asset),
      maker_in_orders: (asset) => inOrdersOf(maker.customer, asset),
      fees: (asset) => houseAccount('fee_income', asset),
    };
    for (const { from, to, amount: moved, purpose } of fill.moves)
      transfers.add(accounts[from](moved.asset), accounts[to](moved.asset), moved.units, `contract_${purpose}`);

    maker.held = fill.makerHeld.units;
    maker.fee += makerFee;
    taker.fee += takerFee;
    for (const row of [maker, taker]) {
      row.dealtQuantity += quantity.units;
      row.dealtAmount += amount;
      row.dealtValue += tradedAt * quantity.units;
    }
    maker.updatedMs = taker.acceptedMs;
    if (isMakerFilled) maker.isLive = false;
    this.#endPairOf(maker.sequence, taker.acceptedMs, transfers);
    this.#trades += 1;
    this.#newTrades.push({
      coin,
      number: this.#trades,
      price: tradedAt,
      quantity: quantity.units,
      amount,
      takerSide: taker.side,
      makerSequence: maker.sequence,
      takerSequence: taker.sequence,
      makerCustomer: maker.customer,
      takerCustomer: taker.customer,
      makerFee,
      takerFee,
      atMs: taker.acceptedMs,
    });
  }

  #rest(lots: number, taker: ContractRow, transfers: Transfers): void {
    const { asset, units } = contractHold(taker.side, taker.price ?? price(0n), this.#quantity(lots));
    taker.held = units;
    taker.isLive = true;
    transfers.add(spotOf(taker.customer, asset), inOrdersOf(taker.customer, asset), units, 'contract_hold');
  }

  #end(
    sequence: number,
    reason: 'revoked' | 'self_trade' | 'amended' | 'paired',
    atMs: number,
    transfers: Transfers,
  ): ContractRow {
    const row = this.#change(sequence);
    const asset = row.side === 'buy' ? 'USDT' : this.coin;
    transfers.add(inOrdersOf(row.customer, asset), spotOf(row.customer, asset), row.held, 'contract_release');
    row.held = 0n;
    row.isLive = false;
    row.reason = reason;
    row.updatedMs = atMs;
    this.#endPairOf(sequence, atMs, transfers);
    return row;
  }

  /** Returns the row in the state that this batch may change. */
  #change(sequence: number): ContractRow {
    const changed = this.#changed.get(sequence);
    if (changed !== undefined) return changed;
    const row = this.#live.get(sequence);
    if (row === undefined) throw new Error(`the book has an order that nobody placed: ${this.coin}-${sequence}`);
    const copy = { ...row };
    this.#changed.set(sequence, copy);
    return copy;
  }
}

function refused(reason: RejectReason): Decision<never, BookRefusal> {
  const refusal = REFUSALS[reason];
  // The book rejects only duplicate ids and contradictory fields, and neither can occur here.
  if (refusal === undefined) throw new Error(`the book rejected an order: ${reason}`);
  const field = FIELDS[refusal];
  return refuse(refusal, field === undefined ? {} : { field });
}

function restingOf(row: ContractRow): RestingOrder {
  return {
    id: row.sequence,
    owner: ownerOf(row.customer),
    side: row.side,
    price: Number((row.price ?? 0n) / priceStepUnits(row.coin)),
    quantity: Number(openQuantityOf(row) / lotUnits(row.coin)),
  };
}

/** The state hash of orders in the database; equals the hash of a book that holds the same orders. */
export function bookHashOfRows(rows: readonly ContractRow[]): string {
  return Book.restore(rows.map(restingOf), new EventList()).stateHash();
}
