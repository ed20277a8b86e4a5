import { isCoinCode, parsePrice } from '@sathorn/money';
import {
  faultOfTrigger,
  isWholeWait,
  type ProofKey,
  readTick,
  type SignedText,
  type Tick,
  type TriggerClaim,
  type TriggerFault,
  verifyTickPage,
} from '@sathorn/proof';
import { readTickPage } from '../parts/evidence/read-tick-page.ts';
import type { ReadWaiting } from './read-waiting.ts';

/** Ticks per request, and at most in all: an order that waited longer is verified for its last hours. */
const PAGE_ROWS = 1_000;
const ROWS_MAX = 8_000;

export interface TriggerVerdict {
  readonly fault: TriggerFault | 'chain' | 'not_loaded' | null;
  /** How many ticks were read and verified. */
  readonly count: number;
  /** False if the wait was longer than what was read. */
  readonly isWhole: boolean;
}

/** Reads the public chain from before the order was armed up to its tick, and verifies everything about the trigger. */
export async function judgeTrigger(
  order: ReadWaiting,
  keys: readonly ProofKey[],
  readPage: typeof readTickPage = readTickPage,
): Promise<TriggerVerdict> {
  const nothing = (fault: TriggerVerdict['fault']): TriggerVerdict => ({ fault, count: 0, isWhole: false });
  const { code, tick } = order;
  const triggerPrice = parsePrice(order.trigger_price);
  const price = tick === null ? undefined : parsePrice(tick.price);
  if (!isCoinCode(code) || tick === null || triggerPrice === undefined || price === undefined)
    return nothing('tick_missing');
  const claim: TriggerClaim = {
    coin: code,
    isAbove: order.trigger_when === 'above',
    triggerPrice,
    armedMs: Date.parse(order.armed_at),
    tick: { sequence: BigInt(tick.sequence), atMs: Date.parse(tick.at), price },
  };
  const last = claim.tick.sequence;
  // The tick before the first shows that none between them is missing.
  const first = order.first_tick === null ? last : BigInt(order.first_tick) - 1n;
  const earliest = last - BigInt(ROWS_MAX - 1);
  let from = first < 1n ? 1n : first;
  if (from < earliest) from = earliest;
  const texts: SignedText[] = [];
  for (let next = from; next <= last; ) {
    const wanted = Math.min(PAGE_ROWS, Number(last - next) + 1);
    const page = await readPage(code, String(next), wanted);
    if (page === null) return nothing('not_loaded');
    if (page.items.length === 0) break;
    texts.push(...page.items);
    next += BigInt(page.items.length);
  }
  if ((await verifyTickPage(texts, keys)) !== null) return nothing('chain');
  const ticks = texts.map(({ body }) => readTick(body)).filter((each): each is Tick => each !== undefined);
  // A page goes on to the next signed tick, which covers those before it.
  const upTo = ticks.filter(({ sequence }) => sequence <= last);
  return { fault: faultOfTrigger(claim, upTo), count: upTo.length, isWhole: isWholeWait(claim, upTo) };
}
