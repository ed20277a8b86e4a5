/**
 * A blind box whose draws nobody can secretly influence. Before the sale the table of prizes and the root over the
 * hashes of all seeds are signed. A draw gets the next number and a signed reservation, then the customer's own seed
 * and, if the box has a beacon, a public random round that did not exist at the reservation. These seeds and the round
 * determine the result, and the draw's seed is revealed at once. All numbers are integers; amounts are units of the
 * asset.
 */
import { canonicalText, parseCanonical } from './canonical.ts';
import { fromHex, hmacSha256, sha256, toHex, utf8Bytes } from './hash.ts';

const BOX_TYPE = 'box/1';
const DRAW_TYPE = 'draw/1';
export const DRAWS_MAX = 20_000;
/** The draw waits this long for the customer's seed. */
export const CLIENT_SEED_WINDOW_MS = 30_000;
/** The round is published at least this long after the reservation. */
export const BEACON_ROUND_AHEAD_MS = 6_000;
/** A draw is resolved within this time. */
export const DRAW_RESOLVED_WITHIN_MS = 60_000;

const PRIZE_KINDS = ['usdt', 'points'] as const;
type PrizeKind = (typeof PRIZE_KINDS)[number];
export interface BoxPrize {
  readonly prize: PrizeKind;
  readonly amount: bigint;
  /** The prize's weight; its probability is `weight / weightSum`. */
  readonly weight: number;
}
export const assetOfPrize = (prize: PrizeKind): 'USDT' | 'POINTS' => (prize === 'points' ? 'POINTS' : 'USDT');

