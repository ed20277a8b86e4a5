import { UNIT_OF_ACCOUNT } from '@sathorn/money';

/**
 * A coin's index at one second: the median of independent votes, or the reason why there is no price.
 *
 * A source that quotes in the unit of account has its own vote. Sources that quote in any other currency share one vote
 * per currency, the median among them: when that currency loses its peg they are all wrong together, and two feeds that
 * fail together must not outvote two good ones. With three votes one may be arbitrarily wrong: the median stays between
 * the other two.
 *
 * The function is pure: the same readings, state and rules give the same result in the server, in a browser and in a
 * replay. Prices are integers of 10^-6 of the source's quote currency; times are ms since 1970.
 */
export function computeIndexPrice(
  at: number,
  readings: readonly SourceReading[],
  state: IndexState,
  rules: IndexRules,
): IndexResult {
  const after = new Map<string, SourceState>();
  const excluded: SourceExclusion[] = [];
  const candidates: SourceVote[] = [];

  for (const { name, family, latest: said } of readings) {
    if (after.has(name)) throw new RangeError(`source ${name} is read twice`);
    const latest = said !== null && isWritable(said) ? said : null;
    const before = state.get(name);
    const next = follow(before, latest, at);
    after.set(name, next);
    const reason = unfit(before, latest, next, at, rules);
    if (reason !== null) excluded.push({ name, family, reason, latest: reason === 'silent' ? null : latest });
    else if (latest !== null) candidates.push({ name, family, price: latest.price, at: latest.at });
  }

  // Two votes cannot show which of them is wrong, so no source is excluded by their mean.
  if (votesOf(candidates).length < rules.votesMin) return { stale: true, used: candidates, excluded, state: after };

  const middle = medianOfVotes(candidates);
  const used: SourceVote[] = [];
  for (const vote of candidates) {
    const before = after.get(vote.name);
    const isFar = isPriceFarFrom(
      middle,
      vote.price,
      before?.isFar ? rules.backBelowPercent : rules.outBeyondPercent,
      before?.isFar,
    );
    if (before) after.set(vote.name, { ...before, isFar });
    if (isFar) excluded.push({ name: vote.name, family: vote.family, reason: 'far', latest: vote });
    else used.push(vote);
  }

  if (used.length < rules.sourcesMin || votesOf(used).length < rules.votesMin)
    return { stale: true, used, excluded, state: after };
  const price = roundToStep(medianOfVotes(used), rules.step);
  // A price below the coin's smallest step cannot be published.
  if (price === 0n) return { stale: true, used, excluded, state: after };
  return { stale: false, price, used, excluded, state: after };
}

/** A tick's text can hold at most eighteen digits. */
const PRICE_END = 10n ** 18n;
/** The last ms that a JavaScript date can represent. */
export const LAST_TIME_MS = 8_640_000_000_000_000;

/**
 * True if a tick can represent the observation. Others (a price of thirty digits, a time in nanoseconds or in fractions
 * of a ms) are ignored; otherwise one broken source could make a tick that nobody can read or check.
 */
function isWritable({ price, at }: PriceObservation): boolean {
  return price < PRICE_END && Number.isInteger(at) && at >= 0 && at <= LAST_TIME_MS;
}

/** The last price that a source reported. */
export interface PriceObservation {
  readonly price: bigint;
  /** The venue's own time of the price, in ms since 1970. */
  readonly at: number;
  /** A text that changes with each trade. The same text means that there was no trade in between. */
  readonly trade: string;
}

export interface SourceReading {
  readonly name: string;
  /** The source's quote currency. */
  readonly family: string;
  readonly latest: PriceObservation | null;
}

export interface SourceVote {
  readonly name: string;
  readonly family: string;
  readonly price: bigint;
  readonly at: number;
}

/**
 * `silent`: the source has reported nothing. `old`, `ahead`: its time is too far from ours. `backwards`: its time went
 * back. `stuck`: neither its price nor its newest trade has changed for long. `far`: its price is too far from the
 * median.
 */
export const EXCLUSION_REASONS = ['silent', 'old', 'ahead', 'backwards', 'stuck', 'far'] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

interface SourceExclusion {
  readonly name: string;
  readonly family: string;
  readonly reason: ExclusionReason;
  readonly latest: Pick<PriceObservation, 'price' | 'at'> | null;
}

/** A source's state that is carried from one second to the next. */
interface SourceState {
  readonly price: bigint;
  readonly trade: string;
  /** The source's own time of its last report. */
  readonly at: number;
  /** The time since which price and trade have not changed. */
  readonly unchangedSince: number;
  /** The source was excluded for its distance and has not returned yet. */
  readonly isFar: boolean;
}
export type IndexState = ReadonlyMap<string, SourceState>;

export type IndexResult =
  | {
      readonly stale: false;
      readonly price: bigint;
      readonly used: readonly SourceVote[];
      readonly excluded: readonly SourceExclusion[];
      readonly state: IndexState;
    }
  | {
      readonly stale: true;
      readonly used: readonly SourceVote[];
      readonly excluded: readonly SourceExclusion[];
      readonly state: IndexState;
    };

