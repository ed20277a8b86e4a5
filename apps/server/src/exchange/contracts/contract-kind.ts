import type { KeyObject } from 'node:crypto';
import type { PriceOrigin } from '@sathorn/api';
import { type AssetCode, type CoinCode, formatMoney, money, type Price, price } from '@sathorn/money';
import {
  type AmendRefusal,
  accept,
  type ContractFees,
  type ContractTicket,
  type Decision,
  decideAmend,
  decidePlacement,
  decideWaiting,
  fractionOfLot,
  isCovered,
  type PlacementRefusal,
  type PlayRefusal,
  type RecurringBounds,
  readWaitingTicket,
  refuse,
  type TicketRefusal,
  type WaitingRefusal,
  type WaitingTicket,
} from '@sathorn/settlement';
import {
  type Funds,
  type GuardedPlay,
  type HotKind,
  houseAccount,
  type LoadedAcceptance,
  type LoadedBatch,
  type PostedAnswer,
  type Transfer,
} from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import {
  type BookChanges,
  type BookRefusal,
  CoinBook,
  type NewOrder,
  type NewWaitingOrder,
  payingAccountOf,
} from './coin-book.ts';
import { contractAnswerMemory } from './contract-answer-memory.ts';
import {
  type AmendCommand,
  type AmendWaitingCommand,
  type ContractCommand,
  coinOfCommand,
  type PlaceCommand,
  type PlacePairCommand,
  type PlaceWaitingCommand,
  type QuoteCommand,
  type RecurringRun,
  type RevokeAllCommand,
  type RevokeCommand,
  type RevokeWaitingCommand,
  type TakeCommand,
  type TriggerCommand,
} from './contract-command.ts';
import {
  type ContractCommandResult,
  type ContractRow,
  contractOrderOf,
  MARKET_MAKER_OWNER,
  openQuantityOf,
  orderIdOf,
} from './contract-order.ts';
import {
  BookLeaseLostError,
  readBookStates,
  readContractOrders,
  readLiveOrders,
  writeBookChanges,
} from './contract-store.ts';
import { type ContractTerms, FIRST_CONTRACT_TERMS } from './offer-kinds.ts';
import { type WaitingRow, waitingOrderOf } from './waiting-order.ts';
import { readWaitingByKey, readWaitingOrders } from './waiting-store.ts';

export type ContractRefusal =
  | PlacementRefusal
  | AmendRefusal
  | PlayRefusal
  | BookRefusal
  | WaitingRefusal
  | TicketRefusal
  | 'trigger_price_required'
  | 'order_paired'
  | 'nothing_due'
  | 'recurring_not_due'
  | 'account_frozen'
  | 'order_unknown'
  | 'order_ended'
  | 'maker_replaced';
/** A tick by which orders are triggered. */
export interface MarketTick {
  readonly sequence: bigint;
  readonly at: Date;
  readonly price: Price;
}

/** The current index. */
export interface ContractIndex {
  /** The origin of its prices. */
  readonly environment: PriceOrigin;
  isStale(coin: CoinCode, now: Date): boolean;
  /** The newest index; null before the first. */
  lastPrice(coin: CoinCode): Price | null;
}
/** The part of the market that contracts need. */
export interface ContractMarket extends ContractIndex {
  lastTick(coin: CoinCode): MarketTick | null;
  /** The first tick later than a moment. */
  firstTickAfter(coin: CoinCode, at: Date): Promise<MarketTick | null>;
  /** Verified, oldest first, both ends inclusive. */
  ticksBetween(coin: CoinCode, from: Date, to: Date): Promise<readonly MarketTick[]>;
}

export interface ContractKindDependencies {
  readonly market: ContractMarket;
  /** The leases under which this process writes. */
  readonly leases: ReadonlyMap<CoinCode, bigint>;
  /** The key of the seals on orders. */
  readonly orderKey: KeyObject;
  /** The terms in force; by default the first version. */
  readonly terms?: () => ContractTerms;
  /** Returns customers who may not trade now. A new order ends their resting orders and never trades with them. */
  readonly frozenTraders?: (queries: Queries) => Promise<readonly bigint[]>;
  /** Locks these regular purchases until the transaction ends, and returns their bounds by id. */
  readonly lockRecurring?: (queries: Queries, ids: readonly string[]) => Promise<ReadonlyMap<string, RecurringBounds>>;
  /** Called with a committed batch's changes, by coin. */
  readonly onCommitted: (changes: readonly BookChanges[]) => void;
}