export interface BoxTerms {
  /** A UUID. */
  readonly id: string;
  /** Points per draw. */
  readonly price: bigint;
  readonly table: readonly BoxPrize[];
  readonly budget: { readonly USDT: bigint; readonly POINTS: bigint };
  readonly drawsMax: number;
  readonly opensMs: number;
  readonly closesMs: number;
  /** `none`, or the name of a chain in `BEACONS`. */
  readonly beacon: string;
  /** Root over the commitments, hex. */
  readonly root: string;
  readonly environment: 'live' | 'demo';
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WHOLE = /^(0|[1-9][0-9]{0,14})$/;
const HASH = /^[0-9a-f]{64}$/;
const WEIGHT_SUM_MAX = 2 ** 31;

export const weightSumOf = (table: readonly BoxPrize[]): number => table.reduce((sum, { weight }) => sum + weight, 0);

export function writeBoxTerms(box: BoxTerms): string {
  return canonicalText({
    v: BOX_TYPE,
    id: box.id,
    price: String(box.price),
    asset: 'POINTS',
    table: box.table.map(({ prize, amount, weight }) => ({
      prize,
      asset: assetOfPrize(prize),
      amount: String(amount),
      weight: String(weight),
    })),
    weight_sum: String(weightSumOf(box.table)),
    budget: { USDT: String(box.budget.USDT), POINTS: String(box.budget.POINTS) },
    draws_max: String(box.drawsMax),
    opens: String(box.opensMs),
    closes: String(box.closesMs),
    beacon: box.beacon,
    root: box.root,
    env: box.environment,
  });
}

type Members = { readonly [name: string]: unknown };
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const numberIn = (from: Members, name: string): number => {
  const text = from[name];
  return typeof text === 'string' && WHOLE.test(text) ? Number(text) : Number.NaN;
};
const textIn = (from: Members, name: string): string => {
  const text = from[name];
  return typeof text === 'string' ? text : '';
};

/** Undefined unless the text is exactly what `writeBoxTerms` writes for a valid box. */
export function readBoxTerms(body: string): BoxTerms | undefined {
  const value = membersOf(parseCanonical(body));
  const rows = Array.isArray(value.table) ? value.table.map(membersOf) : [];
  const table = rows.flatMap((row): BoxPrize[] => {
    const [prize, amount, weight] = [
      PRIZE_KINDS.find((kind) => kind === row.prize),
      numberIn(row, 'amount'),
      numberIn(row, 'weight'),
    ];
    return prize !== undefined && amount > 0 && weight > 0 ? [{ prize, amount: BigInt(amount), weight }] : [];
  });
  const budget = membersOf(value.budget);
  const numbers = ['price', 'draws_max', 'opens', 'closes'].map((name) => numberIn(value, name));
  const [price = 0, drawsMax = 0, opensMs = 0, closesMs = 0] = numbers;
  const [usdt, points] = [numberIn(budget, 'USDT'), numberIn(budget, 'POINTS')];
  if ([...numbers, usdt, points].some(Number.isNaN) || table.length === 0 || table.length !== rows.length)
    return undefined;
  if (!UUID.test(textIn(value, 'id')) || !HASH.test(textIn(value, 'root'))) return undefined;
  if (drawsMax < 1 || drawsMax > DRAWS_MAX || closesMs <= opensMs || weightSumOf(table) > WEIGHT_SUM_MAX)
    return undefined;
  const environment = value.env;
  if (environment !== 'live' && environment !== 'demo') return undefined;
  const box: BoxTerms = {
    id: textIn(value, 'id'),
    price: BigInt(price),
    table,
    budget: { USDT: BigInt(usdt), POINTS: BigInt(points) },
    drawsMax,
    opensMs,
    closesMs,
    beacon: textIn(value, 'beacon'),
    root: textIn(value, 'root'),
    environment,
  };
  return writeBoxTerms(box) === body ? box : undefined;
}

/** The text that is signed when a draw is reserved. */
export interface DrawReservation {
  /** The draw's id. */
  readonly order: string;
  readonly box: string;
  /** The signed box's hash. */
  readonly boxHash: string;
  /** The draw's number, from 1. */
  readonly i: number;
  readonly commitment: string;
  /** 0 if the box has no beacon. */
  readonly round: number;
  readonly reservedMs: number;
}

export function writeReservation(draw: DrawReservation): string {
  return canonicalText({
    v: DRAW_TYPE,
    order: draw.order,
    box: draw.box,
    box_hash: draw.boxHash,
    i: String(draw.i),
    c: draw.commitment,
    round: String(draw.round),
    reserved: String(draw.reservedMs),
  });
}

/** Undefined unless the text is exactly what `writeReservation` writes. */
export function readReservation(body: string): DrawReservation | undefined {
  const value = membersOf(parseCanonical(body));
  const [i, round, reservedMs] = [numberIn(value, 'i'), numberIn(value, 'round'), numberIn(value, 'reserved')];
  if (Number.isNaN(i + round + reservedMs) || i < 1 || !UUID.test(textIn(value, 'order'))) return undefined;
  const draw: DrawReservation = {
    order: textIn(value, 'order'),
    box: textIn(value, 'box'),
    boxHash: textIn(value, 'box_hash'),
    i,
    commitment: textIn(value, 'c'),
    round,
    reservedMs,
  };
  return writeReservation(draw) === body ? draw : undefined;
}

/**
 * `SHA256("bb/1" ‖ box ‖ i ‖ s_i)`: the box has 36 characters and the seed 32 bytes, so the joined input is
 * unambiguous.
 */
export function drawCommitment(box: string, i: number, seed: Uint8Array): string {
  return toHex(sha256(utf8Bytes(`bb/1${box}${i}`), seed));
}

/** Returns the seed that counts if the customer's app sent none in time. */
export const seedOfOrder = (order: string): string => toHex(sha256(utf8Bytes(order)));

interface DrawInputs {
  readonly box: string;
  readonly i: number;
  /** s_i, 32 bytes. */
  readonly seed: Uint8Array;
  /** 32 bytes, hex. */
  readonly clientSeed: string;
  /** 0 and '' if the box has no beacon. */
  readonly round: number;
  readonly randomness: string;
}

/**
 * The number of a draw, uniform from 0 to `weightSum` - 1. The 32-bit words of `K = HMAC-SHA256(s_i, JCS({box,
 * client_seed, drand, i, rand}))` are tried in order, and words at or above the largest multiple of `weightSum` are
 * rejected. If all eight are rejected, K is replaced by `HMAC-SHA256(s_i, K)`.
 */
export function drawNumber({ box, i, seed, clientSeed, round, randomness }: DrawInputs, weightSum: number): number {
  if (!Number.isInteger(weightSum) || weightSum < 1 || weightSum > WEIGHT_SUM_MAX) throw new RangeError('weights');
  const fair = Math.floor(2 ** 32 / weightSum) * weightSum;
  let input = utf8Bytes(
    canonicalText({ box, i: String(i), client_seed: clientSeed, drand: String(round), rand: randomness }),
  );
  for (;;) {
    const key = hmacSha256(seed, input);
    const words = new DataView(key.buffer);
    for (let at = 0; at < key.length; at += 4) {
      const word = words.getUint32(at);
      if (word < fair) return word % weightSum;
    }
    input = key;
  }
}

/** Returns the row of the table that a number selects. */
export function prizeOfNumber(table: readonly BoxPrize[], number: number): number {
  let above = 0;
  for (const [row, { weight }] of table.entries()) {
    above += weight;
    if (number < above) return row;
  }
  throw new RangeError('a number beyond the weights');
}

/** The largest prize of each asset, which is held for each open draw. */
export function largestPrizes(table: readonly BoxPrize[]): { readonly USDT: bigint; readonly POINTS: bigint } {
  const largest = { USDT: 0n, POINTS: 0n };
  for (const { prize, amount } of table)
    if (amount > largest[assetOfPrize(prize)]) largest[assetOfPrize(prize)] = amount;
  return largest;
}

/** Parses 32 bytes of hex; otherwise undefined. */
export const parseSeed = (hex: string): Uint8Array | undefined => fromHex(hex, 32);
