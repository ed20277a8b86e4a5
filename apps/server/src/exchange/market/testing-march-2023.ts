import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { money, price, rateFromBasisPoints } from '@sathorn/money';
import {
  computeIndexPrice,
  hashOfBody,
  type IndexResult,
  type IndexState,
  indexRulesOf,
  indexStepOf,
  NO_TICK_HASH,
  type SourceReading,
  tickOf,
  writeTick,
} from '@sathorn/proof';
import {
  endTickOf,
  type OptionTerms,
  type OptionTick,
  optionEndMs,
  settleOption,
  startTickOf,
} from '@sathorn/settlement';
import { INDEX_RULE } from './index-publisher.ts';
import { readRecording } from './recording.ts';
import { replaySources } from './replay-sources.ts';

/** The folder of recorded prices, which are not part of the repository. */
export const MARCH_2023 = fileURLToPath(new URL('../../../../../../shared/data/btc-2023-03', import.meta.url));
/** The recording's first second. */
export const MARCH_2023_BEGINS = Date.UTC(2023, 2, 1);
export const MARCH_2023_DAYS = 21;

const STARTED = Date.UTC(2026, 0, 1);
const HOUR_SECONDS = 3_600;
/** Duration and payout of the orders bought in each hour, and the second of the hour at which each is accepted. */
const ORDERS = [
  { second: 17, durationMs: 30_000, payout: 7_500n, direction: 'up' },
  { second: 611, durationMs: 60_000, payout: 7_800n, direction: 'down' },
  { second: 1_543, durationMs: 120_000, payout: 8_000n, direction: 'up' },
  { second: 2_348, durationMs: 180_000, payout: 8_200n, direction: 'down' },
  { second: 2_999, durationMs: 300_000, payout: 8_500n, direction: 'up' },
] as const;

interface PlayedSecond {
  readonly readings: readonly SourceReading[];
  readonly result: IndexResult;
}

export interface PlayedDays {
  readonly ticks: number;
  /** The newest tick's hash at the end of each hour, which covers all ticks before it. */
  readonly heads: readonly string[];
  /** For each order, in order of purchase: the deciding ticks and every amount. */
  readonly settlements: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
}

interface Open {
  readonly terms: OptionTerms;
  readonly ticks: OptionTick[];
}

/**
 * Plays all 21 days second by second: the index, the chain of its ticks, and five options per hour settled from them.
 */
export async function playMarch2023(onSecond?: (second: PlayedSecond) => void): Promise<PlayedDays> {
  const sources = replaySources(await readRecording(MARCH_2023), STARTED);
  const rules = indexRulesOf(INDEX_RULE, indexStepOf('BTC', INDEX_RULE));
  let state: IndexState = new Map();
  let head = { sequence: 0n, price: null as bigint | null, previous: NO_TICK_HASH };
  let body = '';
  const heads: string[] = [];
  const settlements: string[] = [];
  const outcomes: Record<string, number> = {};
  let open: Open[] = [];

  for (let second = 0; second < MARCH_2023_DAYS * 24 * HOUR_SECONDS; second += 1) {
    const at = STARTED + second * 1_000;
    const readings = sources.map((source) => ({
      name: source.name,
      family: source.family,
      latest: source.latest('BTC', at),
    }));
    const result = computeIndexPrice(at, readings, state, rules);
    state = result.state;
    onSecond?.({ readings, result });

    if (!result.stale) {
      const { previous, price: previousPrice } = head;
      const sequence = head.sequence + 1n;
      body = writeTick(
        tickOf(result, { coin: 'BTC', sequence, at, rule: INDEX_RULE, environment: 'replay', previous, previousPrice }),
      );
      // A faster `hashOfBody`, because a million hashes are computed here; one per hour is compared with the original.
      head = { sequence, price: result.price, previous: hash('sha256', `tick/1\n${body}`) };
      for (const { ticks } of open) ticks.push({ sequence, atMs: at, price: price(result.price) });
    }

    open = open.filter(({ terms, ticks }) => {
      if (optionEndMs(terms) > at) return true;
      const settled = settleOption(terms, startTickOf(terms, ticks), endTickOf(terms, ticks));
      const { outcome, reason, start, end, profit, fee, credited } = settled;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      settlements.push(
        [
          outcome,
          reason,
          ...[start, end].flatMap((tick) => [tick?.sequence, tick?.price]),
          ...[profit, fee, credited].map(({ units }) => units),
        ].join(' '),
      );
      return false;
    });
    const bought = ORDERS.find((order) => order.second === second % HOUR_SECONDS);
    if (bought)
      open.push({
        ticks: [],
        terms: {
          direction: bought.direction,
          stake: money('USDT', 7_000_001n),
          payout: rateFromBasisPoints(bought.payout),
          feeRate: rateFromBasisPoints(200n),
          acceptedMs: at + 123,
          durationMs: bought.durationMs,
        },
      });

    if (second % HOUR_SECONDS === HOUR_SECONDS - 1) {
      if (body !== '' && hashOfBody(body) !== head.previous)
        throw new Error('the chain is not made as the index makes it');
      heads.push(head.previous);
    }
  }
  return { ticks: Number(head.sequence), heads, settlements, outcomes };
}
