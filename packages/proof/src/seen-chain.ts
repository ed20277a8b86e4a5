/**
 * Compares a chain of ticks with what a reader has seen of it. One hash commits to every tick before it, so a few
 * remembered ones are enough to detect a chain that was rewritten, or cut and grown again.
 */
import type { OptionReceipt } from './option-receipt.ts';
import { hashOf, type SignedText, signedBytes } from './signature.ts';
import { faultOfLink, readTick, type Tick, type TickFault } from './tick.ts';

/** A tick that was streamed to this reader. */
export interface SeenTick {
  readonly sequence: bigint;
  readonly hash: string;
}

export type ForkKind =
  /** A remembered number has another tick now. */
  | 'rewritten'
  /** The chain ends before a tick that was seen. */
  | 'rolled_back'
  /** A remembered number was asked for, and the answer leaves it out. */
  | 'withheld';

export interface ChainFork {
  readonly kind: ForkKind;
  readonly sequence: bigint;
}

/** The chain as it is shown now: some of its ticks, and where it stands. */
export interface ShownChain {
  readonly texts: readonly SignedText[];
  readonly head: SeenTick | null;
  /** The question that `texts` answer; without it nothing can be found to be withheld. */
  readonly asked?: { readonly from: bigint; readonly limit: number };
}

/** The hash of the text itself; the hash that the answer claims is not used. */
function ownHash({ body }: SignedText): string | undefined {
  return signedBytes(body) === undefined ? undefined : hashOf(body);
}

/**
 * The earliest tick that was seen and is not on the chain any more; null while it goes through all of those that are
 * shown.
 */
export function findFork(seen: readonly SeenTick[], { texts, head, asked }: ShownChain): ChainFork | null {
  const shown = new Map<bigint, string | undefined>();
  for (const text of texts) {
    const tick = readTick(text.body);
    if (tick !== undefined) shown.set(tick.sequence, ownHash(text));
  }
  // A head is only claimed: what was asked for must be among the ticks themselves.
  const served = new Set(shown.keys());
  if (head !== null) shown.set(head.sequence, head.hash);
  // A page without a head is a full one: without ticks too, there is no chain.
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

/** The first tick of a receipt that is another than the one that was streamed under its number; null when none is. */
export function tickUnlikeSeen(receipt: Pick<OptionReceipt, 'ticks'>, seen: readonly SeenTick[]): bigint | null {
  const hashes = new Map(seen.map(({ sequence, hash }) => [sequence, hash]));
  for (const { tick, text } of ticksOf(receipt)) {
    const hash = hashes.get(tick.sequence);
    if (hash !== undefined && hash !== ownHash(text)) return tick.sequence;
  }
  return null;
}

interface ReadText {
  readonly tick: Tick;
  readonly text: SignedText;
}

function ticksOf({ ticks }: Pick<OptionReceipt, 'ticks'>): ReadText[] {
  return [ticks.before_start, ticks.start, ticks.end, ticks.after_end].flatMap((text) => {
    const tick = text === null ? undefined : readTick(text.body);
    return text === null || tick === undefined ? [] : [{ tick, text }];
  });
}

/** The first and last number of the public chain that are needed to judge a receipt; null when it has no tick. */
export function spanOf(receipt: Pick<OptionReceipt, 'ticks'>): { readonly from: bigint; readonly to: bigint } | null {
  const sequences = ticksOf(receipt)
    .map(({ tick }) => tick.sequence)
    .sort((a, b) => (a < b ? -1 : 1));
  const [from, last] = [sequences[0], sequences.at(-1)];
  // One further: where the receipt has no tick after the end, the chain may.
  return from === undefined || last === undefined ? null : { from, to: last + 1n };
}

export type ChainFault =
  | TickFault
  /** A tick of the receipt is another than the public chain's. */
  | 'chain_differs'
  /** The public chain has not all ticks between. */
  | 'chain_incomplete';

/**
 * Checks that the public chain, given as all ticks of the receipt's span in order, is one chain and contains the
 * receipt's ticks. It computes the hashes from the texts themselves, so a receipt cannot show a number, link or gap
 * that differs from the public ones.
 */
export function faultOfPublicChain(
  receipt: Pick<OptionReceipt, 'ticks'>,
  texts: readonly SignedText[],
): ChainFault | null {
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

/** Adds the tick after the end to a receipt that had none, from the public chain. */
export function withTickAfterEnd<Receipt extends Pick<OptionReceipt, 'ticks'>>(
  receipt: Receipt,
  texts: readonly SignedText[],
): Receipt {
  const { end, after_end } = receipt.ticks;
  const last = end && readTick(end.body);
  if (after_end !== null || !last) return receipt;
  // Without a signature of its own it proves nothing outside of its page.
  const next = texts.find(({ body, signature }) => signature !== '' && readTick(body)?.sequence === last.sequence + 1n);
  return next === undefined ? receipt : { ...receipt, ticks: { ...receipt.ticks, after_end: next } };
}
