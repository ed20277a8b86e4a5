import type { PlatformFigures } from '@sathorn/api';
import { formatMoney, isAssetCode, money } from '@sathorn/money';
import { hashOfBody, type ProofKey, readLiabilities, type SignedText, verifyLiabilities } from '@sathorn/proof';
import type { LoggedHead } from '@sathorn/transparency';
import { type Finding, findingOf } from './finding.ts';
import { TOLERANCE_MS, type UnseenHead } from './follow-log.ts';

/** Compares the public figures with the signed sums that they name. `texts` are the public ones. */
export function judgeOwed(
  { signed_sums, solvency }: Pick<PlatformFigures, 'signed_sums' | 'solvency'>,
  texts: readonly SignedText[],
): readonly Finding[] {
  // The figures are some minutes old, so they may not name the very first sums.
  if (texts.length < 2) return [];
  const find = (says: string, ...evidence: readonly string[]): readonly Finding[] => [
    findingOf('liabilities', signed_sums?.sequence ?? '', says, ...evidence),
  ];
  const shown = JSON.stringify({ signed_sums, solvency });
  if (signed_sums === null) return find('The public figures name no signed sums of liabilities.', shown);
  const { sequence, hash } = signed_sums;
  const text = texts.find(({ body }) => hashOfBody(body) === hash);
  const tree = text && readLiabilities(text.body);
  if (text === undefined || tree === undefined || String(tree.sequence) !== sequence)
    return find(
      `The public figures name sums of liabilities ${sequence} with the hash ${hash}, which are not public.`,
      shown,
    );
  const owed = new Map(solvency.map((row) => [row.asset, row.owed]));
  return tree.sums.flatMap(([asset, units]) => {
    // Points have no value outside the platform. What open options could pay is not owed yet.
    if (!isAssetCode(asset) || asset === 'POINTS') return [];
    const [signed, told] = [formatMoney(money(asset, units)), owed.get(asset)];
    if (told === signed || (told === undefined && units === 0n)) return [];
    return find(
      `The public figures say that ${told ?? 'no'} ${asset} is owed, and the signed sums ${sequence} say ${signed}.`,
      shown,
      JSON.stringify(text),
    );
  });
}

export interface LiabilitiesCase {
  /** The public texts, oldest first. */
  readonly texts: readonly SignedText[];
  /** The newest text of the visit before. */
  readonly seen: LoggedHead | undefined;
  readonly unseen: readonly UnseenHead[];
  /** The newest head that the log names. */
  readonly named: LoggedHead | undefined;
  /** When the log's newest entry was logged. */
  readonly newestMs: number;
  readonly keys: readonly ProofKey[];
}

/** The signed sums are a chain without gaps, signed by known keys, and contain each text that the log named. */
export async function judgeLiabilities({ texts, seen, unseen, named, newestMs, keys }: LiabilitiesCase): Promise<{
  readonly findings: readonly Finding[];
  readonly last: LoggedHead | undefined;
}> {
  const findings: Finding[] = [];
  const find = (number: string, says: string, ...evidence: readonly string[]): void => {
    findings.push(findingOf('liabilities', number, says, ...evidence));
  };
  const byNumber = new Map<string, SignedText>();
  let last: LoggedHead | undefined;
  for (const text of texts) {
    const shown = JSON.stringify(text);
    const verified = await verifyLiabilities(text, keys);
    const tree = readLiabilities(text.body);
    if (!verified.ok)
      find(
        String(tree?.sequence ?? ''),
        `Sums of liabilities ${tree?.sequence ?? ''} are not signed: ${verified.fault}.`,
        shown,
      );
    if (tree === undefined) continue;
    const number = String(tree.sequence);
    if (last !== undefined && tree.sequence !== BigInt(last[0]) + 1n)
      find(number, `Sums of liabilities ${number} follow number ${last[0]}: there is a gap.`, shown);
    else if (last !== undefined && tree.previous !== last[1])
      find(number, `Sums of liabilities ${number} do not name the text before them.`, shown);
    byNumber.set(number, text);
    last = [number, hashOfBody(text.body)];
    if (newestMs - tree.atMs > TOLERANCE_MS && (named === undefined || tree.sequence > BigInt(named[0])))
      find(number, `The log names no sums of liabilities as new as number ${number}.`, shown);
  }
  const compare = ([number, hash]: LoggedHead, whose: string, isDue: boolean): void => {
    const text = byNumber.get(number);
    const now = text && hashOfBody(text.body);
    if (text === undefined && isDue)
      find(number, `The platform withholds sums of liabilities ${number}, which ${whose} names.`);
    if (text !== undefined && now !== hash)
      find(
        number,
        `Sums of liabilities ${number} have the hash ${now}, and ${whose} has ${hash}.`,
        JSON.stringify(text),
      );
  };
  for (const { tMs, head } of unseen) compare(head, 'the log', newestMs - tMs > TOLERANCE_MS);
  if (seen !== undefined) compare(seen, 'an earlier visit', true);
  return { findings, last };
}
