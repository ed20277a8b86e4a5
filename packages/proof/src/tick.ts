import { COINS, type CoinCode, isCoinCode, PRICE_SCALE, UNIT_OF_ACCOUNT } from '@sathorn/money';
import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import {
  countVotes,
  EXCLUSION_REASONS,
  type ExclusionReason,
  type IndexResult,
  type IndexRuleName,
  type IndexRules,
  indexRulesOf,
  isIndexRule,
  isPriceFarFrom,
  isPriceJump,
  LAST_TIME_MS,
  medianOfVotes,
  roundToStep,
  type SourceVote,
} from './index-price.ts';
import { type SignatureFault, type SignedText, verifySignedText } from './signature.ts';

/** The origin of prices; `sim` and `replay` must never decide real money. */
export type TickEnvironment = 'live' | 'sim' | 'replay';

export interface ExcludedSource {
  readonly name: string;
  readonly reason: ExclusionReason;
  readonly family: string;
  /** The price that the source reported and its time; null if it reported nothing. */
  readonly said: { readonly price: bigint; readonly at: number } | null;
}

/** One published price of a coin. */
export interface Tick {
  readonly coin: CoinCode;
  /** From 1, without gaps. */
  readonly sequence: bigint;
  /** A whole second in ms since 1970. */
  readonly at: number;
  /** In units of 10^-6 USDT. */
  readonly price: bigint;
  readonly rule: string;
  readonly used: readonly SourceVote[];
  readonly excluded: readonly ExcludedSource[];
  readonly environment: TickEnvironment;
  /** True if the price moved by more than 20% from the previous tick; buying then pauses. */
  readonly isJump: boolean;
  /** Hash of the previous tick; 64 zeros for the first. */
  readonly previous: string;
  /**
   * The delay between its second and its signing, in ms; absent if it was on time. Its price is still that of its own
   * second.
   */
  readonly lateMs?: number;
  /** Hash of the newest link of promises (see `promise-chain.ts`); absent if the tick before knew it. */
  readonly promises?: string;
}

export const NO_TICK_HASH = '0'.repeat(64);
export const TICK_MS = 1_000;
/** The database accepts no tick later than this, because a void is final by then. */
export const TICK_LATE_MAX_MS = 60_000;

/** The smallest step of a coin's index under a rule, in units of 10^-6 USDT. */
export function indexStepOf(coin: CoinCode, rule: IndexRuleName): bigint {
  const { priceDecimals, indexDecimals } = COINS[coin];
  return 10n ** BigInt(PRICE_SCALE - (rule === 'families/1' ? priceDecimals : indexDecimals));
}

export const symbolOf = (coin: CoinCode): string => `${coin}${UNIT_OF_ACCOUNT}`;

/** Builds the tick for an index result. */
export function tickOf(
  result: Extract<IndexResult, { stale: false }>,
  place: Pick<Tick, 'coin' | 'sequence' | 'at' | 'rule' | 'environment' | 'previous' | 'lateMs' | 'promises'> & {
    readonly previousPrice: bigint | null;
  },
): Tick {
  const { previousPrice, ...rest } = place;
  return {
    ...rest,
    price: result.price,
    used: result.used,
    excluded: result.excluded.map(({ name, reason, family, latest }) => ({
      name,
      reason,
      family,
      said: latest && { price: latest.price, at: latest.at },
    })),
    isJump: previousPrice !== null && isPriceJump(previousPrice, result.price),
  };
}

/** Returns the text to sign. Sources are sorted by name, so a tick has only one text. */
export function writeTick(tick: Tick): string {
  return canonicalText({
    v: 'tick/1',
    sym: symbolOf(tick.coin),
    seq: String(tick.sequence),
    t: String(tick.at),
    px: String(tick.price),
    scale: String(PRICE_SCALE),
    rule: tick.rule,
    src: sorted(tick.used).map(({ name, family, price, at }) => [name, family, String(price), String(at)]),
    excl: sorted(tick.excluded).map(({ name, reason, family, said }) => [
      name,
      reason,
      family,
      said ? String(said.price) : '',
      said ? String(said.at) : '',
    ]),
    env: tick.environment,
    flag: tick.isJump ? 'jump' : '',
    prev: tick.previous,
    ...(tick.lateMs !== undefined && { late: String(tick.lateMs) }),
    ...(tick.promises !== undefined && { promises: tick.promises }),
  });
}