interface Context {
  /** The leases under which the batch writes. */
  readonly leases: ReadonlyMap<CoinCode, bigint>;
  /** Orders to change or revoke that no longer rest or wait, as stored. */
  readonly ended: readonly { readonly coin: CoinCode; readonly sequence: number; readonly customer: bigint }[];
  /** Customers who may not trade now. Empty in a speculative batch, in which the database rejects a trade of theirs. */
  readonly barred: readonly bigint[];
  /** The regular purchases of which the batch has executions. */
  readonly recurring: ReadonlyMap<string, RecurringBounds>;
  /** Coins for which a speculative batch assumes that memory has the current book. */
  readonly speculated: readonly CoinCode[];
}

type At = LoadedAcceptance<Context>;
type Answered = Decision<PostedAnswer<ContractCommandResult>, ContractRefusal>;

/**
 * Matches and settles commands to the books in the transaction that accepts them. The books stay in memory between
 * batches. Under the ledger's lock the database tells which version of a book is current, and a book in memory with
 * another version is reloaded.
 */
export class ContractKind implements HotKind<ContractCommand, Context, ContractCommandResult, ContractRefusal> {
  readonly name = 'contracts.command';
  readonly memory = contractAnswerMemory;
  readonly #dependencies: ContractKindDependencies;
  readonly #books = new Map<CoinCode, CoinBook>();
  /** The newest tick of each coin at which this process has begun to trigger orders, in ms. */
  readonly #begunMs = new Map<CoinCode, number>();
  /** The changes that the current batch writes. */
  #writing: readonly BookChanges[] = [];

  constructor(dependencies: ContractKindDependencies) {
    this.#dependencies = dependencies;
  }

  /** The book after the newest batch; undefined before the coin's first. */
  book(coin: CoinCode): CoinBook | undefined {
    return this.#books.get(coin);
  }

  /** Orders that are accepted from now on can only be triggered by later ticks. */
  beginTick(coin: CoinCode, atMs: number): void {
    this.#begunMs.set(coin, Math.max(atMs, this.#begunMs.get(coin) ?? 0));
  }

  /** Loads the book of a coin that this process is about to serve, so that it can be shown before its first command. */
  async bring(queries: Queries, coin: CoinCode): Promise<void> {
    const book = this.#bookOf(coin);
    const { sequence, isCommitted } = book;
    const [state] = await readBookStates(queries, [coin]);
    if (state === undefined || state.sequence === sequence || !isCommitted) return;
    const [rows, waiting] = await Promise.all([readLiveOrders(queries, coin), readWaitingOrders(queries, coin)]);
    // A concurrent batch may already have loaded the book under the lock, such as the one that cancels quotes after the
    // database was unavailable.
    if (book.sequence === sequence) book.restore(state, rows, waiting);
  }

  /** A frozen customer may still revoke resting orders. */
  customer(command: ContractCommand): bigint | null {
    return isPlacing(command) && command.do !== 'trigger' ? command.customer : null;
  }

  /** A customer who takes a break may still revoke open orders. */
  play(command: ContractCommand): GuardedPlay | null {
    return isPlacing(command) && command.do !== 'trigger' ? { stake: 0n } : null;
  }

  accounts(command: ContractCommand) {
    if (command.do === 'take') return [payingAccountOf(MARKET_MAKER_OWNER, command.ticket.coin, command.ticket.side)];
    if (command.do === 'place') {
      const paying = payingAccountOf(command.customer, command.ticket.coin, command.ticket.side);
      return fractionOfLot(command.ticket).units === 0n ? [paying] : [paying, houseAccount('maker', 'USDT')];
    }
    if (isPlacing(command) && command.do !== 'trigger') {
      const { customer, coin } = command;
      return [payingAccountOf(customer, coin, 'buy'), payingAccountOf(customer, coin, 'sell')];
    }
    if (command.do !== 'quote') return [];
    return [houseAccount('maker', 'USDT'), houseAccount('maker', command.coin)];
  }

