/**
 * The exchange with which orders over HTTP are compared, written in the simplest way: form posts, a book in memory, and
 * one transaction for all orders that have arrived, with orders, trades and balances as plain rows. It is durable and
 * exact, but has no sessions, no idempotent retries, no double entry to audit, no failover, and no notifications. Its
 * argument is the port.
 */
import { Book, type BookEvents, type Side } from '@sathorn/matching';
import { arrayLiteral } from '@sathorn/server/database';
import Fastify from 'fastify';
import pg from 'pg';
import { openBenchCluster } from './bench-cluster.ts';

interface Order {
  readonly id: number;
  readonly coin: string;
  readonly customer: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  left: number;
  isLive: boolean;
}

interface Trade {
  readonly id: number;
  readonly maker: Order;
  readonly taker: Order;
  readonly price: number;
  readonly quantity: number;
}

interface Balance {
  readonly customer: number;
  readonly asset: string;
  free: bigint;
  kept: bigint;
}

interface Waiting {
  readonly order: Order;
  resolve(answer: string): void;
}

const FUNDS = 10n ** 15n;

const cluster = await openBenchCluster();
const client = new pg.Client({ ...cluster.owner, pipeline: true });
await client.connect();
await client.query(`
  CREATE TABLE public.plain_order (id bigint PRIMARY KEY, coin text NOT NULL, customer int NOT NULL, side text NOT NULL, price bigint NOT NULL,
    quantity bigint NOT NULL, remaining bigint NOT NULL CHECK (remaining >= 0), is_live boolean NOT NULL);
  CREATE INDEX ON public.plain_order (customer, id);
  CREATE TABLE public.plain_trade (id bigint PRIMARY KEY, coin text NOT NULL, maker bigint NOT NULL, taker bigint NOT NULL, price bigint NOT NULL,
    quantity bigint NOT NULL);
  CREATE TABLE public.plain_balance (customer int, asset text, free numeric NOT NULL CHECK (free >= 0), kept numeric NOT NULL CHECK (kept >= 0),
    PRIMARY KEY (customer, asset))`);

interface Changes {
  readonly orders: Set<Order>;
  readonly changed: Set<Order>;
  readonly trades: Trade[];
  readonly balances: Set<Balance>;
}
const none = (): Changes => ({ orders: new Set(), changed: new Set(), trades: [], balances: new Set() });

/** The rows that the next batch writes. */
let begun = none();
const orders = new Map<number, Order>();
const balances = new Map<string, Balance>();
const books = new Map<string, Book>();
let lastOrder = 0;
let lastTrade = 0;

function move(customer: number, asset: string, free: bigint, kept: bigint): void {
  const key = `${customer} ${asset}`;
  const balance = balances.get(key) ?? { customer, asset, free: FUNDS, kept: 0n };
  balances.set(key, balance);
  begun.balances.add(balance);
  balance.free += free;
  balance.kept += kept;
}

/** Holds the money that an order needs for a quantity. */
function keep(order: Order, quantity: number, sign: bigint): void {
  const isBuy = order.side === 'buy';
  const units = sign * BigInt(isBuy ? order.price * quantity : quantity);
  move(order.customer, isBuy ? 'USDT' : order.coin, -units, units);
}

function fill(order: Order, price: number, quantity: number, left: number): void {
  const [paid, got] = [BigInt(price * quantity), BigInt(quantity)];
  keep(order, quantity, -1n);
  move(order.customer, 'USDT', order.side === 'buy' ? -paid : paid, 0n);
  move(order.customer, order.coin, order.side === 'buy' ? got : -got, 0n);
  order.left = left;
  order.isLive = left > 0;
  begun.changed.add(order);
}

function end(id: number): void {
  const order = orders.get(id) as Order;
  keep(order, order.left, -1n);
  order.isLive = false;
  begun.changed.add(order);
}

const events: BookEvents = {
  rested: () => undefined,
  shrunk: () => undefined,
  rejected: end,
  cancelled: end,
  traded(makerId, takerId, price, quantity, makerLeft, takerLeft) {
    const [maker, taker] = [orders.get(makerId) as Order, orders.get(takerId) as Order];
    fill(maker, price, quantity, makerLeft);
    fill(taker, price, quantity, takerLeft);
    lastTrade += 1;
    begun.trades.push({ id: lastTrade, maker, taker, price, quantity });
  },
};

function bookOf(coin: string): Book {
  const book = books.get(coin) ?? new Book(events);
  books.set(coin, book);
  return book;
}

let waiting: Waiting[] = [];
let isWriting = false;

function wait(order: Order): Promise<string> {
  return new Promise((resolve) => {
    waiting.push({ order, resolve });
    if (!isWriting) void write();
  });
}

async function write(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    // Lets every request of this turn of the event loop join the batch.
    await new Promise((resolve) => setImmediate(resolve));
    const answered = waiting;
    const changes = begun;
    waiting = [];
    begun = none();
    await commit(changes);
    for (const { order, resolve } of answered) resolve(answerOf(order));
  }
  isWriting = false;
}