function sorted<Named extends { readonly name: string }>(sources: readonly Named[]): Named[] {
  return [...sources].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined unless the text is exactly what `writeTick` writes. */
export function readTick(body: string): Tick | undefined {
  const value = parseCanonical(body);
  if (!isRecord(value)) return undefined;
  const { sym, seq, t, px, rule, src, excl, env, flag, prev, late, promises } = value;
  const coin = typeof sym === 'string' && sym.endsWith(UNIT_OF_ACCOUNT) ? sym.slice(0, -UNIT_OF_ACCOUNT.length) : '';
  const used = readList(src, readVote);
  const excluded = readList(excl, readExcluded);
  if (!isCoinCode(coin) || !isDigits(seq) || seq === '0' || !isTime(t) || !isDigits(px) || typeof rule !== 'string')
    return undefined;
  if (
    !used ||
    !excluded ||
    (env !== 'live' && env !== 'sim' && env !== 'replay') ||
    !isHash(prev) ||
    (late !== undefined && !isLate(late)) ||
    (promises !== undefined && (!isHash(promises) || promises === NO_TICK_HASH))
  )
    return undefined;
  const tick: Tick = {
    coin,
    sequence: BigInt(seq),
    at: Number(t),
    price: BigInt(px),
    rule,
    used,
    excluded,
    environment: env,
    isJump: flag === 'jump',
    previous: prev,
    ...(late !== undefined && { lateMs: Number(late) }),
    ...(promises !== undefined && { promises }),
  };
  // Writing it again must give the same text: no additional field, other format or other order.
  return writeTick(tick) === body ? tick : undefined;
}

function isRecord(value: Canonical | undefined): value is { readonly [key: string]: Canonical } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^(0|[1-9][0-9]{0,17})$/.test(value);
}

/** At most the last ms that a date can represent. */
function isTime(value: unknown): value is string {
  return isDigits(value) && BigInt(value) <= LAST_TIME_MS;
}

/** A tick on time has only one form: without this field. */
function isLate(value: unknown): value is string {
  return isDigits(value) && value !== '0' && BigInt(value) <= TICK_LATE_MAX_MS;
}