  async load(transaction: Queries, commands: readonly ContractCommand[], turn: Promise<unknown>): Promise<Context> {
    const { leases, frozenTraders, lockRecurring } = this.#dependencies;
    const coins = [...new Set(commands.map(coinOfCommand))];
    const runs = commands.flatMap((command) => recurringOf(command)?.id ?? []);
    const [states, barred = [], recurring = NO_BOUNDS] = await Promise.all([
      readBookStates(transaction, coins),
      commands.some((command) => isPlacing(command) || command.do === 'take') ? frozenTraders?.(transaction) : [],
      runs.length === 0 ? NO_BOUNDS : lockRecurring?.(transaction, runs),
      turn,
    ]);
    for (const state of states) {
      if (state.lease !== leases.get(state.coin)) throw new BookLeaseLostError();
      const book = this.#bookOf(state.coin);
      if (book.sequence === state.sequence) continue;
      const rows = [readLiveOrders(transaction, state.coin), readWaitingOrders(transaction, state.coin)] as const;
      book.restore(state, ...(await Promise.all(rows)));
    }
    const gone = commands.filter(
      (command): command is NamingCommand => namesOrder(command) && !this.#bookOf(command.coin).knows(command.sequence),
    );
    const held = new Map(states.map(({ coin, lease }) => [coin, lease]));
    const ended =
      gone.length === 0
        ? []
        : (await Promise.all([readContractOrders(transaction, gone), readWaitingByKey(transaction, gone)])).flat();
    return { leases: held, ended, barred, recurring, speculated: [] };
  }

  speculate(commands: readonly ContractCommand[]): Context | null {
    const { leases } = this.#dependencies;
    for (const command of commands) {
      const book = this.#books.get(coinOfCommand(command));
      if (book === undefined || !leases.has(book.coin)) return null;
      if (namesOrder(command) && !book.knows(command.sequence)) return null;
      // Its instruction is looked at under the lock.
      if (recurringOf(command) !== undefined) return null;
    }
    const speculated = [...new Set(commands.map(coinOfCommand))];
    return { leases: new Map(leases), ended: [], barred: [], recurring: NO_BOUNDS, speculated };
  }

  decide(command: ContractCommand, funds: Funds, at: At): Answered {
    switch (command.do) {
      case 'place':
        return this.#place(command, funds, at);
      case 'amend':
        return this.#amend(command, funds, at);
      case 'revoke':
        return this.#revoke(command, at);
      case 'revoke_all':
        return this.#revokeAll(command, at);
      case 'place_waiting':
        return this.#placeWaiting(command, funds, at);
      case 'place_pair':
        return this.#placePair(command, funds, at);
      case 'amend_waiting':
        return this.#amendWaiting(command, funds, at);
      case 'revoke_waiting':
        return this.#revokeWaiting(command, at);
      case 'trigger':
        return this.#trigger(command, at);
      case 'quote':
        return this.#quote(command, funds, at);
      case 'take':
        return this.#take(command, funds, at);
    }
  }

