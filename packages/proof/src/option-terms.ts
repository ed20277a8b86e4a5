import { type CoinCode, isCoinCode, UNIT_OF_ACCOUNT } from '@sathorn/money';
import { canonicalText, parseCanonical } from './canonical.ts';
import { sha256, toHex, utf8Bytes } from './hash.ts';
import type { SignedSaleTerms } from './option-sale.ts';
import { symbolOf, type TickEnvironment } from './tick.ts';

/** The terms of an option, which bind both sides: they were signed at the purchase, before the start tick existed. */
export interface SignedOptionTerms {
  readonly order: string;
  /** The customer's `accountSeal`. */
  readonly account: string;
  readonly coin: CoinCode;
  readonly direction: 'up' | 'down';
  /** In units of 10^-6 USDT. */
  readonly stake: bigint;
  /** A win's profit and the fee on it, in parts of 10^-4. */
  readonly payoutBasisPoints: bigint;
  readonly feeBasisPoints: bigint;
  /** In ms since 1970. */
  readonly acceptedMs: number;
  readonly durationMs: number;
  /** SHA-256 of the rules text in force, in hex. */
  readonly rules: string;
  readonly environment: TickEnvironment;
  /** Present since `opt/2` and absent from terms of `opt/1`. */
  readonly arrival?: Arrival;
  /**
   * The ledger's sequence of the hold of the stake, so that a receipt can only show this order's transfers. Present
   * since `opt/3`, and only together with `arrival`.
   */
  readonly hold?: bigint;
  /**
   * The latest acceptance that the customer allowed, in ms since 1970; null if their app named none. Present since
   * `opt/4`, and only together with `hold`. Such terms are in the chain of promises.
   */
  readonly latestMs?: number | null;
  /** The terms of selling before the end; null for an option that can't be sold. Present since `opt/5`. */
  readonly sale?: SignedSaleTerms | null;
}

/** The arrival of the order. It is signed, so that the acceptance cannot be chosen later. */
interface Arrival {
  /** When the request reached the server by its clock, in ms since 1970. */
  readonly atMs: number;
  /** A random value that the customer's app made for this order only; empty if it sent none. */
  readonly nonce: string;
}

/** The type of new terms. Each older one lacks one thing more. */
export const OPTION_TERMS_TYPE = 'opt/5';
const WITHOUT_SALE = 'opt/4';
const WITHOUT_LATEST = 'opt/3';
const WITHOUT_HOLD = 'opt/2';
const WITHOUT_ARRIVAL = 'opt/1';

/** 16 to 32 random bytes in hex or base64url; signed as sent. */
export const NONCE = /^[A-Za-z0-9_-]{22,64}$/;

/** The type of terms that a body contains. */
export function typeOfTerms(body: string): string {
  return (
    [WITHOUT_SALE, WITHOUT_LATEST, WITHOUT_HOLD, WITHOUT_ARRIVAL].find((type) => body.endsWith(`"v":"${type}"}`)) ??
    OPTION_TERMS_TYPE
  );
}

/** The rules of settlement in the words of the terms. A change of a rule needs a new type of terms. */
const OPTION_RULES = {
  entry_rule: 'first t>accepted',
  exit_rule: 'last t<=accepted+dur',
  eq: 'refund',
  max_gap: '3000',
} as const;

/** A commitment to a customer in public texts. Only a reader who has the salt can open it. */
export function accountSeal(salt: string, customer: string): string {
  return toHex(sha256(utf8Bytes(`${salt}:${customer}`)));
}

/**
 * True if the values may open a commitment. Arbitrary texts are refused: with a colon in the salt or the customer, they
 * would open it for another customer.
 */
export function isSealOpening({ salt, customer }: { readonly salt: string; readonly customer: string }): boolean {
  return /^[0-9a-f]{1,128}$/.test(salt) && /^[1-9][0-9]{0,18}$/.test(customer);
}

function typeFor({ arrival, hold, latestMs, sale }: SignedOptionTerms): string {
  if (sale !== undefined) return OPTION_TERMS_TYPE;
  if (latestMs !== undefined) return WITHOUT_SALE;
  if (hold !== undefined) return WITHOUT_LATEST;
  return arrival !== undefined ? WITHOUT_HOLD : WITHOUT_ARRIVAL;
}

