/**
 * Compares a chain of ticks with what a reader has seen of it. A hash commits to all ticks before it, so a few
 * remembered ticks suffice to detect a chain that was rewritten, or cut and continued differently.
 */
import type { OptionReceipt } from './option-receipt.ts';
import { bytesToSign, hashOfBody, type SignedText } from './signature.ts';
import { faultOfLink, readTick, type Tick, type TickFault } from './tick.ts';

/** A tick that was streamed to this reader. */
export interface SeenTick {
  readonly sequence: bigint;
  readonly hash: string;
}

export type ForkKind =
  /** A remembered number now belongs to another tick. */
  | 'rewritten'
  /** The chain ends before a tick that was seen. */
  | 'rolled_back'
  /** A remembered number was requested, and the answer omits it. */
  | 'withheld';

export interface ChainFork {
  readonly kind: ForkKind;
  readonly sequence: bigint;
}

/** The chain as it is shown now: some of its ticks, and its head. */
export interface ShownChain {
  readonly texts: readonly SignedText[];
  readonly head: SeenTick | null;
  /** The request that `texts` answers; without it nothing can count as withheld. */
  readonly asked?: { readonly from: bigint; readonly limit: number };
}

/** The hash computed from the text. The hash that the answer claims is not used. */
function ownHash({ body }: SignedText): string | undefined {
  return bytesToSign(body) === undefined ? undefined : hashOfBody(body);
}

/**
 * The earliest seen tick that is no longer on the chain; null if the chain contains all seen ticks in the shown part.
 */
export function findFork(seen: readonly SeenTick[], { texts, head, asked }: ShownChain): ChainFork | null {
  const shown = new Map<bigint, string | undefined>();
  for (const text of texts) {
    const tick = readTick(text.body);
    if (tick !== undefined) shown.set(tick.sequence, ownHash(text));
  }
  // A head is only a claim, so the requested ticks must be in the answer themselves.
  const served = new Set(shown.keys());
  if (head !== null) shown.set(head.sequence, head.hash);
  // A page without a head is a full page. If it has no ticks either, there is no chain.
  const isEmpty = head === null && texts.length === 0;
  const inOrder = [...seen].sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  for (const { sequence, hash } of inOrder) {
    const now = shown.get(sequence);
    if (now !== undefined && now !== hash) return { kind: 'rewritten', sequence };
    if (isEmpty || (head !== null && head.sequence < sequence)) return { kind: 'rolled_back', sequence };
    const isAsked = asked !== undefined && sequence >= asked.from && sequence < asked.from + BigInt(asked.limit);
    if (isAsked && !served.has(sequence)) return { kind: 'withheld', sequence };
  }
  return null;
}

/** The first tick of a receipt that differs from the tick streamed under the same number; null if none does. */
export function findTickUnlikeSeen(receipt: TicksOfReceipt, seen: readonly SeenTick[]): bigint | null {
  const hashes = new Map(seen.map(({ sequence, hash }) => [sequence, hash]));
  for (const { tick, text } of ticksOf(receipt)) {
    const hash = hashes.get(tick.sequence);
    if (hash !== undefined && hash !== ownHash(text)) return tick.sequence;
  }
  return null;
}

type TicksOfReceipt = Pick<OptionReceipt, 'ticks' | 'promise'>;

interface ReadText {
  readonly tick: Tick;
  readonly text: SignedText;
}

/** The ticks that a receipt shows, in its order. */
export function ticksShownBy({ ticks, promise }: TicksOfReceipt): SignedText[] {
  const texts = [ticks.before_start, ticks.start, ticks.end, ticks.after_end, promise?.tick ?? null];
  return texts.filter((text) => text !== null);
}

function ticksOf(receipt: TicksOfReceipt): ReadText[] {
  return ticksShownBy(receipt).flatMap((text) => {
    const tick = readTick(text.body);
    return tick === undefined ? [] : [{ tick, text }];
  });
}

/** The first and last public sequence needed to judge a receipt; null if the receipt has no ticks. */
export function neededSequences(receipt: TicksOfReceipt): { readonly from: bigint; readonly to: bigint } | null {
  const sequences = ticksOf(receipt)
    .map(({ tick }) => tick.sequence)
    .sort((a, b) => (a < b ? -1 : 1));
  const [from, last] = [sequences[0], sequences.at(-1)];
  // Requests one more, because the chain may contain the tick after the end that the receipt lacks.
  return from === undefined || last === undefined ? null : { from, to: last + 1n };
}

export type ChainFault =
  | TickFault
  /** A tick of the receipt differs from the public chain's. */
  | 'chain_differs'
  /** The public chain lacks ticks in between. */
  | 'chain_incomplete';

/**
 * Checks that the public chain, given as all ticks of the receipt's span in order, is one chain and contains the
 * receipt's ticks. It computes the hashes from the texts themselves, so a receipt cannot show a number, link or gap
 * that differs from the public ones.
 */
export function faultOfPublicChain(receipt: TicksOfReceipt, texts: readonly SignedText[]): ChainFault | null {
  const own = ticksOf(receipt);
  const byNumber = new Map<bigint, string>();
  let before: { readonly tick: Tick; readonly hash: string } | null = null;
  for (const text of texts) {
    const tick = readTick(text.body);
    const hash = ownHash(text);
    if (tick === undefined || hash === undefined) return 'tick_malformed';
    const fault: TickFault | null = before && faultOfLink(tick, before.tick, before.hash);
    if (fault !== null) return fault;
    byNumber.set(tick.sequence, hash);
    before = { tick, hash };
  }
  for (const { tick, text } of own) {
    const hash = byNumber.get(tick.sequence);
    if (hash === undefined) return 'chain_incomplete';
    if (hash !== ownHash(text)) return 'chain_differs';
  }
  return null;
}

/** Adds the tick after the end, from the public chain, to a receipt without one. */
export function withTickAfterEnd<Receipt extends TicksOfReceipt & Partial<Pick<OptionReceipt, 'result'>>>(
  receipt: Receipt,
  texts: readonly SignedText[],
): Receipt {
  const { end, after_end } = receipt.ticks;
  const last = end && readTick(end.body);
  // Behind the tick of a sale nothing is missing.
  if (after_end !== null || !last || receipt.result?.status === 'sold') return receipt;
  // A tick without its own signature proves nothing outside its page.
  const next = texts.find(({ body, signature }) => signature !== '' && readTick(body)?.sequence === last.sequence + 1n);
  return next === undefined ? receipt : { ...receipt, ticks: { ...receipt.ticks, after_end: next } };
}