  write(
    transaction: Queries,
    { context }: LoadedBatch<ContractCommand, Context, ContractCommandResult>,
  ): Promise<unknown>[] {
    this.#writing = [...this.#books.values()].flatMap((book) => book.changes() ?? []);
    const moved = new Set(this.#writing.map(({ coin }) => coin));
    // Writes unchanged books too, with the same position: the database then rejects the batch if their position or
    // lease has changed.
    const unmoved = context.speculated.flatMap((coin) => (moved.has(coin) ? [] : this.#bookOf(coin).unchanged()));
    const all = [...this.#writing, ...unmoved];
    return all.length === 0 ? [] : writeBookChanges(transaction, all, this.#dependencies);
  }

  ended(isCommitted: boolean): void {
    for (const book of this.#books.values()) {
      if (isCommitted) book.commit();
      else book.rollback();
    }
    const written = this.#writing;
    this.#writing = [];
    if (isCommitted && written.length > 0) this.#dependencies.onCommitted(written);
  }

  #terms(): ContractTerms {
    return this.#dependencies.terms?.() ?? FIRST_CONTRACT_TERMS;
  }

  #bookOf(coin: CoinCode): CoinBook {
    let book = this.#books.get(coin);
    if (book === undefined) {
      book = new CoinBook(coin);
      this.#books.set(coin, book);
    }
    return book;
  }

  #place({ customer, ticket, level, recurring }: PlaceCommand, funds: Funds, { now, intent, context }: At): Answered {
    const { market } = this.#dependencies;
    if (recurring !== undefined && !isRunCovered(customer, ticket, recurring, context))
      return refuse('recurring_not_due');
    const { coin, side, type } = ticket;
    const book = this.#bookOf(coin);
    const available = funds.available(payingAccountOf(customer, coin, side));
    const allowed = decidePlacement({
      ticket,
      index: market.isStale(coin, now) ? null : market.lastPrice(coin),
      reference: market.lastPrice(coin),
      openOrders: type === 'limit' ? book.openOrdersOf(customer) : 0,
      available,
      houseAvailable: fractionOfLot(ticket).units === 0n ? 0n : funds.available(houseAccount('maker', 'USDT')),
      limits: this.#terms().of(coin),
    });
    if (!allowed.ok) return allowed;
    const order: NewOrder = {
      ...allowed.effect,
      customer,
      journal: intent.id,
      side,
      type,
      timeInForce: ticket.timeInForce,
      postOnly: type === 'limit' && ticket.postOnly,
      fees: feesOf(this.#terms().fees, level),
      available,
      atMs: now.getTime(),
      ...(recurring && { recurring }),
    };
    const matched = book.place(order, this.#barred(book, context));
    if (!matched.ok) return matched;
    return accept({ transfers: matched.effect.transfers, answer: contractOrderOf(matched.effect.order) });
  }

  #revoke(command: RevokeCommand, at: At): Answered {
    const found = this.#restingOf(command, at);
    if (!found.ok) return found;
    const { order, transfers } = this.#bookOf(command.coin).revoke(command.sequence, at.now.getTime());
    return accept({ transfers, answer: contractOrderOf(order) });
  }

  /** The customer's own resting order. */
  #restingOf(
    { customer, coin, sequence }: RevokeCommand | AmendCommand,
    { context }: At,
  ): Decision<ContractRow, 'order_ended' | 'order_unknown'> {
    const book = this.#bookOf(coin);
    const row = book.find(sequence);
    if (row === undefined) {
      if (book.waiting.find(sequence) !== undefined) return refuse('order_unknown', { field: 'id' });
      // An earlier command of this batch may have ended the order: that is `order_ended`, not `order_unknown`.
      const owner =
        book.ownerOfEnded(sequence) ??
        context.ended.find((order) => order.coin === coin && order.sequence === sequence)?.customer;
      return refuse(owner === customer ? 'order_ended' : 'order_unknown', { field: 'id' });
    }
    // Another customer's order gets the same answer as one that does not exist.
    return row.customer === customer ? accept(row) : refuse('order_unknown', { field: 'id' });
  }

  #amend(command: AmendCommand, funds: Funds, at: At): Answered {
    const { customer, coin, sequence, level } = command;
    const { now, intent, context } = at;
    const found = this.#restingOf(command, at);
    if (!found.ok) return found;
    const row = found.effect;
    const book = this.#bookOf(coin);
    // The two share what they hold.
    if (book.waiting.pairOf(sequence) !== undefined) return refuse('order_paired', { field: 'id' });
    const limits = this.#terms().of(coin);
    const resting = { ...row, price: row.price ?? price(0n), dealt: row.dealtQuantity };
    const amended = decideAmend(
      resting,
      { price: command.price ?? undefined, quantity: command.quantity ?? undefined },
      limits,
    );
    if (!amended.ok) return amended;
    if (amended.effect.do === 'shrink') {
      const { order, transfers } = book.shrink(sequence, amended.effect, now.getTime());
      return accept({ transfers, answer: contractOrderOf(order) });
    }
    const { ticket } = amended.effect;
    const { side, postOnly } = ticket;
    // The order that ends pays for the new one first.
    const available = funds.available(payingAccountOf(customer, coin, side)) + row.held;
    const allowed = decidePlacement({
      ticket,
      index: null,
      reference: this.#dependencies.market.lastPrice(coin),
      openOrders: book.openOrdersOf(customer) - 1,
      available,
      limits,
    });
    if (!allowed.ok) return allowed;
    const matched = book.place(
      {
        ...allowed.effect,
        customer,
        journal: intent.id,
        side,
        type: 'limit',
        timeInForce: 'GTC',
        postOnly,
        fees: feesOf(this.#terms().fees, level),
        available,
        atMs: now.getTime(),
        replaces: sequence,
      },
      this.#barred(book, context),
    );
    if (!matched.ok) return matched;
    return accept({ transfers: matched.effect.transfers, answer: contractOrderOf(matched.effect.order) });
  }

  #index(coin: CoinCode, now: Date): Price | null {
    const { market } = this.#dependencies;
    return market.isStale(coin, now) ? null : market.lastPrice(coin);
  }

  #placeWaiting({ customer, coin, ticket, level }: PlaceWaitingCommand, funds: Funds, at: At): Answered {
    const book = this.#bookOf(coin);
    const held = decideWaiting({
      ticket,
      index: this.#index(coin, at.now),
      waitingOrders: book.waiting.ofCustomer(customer).length,
      available: funds.available(payingAccountOf(customer, coin, ticket.side)),
      limits: this.#terms().of(coin),
    });
    if (!held.ok) return held;
    const { row, transfers } = book.placeWaiting(
      this.#newWaiting(ticket, { customer, level, held: held.effect.units }, at),
    );
    return accept({ transfers, answer: waitingOrderOf(row) });
  }

