import { formatMoney, money } from '@sathorn/money';
import {
  type ChainFork,
  faultOfPublicChain,
  findFork,
  latenessOf,
  neededSequences,
  type OptionReceipt,
  type PublishedKey,
  type ReceiptVerdict,
  readTick,
  returnedOf,
  type SeenTick,
  trustKeys,
  verifyOptionReceipt,
  verifyTickPage,
  withTickAfterEnd,
} from '@sathorn/proof';
import type { Pins } from './pin-file.ts';
import { type AskServer, readHead, readTickSpan, readTicks } from './public-chain.ts';

export interface ReceiptFindings {
  readonly verdict: ReceiptVerdict;
  /** Contradictions of the receipt or of data seen earlier, one sentence each. */
  readonly contradictions: readonly string[];
  /** Notes that do not change the verdict. */
  readonly notes: readonly string[];
  /** The new pins; null if something contradicts the old ones. */
  readonly pins: Pins | null;
}

export interface JudgeChoices {
  readonly rulesHash?: string;
  /** True to fetch and link all ticks between start and end. */
  readonly isChainWanted: boolean;
  /** Null without `--pin`. */
  readonly pins: Pins | null;
  /** Null without a server. */
  readonly ask: AskServer | null;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const coinOf = ({ ticks }: OptionReceipt): string | undefined => {
  const text = Object.values(ticks).find((tick) => tick !== null);
  return text === undefined ? undefined : readTick(text.body)?.coin;
};

export const FORKS: Record<ChainFork['kind'], (coin: string, sequence: bigint) => string> = {
  rewritten: (coin, sequence) =>
    `FORK: tick ${sequence} of ${coin} is another than the one that was seen before: the chain was rewritten.`,
  rolled_back: (coin, sequence) =>
    `FORK: the chain of ${coin} ends before tick ${sequence}, which was seen before: it was rolled back.`,
  withheld: (coin, sequence) =>
    `FORK: tick ${sequence} of ${coin}, which was seen before, is not on the public chain any more.`,
};

/** Judges a receipt by itself, against the pins, and against the server's public chain. */
export async function judgeReceiptFile(
  given: OptionReceipt,
  published: readonly PublishedKey[],
  { rulesHash, isChainWanted, pins, ask }: JudgeChoices,
): Promise<ReceiptFindings> {
  const contradictions: string[] = [];
  const notes: string[] = [];
  const { trusted, refused, withdrawn } = await trustKeys(published, pins?.keys ?? []);
  for (const { key, fault } of refused)
    contradictions.push(`KEY: ${key.id} (${key.use}) is refused: ${fault}. Nothing that it signed counts.`);
  for (const { id, use } of withdrawn)
    notes.push(`The key ${id} (${use}), which was seen before, is no longer published.`);

  const coin = coinOf(given);
  const span = neededSequences(given);
  let receipt = given;
  let newestTickMs: number | undefined;
  let head: SeenTick | null = null;
  if (ask !== null && coin !== undefined && span !== null) {
    const newest = await readTicks(ask, coin, span.to, 1);
    head = newest.head ?? (await readHead(ask, coin));
    // A tick published meanwhile can complete a pending receipt.
    receipt = withTickAfterEnd(given, newest.items);
    newestTickMs = newest.items[0] && readTick(newest.items[0].body)?.at;
    const seen = pins?.heads[coin];
    if (seen !== undefined) {
      const { items } = await readTicks(ask, coin, seen.sequence, 1);
      const fork = findFork([seen], { texts: items, head, asked: { from: seen.sequence, limit: 1 } });
      if (fork) contradictions.push(FORKS[fork.kind](coin, fork.sequence));
    }
    if (isChainWanted) {
      const texts = await readTickSpan(ask, coin, span);
      const fault = (await verifyTickPage(texts, trusted))?.fault ?? faultOfPublicChain(receipt, texts);
      if (fault) contradictions.push(`CHAIN: the public chain of ${coin} contradicts the receipt: ${fault}.`);
      else
        notes.push(`The ${texts.length} public ticks from start to end are one chain and hold those of the receipt.`);
    }
  }
  const verdict = await verifyOptionReceipt(receipt, trusted, {
    ...(rulesHash !== undefined && { rulesHash }),
    ...(newestTickMs !== undefined && { newestTickMs }),
  });
  const late = latenessOf(receipt);
  if (late.start > 0) notes.push(`LATE: the start price was published ${seconds(late.start)} s late.`);
  if (late.end > 0) notes.push(`LATE: settled by a price published ${seconds(late.end)} s late.`);
  const returned = returnedOf(receipt);
  if (returned !== null && verdict.verified)
    notes.push(
      `HAD VOID: the customer had the order void; ${formatMoney(money('USDT', BigInt(returned)))} USDT went back.`,
    );
  const heads = { ...pins?.heads };
  if (coin !== undefined && head !== null && head.sequence > (heads[coin]?.sequence ?? 0n)) heads[coin] = head;
  return { verdict, contradictions, notes, pins: contradictions.length > 0 ? null : { keys: trusted, heads } };
}
