import {
  ArgumentsRequired,
  AuthenticationError,
  BadRequest,
  type Balances,
  type DepositAddress,
  type Dict,
  Exchange,
  ExchangeError,
  type Int,
  InvalidOrder,
  type Market,
  type Num,
  type OHLCV,
  type Order,
  type OrderBook,
  type OrderSide,
  type OrderType,
  Precise,
  type Str,
  type Strings,
  type Ticker,
  type Tickers,
  type Trade,
  type Transaction,
} from 'ccxt';
import { DESCRIPTION } from './describe.ts';
import { signRequest } from './sign-request.ts';

/** An answer of the platform that is not one of the market feed. */
interface Envelope {
  readonly ret: 1 | 0 | -1;
  readonly msg: string;
  readonly data: Dict;
}

const ORDER_STATUS: Readonly<Record<string, string>> = {
  open: 'open',
  partial: 'open',
  filled: 'closed',
  cancelled: 'canceled',
};
const WAITING_STATUS: Readonly<Record<string, string>> = {
  waiting: 'open',
  triggered: 'closed',
  cancelled: 'canceled',
  refused: 'rejected',
};
/** What a program that doesn't ask misses first is the oldest. */
const NEWS_MAX = 1_000;
const PAGES_MAX = 50;
const LIMIT_DEFAULT = 100;
/** The platform shows at most this many levels of each side. */
const BOOK_SIDE_MAX = 50;

/**
 * A Sathorn platform as an exchange of ccxt. Options are methods of their own: `buyOption`,
 * `fetchOptionBid`, `sellOption`, `fetchOptionOrder`, `fetchOpenOptionOrders`, `fetchClosedOptionOrders`.
 *
 * `new Sathorn({ hostname: 'app.example', apiKey, secret })`: `secret` is that of an HMAC key, or an Ed25519 private
 * key as PEM.
 */
export class Sathorn extends Exchange {
  override describe(): Dict {
    return this.deepExtend(super.describe(), DESCRIPTION);
  }

  override sign(
    path: string,
    api = 'public',
    method = 'GET',
    params: Dict = {},
    headers: Dict | undefined = undefined,
  ): Dict {
    const { intent = '', ...fields } = params;
    const form = this.urlencode(fields);
    const target = method === 'GET' && form !== '' ? `/api/${path}?${form}` : `/api/${path}`;
    const body = method === 'POST' ? form : '';
    const own: Record<string, string> = { lang: 'en', ...headers };
    if (method === 'POST') own['Content-Type'] = 'application/x-www-form-urlencoded';
    if (api === 'private') {
      this.checkRequiredCredentials();
      const { apiKey, secret } = this;
      const timeMs = this.milliseconds();
      Object.assign(own, signRequest({ apiKey, secret, method, target, body, intent, timeMs, nonce: this.uuid() }));
    }
    const url = `${this.implodeHostname(this.urls.api.rest)}${target}`;
    return { url, method, headers: own, body: method === 'POST' ? body : undefined };
  }

  /** Refusals come with status 200. */
  override handleErrors(
    _status: number,
    _text: string,
    _url: string,
    _method: string,
    _headers: Dict,
    _body: string,
    response: Dict | undefined,
  ): undefined {
    if (response === undefined || Array.isArray(response) || response.ret === undefined || response.ret === 1) return;
    const { code, fields } = response.data as { code: string; fields?: Dict };
    const named = Object.values(fields ?? {}).join(' ');
    const feedback = `${this.id} ${code}: ${response.msg} ${named}`.trimEnd();
    this.throwExactlyMatchedException(this.exceptions.exact, code, feedback);
    throw new ExchangeError(feedback);
  }