  #newWaiting(
    ticket: WaitingTicket,
    of: {
      readonly customer: bigint;
      readonly level: number;
      readonly held: bigint;
      readonly replaces?: number;
      readonly pair?: number;
    },
    { now, intent }: At,
  ): NewWaitingOrder {
    const { side, trigger, triggerPrice, order } = ticket;
    const { customer, held, replaces = null, pair = null } = of;
    const acceptedMs = now.getTime();
    return {
      customer,
      journal: intent.id,
      side,
      trigger,
      triggerPrice,
      type: order.type,
      timeInForce: order.timeInForce,
      postOnly: order.type === 'limit' && order.postOnly,
      price: order.type === 'limit' ? order.price : null,
      quantity: order.type === 'limit' ? order.quantity.units : order.size.asset === 'USDT' ? null : order.size.units,
      amount: order.type === 'market' && order.size.asset === 'USDT' ? order.size.units : null,
      ...feesOf(this.#terms().fees, of.level),
      acceptedMs,
      armedMs: Math.max(acceptedMs, this.#begunMs.get(ticket.coin) ?? 0),
      replaces,
      pair,
      held,
    };
  }

  /** The resting order is post-only, so nothing of it is filled before both are stored. */
  #placePair({ customer, coin, limit, ticket, level }: PlacePairCommand, funds: Funds, at: At): Answered {
    const book = this.#bookOf(coin);
    const { side } = ticket;
    const limits = this.#terms().of(coin);
    const available = funds.available(payingAccountOf(customer, coin, side));
    const index = this.#index(coin, at.now);
    const waitingOrders = book.waiting.ofCustomer(customer).length;
    const held = decideWaiting({ ticket, index, waitingOrders, available, limits });
    if (!held.ok) return held;
    const openOrders = book.openOrdersOf(customer);
    const reference = this.#dependencies.market.lastPrice(coin);
    const allowed = decidePlacement({ ticket: limit, index: null, reference, openOrders, available, limits });
    if (!allowed.ok) return allowed;
    const placed = book.place(
      {
        ...allowed.effect,
        customer,
        journal: at.intent.id,
        side,
        type: 'limit',
        timeInForce: 'GTC',
        postOnly: true,
        fees: feesOf(this.#terms().fees, level),
        available,
        atMs: at.now.getTime(),
      },
      this.#barred(book, at.context),
    );
    if (!placed.ok) return placed;
    const { order } = placed.effect;
    // One hold for both: only what the waiting order may cost above the resting one is added.
    const more = held.effect.units > order.held ? held.effect.units - order.held : 0n;
    const waited = book.placeWaiting(
      this.#newWaiting(ticket, { customer, level, held: more, pair: order.sequence }, at),
    );
    return accept({
      transfers: [...placed.effect.transfers, ...waited.transfers],
      answer: { waiting: waitingOrderOf(waited.row), order: contractOrderOf(order) },
    });
  }

  /** The customer's own waiting order. */
  #waitingOf(
    { customer, coin, sequence }: AmendWaitingCommand | RevokeWaitingCommand,
    { context }: At,
  ): Decision<WaitingRow, 'order_ended' | 'order_unknown'> {
    const book = this.#bookOf(coin);
    const row = book.waiting.find(sequence);
    if (row !== undefined) return row.customer === customer ? accept(row) : refuse('order_unknown', { field: 'id' });
    const owner =
      book.ownerOfEnded(sequence) ??
      context.ended.find((order) => order.coin === coin && order.sequence === sequence)?.customer;
    return refuse(owner === customer ? 'order_ended' : 'order_unknown', { field: 'id' });
  }

  #amendWaiting(command: AmendWaitingCommand, funds: Funds, at: At): Answered {
    const { customer, coin, sequence, level } = command;
    const found = this.#waitingOf(command, at);
    if (!found.ok) return found;
    const row = found.effect;
    const book = this.#bookOf(coin);
    if (row.pair !== null) return refuse('order_paired', { field: 'id' });
    const limits = this.#terms().of(coin);
    const read = readWaitingTicket(amendedRequestOf(row, command), limits);
    if (!read.ok) return read;
    const ticket = read.effect;
    const next = this.#newWaiting(ticket, { customer, level, held: 0n, replaces: sequence }, at);
    if (next.triggerPrice === row.triggerPrice && next.price === row.price && next.quantity === row.quantity)
      return refuse('nothing_changes', { field: 'trigger_price' });
    const held = decideWaiting({
      ticket,
      index: this.#index(coin, at.now),
      waitingOrders: book.waiting.ofCustomer(customer).length - 1,
      available: funds.available(payingAccountOf(customer, coin, ticket.side)) + row.held,
      limits,
    });
    if (!held.ok) return held;
    const { row: placed, transfers } = book.placeWaiting({ ...next, held: held.effect.units });
    return accept({ transfers, answer: waitingOrderOf(placed) });
  }

  #revokeWaiting(command: RevokeWaitingCommand, at: At): Answered {
    const found = this.#waitingOf(command, at);
    if (!found.ok) return found;
    const { row, transfers } = this.#bookOf(command.coin).revokeWaiting(command.sequence, at.now.getTime());
    return accept({ transfers, answer: waitingOrderOf(row) });
  }

  #trigger({ coin, tick }: TriggerCommand, { now, intent, context }: At): Answered {
    const triggered = this.#bookOf(coin).triggerNext(tick, {
      journal: intent.id,
      atMs: now.getTime(),
      barred: context.barred,
    });
    if (triggered === null) return refuse('nothing_due');
    const { order, waiting, transfers } = triggered;
    const answer = order === null ? { waiting: waitingOrderOf(waiting), order } : contractOrderOf(order);
    return accept({ transfers, answer });
  }

  #barred(book: CoinBook, { barred }: Context): readonly bigint[] {
    return barred.filter((other) => book.openOrdersOf(other) > 0);
  }

  #revokeAll({ customer, coin }: RevokeAllCommand, { now }: At): Answered {
    const { orders, waiting, transfers } = this.#bookOf(coin).revokeAll(customer, now.getTime());
    return accept({ transfers, answer: { revoked: [...orders, ...waiting].map(orderIdOf) } });
  }

  /** It trades by the same rules as a customer's order, with the fees of level 0. */
  #take({ lease, ticket, untilMs }: TakeCommand, funds: Funds, at: At): Answered {
    if (lease !== at.context.leases.get(ticket.coin)) return refuse('maker_replaced');
    // The index has moved on.
    if (at.now.getTime() > untilMs) return refuse('no_liquidity');
    return this.#place({ do: 'place', customer: MARKET_MAKER_OWNER, ticket, level: 0 }, funds, at);
  }

  /** An unchanged quote keeps its place in the queue. Holds change by the difference, in one transfer per asset. */
  #quote({ coin, lease, untilMs, ...said }: QuoteCommand, funds: Funds, { context, now, intent }: At): Answered {
    // Otherwise a partitioned process could cancel quotes that the new leader has placed.
    if (lease !== context.leases.get(coin)) return refuse('maker_replaced');
    const book = this.#bookOf(coin);
    const atMs = now.getTime();
    const quotes = atMs > untilMs ? [] : said.quotes;
    const wanted = new Map(quotes.map((quote) => [`${quote.side} ${quote.price} ${quote.quantity.units}`, quote]));
    const transfers: Transfer[] = [];
    for (const row of book.quotes()) {
      const isKept = wanted.delete(`${row.side} ${row.price} ${openQuantityOf(row)}`);
      if (!isKept) transfers.push(...book.revoke(row.sequence, atMs).transfers);
    }
    let quoted = quotes.length - wanted.size;
    const held: Record<'USDT' | 'coin', bigint> = { USDT: heldIn(transfers, 'USDT'), coin: heldIn(transfers, coin) };
    for (const quote of wanted.values()) {
      const asset = quote.side === 'buy' ? 'USDT' : 'coin';
      const available = funds.available(payingAccountOf(MARKET_MAKER_OWNER, coin, quote.side)) - held[asset];
      const order: NewOrder = {
        limit: quote.price,
        size: quote.quantity,
        customer: MARKET_MAKER_OWNER,
        journal: intent.id,
        side: quote.side,
        type: 'limit',
        timeInForce: 'GTC',
        postOnly: true,
        fees: feesOf(this.#terms().fees, 0),
        available,
        atMs,
      };
      const allowed = decidePlacement({
        ticket: quote,
        index: null,
        reference: null,
        openOrders: 0,
        available,
      });
      const matched = allowed.ok ? book.place(order) : allowed;
      if (!matched.ok) continue;
      quoted += 1;
      transfers.push(...matched.effect.transfers);
      held[asset] += heldIn(matched.effect.transfers, quote.side === 'buy' ? 'USDT' : coin);
    }
    const net = [netHold('USDT', held.USDT), netHold(coin, held.coin)].flatMap((transfer) => transfer ?? []);
    return accept({ transfers: net, answer: { quoted } });
  }
}

