import { hashOfBody, type ProofKey, readTick, type SignedText, verifyTickPage } from '@sathorn/proof';
import type { LoggedHead } from '@sathorn/transparency';
import { type Finding, findingOf } from './finding.ts';
import { TICKS_MAX, TOLERANCE_MS, type UnseenHead } from './follow-log.ts';

/** From and to which number a visit reads a coin's public chain; null if there is nothing to compare. */
export function spanOfTicks(
  seen: LoggedHead | undefined,
  unseen: readonly UnseenHead[],
  shown: LoggedHead | null,
): { readonly from: bigint; readonly to: bigint; readonly skipped: bigint } | null {
  const numbers = [...unseen.map(({ head }) => head), ...(shown === null ? [] : [shown])].map(([n]) => BigInt(n));
  numbers.sort((a, b) => (a < b ? -1 : 1));
  const [least, to] = [numbers[0], numbers.at(-1)];
  if (least === undefined || to === undefined) return null;
  const since = seen === undefined ? least : BigInt(seen[0]);
  const bound = to - BigInt(TICKS_MAX) + 1n;
  return since < bound ? { from: bound, to, skipped: bound - since } : { from: since, to, skipped: 0n };
}

export interface TicksCase {
  readonly coin: string;
  /** The public ticks from number `from` on. */
  readonly texts: readonly SignedText[];
  readonly from: bigint;
  /** The newest tick of the visit before. */
  readonly seen: LoggedHead | undefined;
  readonly unseen: readonly UnseenHead[];
  /** The head that the platform shows elsewhere; null if none. */
  readonly shown: LoggedHead | null;
  /** When the log's newest entry was logged. */
  readonly newestMs: number;
  readonly keys: readonly ProofKey[];
}

/** The public chain of a coin is sound, and contains each head that the log named and that was shown before. */
export async function judgeTicks({
  coin,
  texts,
  from,
  seen,
  unseen,
  shown,
  newestMs,
  keys,
}: TicksCase): Promise<{ readonly findings: readonly Finding[]; readonly last: LoggedHead | undefined }> {
  const findings: Finding[] = [];
  const ticks = texts.map(({ body }) => readTick(body));
  const numberAt = (n: number): bigint => ticks[n]?.sequence ?? from + BigInt(n);
  const about = (number: bigint | string): string => `${coin} ${number}`;
  if (texts.length > 0 && numberAt(0) !== from)
    findings.push(findingOf('tick', about(from), `The platform withholds tick ${from} of ${coin}.`));
  const wrong = texts.length === 0 ? null : await verifyTickPage(texts, keys);
  if (wrong !== null) {
    const number = numberAt(wrong.at);
    const shownTexts = [texts[wrong.at - 1], texts[wrong.at]].flatMap((text) => (text ? JSON.stringify(text) : []));
    findings.push(
      findingOf('tick', about(number), `Tick ${number} of ${coin} is not sound: ${wrong.fault}.`, ...shownTexts),
    );
  }
  const byNumber = new Map<string, SignedText>();
  for (const [n, tick] of ticks.entries()) {
    const text = texts[n];
    if (tick !== undefined && text !== undefined) byNumber.set(String(tick.sequence), text);
  }
  const compare = ([number, hash]: LoggedHead, whose: string, isDue: boolean): void => {
    if (BigInt(number) < from) return;
    const text = byNumber.get(number);
    const now = text && hashOfBody(text.body);
    const differs = `Tick ${number} of ${coin} has the hash ${now}, and ${whose} has ${hash}.`;
    const lacks = `The public chain lacks tick ${number} of ${coin}, which ${whose} names.`;
    if (text === undefined && isDue) findings.push(findingOf('tick', about(number), lacks));
    if (text !== undefined && now !== hash)
      findings.push(findingOf('tick', about(number), differs, JSON.stringify(text)));
  };
  for (const { tMs, head } of unseen) compare(head, 'the log', newestMs - tMs > TOLERANCE_MS);
  if (seen !== undefined) compare(seen, 'an earlier visit', true);
  if (shown !== null) compare(shown, 'the status', false);
  const last = [...byNumber].at(-1);
  return { findings, last: last && [last[0], hashOfBody(last[1].body)] };
}
