import { INTERVALS, type listFills, type ResultOf } from '@sathorn/api';
import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { accept, type BestPrices, type Decision, refuse } from '@sathorn/settlement';
import { type Intent, type LedgerRefusal, uuidOfName } from '../../ledger/index.ts';
import { CommandFault, type WireValue } from '../../platform/bus/index.ts';
import { allowOnAnyClock } from '../../platform/edge/handle.ts';
import { customerTopic, publicTopic } from '../../platform/edge/topic-source.ts';
import { everyJob, type Module } from '../../platform/module.ts';
import { candleOf } from '../market/index.ts';
import { ReceivedBooks } from './book-view.ts';
import { contractCalls } from './calls.ts';
import { readTradeBars } from './candle-store.ts';
import type { TradeRow } from './coin-book.ts';
import type { ReadCoinCover } from './coin-covers.ts';
import { type ContractCommand, coinOfCommand, matcherSubjectOf, writeCommand } from './contract-command.ts';
import { ContractKind } from './contract-kind.ts';
import { type ContractRow, contractOrderOf, orderIdOf, readOrderId } from './contract-order.ts';
import {
  listContractOrders,
  readContractOrders,
  listFills as readFills,
  readFillsOfOrder,
  readLiveOrdersOf,
  readRecurringTotals,
  listTrades as readTrades,
} from './contract-store.ts';
import type { Contracts, ContractsDependencies } from './contracts.ts';
import { fillViewOf, tradeIdOf, tradeViewOf } from './fill-view.ts';
import { pageCursorAfter, readPagePosition, readTapePosition } from './list-page.ts';
import { marketFeedCalls } from './market-feed/calls.ts';
import { MarketMaker } from './market-maker.ts';
import { openMarketMakerFigures } from './market-maker-figures.ts';
import { notifyTriggered } from './notify-triggered.ts';
import { FIRST_CONTRACT_TERMS } from './offer-kinds.ts';
import { ChangePublisher } from './publish-changes.ts';
import { readContractTermsHandler } from './read-contract-terms.ts';
import { COMMAND_FAILED, COMMAND_UNAVAILABLE, runMatchers } from './run-matcher.ts';
import { TradeCandles } from './trade-candles.ts';
import { OrderTrigger } from './trigger-orders.ts';
import { waitingOrderOf } from './waiting-order.ts';
import { listWaitingOrders, readWaitingByKey, readWaitingOf } from './waiting-store.ts';

const PAGE_MAX = 20;
const TAPE_MAX = 50;
/** How many fills are returned with their order. The few orders with more are read in pages. */
const FILLS_MAX = 100;
/** How many open orders are listed at once: the limit over all coins. */
const OPEN_MAX = 2_000;

/** How long a resting order of a frozen customer stays at most, if no order meets it before. */
const FROZEN_EVERY_MS = 1_000;
const NOTICES_EVERY_MS = 1_000;

const testMoney: ReadCoinCover = async (_coin, now) => ({
  isTestMoney: true,
  owed: 0n,
  counted: null,
  nowMs: now.getTime(),
});