type PlacingCommand =
  | PlaceCommand
  | AmendCommand
  | PlaceWaitingCommand
  | PlacePairCommand
  | AmendWaitingCommand
  | TriggerCommand;
type NamingCommand = RevokeCommand | AmendCommand | RevokeWaitingCommand | AmendWaitingCommand;
const PLACING: readonly ContractCommand['do'][] = [
  'place',
  'amend',
  'place_waiting',
  'place_pair',
  'amend_waiting',
  'trigger',
];
const NAMING: readonly ContractCommand['do'][] = ['revoke', 'amend', 'revoke_waiting', 'amend_waiting'];

/** True for commands that may trade, which a frozen customer and one who takes a break may not give. */
const isPlacing = (command: ContractCommand): command is PlacingCommand => PLACING.includes(command.do);
const namesOrder = (command: ContractCommand): command is NamingCommand => NAMING.includes(command.do);

const NO_BOUNDS: ReadonlyMap<string, RecurringBounds> = new Map();
const recurringOf = (command: ContractCommand): RecurringRun | undefined =>
  command.do === 'place' ? command.recurring : undefined;

function isRunCovered(
  customer: bigint,
  ticket: ContractTicket,
  { id, number, day }: RecurringRun,
  context: Context,
): boolean {
  if (ticket.type !== 'market' || ticket.side !== 'buy' || ticket.size.asset !== 'USDT') return false;
  const { coin, priceMax = null, size } = ticket;
  return isCovered({ customer, coin, amount: size.units, priceMax, day, number }, context.recurring.get(id));
}