export interface IndexRules {
  /** Published prices are multiples of this step. */
  readonly step: bigint;
  readonly sourcesMin: number;
  readonly votesMin: number;
  readonly ageMaxMs: number;
  readonly aheadMaxMs: number;
  readonly stuckAfterMs: number;
  readonly outBeyondPercent: bigint;
  readonly backBelowPercent: bigint;
}

const FIGURES = {
  sourcesMin: 3,
  votesMin: 3,
  ageMaxMs: 5_000,
  aheadMaxMs: 1_000,
  stuckAfterMs: 30_000,
  outBeyondPercent: 2n,
  backBelowPercent: 1n,
} as const;

/**
 * The rules by the names that ticks use. A change of a figure, of the step or of the way to read a source needs a new
 * name, and all rules stay here, so that old ticks can be verified. In `families/1` a live source's price is its last
 * trade, on the book's grid. In `families/2` it is the impact mid of its book at the book's own time, on the finer grid
 * of the index.
 */
export const INDEX_RULES = {
  'families/1': FIGURES,
  'families/2': FIGURES,
} as const satisfies Record<string, Omit<IndexRules, 'step'>>;
export type IndexRuleName = keyof typeof INDEX_RULES;

export function isIndexRule(name: string): name is IndexRuleName {
  return Object.hasOwn(INDEX_RULES, name);
}

export function indexRulesOf(name: IndexRuleName, step: bigint): IndexRules {
  return { ...INDEX_RULES[name], step };
}

/** A tick that differs more than this from the previous one is flagged, and buying pauses. */
const JUMP_PERCENT = 20n;

export function isPriceJump(previous: bigint, price: bigint): boolean {
  return isPriceFarFrom(previous, price, JUMP_PERCENT);
}

function follow(before: SourceState | undefined, latest: PriceObservation | null, at: number): SourceState {
  if (latest === null) return before ?? { price: 0n, trade: '', at: 0, unchangedSince: at, isFar: false };
  const isSame = before !== undefined && before.price === latest.price && before.trade === latest.trade;
  return {
    price: latest.price,
    trade: latest.trade,
    // A source's time that was once ahead must not make all later correct times look like a step back.
    at: Math.max(Math.min(latest.at, at), before?.at ?? 0),
    unchangedSince: isSame ? before.unchangedSince : at,
    isFar: before?.isFar ?? false,
  };
}

function unfit(
  before: SourceState | undefined,
  latest: PriceObservation | null,
  next: SourceState,
  at: number,
  rules: IndexRules,
): Exclude<ExclusionReason, 'far'> | null {
  // A price of zero is not a price: venues send it for a market without trades.
  if (latest === null || latest.price <= 0n) return 'silent';
  if (at - latest.at > rules.ageMaxMs) return 'old';
  // Without this check, a source with a wrong clock would count as fresh after it has died.
  if (latest.at - at > rules.aheadMaxMs) return 'ahead';
  if (before !== undefined && Math.min(latest.at, at) < before.at) return 'backwards';
  if (at - next.unchangedSince >= rules.stuckAfterMs) return 'stuck';
  return null;
}

/** Returns one price per vote: a source in the unit of account, or all sources of another currency together. */
function votesOf(sources: readonly SourceVote[]): bigint[] {
  const votes: bigint[] = [];
  const families = new Map<string, bigint[]>();
  for (const { family, price } of sources) {
    if (family === UNIT_OF_ACCOUNT) votes.push(price);
    else {
      const members = families.get(family);
      if (members) members.push(price);
      else families.set(family, [price]);
    }
  }
  for (const members of families.values()) votes.push(median(members));
  return votes;
}

/** The median of the votes in units of 10^-6. Needs at least one source. */
export function medianOfVotes(sources: readonly SourceVote[]): bigint {
  return median(votesOf(sources));
}

export function countVotes(sources: readonly SourceVote[]): number {
  return votesOf(sources).length;
}

/** The middle price, or the mean of the two middle ones, rounded down to a unit. */
function median(prices: readonly bigint[]): bigint {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = sorted[sorted.length >> 1];
  if (upper === undefined) throw new RangeError('nothing has no median');
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[(sorted.length >> 1) - 1] ?? upper) + upper) / 2n;
}

/** Rounds down to a step, because a mean may fall between two steps. */
export function roundToStep(price: bigint, step: bigint): bigint {
  return price - (price % step);
}

/** True if the distance is more than `percent` of the middle, or exactly that with `orAt`. Exact, without division. */
export function isPriceFarFrom(middle: bigint, price: bigint, percent: bigint, orAt = false): boolean {
  const distance = price > middle ? price - middle : middle - price;
  const limit = middle * percent;
  return orAt ? distance * 100n >= limit : distance * 100n > limit;
}
