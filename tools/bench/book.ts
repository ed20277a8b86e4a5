import { strict as assert } from 'node:assert';
import { Book, type BookEvents, type PlaceOrder, type Side } from '@sathorn/matching';
import { OrderBook } from 'nodejs-order-book';
import { type BenchFigure, perSecond } from './figure.ts';

/** Places an order or, without a quantity, revokes one. */
type Command = PlaceOrder & { readonly timeInForce: 'GTC' | 'IOC' };

const limit = (said: Omit<Command, 'type' | 'postOnly'>): Command => ({ ...said, type: 'limit', postOnly: false });

interface Stream {
  readonly name: string;
  readonly goal: string;
  /** Commands that build both books before the timing starts. */
  readonly before: readonly Command[];
  readonly commands: readonly Command[];
  readonly counts: 'commands' | 'fills';
  readonly rounds: number;
}

interface Run {
  readonly seconds: number;
  readonly trades: number;
  /** A digest over makers, takers, prices and quantities of all trades in order. */
  readonly digest: number;
}

/** The matcher takes queued commands as one batch that it can roll back, so the benchmark does too. */
const BATCH = 256;

export async function benchBook(): Promise<BenchFigure[]> {
  const streams = [
    retailStream('1,000 live orders, retail mix', 1_000, 1_000_000, 6, '≥ 5,000,000/s, ≥ 20×'),
    retailStream('20,000 live orders, retail mix', 20_000, 400_000, 6, '≥ 80×'),
    deepStream(2_000, 20_000),
    wideStream(50_000, 300_000),
  ];
  return [...streams.map(compare), deepFigure()];
}

function compare(stream: Stream): BenchFigure {
  const [ours, peers]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < stream.rounds; round++) {
    ours.push(runOurs(stream));
    peers.push(runPeer(stream));
  }
  const [first] = ours;
  assert(first && first.trades > 0);
  for (const { trades, digest } of [...ours, ...peers])
    assert.deepEqual({ trades, digest }, { trades: first.trades, digest: first.digest }, 'the same trades');
  const done = stream.counts === 'fills' ? first.trades : stream.commands.length;
  const [our, peer] = [done / fastest(ours), done / fastest(peers)];
  return {
    name: `book, ${stream.name}: ${stream.commands.length.toLocaleString('en')} commands, ${first.trades.toLocaleString('en')} trades, batches of ${BATCH} that could be undone`,
    value: `${perSecond(our)}${stream.counts === 'fills' ? ' fills' : ''}`,
    goal: stream.goal,
    share: [`book, ${stream.name}`, our / peer],
    ratio: `${(our / peer).toFixed(1)}× nodejs-order-book 10.1.1 (${perSecond(peer)}), same trades`,
  };
}

/** Measures only our book, because the peer walks the whole level on each fill. */
function deepFigure(): BenchFigure {
  const speed = (orders: number): number => {
    const stream = deepStream(orders, 200_000);
    const runs = Array.from({ length: 5 }, () => runOurs(stream));
    return (runs[0]?.trades ?? 0) / fastest(runs);
  };
  const [shallow, deep] = [speed(20), speed(200_000)];
  return {
    name: 'book, fills in a level of 200,000 orders',
    value: `${perSecond(deep)} fills`,
    goal: '≥ 300,000/s whatever the depth',
    ratio: `${(deep / shallow).toFixed(2)}× a level of 20 orders (${perSecond(shallow)})`,
  };
}

/** Other load can only slow a run down, so the fastest run counts, with equally many runs for both books. */
function fastest(runs: readonly Run[]): number {
  return Math.min(...runs.map((run) => run.seconds));
}

const mixIn = (digest: number, value: number): number => Math.imul(digest ^ value, 0x9e3779b1) >>> 0;

class TradeDigest implements BookEvents {
  trades = 0;
  digest = 0;
  traded(makerId: number, takerId: number, price: number, quantity: number): void {
    this.trades++;
    this.digest = mixIn(mixIn(mixIn(mixIn(this.digest, makerId), takerId), price), quantity);
  }
  rested(): void {}
  shrunk(): void {}
  cancelled(): void {}
  rejected(): void {}
}

function runOurs({ before, commands }: Stream): Run {
  const told = new TradeDigest();
  const book = new Book(told);
  const apply = (command: Command): void => {
    if (command.quantity === 0) book.cancel(command.id, command.owner);
    else book.place(command);
  };
  for (const each of before) apply(each);
  const start = performance.now();
  for (let from = 0; from < commands.length; from += BATCH) {
    book.checkpoint();
    const to = Math.min(from + BATCH, commands.length);
    for (let at = from; at < to; at++) apply(commands[at] as Command);
    book.commit();
  }
  return { seconds: (performance.now() - start) / 1000, trades: told.trades, digest: told.digest };
}

type PeerOrder = Parameters<OrderBook['limit']>[0];

function runPeer({ before, commands }: Stream): Run {
  const told = new TradeDigest();
  const book = new OrderBook();
  // Commands are built before the timing starts; the peer's ids are strings.
  const orders = [...before, ...commands].map(
    ({ id, side, price, quantity, timeInForce }) =>
      ({ id: String(id), side, size: quantity, price, timeInForce }) as PeerOrder,
  );
  const apply = (order: PeerOrder, taker: number): void => {
    const { id, size } = order;
    if (size === 0) {
      book.cancel(id as string);
      return;
    }
    const { done, partial, partialQuantityProcessed } = book.limit(order);
    for (const each of done)
      if (each.id !== id) told.traded(Number(each.id), taker, (each as { price: number }).price, each.size);
    if (partial && partial.id !== id) told.traded(Number(partial.id), taker, partial.price, partialQuantityProcessed);
  };
  for (let at = 0; at < before.length; at++) apply(orders[at] as PeerOrder, (before[at] as Command).id);
  const start = performance.now();
  for (let at = 0; at < commands.length; at++)
    apply(orders[before.length + at] as PeerOrder, (commands[at] as Command).id);
  return { seconds: (performance.now() - start) / 1000, trades: told.trades, digest: told.digest };
}