/** The request that a waiting order would be placed with, after the change. */
function amendedRequestOf(row: WaitingRow, { triggerPrice, price: at, quantity }: AmendWaitingCommand) {
  const { coin, side, type, trigger, timeInForce, postOnly } = row;
  const was = row.quantity === null ? undefined : formatMoney(money(coin, row.quantity));
  return {
    coin,
    side,
    type,
    trigger,
    triggerPrice: triggerPrice ?? row.triggerPrice,
    price: at ?? row.price ?? undefined,
    quantity: quantity ?? was,
    amount: row.amount === null || quantity !== null ? undefined : money('USDT', row.amount),
    timeInForce,
    postOnly,
  };
}

function feesOf(levels: readonly ContractFees[], level: number): ContractFees {
  const fees = levels[Math.min(level, levels.length - 1)];
  if (fees === undefined) throw new Error(`no fees at level ${level}`);
  return fees;
}

/** The amount that these transfers hold for orders, minus what they release. */
function heldIn(transfers: readonly Transfer[], asset: AssetCode): bigint {
  return transfers.reduce((units, transfer) => {
    if (transfer.kind !== 'single' || transfer.debit.asset !== asset) return units;
    return transfer.code === 'contract_hold' ? units + transfer.units : units - transfer.units;
  }, 0n);
}

function netHold(asset: AssetCode, units: bigint): Transfer | null {
  const [free, kept] = [houseAccount('maker', asset), houseAccount('maker_in_orders', asset)];
  if (units === 0n) return null;
  return units > 0n
    ? { kind: 'single', debit: free, credit: kept, units: money(asset, units).units, code: 'contract_hold' }
    : { kind: 'single', debit: kept, credit: free, units: money(asset, -units).units, code: 'contract_release' };
}