function readList<Item>(
  value: Canonical | undefined,
  read: (fields: readonly Canonical[]) => Item | undefined,
): Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: Item[] = [];
  for (const entry of value as readonly Canonical[]) {
    const item = Array.isArray(entry) ? read(entry) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readVote([name, family, price, at]: readonly Canonical[]): SourceVote | undefined {
  if (typeof name !== 'string' || typeof family !== 'string' || !isDigits(price) || !isTime(at)) return undefined;
  return { name, family, price: BigInt(price), at: Number(at) };
}

function readExcluded([name, reason, family, price, at]: readonly Canonical[]): ExcludedSource | undefined {
  const known = EXCLUSION_REASONS.find((entry) => entry === reason);
  if (typeof name !== 'string' || known === undefined || typeof family !== 'string') return undefined;
  if (price === '' && at === '') return { name, reason: known, family, said: null };
  if (!isDigits(price) || !isTime(at)) return undefined;
  return { name, reason: known, family, said: { price: BigInt(price), at: Number(at) } };
}

export type TickFault =
  | SignatureFault
  | 'tick_malformed'
  | 'rule_unknown'
  | 'not_a_second'
  | 'source_twice'
  | 'too_few_sources'
  | 'source_old'
  | 'source_ahead'
  | 'source_far'
  | 'exclusion_unfounded'
  | 'price_differs'
  | 'previous_malformed'
  | 'sequence_gap'
  | 'time_not_later'
  | 'previous_differs'
  | 'jump_not_flagged';

type TickVerdict = { readonly ok: true; readonly tick: Tick } | { readonly ok: false; readonly fault: TickFault };

/**
 * Checks everything that a tick claims: the signature, that its price follows from its sources by its rule, that each
 * source was excluded for a valid reason, and, given the previous tick, that it is the next link of the chain. It
 * cannot prove that the sources really reported these values; a reader can compare their raw prices and times with the
 * venues.
 */
export async function verifyTick(text: SignedText, publicKeyHex: string, previous?: SignedText): Promise<TickVerdict> {
  const tick = readTick(text.body);
  const before = previous && readTick(previous.body);
  const fault =
    (await verifySignedText(text, publicKeyHex)) ??
    (tick === undefined
      ? 'tick_malformed'
      : (faultOfPrice(tick) ?? (previous ? faultOfLink(tick, before, previous.hash) : null)));
  if (fault !== null || tick === undefined) return { ok: false, fault: fault ?? 'tick_malformed' };
  return { ok: true, tick };
}

/** Returns what is wrong with a tick by itself, or null. */
export function faultOfPrice(tick: Tick): TickFault | null {
  if (!isIndexRule(tick.rule)) return 'rule_unknown';
  const rules = indexRulesOf(tick.rule, indexStepOf(tick.coin, tick.rule));
  if (tick.at % TICK_MS !== 0 || tick.at === 0) return 'not_a_second';
  // Only a chain's first tick has no predecessor to link to or to jump from.
  if ((tick.sequence === 1n) !== (tick.previous === NO_TICK_HASH)) return 'previous_differs';
  if (tick.sequence === 1n && tick.isJump) return 'jump_not_flagged';
  if (
    new Set([...tick.used, ...tick.excluded].map(({ name }) => name)).size !==
    tick.used.length + tick.excluded.length
  )
    return 'source_twice';
  // A price of zero is not a price.
  if (tick.price === 0n || candidatesOf(tick).some(({ price }) => price === 0n)) return 'price_differs';
  if (tick.used.length < rules.sourcesMin || countVotes(tick.used) < rules.votesMin) return 'too_few_sources';
  if (tick.used.some(({ at }) => tick.at - at > rules.ageMaxMs)) return 'source_old';
  if (tick.used.some(({ at }) => at - tick.at > rules.aheadMaxMs)) return 'source_ahead';
  const middle = medianOfVotes(candidatesOf(tick));
  if (tick.used.some(({ price }) => isPriceFarFrom(middle, price, rules.outBeyondPercent))) return 'source_far';
  if (!tick.excluded.every((source) => isFounded(source, tick, middle, rules))) return 'exclusion_unfounded';
  if (roundToStep(medianOfVotes(tick.used), rules.step) !== tick.price) return 'price_differs';
  return null;
}

/** The votes for the first median: the used sources, and the sources excluded because they were far from it. */
function candidatesOf(tick: Tick): SourceVote[] {
  const far = tick.excluded.flatMap(({ name, family, reason, said }) =>
    reason === 'far' && said ? [{ name, family, ...said }] : [],
  );
  return [...tick.used, ...far];
}

// `stuck` and `backwards` can only be checked against the source's earlier reports, which earlier ticks contain.
function isFounded({ reason, said }: ExcludedSource, tick: Tick, middle: bigint, rules: IndexRules): boolean {
  if (reason === 'silent') return said === null;
  if (said === null) return false;
  if (reason === 'old') return tick.at - said.at > rules.ageMaxMs;
  if (reason === 'ahead') return said.at - tick.at > rules.aheadMaxMs;
  // A source that is compared with the median also had a vote in it, so an old price would have shifted the median.
  if (reason === 'far')
    return (
      tick.at - said.at <= rules.ageMaxMs &&
      said.at - tick.at <= rules.aheadMaxMs &&
      isPriceFarFrom(middle, said.price, rules.backBelowPercent, true)
    );
  return true;
}

/** Returns what is wrong between a tick and its predecessor, or null. */
export function faultOfLink(tick: Tick, before: Tick | undefined, hashBefore: string): TickFault | null {
  if (before === undefined || before.coin !== tick.coin) return 'previous_malformed';
  if (tick.sequence !== before.sequence + 1n) return 'sequence_gap';
  if (tick.at <= before.at) return 'time_not_later';
  if (tick.previous !== hashBefore) return 'previous_differs';
  if (tick.isJump !== isPriceJump(before.price, tick.price)) return 'jump_not_flagged';
  if (tick.at === before.at + TICK_MS) return faultOfHysteresis(tick, before);
  return null;
}

/**
 * A source that was excluded as far stays excluded until it is back within the narrower band. A used source is excluded
 * only beyond the wider band. A source called stuck must not have moved since the second before.
 */
function faultOfHysteresis(tick: Tick, before: Tick): TickFault | null {
  if (!isIndexRule(tick.rule)) return 'rule_unknown';
  const rules = indexRulesOf(tick.rule, indexStepOf(tick.coin, tick.rule));
  const middle = medianOfVotes(candidatesOf(tick));
  const wasFar = new Set(before.excluded.filter(({ reason }) => reason === 'far').map(({ name }) => name));
  const wasUsed = new Map(before.used.map(({ name, price }) => [name, price]));
  // Includes the excluded sources' prices in the previous tick, because a source called stuck twice in a row must not
  // have moved.
  const wasSaid = new Map(wasUsed);
  for (const { name, said } of before.excluded) if (said !== null) wasSaid.set(name, said.price);
  if (
    tick.used.some(({ name, price }) => wasFar.has(name) && isPriceFarFrom(middle, price, rules.backBelowPercent, true))
  )
    return 'source_far';
  const isUnfounded = tick.excluded.some(({ name, reason, said }) => {
    if (said === null) return false;
    if (reason === 'far') return wasUsed.has(name) && !isPriceFarFrom(middle, said.price, rules.outBeyondPercent);
    return reason === 'stuck' && (wasSaid.get(name) ?? said.price) !== said.price;
  });
  return isUnfounded ? 'exclusion_unfounded' : null;
}