export function writeOptionTerms(terms: SignedOptionTerms): string {
  const { arrival, hold, latestMs, sale } = terms;
  return canonicalText({
    v: typeFor(terms),
    ...(sale !== undefined && saleMembersOf(sale)),
    ...(latestMs !== undefined && { latest: latestMs === null ? '' : String(latestMs) }),
    ...(hold !== undefined && { hold: String(hold) }),
    ...(arrival !== undefined && { arrived: String(arrival.atMs), nonce: arrival.nonce }),
    order: terms.order,
    acct: terms.account,
    sym: symbolOf(terms.coin),
    dir: terms.direction,
    stake: String(terms.stake),
    asset: UNIT_OF_ACCOUNT,
    rate_bps: String(terms.payoutBasisPoints),
    fee_bps: String(terms.feeBasisPoints),
    accepted: String(terms.acceptedMs),
    dur: String(terms.durationMs),
    ...OPTION_RULES,
    terms: terms.rules,
    env: terms.environment,
  });
}

function saleMembersOf(sale: SignedSaleTerms | null) {
  return {
    sell_vol_bps: sale === null ? '' : String(sale.volatilityBasisPoints),
    sell_band_bps: sale === null ? '' : String(sale.bandBasisPoints),
    sell_spread_bps: sale === null ? '' : String(sale.spreadBasisPoints),
    sell_closed: sale === null ? '' : String(sale.closedMs),
  };
}

/** A time in ms, or an amount. Fifteen digits are exact as a JavaScript number. */
const TIME = /^(0|[1-9][0-9]{0,14})$/;

/** A sequence of the ledger. */
const SEQUENCE = /^[1-9][0-9]{0,17}$/;
const HASH = /^[0-9a-f]{64}$/;
/** A fee above the whole profit would turn a win into a loss. */
const BASIS_POINTS_ALL = 10_000;

/** Undefined unless the text is exactly what `writeOptionTerms` writes. */
export function readOptionTerms(body: string): SignedOptionTerms | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null) return undefined;
  const field = (name: string): string => {
    const member: unknown = Reflect.get(value, name);
    return typeof member === 'string' ? member : '';
  };
  const coin = field('sym').slice(0, -UNIT_OF_ACCOUNT.length);
  const direction = field('dir');
  const environment = field('env');
  const numbers = [field('stake'), field('rate_bps'), field('fee_bps'), field('accepted'), field('dur')];
  if (!numbers.every((text) => TIME.test(text))) return undefined;
  if (field('stake') === '0' || field('dur') === '0' || Number(field('fee_bps')) > BASIS_POINTS_ALL) return undefined;
  if (field('order') === '' || !HASH.test(field('acct')) || !HASH.test(field('terms'))) return undefined;
  if (!isCoinCode(coin) || (direction !== 'up' && direction !== 'down')) return undefined;
  if (environment !== 'live' && environment !== 'sim' && environment !== 'replay') return undefined;
  const [arrived, nonce, hold] = [field('arrived'), field('nonce'), field('hold')];
  if (arrived !== '' && !TIME.test(arrived)) return undefined;
  if (hold !== '' && (!SEQUENCE.test(hold) || arrived === '')) return undefined;
  if (nonce !== '' && !NONCE.test(nonce)) return undefined;
  const sale = readSale([
    field('sell_vol_bps'),
    field('sell_band_bps'),
    field('sell_spread_bps'),
    field('sell_closed'),
  ]);
  if (sale === undefined) return undefined;
  const latest = field('latest');
  if (latest !== '' && !TIME.test(latest)) return undefined;
  const terms: SignedOptionTerms = {
    order: field('order'),
    account: field('acct'),
    coin,
    direction,
    stake: BigInt(field('stake')),
    payoutBasisPoints: BigInt(field('rate_bps')),
    feeBasisPoints: BigInt(field('fee_bps')),
    acceptedMs: Number(field('accepted')),
    durationMs: Number(field('dur')),
    rules: field('terms'),
    environment,
    ...(arrived !== '' && { arrival: { atMs: Number(arrived), nonce } }),
    ...(hold !== '' && { hold: BigInt(hold) }),
    ...('latest' in value && { latestMs: latest === '' ? null : Number(latest) }),
    ...('sell_vol_bps' in value && { sale }),
  };
  return writeOptionTerms(terms) === body ? terms : undefined;
}

/** Null for texts that are all empty; undefined unless they are all figures of a sale. */
function readSale(texts: readonly [string, string, string, string]): SignedSaleTerms | null | undefined {
  if (texts.every((text) => text === '')) return null;
  if (!texts.every((text) => TIME.test(text))) return undefined;
  const [volatility, band, spread, closed] = texts.map(Number) as [number, number, number, number];
  if (volatility === 0 || band >= BASIS_POINTS_ALL || spread > BASIS_POINTS_ALL || closed === 0) return undefined;
  return {
    volatilityBasisPoints: BigInt(volatility),
    bandBasisPoints: BigInt(band),
    spreadBasisPoints: BigInt(spread),
    closedMs: closed,
  };
}
