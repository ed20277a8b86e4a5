/** Order books and trades as everybody sees them (docs/verification.md, section 26, says what that can't show). */
import type { BookView, TradeView } from '@sathorn/api';
import { parseDecimal } from '@sathorn/money';
import { type Finding, findingOf } from './finding.ts';

/** More decimals than any price or quantity has. */
const DECIMALS = 12;
const unitsOf = (text: string): bigint => parseDecimal(text, DECIMALS) ?? -1n;

type Side = 'buy' | 'sell';
type Levels = ReadonlyMap<bigint, bigint>;

const levelsOf = (levels: BookView['bids']): Levels =>
  new Map(levels.map(([price, quantity]) => [unitsOf(price), unitsOf(quantity)]));
/** The side of the book that an order takes from. */
const makersOf = (book: BookView, taker: Side): BookView['bids'] => (taker === 'buy' ? book.asks : book.bids);
const isBetter = (a: bigint, b: bigint, taker: Side): boolean => (taker === 'buy' ? a < b : a > b);

function faultOfBook(book: BookView): Finding[] {
  const { code, sequence, bids, asks } = book;
  const about = `${code} ${sequence}`;
  const say = (says: string): Finding[] => [findingOf('book', about, says, JSON.stringify(book))];
  const isSorted = (['buy', 'sell'] as const).every((taker) => {
    const prices = makersOf(book, taker).map(([price]) => unitsOf(price));
    return prices.every((price, n) => n === 0 || isBetter(prices[n - 1] ?? price, price, taker));
  });
  if (!isSorted) return say(`The book of ${code} at ${sequence} is not in the order of its prices.`);
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
  if (bid !== undefined && ask !== undefined && unitsOf(bid) >= unitsOf(ask))
    return say(`The book of ${code} at ${sequence} is crossed: somebody buys at ${bid}, and somebody sells at ${ask}.`);
  return [];
}

/**
 * Judges the fills between two states of a book that are one command apart; null where they don't explain the change,
 * so that nobody is accused of what another moment might explain.
 */
function judgeFills(before: BookView, after: BookView, fills: readonly TradeView[]): Finding[] | null {
  const [first] = fills;
  if (first === undefined || BigInt(after.sequence) !== BigInt(before.sequence) + 1n) return null;
  const taker = first.side;
  const [had, has] = [levelsOf(makersOf(before, taker)), levelsOf(makersOf(after, taker))];
  const filled = new Map<bigint, bigint>();
  for (const { price, quantity, side } of fills) {
    if (side !== taker) return null;
    filled.set(unitsOf(price), (filled.get(unitsOf(price)) ?? 0n) + unitsOf(quantity));
  }
  const isExplained = [...filled].every(([price, sum]) => (had.get(price) ?? -1n) - sum === (has.get(price) ?? 0n));
  if (!isExplained) return null;
  const worst = [...filled.keys()].reduce((a, b) => (isBetter(a, b, taker) ? b : a));
  const passedOver = makersOf(after, taker).find(
    ([price]) => isBetter(unitsOf(price), worst, taker) && had.has(unitsOf(price)),
  );
  if (passedOver === undefined) return [];
  const [price, quantity] = passedOver;
  const at = fills.find((fill) => unitsOf(fill.price) === worst) ?? first;
  return [
    findingOf(
      'book',
      at.id,
      `Trade ${at.id} was filled at ${at.price}, while ${quantity} at ${price} rested before and after it.`,
      ...[before, after, ...fills].map((each) => JSON.stringify(each)),
    ),
  ];
}

export interface HeardCoin {
  /** As they arrived. */
  readonly books: readonly BookView[];
  readonly trades: readonly TradeView[];
}

export interface JudgedBooks {
  readonly findings: readonly Finding[];
  /** Fills between two states that were heard. */
  readonly fills: number;
  /** Those of them that were the only change between two states. */
  readonly judged: number;
}

/** Judges what was heard of a coin's book: each state by itself, and fills against the state before them. */
export function judgeBooks({ books, trades }: HeardCoin): JudgedBooks {
  const findings = books.flatMap(faultOfBook);
  const byId = new Map<string, TradeView>();
  for (const trade of trades) {
    const first = byId.get(trade.id);
    if (first === undefined) byId.set(trade.id, trade);
    else findings.push(...changedTrade(first, trade));
  }
  let [fills, judged] = [0, 0];
  // Trades of the last states may still be on their way.
  for (const [n, after] of books.slice(0, -1).entries()) {
    const before = books[n - 1];
    if (before === undefined) continue;
    const [fromMs, toMs] = [Date.parse(before.at), Date.parse(after.at)];
    const within = [...byId.values()].filter(({ at }) => Date.parse(at) > fromMs && Date.parse(at) <= toMs);
    const found = judgeFills(before, after, within);
    fills += within.length;
    if (found === null) continue;
    judged += within.length;
    findings.push(...found);
  }
  return { findings, fills, judged };
}

const numberOf = ({ id }: TradeView): bigint => BigInt(/^[A-Z]{2,10}-([0-9]{1,15})$/.exec(id)?.[1] ?? -1);

function changedTrade(first: TradeView, now: TradeView): Finding[] {
  const isSame = (['price', 'quantity', 'side', 'house', 'at'] as const).every((name) => first[name] === now[name]);
  return isSame
    ? []
    : [findingOf('trade', first.id, `Trade ${first.id} was changed.`, JSON.stringify(first), JSON.stringify(now))];
}

/**
 * The public trades of a coin, newest first, all of them or those of the last pages: numbered without gaps, and the
 * newest one of the visit before is among them, as it was.
 */
export function judgeTrades(trades: readonly TradeView[], seen: TradeView | undefined, isAll: boolean): Finding[] {
  const findings: Finding[] = [];
  for (const [n, trade] of trades.entries()) {
    const newer = trades[n - 1];
    if (newer !== undefined && numberOf(newer) !== numberOf(trade) + 1n)
      findings.push(findingOf('trade', newer.id, `Trade ${newer.id} follows ${trade.id}: there is a gap.`));
  }
  if (seen === undefined) return findings;
  const now = trades.find(({ id }) => id === seen.id);
  const isReached = isAll || trades.some((trade) => numberOf(trade) <= numberOf(seen));
  if (now !== undefined) findings.push(...changedTrade(seen, now));
  else if (isReached)
    findings.push(findingOf('trade', seen.id, `Trade ${seen.id} is no longer shown.`, JSON.stringify(seen)));
  return findings;
}