export function openContracts(dependencies: ContractsDependencies): Module<Contracts> {
  const { database, ledger, clock, bus, commands, market, levelOf, onFault } = dependencies;
  const { terms = () => FIRST_CONTRACT_TERMS, coverOf = testMoney, messages, isTurnedByHand = false } = dependencies;
  const reads = dependencies.reads ?? database;
  const leases = new Map<CoinCode, bigint>();
  const kind: ContractKind = new ContractKind({
    ...dependencies,
    leases,
    onCommitted: (changes) => publisher.publish(changes),
  });
  const received = new ReceivedBooks();
  const publisher = new ChangePublisher({ bus, clock, bookOf: (coin) => kind.book(coin), received });
  bus.on('book', ({ data }) => received.put(data, clock.now()));

  const send = async (command: ContractCommand, intent: Intent): Promise<Decision<unknown, string>> => {
    const answer: WireValue = await commands.request(
      matcherSubjectOf(coinOfCommand(command)),
      intent.id,
      writeCommand(command, intent),
    );
    const decision = answer as unknown as Decision<unknown, string>;
    if (!decision.ok && decision.refusal === COMMAND_UNAVAILABLE.refusal)
      throw new CommandFault(
        `the command ${command.do} of ${coinOfCommand(command)} could not be written: the database is full or too slow`,
      );
    if (!decision.ok && decision.refusal === COMMAND_FAILED.refusal)
      throw new Error(
        `the command ${command.do} of ${coinOfCommand(command)} failed in its matcher, see the matcher's log`,
      );
    return decision;
  };

  const bestOfCustomers = (coin: CoinCode): BestPrices | null => kind.book(coin)?.bestOfCustomers() ?? null;
  const maker = new MarketMaker({
    ledger,
    // The house quotes only coins that are offered.
    market: {
      environment: market.environment,
      lastPrice: (coin) => market.lastPrice(coin),
      isStale: (coin, now) => !terms().of(coin).isOffered || market.isStale(coin, now),
    },
    fees: () => terms().fees,
    coverOf,
    clock,
    bus,
    bestOf: bestOfCustomers,
    send,
    leaseOf: (coin) => leases.get(coin),
    onFault,
  });
  const candles = new TradeCandles({
    database,
    bus,
    lastTradeOf: (coin) => (leases.has(coin) ? kind.book(coin)?.lastTrade : undefined),
    isSimulated: market.environment !== 'live',
    onFault,
  });
  /** The triggers that tests turn by hand. */
  const triggers = new Map<CoinCode, OrderTrigger>();
  const isBookStale = (coin: CoinCode, now: Date): boolean => received.isStale(coin, now);

  const tradeBars: Contracts['tradeBars'] = async (coin, interval, before, limit) =>
    (await readTradeBars(reads, coin, interval, before, limit)).map((bar) => candles.barOf(bar)).reverse();

  const readOwn = async (customer: bigint, id: string): Promise<ContractRow | undefined> => {
    const named = readOrderId(id);
    const [row] = named === null ? [] : await readContractOrders(database, [named]);
    return row?.customer === customer ? row : undefined;
  };
  const pageOfFills = (customer: bigint, trades: readonly TradeRow[], limit: number): ResultOf<typeof listFills> => {
    const shown = trades.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map((trade) => fillViewOf(trade, customer)),
      next: trades.length > limit && last ? pageCursorAfter(last.atMs, tradeIdOf(last)) : null,
    };
  };

  const api: Contracts = {
    coverOf,
    terms,
    send,
    bestOfCustomers,
    isBookStale,
    tradeBars,
    marketMakerFigures: openMarketMakerFigures({ database, ledger, market, clock, isBookStale }),

    async newestTradesCandle(coin, interval) {
      const [bar] = await tradeBars(coin, interval, new Date(clock.now().getTime() + 1), 1);
      return bar === undefined ? null : candleOf(coin, bar);
    },

    place: async (customer, ticket, intent) =>
      terms().of(ticket.coin).isOffered
        ? ((await send({ do: 'place', customer, ticket, level: await levelOf(customer) }, intent)) as Awaited<
            ReturnType<Contracts['place']>
          >)
        : refuse('contracts_not_offered', { field: 'code' }),

    buyRecurring: async (customer, { coin, amount, priceMax }, recurring, intent) => {
      if (!terms().of(coin).isOffered) return refuse('contracts_not_offered', { field: 'code' });
      const size = { coin, side: 'buy', type: 'market', timeInForce: 'IOC', size: amount } as const;
      const ticket = priceMax === null ? size : { ...size, priceMax };
      const command = { do: 'place', customer, ticket, level: await levelOf(customer), recurring } as const;
      return (await send(command, intent)) as Awaited<ReturnType<Contracts['buyRecurring']>>;
    },

    recurringTotals: async (ids) =>
      new Map((await readRecurringTotals(reads, ids)).map((total) => [total.recurring, total])),

    orders: async (wanted) => (await readContractOrders(database, wanted)).map(contractOrderOf),

    async amend(customer, id, { price = null, quantity = null }, intent) {
      const named = readOrderId(id);
      if (named === null) return refuse('order_unknown', { field: 'id' });
      if (!terms().of(named.coin).isOffered) return refuse('contracts_not_offered', { field: 'id' });
      const level = await levelOf(customer);
      return (await send({ do: 'amend', customer, ...named, price, quantity, level }, intent)) as Awaited<
        ReturnType<Contracts['amend']>
      >;
    },

    async revoke(customer, id, intent) {
      const named = readOrderId(id);
      if (named === null) return refuse('order_unknown', { field: 'id' });
      return (await send({ do: 'revoke', customer, ...named }, intent)) as Awaited<ReturnType<Contracts['revoke']>>;
    },

    async revokeAll(customer, coin, intent) {
      // Sends to every coin, even one without resting orders, so that a repeated request gets each coin's first answer.
      // It sends in parallel, because a customer who revokes everything is in a hurry.
      const answers = await Promise.all(
        (coin === null ? COIN_CODES : [coin]).map((each) => {
          const part = { id: uuidOfName(`${intent.id}/${each}`), digest: intent.digest };
          return send({ do: 'revoke_all', customer, coin: each }, part);
        }),
      );
      const revoked: string[] = [];
      for (const answer of answers) {
        if (!answer.ok) return answer as Decision<never, LedgerRefusal>;
        revoked.push(...(answer.effect as { revoked: string[] }).revoked);
      }
      return accept({ revoked });
    },

    placeWaiting: async (customer, ticket, intent) =>
      terms().of(ticket.coin).isOffered
        ? ((await send(
            { do: 'place_waiting', customer, coin: ticket.coin, ticket, level: await levelOf(customer) },
            intent,
          )) as Awaited<ReturnType<Contracts['placeWaiting']>>)
        : refuse('contracts_not_offered', { field: 'code' }),

    placePair: async (customer, limit, ticket, intent) =>
      terms().of(ticket.coin).isOffered
        ? ((await send(
            { do: 'place_pair', customer, coin: ticket.coin, limit, ticket, level: await levelOf(customer) },
            intent,
          )) as Awaited<ReturnType<Contracts['placePair']>>)
        : refuse('contracts_not_offered', { field: 'code' }),

    async amendWaiting(customer, id, { triggerPrice = null, price = null, quantity = null }, intent) {
      const named = readOrderId(id);
      if (named === null) return refuse('order_unknown', { field: 'id' });
      if (!terms().of(named.coin).isOffered) return refuse('contracts_not_offered', { field: 'id' });
      const command = { do: 'amend_waiting', customer, ...named, triggerPrice, price, quantity } as const;
      return (await send({ ...command, level: await levelOf(customer) }, intent)) as Awaited<
        ReturnType<Contracts['amendWaiting']>
      >;
    },

    async revokeWaiting(customer, id, intent) {
      const named = readOrderId(id);
      if (named === null) return refuse('order_unknown', { field: 'id' });
      return (await send({ do: 'revoke_waiting', customer, ...named }, intent)) as Awaited<
        ReturnType<Contracts['revokeWaiting']>
      >;
    },

    async waiting(customer) {
      const which = { status: 'open', coin: null, from: readPagePosition(null, 0), limit: OPEN_MAX } as const;
      return (await listWaitingOrders(database, customer, which)).map(waitingOrderOf);
    },

    async listWaiting(customer, { status, coin, page }) {
      const which = { status, coin, from: readPagePosition(page, PAGE_MAX), limit: PAGE_MAX + 1 };
      const rows = await listWaitingOrders(database, customer, which);
      const shown = rows.slice(0, PAGE_MAX);
      const last = shown.at(-1);
      return {
        items: shown.map(waitingOrderOf),
        next: rows.length > PAGE_MAX && last ? pageCursorAfter(last.acceptedMs, orderIdOf(last)) : null,
      };
    },

    async readWaiting(customer, id) {
      const named = readOrderId(id);
      const [row] = named === null ? [] : await readWaitingByKey(database, [named]);
      if (row?.customer !== customer) return refuse('order_unknown', { field: 'id' });
      const first = await market.firstTickAfter(row.coin, new Date(row.armedMs));
      return accept({ ...waitingOrderOf(row), first_tick: first ? String(first.sequence) : null });
    },

    async triggerByHand(coin) {
      const trigger = triggers.get(coin) ?? new OrderTrigger(coin, { database, ledger, market, kind, leases });
      triggers.set(coin, trigger);
      await trigger.look(new AbortController().signal);
    },

    async revokeOfFrozen() {
      const frozen = (await dependencies.frozenTraders?.(database)) ?? [];
      if (frozen.length === 0) return;
      const both = [...(await readLiveOrdersOf(database, frozen)), ...(await readWaitingOf(database, frozen))];
      const resting = Map.groupBy(both, ({ customer }) => customer);
      for (const [customer, orders] of resting) {
        const digest = `frozen ${customer} ${orders.map(orderIdOf).sort().join(' ')}`;
        const ended = await api.revokeAll(customer, null, { id: uuidOfName(digest), digest });
        if (!ended.ok) throw new Error(`orders of a frozen customer rest on: ${ended.refusal}`);
      }
    },

    async list(customer, { status, coin, side, page }) {
      const which = { status, coin, side, from: readPagePosition(page, PAGE_MAX), limit: PAGE_MAX + 1 };
      const rows = await listContractOrders(database, customer, which);
      const shown = rows.slice(0, PAGE_MAX);
      const last = shown.at(-1);
      return {
        items: shown.map(contractOrderOf),
        next: rows.length > PAGE_MAX && last ? pageCursorAfter(last.acceptedMs, orderIdOf(last)) : null,
      };
    },

    async open(customer) {
      const which = {
        status: 'open',
        coin: null,
        side: null,
        from: readPagePosition(null, 0),
        limit: OPEN_MAX,
      } as const;
      return (await listContractOrders(database, customer, which)).map(contractOrderOf);
    },

    async read(customer, id) {
      const row = await readOwn(customer, id);
      if (row === undefined) return refuse('order_unknown', { field: 'id' });
      const trades = await readFillsOfOrder(database, row, readPagePosition(null, 0), FILLS_MAX + 1);
      const { items, next } = pageOfFills(customer, trades, FILLS_MAX);
      return accept({ ...contractOrderOf(row), fills: items, fills_next: next });
    },

    async fills(customer, coin, page, limit) {
      const trades = await readFills(database, customer, coin, readPagePosition(page, limit), limit + 1);
      return pageOfFills(customer, trades, limit);
    },

    async fillsOf(customer, id, page, limit) {
      const row = await readOwn(customer, id);
      if (row === undefined) return refuse('order_unknown', { field: 'order' });
      const trades = await readFillsOfOrder(database, row, readPagePosition(page, limit), limit + 1);
      return accept(pageOfFills(customer, trades, limit));
    },

    async tape(coin, page, limit) {
      const trades = await readTrades(reads, coin, readTapePosition(page, limit), limit + 1);
      const shown = trades.slice(0, limit);
      const last = shown.at(-1);
      return { items: shown.map(tradeViewOf), next: trades.length > limit && last ? tradeIdOf(last) : null };
    },

    newestTrades: async (coin) =>
      (await readTrades(database, coin, readTapePosition(null, 0), TAPE_MAX)).map(tradeViewOf),
    book: (coin) => received.latest(coin),
    stateHash: (coin) => kind.book(coin)?.stateHash() ?? null,

    async run(signal) {
      // Aborts after the matchers have ended, so that the house's revoked quotes are published too.
      const matched = new AbortController();
      const onTaken = (): void => void bus.emit('gap', clock.now());
      const matching = runMatchers(
        { database, ledger, commands, kind, leases, market, onTaken, onFault, isTurnedByHand },
        signal,
      );
      await Promise.all([
        matching.finally(() => matched.abort()),
        publisher.run(matched.signal, (coin) => leases.has(coin)),
        ...(isTurnedByHand ? [] : [candles.run(signal)]),
        ...(isTurnedByHand ? [] : [maker.run(signal)]),
      ]);
    },
  };
  return {
    api,
    handlers: [
      ...contractCalls(api),
      ...allowOnAnyClock(readContractTermsHandler(api)),
      ...marketFeedCalls(api, reads, market.environment !== 'live'),
    ],
    topics: [
      publicTopic('book', { code: COIN_CODES }, ({ code }) => api.book(code)),
      publicTopic('trades', { code: COIN_CODES }, ({ code }) => api.newestTrades(code)),
      publicTopic('trades_candle', { code: COIN_CODES, interval: INTERVALS }, async ({ code, interval }) => {
        const candle = await api.newestTradesCandle(code, interval);
        return candle && { code, interval, candle };
      }),
      customerTopic('contracts', api.open),
      customerTopic('waiting', api.waiting),
    ],
    jobs: [
      { on: 'matcher', run: api.run },
      ...(dependencies.frozenTraders ? [everyJob(FROZEN_EVERY_MS, onFault, api.revokeOfFrozen)] : []),
      ...(messages ? [everyJob(NOTICES_EVERY_MS, onFault, () => notifyTriggered({ database, clock, messages }))] : []),
    ],
  };
}