/** The small generator mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Follows our book while a stream is generated, so that it can choose resting orders to revoke. */
class Resting implements BookEvents {
  readonly ids: number[] = [];
  private readonly places = new Map<number, number>();
  rested(id: number): void {
    this.places.set(id, this.ids.length);
    this.ids.push(id);
  }
  traded(makerId: number, _takerId: number, _price: number, _quantity: number, makerLeft: number): void {
    if (makerLeft === 0) this.drop(makerId);
  }
  cancelled(id: number): void {
    this.drop(id);
  }
  shrunk(): void {}
  rejected(): void {}
  private drop(id: number): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.places.delete(id);
    const moved = this.ids.pop() as number;
    if (moved === id) return;
    this.ids[place] = moved;
    this.places.set(moved, place);
  }
}

/** Buyers and sellers are different customers, because the compared book lets an owner trade with itself. */
const ownerOf = (id: number, side: Side, customers: number): number =>
  1 + (id % customers) + (side === 'buy' ? 0 : customers);

function revokeAny(book: Book, { ids }: Resting, random: () => number): Command {
  const order = book.order(ids[Math.floor(random() * ids.length)] as number);
  assert(order);
  book.cancel(order.id, order.owner);
  const { id, owner, side, price } = order;
  return limit({ id, owner, side, price, quantity: 0, timeInForce: 'GTC' });
}

/**
 * Generates orders around a moving middle, fewer at larger distances: 45 % new, 15 % that take and may rest, 3 % that
 * only take, 37 % revokes of any order. It begins with as many orders as should stay live.
 */
function retailStream(name: string, live: number, count: number, rounds: number, goal: string): Stream {
  const random = randomNumbers(42);
  const resting = new Resting();
  const book = new Book(resting);
  const [before, commands]: [Command[], Command[]] = [[], []];
  let middle = 10_000;
  const away = (): number => 1 + Math.floor(-Math.log(1 - random() * 0.999999) * 40);
  for (let id = 1; commands.length < count; id++) {
    if (random() < 0.02) middle += random() < 0.5 ? 1 : -1;
    const isFilling = resting.ids.length < live;
    const chance = random() * (isFilling ? 0.6 : 1);
    const isTaking = chance >= (isFilling ? 0.55 : 0.45);
    const side: Side = random() < 0.5 ? 'buy' : 'sell';
    const distance = isTaking ? -5 : away();
    const price = side === 'buy' ? middle - distance : middle + distance;
    const quantity = 1 + Math.floor(random() * 100);
    let command: Command;
    if (chance >= 0.63) {
      command = revokeAny(book, resting, random);
    } else {
      command = limit({
        id,
        owner: ownerOf(id, side, live / 4),
        side,
        price,
        quantity,
        timeInForce: chance >= 0.6 ? 'IOC' : 'GTC',
      });
      book.place(command);
    }
    // Timing starts when the book has reached its size.
    if (commands.length > 0 || !isFilling) commands.push(command);
    else before.push(command);
  }
  return { name, goal, before, commands, counts: 'commands', rounds };
}

/** One level of constant depth: makers join its end, takers of a few orders take from its head. */
function deepStream(depth: number, count: number): Stream {
  const random = randomNumbers(7);
  const sell = (id: number): Command =>
    limit({ id, owner: id, side: 'sell', price: 100, quantity: 10, timeInForce: 'GTC' });
  const before = Array.from({ length: depth }, (_, index) => sell(index + 1));
  const commands: Command[] = [];
  for (let id = depth + 1; commands.length < count; id++) {
    if (id % 6 !== 0) commands.push(sell(id));
    else {
      const quantity = 45 + Math.floor(random() * 11);
      commands.push(limit({ id, owner: id, side: 'buy', price: 100, quantity, timeInForce: 'IOC' }));
    }
  }
  const name = `${depth.toLocaleString('en')} orders at one price`;
  return { name, goal: '≥ 300,000/s', before, commands, counts: 'fills', rounds: 4 };
}

/** The worst case for a sorted list: prices come and go anywhere among fifty thousand, with an occasional taker. */
function wideStream(levels: number, count: number): Stream {
  const random = randomNumbers(9);
  const resting = new Resting();
  const book = new Book(resting);
  const [before, commands]: [Command[], Command[]] = [[], []];
  const middle = 1_000_000;
  for (let id = 1; commands.length < count; id++) {
    const isFilling = resting.ids.length < levels;
    const side: Side = random() < 0.5 ? 'buy' : 'sell';
    const chance = isFilling ? 0 : random();
    const distance = 1 + Math.floor(random() * levels * 5);
    let command: Command;
    if (chance >= 0.55) {
      command = revokeAny(book, resting, random);
    } else {
      const isTaking = chance > 0.5;
      const price = isTaking === (side === 'buy') ? middle + distance : middle - distance;
      command = limit({
        id,
        owner: ownerOf(id, side, 5_000),
        side,
        price,
        quantity: 10,
        timeInForce: isTaking ? 'IOC' : 'GTC',
      });
      book.place(command);
    }
    if (commands.length > 0 || !isFilling) commands.push(command);
    else before.push(command);
  }
  const found = book.depth('buy', levels).length + book.depth('sell', levels).length;
  return {
    name: `a random price among ${found.toLocaleString('en')} levels`,
    goal: '> 1.1×, 240,000/s of the sorted list',
    before,
    commands,
    counts: 'commands',
    rounds: 4,
  };
}