  async #read(path: string, params: Dict = {}): Promise<Dict> {
    const answer: Envelope = await this.request(path, 'private', 'GET', params);
    return answer.data;
  }

  async #post(path: string, params: Dict = {}): Promise<Dict> {
    const answer: Envelope = await this.request(path, 'private', 'POST', params);
    return answer.data;
  }

  /** The rows of a list, newest first, page by page until there are `limit`, or until they are older than `since`. */
  async #readPages(
    read: (page: Dict) => Promise<Dict>,
    timeOf: (row: Dict) => string,
    since: Int,
    limit: Int = LIMIT_DEFAULT,
  ): Promise<Dict[]> {
    const rows: Dict[] = [];
    let next: string | null = null;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const answer: Dict = await read(next === null ? {} : { page: next });
      rows.push(...answer.items);
      next = answer.next;
      const oldest = rows.at(-1);
      const isOlder = since !== undefined && oldest !== undefined && (this.parse8601(timeOf(oldest)) ?? 0) < since;
      if (next === null || isOlder || (since === undefined && rows.length >= limit)) break;
    }
    return rows;
  }

  override async fetchMarkets(params: Dict = {}): Promise<Market[]> {
    const rows: Dict[] = await this.request('market/markets', 'public', 'GET', params);
    return rows.map((row) =>
      this.safeMarketStructure({
        id: row.ticker_id,
        symbol: `${row.base}/${row.target}`,
        base: row.base,
        quote: row.target,
        baseId: row.base,
        quoteId: row.target,
        type: 'spot',
        spot: true,
        margin: false,
        swap: false,
        future: false,
        option: false,
        contract: false,
        active: row.active,
        taker: this.parseNumber(row.taker_fee),
        maker: this.parseNumber(row.maker_fee),
        percentage: true,
        tierBased: true,
        precision: { amount: this.parseNumber(row.base_step), price: this.parseNumber(row.price_step) },
        limits: {
          amount: { min: this.parseNumber(row.base_step), max: undefined },
          price: { min: this.parseNumber(row.price_step), max: undefined },
          cost: { min: this.parseNumber(row.target_min), max: this.parseNumber(row.target_max) },
        },
        info: row,
      }),
    );
  }

  override parseTicker(row: Dict, market?: Market): Ticker {
    const timestamp = this.safeInteger(row, 'timestamp');
    return this.safeTicker(
      {
        symbol: this.safeSymbol(row.ticker_id, market),
        timestamp,
        datetime: this.iso8601(timestamp),
        high: this.safeString(row, 'high'),
        low: this.safeString(row, 'low'),
        bid: this.safeString(row, 'bid'),
        ask: this.safeString(row, 'ask'),
        last: this.safeString(row, 'last_price'),
        close: this.safeString(row, 'last_price'),
        baseVolume: this.safeString(row, 'base_volume'),
        quoteVolume: this.safeString(row, 'target_volume'),
        info: row,
      },
      market,
    );
  }

  override async fetchTickers(symbols?: Strings, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const rows: Dict[] = await this.request('market/tickers', 'public', 'GET', params);
    return this.parseTickers(rows, this.marketSymbols(symbols));
  }

  override async fetchTicker(symbol: string, params: Dict = {}): Promise<Ticker> {
    const ticker = (await this.fetchTickers([symbol], params))[symbol];
    if (ticker === undefined) throw new BadRequest(`${this.id} has no ticker of ${symbol}`);
    return ticker;
  }

  override async fetchOrderBook(symbol: string, limit?: Int, params: Dict = {}): Promise<OrderBook> {
    await this.loadMarkets();
    const depth = 2 * Math.min(limit ?? BOOK_SIDE_MAX, BOOK_SIDE_MAX);
    const request = { ticker_id: this.market(symbol).id, depth, ...params };
    const book: Dict = await this.request('market/orderbook', 'public', 'GET', request);
    return this.parseOrderBook(book, symbol, this.safeInteger(book, 'timestamp'));
  }

  override async fetchTrades(symbol: string, since?: Int, limit?: Int, params: Dict = {}): Promise<Trade[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const request = { ticker_id: market.id, limit: Math.min(limit ?? LIMIT_DEFAULT, 200), ...params };
    const { buy, sell }: Dict = await this.request('market/trades', 'public', 'GET', request);
    return this.parseTrades([...buy, ...sell], market, since, limit);
  }

  /** A public trade, a trade of the stream, or a customer's own fill. */
  override parseTrade(row: Dict, market?: Market): Trade {
    const timestamp = this.safeInteger(row, 'trade_timestamp') ?? this.parse8601(this.safeString(row, 'at'));
    const code = this.safeString(row, 'code');
    const feeCost = this.safeString(row, 'fee');
    return this.safeTrade(
      {
        id: this.safeString2(row, 'trade_id', 'id'),
        order: this.safeString(row, 'order'),
        symbol: code === undefined ? this.safeSymbol(undefined, market) : `${code}/USDT`,
        timestamp,
        datetime: this.iso8601(timestamp),
        side: this.safeString2(row, 'type', 'side'),
        takerOrMaker: this.safeString(row, 'role'),
        price: this.safeString(row, 'price'),
        amount: this.safeString2(row, 'base_volume', 'quantity'),
        cost: this.safeString2(row, 'target_volume', 'amount'),
        fee: feeCost === undefined ? undefined : { cost: feeCost, currency: this.safeString(row, 'fee_asset') },
        info: row,
      },
      market,
    );
  }

  override async fetchOHLCV(
    symbol: string,
    timeframe = '1m',
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<OHLCV[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const count = Math.min(limit ?? 300, 1_000);
    const end = since === undefined ? {} : { end: since + count * this.parseTimeframe(timeframe) * 1_000 };
    const request = { ticker_id: market.id, interval: timeframe, limit: count, ...end, ...params };
    const { candles }: Dict = await this.request('market/candles', 'public', 'GET', request);
    return this.parseOHLCVs(candles, market, timeframe, since, limit);
  }

  override async fetchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    return this.#parseBalance(await this.#read('coin/user/balances', params));
  }

  #parseBalance(rows: Dict): Balances {
    const balance: Dict = { info: rows };
    for (const { asset, available, held } of rows as unknown as Dict[])
      balance[asset] = { ...this.account(), free: available, used: held };
    return this.safeBalance(balance);
  }

  override parseOrder(row: Dict, market?: Market): Order {
    if (row.trigger !== undefined) return this.#parseWaiting(row, market);
    const timestamp = this.parse8601(row.created_at);
    return this.safeOrder(
      {
        id: row.id,
        timestamp,
        datetime: this.iso8601(timestamp),
        lastUpdateTimestamp: this.parse8601(row.updated_at),
        symbol: `${row.code}/USDT`,
        type: row.type,
        timeInForce: row.post_only ? 'PO' : row.tif,
        postOnly: row.post_only,
        side: row.side,
        price: row.price ?? undefined,
        amount: Precise.stringSub(row.quantity, row.cut_quantity),
        cost: row.dealt_amount,
        average: row.dealt_price ?? undefined,
        filled: row.dealt_quantity,
        status: ORDER_STATUS[row.status],
        fee: { cost: row.fee, currency: row.fee_asset },
        trades: row.fills?.map((fill: Dict) => this.parseTrade(fill)),
        info: row,
      },
      market,
    );
  }

  /** An order that waits, or waited, for the index. What it became is `info.order`. */
  #parseWaiting(row: Dict, market?: Market): Order {
    const timestamp = this.parse8601(row.created_at);
    const named = row.trigger === 'stop' ? 'stopLossPrice' : 'takeProfitPrice';
    return this.safeOrder(
      {
        id: row.id,
        timestamp,
        datetime: this.iso8601(timestamp),
        lastUpdateTimestamp: this.parse8601(row.updated_at),
        symbol: `${row.code}/USDT`,
        type: row.type,
        timeInForce: row.post_only ? 'PO' : row.tif,
        postOnly: row.post_only,
        side: row.side,
        price: row.price ?? undefined,
        amount: row.quantity ?? undefined,
        cost: row.amount ?? undefined,
        triggerPrice: row.trigger_price,
        [named]: row.trigger_price,
        status: WAITING_STATUS[row.status],
        info: row,
      },
      market,
    );
  }

  /**
   * `params`: `timeInForce` (GTC, IOC, FOK, PO) or `postOnly`, `cost` for a market buy by its amount in USDT, and
   * `clientOrderId` of 8 to 64 letters, digits, - and _: the same id with the same order gives the first answer again.
   *
   * An order with `triggerPrice`, `stopLossPrice` or `takeProfitPrice` waits for the index: a stop buys when it rises
   * to the price and sells when it falls to it, a take-profit the other way round. `triggerPrice` alone is a stop,
   * unless `triggerDirection` (ascending, descending) says otherwise. The other methods name such orders by
   * `trigger: true` in `params`.
   */
  override async createOrder(
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount: number,
    price?: Num,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const { timeInForce, postOnly = false, cost, clientOrderId = this.uuid(), ...others } = params;
    const { triggerPrice, stopPrice, stopLossPrice, takeProfitPrice, triggerDirection, ...rest } = others;
    const waitsFor = takeProfitPrice ?? stopLossPrice ?? triggerPrice ?? stopPrice;
    if (type === 'limit' && price === undefined) throw new ArgumentsRequired(`${this.id} a limit order needs a price`);
    if (type !== 'limit' && type !== 'market') throw new InvalidOrder(`${this.id} has no orders of type ${type}`);
    const isPostOnly = postOnly || timeInForce === 'PO';
    const size =
      cost === undefined
        ? { quantity: this.amountToPrecision(symbol, amount) }
        : { amount: this.costToPrecision(symbol, cost) };
    const isTakeProfit =
      takeProfitPrice !== undefined ||
      (stopLossPrice === undefined && triggerDirection === (side === 'buy' ? 'descending' : 'ascending'));
    const row = await this.#post(waitsFor === undefined ? 'coin/trans/add' : 'coin/wait/add', {
      ...(waitsFor !== undefined && {
        trigger: isTakeProfit ? 'take_profit' : 'stop',
        trigger_price: this.priceToPrecision(symbol, waitsFor),
      }),
      code: market.baseId,
      side,
      type,
      ...size,
      ...(type === 'limit' && { price: this.priceToPrecision(symbol, price) }),
      ...(timeInForce !== undefined && timeInForce !== 'PO' && { tif: timeInForce }),
      ...(isPostOnly && { post_only: 'true' }),
      ...rest,
      intent: clientOrderId,
    });
    return this.parseOrder(row, market);
  }

  override async createMarketBuyOrderWithCost(symbol: string, cost: number, params: Dict = {}): Promise<Order> {
    return this.createOrder(symbol, 'market', 'buy', 0, undefined, { ...params, cost });
  }

  /**
   * A smaller amount alone keeps the order and its place in the queue; another price gives a new order with a new id.
   * With `trigger: true` or a `triggerPrice` in `params`, the order is one that waits.
   */
  override async editOrder(
    id: string,
    symbol: string,
    _type: OrderType,
    _side: OrderSide,
    amount?: Num,
    price?: Num,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const { trigger, triggerPrice, stopPrice, stopLossPrice, takeProfitPrice, ...rest } = params;
    const waitsFor = triggerPrice ?? stopPrice ?? stopLossPrice ?? takeProfitPrice;
    const isWaiting = trigger === true || waitsFor !== undefined;
    return this.parseOrder(
      await this.#post(isWaiting ? 'coin/wait/amend' : 'coin/trans/amend', {
        id,
        ...(amount !== undefined && { quantity: this.amountToPrecision(symbol, amount) }),
        ...(price !== undefined && { price: this.priceToPrecision(symbol, price) }),
        ...(waitsFor !== undefined && { trigger_price: this.priceToPrecision(symbol, waitsFor) }),
        intent: this.uuid(),
        ...rest,
      }),
    );
  }

  override async cancelOrder(id: string, _symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const { trigger = false, ...rest } = params;
    const path = trigger ? 'coin/wait/close' : 'coin/trans/close';
    return this.parseOrder(await this.#post(path, { id, intent: this.uuid(), ...rest }));
  }

  /** Cancels those that wait too. */
  override async cancelAllOrders(symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const coin = symbol === undefined ? {} : { code: this.market(symbol).baseId };
    const { revoked } = await this.#post('coin/trans/closeAll', { ...coin, intent: this.uuid(), ...params });
    return revoked.map((id: string) => this.safeOrder({ id, status: 'canceled', info: { id } }));
  }

  override async fetchOrder(id: string, _symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const { trigger = false, ...rest } = params;
    return this.parseOrder(await this.#read(trigger ? 'coin/wait/info' : 'coin/trans/info', { id, ...rest }));
  }

  async #fetchOrders(status: string, symbol: Str, since: Int, limit: Int, params: Dict): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const { trigger = false, ...rest } = params;
    const which = { status, ...(market && { code: market.baseId }), ...rest };
    const path = trigger ? 'coin/wait/lists' : 'coin/trans/lists';
    const rows = await this.#readPages(
      (page) => this.#post(path, { ...which, ...page }),
      (row) => row.created_at,
      since,
      limit,
    );
    return this.parseOrders(rows, market, since, limit);
  }

  override fetchOrders(symbol?: Str, since?: Int, limit?: Int, params: Dict = {}): Promise<Order[]> {
    return this.#fetchOrders('all', symbol, since, limit, params);
  }

  override fetchOpenOrders(symbol?: Str, since?: Int, limit?: Int, params: Dict = {}): Promise<Order[]> {
    return this.#fetchOrders('open', symbol, since, limit, params);
  }

  override fetchClosedOrders(symbol?: Str, since?: Int, limit?: Int, params: Dict = {}): Promise<Order[]> {
    return this.#fetchOrders('history', symbol, since, limit, params);
  }

  override async fetchMyTrades(symbol?: Str, since?: Int, limit?: Int, params: Dict = {}): Promise<Trade[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const which = { limit: 500, ...(market && { code: market.baseId }), ...params };
    const rows = await this.#readPages(
      (page) => this.#post('coin/trans/fills', { ...which, ...page }),
      (row) => row.at,
      since,
      limit,
    );
    return this.parseTrades(rows, market, since, limit);
  }

  override fetchOrderTrades(id: string, symbol?: Str, since?: Int, limit?: Int, params: Dict = {}): Promise<Trade[]> {
    return this.fetchMyTrades(symbol, since, limit, { order: id, ...params });
  }

  async #fetchTransfers(setup: 'recharge' | 'withdraw', code: Str, since: Int, limit: Int): Promise<Transaction[]> {
    await this.loadMarkets();
    const rows = await this.#readPages(
      (page) => this.#read('users/account/lists', { setup, ...page }),
      (row) => row.at,
      since,
      limit,
    );
    const currency = code === undefined ? undefined : this.currency(code);
    return this.parseTransactions(rows, currency, since, limit);
  }

  override parseTransaction(row: Dict): Transaction {
    const record = row.deposit ?? row.withdrawal;
    const timestamp = this.parse8601(record.created_at);
    const isDone = record.status === 'completed' || record.step === 'credited' || record.step === 'done';
    const isOver = isDone || record.finished_at !== null;
    const address = record.payee?.address ?? record.address ?? undefined;
    return {
      info: row,
      id: record.id,
      txid: record.hash ?? undefined,
      timestamp,
      datetime: this.iso8601(timestamp),
      network: record.chain?.code,
      address,
      addressTo: address,
      addressFrom: record.from ?? undefined,
      tag: undefined,
      tagTo: undefined,
      tagFrom: undefined,
      type: row.deposit ? 'deposit' : 'withdrawal',
      amount: this.parseNumber(record.amount),
      currency: 'USDT',
      status: isDone ? 'ok' : isOver ? 'failed' : 'pending',
      updated: this.parse8601(record.finished_at ?? undefined),
      fee: { currency: 'USDT', cost: this.parseNumber(record.fee ?? '0') },
      comment: undefined,
      internal: record.is_internal ?? false,
    } as Transaction;
  }

  override fetchDeposits(code?: Str, since?: Int, limit?: Int): Promise<Transaction[]> {
    return this.#fetchTransfers('recharge', code, since, limit);
  }

  override fetchWithdrawals(code?: Str, since?: Int, limit?: Int): Promise<Transaction[]> {
    return this.#fetchTransfers('withdraw', code, since, limit);
  }

  override async fetchDepositAddress(code: string, params: Dict = {}): Promise<DepositAddress> {
    const { network } = params;
    const channels = (await this.#read('pay/lists')) as unknown as Dict[];
    const found = channels.find(
      ({ address, chain }) => address !== null && (network === undefined || chain.code === network),
    );
    if (code !== 'USDT' || found === undefined) throw new BadRequest(`${this.id} has no address for ${code}`);
    return { info: found, currency: code, network: found.chain.code, address: found.address, tag: undefined };
  }

  /**
   * Buys an option that its coin's index is higher (`up`) or lower (`down`) in so many seconds, for a stake in USDT.
   * Returns the platform's order; `terms` in it are what the platform signed.
   */
  async buyOption(
    symbol: string,
    direction: 'up' | 'down',
    stake: number | string,
    seconds: number,
    params: Dict = {},
  ): Promise<Dict> {
    await this.loadMarkets();
    const { clientOrderId = this.uuid(), ...rest } = params;
    return this.#post('coin/order/add', {
      code: this.market(symbol).baseId,
      direction,
      quantity: this.numberToString(stake),
      duration: seconds,
      ...rest,
      intent: clientOrderId,
    });
  }

  /** The price at which an open option can be sold now, with its tick, which `sellOption` takes. */
  fetchOptionBid(id: string): Promise<Dict> {
    return this.#read('coin/order/bid', { id });
  }

  /**
   * Sells an open option at the price of a tick, which is exactly paid or refused with the new one. Without `bid` it
   * takes the price of now. Returns the order; the answer takes up to two seconds.
   */
  async sellOption(id: string, bid?: { price: string; tick: string }, params: Dict = {}): Promise<Dict> {
    const { price, tick } = bid ?? (await this.fetchOptionBid(id));
    const { clientOrderId = this.uuid(), ...rest } = params;
    return this.#post('coin/order/sell', { id, price, tick, ...rest, intent: clientOrderId });
  }

  /** An option with its receipt. */
  fetchOptionOrder(id: string): Promise<Dict> {
    return this.#read('coin/order/info', { id });
  }

  fetchOpenOptionOrders(limit?: Int): Promise<Dict[]> {
    return this.#fetchOptions('holding', limit);
  }

  fetchClosedOptionOrders(limit?: Int): Promise<Dict[]> {
    return this.#fetchOptions('history', limit);
  }

  #fetchOptions(status: string, limit: Int): Promise<Dict[]> {
    const read = (page: Dict) => this.#post('coin/order/lists', { status, ...page });
    return this.#readPages(read, (row) => row.start_time, undefined, limit);
  }

  /** What came since the last call for topics of which nothing may be missed. */
  readonly #news = new Map<string, unknown[]>();

  async #takeNews<Item>(topic: string, watch: () => Promise<unknown>): Promise<Item[]> {
    while ((this.#news.get(topic) ?? []).length === 0) await watch();
    const taken = this.#news.get(topic) ?? [];
    this.#news.delete(topic);
    return taken as Item[];
  }

  get #streamUrl(): string {
    return this.implodeHostname(this.urls.api.ws);
  }

  async #watchTopic<State>(topic: string): Promise<State> {
    await this.#allowPlainStream();
    return this.watch(this.#streamUrl, topic, { op: 'subscribe', topics: [topic] }, topic);
  }

  /** ccxt opens no stream without TLS, as a demonstration on this machine has, before this. */
  async #allowPlainStream(): Promise<void> {
    if (this.#streamUrl.startsWith('ws:')) await this.loadHttpProxyAgent();
  }

  /** A topic of the customer whose key this is. The server answers `auth` only if it refuses it. */
  async #watchOwnTopic<State>(topic: string): Promise<State> {
    this.checkRequiredCredentials();
    await this.#allowPlainStream();
    const { apiKey, secret } = this;
    const request = { method: 'GET', target: '/api/stream', body: '', intent: '', nonce: this.uuid() };
    const signed = signRequest({ apiKey, secret, timeMs: this.milliseconds(), ...request });
    const frame = {
      op: 'auth',
      key: signed['Api-Key'],
      time: signed['Api-Time'],
      nonce: signed['Api-Nonce'],
      signature: signed['Api-Signature'],
    };
    // Sent once for each connection, before the subscription. Who waits for a topic hears of the connection's end.
    this.watch(this.#streamUrl, 'auth', frame, 'auth').catch(() => undefined);
    return this.#watchTopic(topic);
  }

  override async watchOrderBook(symbol: string, limit?: Int): Promise<OrderBook> {
    await this.loadMarkets();
    const book: Dict = await this.#watchTopic(`book:${this.market(symbol).baseId}`);
    return { ...book, bids: book.bids.slice(0, limit), asks: book.asks.slice(0, limit) } as OrderBook;
  }

  /** The trades since the last call; at first the newest of the tape. */
  override async watchTrades(symbol: string, since?: Int, limit?: Int): Promise<Trade[]> {
    await this.loadMarkets();
    const topic = `trades:${this.market(symbol).baseId}`;
    const trades = await this.#takeNews<Trade>(topic, () => this.#watchTopic(topic));
    return this.filterBySinceLimit(trades, since, limit, 'timestamp', true);
  }

  /** The orders that changed since the last call; at first those on a book. */
  override async watchOrders(symbol?: Str, since?: Int, limit?: Int): Promise<Order[]> {
    await this.loadMarkets();
    for (;;) {
      const orders = await this.#takeNews<Order>('contracts', () => this.#watchOwnTopic('contracts'));
      const wanted: Order[] = this.filterBySymbolSinceLimit(orders, symbol, since, limit, true);
      if (wanted.length > 0) return wanted;
    }
  }

  override async watchBalance(): Promise<Balances> {
    await this.loadMarkets();
    return this.#watchOwnTopic('balances');
  }

  override ping(): Dict {
    return { op: 'ping' };
  }

  override handleMessage(client: Dict, message: Dict): void {
    if (message.op === 'pong') client.lastPong = this.milliseconds();
    if (message.op === 'refused') {
      const fault = new AuthenticationError(`${this.id} ${message.code} ${message.topic ?? ''}`.trimEnd());
      client.reject(fault, message.topic);
    }
    if (message.op !== 'event') return;
    for (const { topic, data } of message.events as { topic: string; data: never }[]) {
      const read = this.#readEvent(topic, data);
      if (/^(trades:|contracts$)/.test(topic))
        this.#news.set(topic, [...(this.#news.get(topic) ?? []), ...(read as unknown[])].slice(-NEWS_MAX));
      client.resolve(read, topic);
    }
  }

  #readEvent(topic: string, data: never): unknown {
    const [kind, coin] = topic.split(':');
    const market = coin === undefined ? undefined : this.market(`${coin}/USDT`);
    if (kind === 'book') {
      const { at } = data as Dict;
      return this.parseOrderBook(data, market?.symbol ?? '', this.parse8601(at));
    }
    if (kind === 'trades') return this.parseTrades(data, market);
    if (kind === 'contracts') return this.parseOrders(data);
    return this.#parseBalance(data);
  }
}
