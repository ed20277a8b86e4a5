import type { KeyObject } from 'node:crypto';
import type { PriceOrigin } from '@sathorn/api';
import { type AssetCode, type CoinCode, money, type Price } from '@sathorn/money';
import {
  accept,
  type ContractFees,
  type Decision,
  decidePlacement,
  fractionOfLot,
  type PlacementRefusal,
  type PlayRefusal,
  refuse,
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
import { type BookChanges, type BookRefusal, CoinBook, type NewOrder, payingAccountOf } from './coin-book.ts';
import { contractAnswerMemory } from './contract-answer-memory.ts';
import {
  type ContractCommand,
  coinOfCommand,
  type PlaceCommand,
  type QuoteCommand,
  type RevokeAllCommand,
  type RevokeCommand,
} from './contract-command.ts';
import {
  type ContractCommandResult,
  type ContractRow,
  contractOrderOf,
  MARKET_MAKER_OWNER,
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

export type ContractRefusal =
  | PlacementRefusal
  | PlayRefusal
  | BookRefusal
  | 'account_frozen'
  | 'order_unknown'
  | 'order_ended'
  | 'maker_replaced';
/** The part of the market that contracts need. */
export interface ContractMarket {
  /** The origin of its prices. */
  readonly environment: PriceOrigin;
  isStale(coin: CoinCode, now: Date): boolean;
  /** The newest index; null before the first. */
  lastPrice(coin: CoinCode): Price | null;
}

interface ContractKindDependencies {
  readonly market: ContractMarket;
  /** The leases under which this process writes. */
  readonly leases: ReadonlyMap<CoinCode, bigint>;
  /** The key of the seals on orders. */
  readonly orderKey: KeyObject;
  /** The terms in force; by default the first version. */
  readonly terms?: () => ContractTerms;
  /** Returns customers who may not trade now. A new order ends their resting orders and never trades with them. */
  readonly frozenTraders?: (queries: Queries) => Promise<readonly bigint[]>;
  /** Called with a committed batch's changes, by coin. */
  readonly onCommitted: (changes: readonly BookChanges[]) => void;
}

interface Context {
  /** The leases under which the batch writes. */
  readonly leases: ReadonlyMap<CoinCode, bigint>;
  /** Orders to revoke that no longer rest, as stored. */
  readonly ended: readonly ContractRow[];
  /** Customers who may not trade now. Empty in a speculative batch, in which the database rejects a trade of theirs. */
  readonly barred: readonly bigint[];
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
  /** The changes that the current batch writes. */
  #writing: readonly BookChanges[] = [];

  constructor(dependencies: ContractKindDependencies) {
    this.#dependencies = dependencies;
  }

  /** The book after the newest batch; undefined before the coin's first. */
  book(coin: CoinCode): CoinBook | undefined {
    return this.#books.get(coin);
  }

  /** Loads the book of a coin that this process is about to serve, so that it can be shown before its first command. */
  async bring(queries: Queries, coin: CoinCode): Promise<void> {
    const book = this.#bookOf(coin);
    const { sequence, isCommitted } = book;
    const [state] = await readBookStates(queries, [coin]);
    if (state === undefined || state.sequence === sequence || !isCommitted) return;
    const rows = await readLiveOrders(queries, coin);
    // A concurrent batch may already have loaded the book under the lock, such as the one that cancels quotes after the
    // database was unavailable.
    if (book.sequence === sequence) book.restore(state, rows);
  }

  /** A frozen customer may still revoke resting orders. */
  customer(command: ContractCommand): bigint | null {
    return command.do === 'place' ? command.customer : null;
  }

  /** A customer who takes a break may still revoke open orders. */
  play(command: ContractCommand): GuardedPlay | null {
    return command.do === 'place' ? { stake: 0n } : null;
  }

  accounts(command: ContractCommand) {
    if (command.do === 'place') {
      const paying = payingAccountOf(command.customer, command.ticket.coin, command.ticket.side);
      return fractionOfLot(command.ticket).units === 0n ? [paying] : [paying, houseAccount('maker', 'USDT')];
    }
    if (command.do !== 'quote') return [];
    return [houseAccount('maker', 'USDT'), houseAccount('maker', command.coin)];
  }

  async load(transaction: Queries, commands: readonly ContractCommand[], turn: Promise<unknown>): Promise<Context> {
    const { leases, frozenTraders } = this.#dependencies;
    const coins = [...new Set(commands.map(coinOfCommand))];
    const isPlacing = commands.some((command) => command.do === 'place');
    const [states, barred = []] = await Promise.all([
      readBookStates(transaction, coins),
      isPlacing ? frozenTraders?.(transaction) : [],
      turn,
    ]);
    for (const state of states) {
      if (state.lease !== leases.get(state.coin)) throw new BookLeaseLostError();
      const book = this.#bookOf(state.coin);
      if (book.sequence !== state.sequence) book.restore(state, await readLiveOrders(transaction, state.coin));
    }
    const gone = commands.filter(
      (command): command is RevokeCommand =>
        command.do === 'revoke' && !this.#bookOf(command.coin).knows(command.sequence),
    );
    const held = new Map(states.map(({ coin, lease }) => [coin, lease]));
    const ended = gone.length === 0 ? [] : await readContractOrders(transaction, gone);
    return { leases: held, ended, barred, speculated: [] };
  }

  speculate(commands: readonly ContractCommand[]): Context | null {
    const { leases } = this.#dependencies;
    for (const command of commands) {
      const book = this.#books.get(coinOfCommand(command));
      if (book === undefined || !leases.has(book.coin)) return null;
      if (command.do === 'revoke' && !book.knows(command.sequence)) return null;
    }
    return { leases: new Map(leases), ended: [], barred: [], speculated: [...new Set(commands.map(coinOfCommand))] };
  }

  decide(command: ContractCommand, funds: Funds, at: At): Answered {
    if (command.do === 'place') return this.#place(command, funds, at);
    if (command.do === 'revoke') return this.#revoke(command, at);
    if (command.do === 'revoke_all') return this.#revokeAll(command, at);
    return this.#quote(command, funds, at);
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

  #place({ customer, ticket, level }: PlaceCommand, funds: Funds, { now, intent, context }: At): Answered {
    const { market } = this.#dependencies;
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
    };
    const matched = book.place(
      order,
      context.barred.filter((other) => book.openOrdersOf(other) > 0),
    );
    if (!matched.ok) return matched;
    return accept({ transfers: matched.effect.transfers, answer: contractOrderOf(matched.effect.order) });
  }

  #revoke({ customer, coin, sequence }: RevokeCommand, { context, now }: At): Answered {
    const book = this.#bookOf(coin);
    const row = book.find(sequence);
    if (row === undefined) {
      // An earlier command of this batch may have ended the order: that is `order_ended`, not `order_unknown`.
      const owner =
        book.ownerOfEnded(sequence) ??
        context.ended.find((order) => order.coin === coin && order.sequence === sequence)?.customer;
      return refuse(owner === customer ? 'order_ended' : 'order_unknown', { field: 'id' });
    }
    // Another customer's order gets the same answer as one that does not exist.
    if (row.customer !== customer) return refuse('order_unknown', { field: 'id' });
    const { order, transfers } = book.revoke(sequence, now.getTime());
    return accept({ transfers, answer: contractOrderOf(order) });
  }

  #revokeAll({ customer, coin }: RevokeAllCommand, { now }: At): Answered {
    const { orders, transfers } = this.#bookOf(coin).revokeAll(customer, now.getTime());
    return accept({ transfers, answer: { revoked: orders.map(orderIdOf) } });
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
      const isKept = wanted.delete(`${row.side} ${row.price} ${row.quantity - row.dealtQuantity}`);
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