async function commit({ orders: placed, changed, trades, balances: moved }: Changes): Promise<void> {
  const news = [...placed];
  const olds = [...changed].filter((order) => !placed.has(order));
  const said = [...moved];
  await Promise.all([
    client.query('BEGIN'),
    client.query({
      name: 'orders',
      text: 'INSERT INTO public.plain_order SELECT * FROM unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::boolean[])',
      values: [
        arrayLiteral(news.map(({ id }) => id)),
        arrayLiteral(news.map(({ coin }) => coin)),
        arrayLiteral(news.map(({ customer }) => customer)),
        arrayLiteral(news.map(({ side }) => side)),
        arrayLiteral(news.map(({ price }) => price)),
        arrayLiteral(news.map(({ quantity }) => quantity)),
        arrayLiteral(news.map(({ left }) => left)),
        arrayLiteral(news.map(({ isLive }) => String(isLive))),
      ],
    }),
    client.query({
      name: 'changed',
      text: 'UPDATE public.plain_order o SET remaining = u.remaining, is_live = u.is_live FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS u(id, remaining, is_live) WHERE o.id = u.id',
      values: [
        arrayLiteral(olds.map(({ id }) => id)),
        arrayLiteral(olds.map(({ left }) => left)),
        arrayLiteral(olds.map(({ isLive }) => String(isLive))),
      ],
    }),
    client.query({
      name: 'trades',
      text: 'INSERT INTO public.plain_trade SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])',
      values: [
        arrayLiteral(trades.map(({ id }) => id)),
        arrayLiteral(trades.map(({ maker }) => maker.coin)),
        arrayLiteral(trades.map(({ maker }) => maker.id)),
        arrayLiteral(trades.map(({ taker }) => taker.id)),
        arrayLiteral(trades.map(({ price }) => price)),
        arrayLiteral(trades.map(({ quantity }) => quantity)),
      ],
    }),
    client.query({
      name: 'balances',
      text: 'INSERT INTO public.plain_balance SELECT * FROM unnest($1::int[], $2::text[], $3::numeric[], $4::numeric[]) ON CONFLICT (customer, asset) DO UPDATE SET free = excluded.free, kept = excluded.kept',
      values: [
        arrayLiteral(said.map(({ customer }) => customer)),
        arrayLiteral(said.map(({ asset }) => asset)),
        arrayLiteral(said.map(({ free }) => free)),
        arrayLiteral(said.map(({ kept }) => kept)),
      ],
    }),
    client.query('COMMIT'),
  ]);
}

function answerOf({ id, coin, left, isLive }: Order): string {
  const status = isLive ? 'open' : left > 0 ? 'cancelled' : 'filled';
  return `{"ret":1,"msg":"","data":{"id":"${coin}-${id}","status":"${status}"}}`;
}

function place(customer: number, form: Readonly<Record<string, string>>): Promise<string> {
  const { code = '', side, price = '', quantity = '', tif = 'GTC' } = form;
  lastOrder += 1;
  const order: Order = {
    id: lastOrder,
    coin: code,
    customer,
    side: side === 'buy' ? 'buy' : 'sell',
    // Whole price steps and lots, precise enough for a comparison.
    price: Math.round(Number(price) * 1e5),
    quantity: Math.round(Number(quantity) * 1e5),
    left: Math.round(Number(quantity) * 1e5),
    isLive: true,
  };
  orders.set(order.id, order);
  begun.orders.add(order);
  keep(order, order.quantity, 1n);
  bookOf(code).place({
    id: order.id,
    owner: customer + 1,
    side: order.side,
    type: 'limit',
    price: order.price,
    quantity: order.quantity,
    timeInForce: tif === 'IOC' ? 'IOC' : 'GTC',
    postOnly: false,
  });
  return wait(order);
}

async function revoke(customer: number, { id = '' }: Readonly<Record<string, string>>): Promise<string> {
  const order = orders.get(Number(id.split('-')[1]));
  if (!order?.isLive || order.customer !== customer) return '{"ret":0,"msg":"","data":{"code":"order_ended"}}';
  bookOf(order.coin).cancel(order.id, customer + 1);
  return wait(order);
}

const app = Fastify({ logger: false });
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(body as string))),
);
for (const [path, answer] of [
  ['/api/coin/trans/add', place],
  ['/api/coin/trans/close', revoke],
] as const)
  app.post<{ Headers: { token: string }; Body: Record<string, string> }>(path, async ({ headers, body }, reply) =>
    reply.type('application/json').send(await answer(Number(headers.token), body)),
  );
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
process.on('SIGTERM', () => {
  void app.close().then(async () => {
    await client.end();
    await cluster.stop();
    process.exit(0);
  });
});
process.send?.('ready');
