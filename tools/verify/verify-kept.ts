import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Contradiction,
  findFork,
  isContradiction,
  isKeptFile,
  judgeKeptFile,
  type KeptFile,
  type KeptFinding,
  type KeptJudgement,
  type OptionReceipt,
  type PublishedKey,
  parseUniqueJson,
  readOptionTerms,
  type SeenTick,
  type ShownBesideKept,
  type SignedText,
  trustKeys,
  verifyContradiction,
} from '@sathorn/proof';
import {
  isLogContradiction,
  type LogContradiction,
  readWitnessPolicy,
  verifyLogContradiction,
  writeVerifierKey,
} from '@sathorn/transparency';
import { judgeDraw, readDraw } from './judge-draw.ts';
import { FORKS, type JudgeChoices, judgeReceiptFile, type ReceiptFindings } from './judge-receipt-file.ts';
import { printReport } from './print-report.ts';
import { type AskServer, readHead, readTickSpan } from './public-chain.ts';
import { readReceipt } from './read-files.ts';

function parse(text: string): unknown {
  try {
    return parseUniqueJson(text);
  } catch {
    return undefined;
  }
}

/** Parses what a device kept; undefined for anything else. */
export function readKept(text: string): KeptFile | undefined {
  const value = parse(text);
  return isKeptFile(value) ? value : undefined;
}

/** Parses a contradiction; undefined for anything else. */
export function readContradiction(text: string): Contradiction | undefined {
  const value = parse(text);
  return isContradiction(value) ? value : undefined;
}

/** Parses a contradiction of a log; undefined for anything else. */
export function readLogContradiction(text: string): LogContradiction | undefined {
  const value = parse(text);
  return isLogContradiction(value) ? value : undefined;
}

interface KeptReport {
  readonly isVerified: boolean;
  readonly lines: readonly string[];
  readonly contradictions: readonly Contradiction[];
  readonly pins: ReceiptFindings['pins'];
}

const NO_KEPT: KeptReport = {
  isVerified: false,
  lines: ['NOT VERIFIED: this is not what a device kept (kept/1).'],
  contradictions: [],
  pins: null,
};

const keyNames = ({ keys }: Contradiction): string => keys.map(({ id }) => id).join(', ');

/** The verdict in one or two sentences. */
export function sayContradiction(found: Contradiction): string {
  const { kind, about, differs } = found;
  const they = `they differ in ${differs.join(', ')}.`;
  const forged = `One of the two was forged by the holder of key ${keyNames(found)}.`;
  if (kind === 'terms') return `Two signed versions of order ${about}: ${they} ${forged}`;
  if (kind === 'box') return `Two signed versions of box ${about}: ${they} ${forged}`;
  if (kind === 'draw') return `Two signed reservations of draw ${about}: ${they} ${forged}`;
  if (kind === 'liabilities')
    return `Two signed sums of liabilities number ${about}: ${they} The holder of key ${keyNames(found)} signed both; only a published restoration explains that.`;
  if (kind === 'ack')
    return `Two signed acknowledgements of ${about}: ${they} The holder of key ${keyNames(found)} signed both; only a published restoration explains that.`;
  if (kind === 'statement') {
    const [what, name, asset, n] = differs;
    const happened = what === 'rewritten' ? `entry ${n} or one before it was changed` : `entry ${n} is missing later`;
    return `Two signed statements of customer ${about}: in ${name} ${asset} ${happened}. The holder of key ${keyNames(found)} signed both; only a published restoration explains that.`;
  }
  return `Two signed ticks ${about}: ${they} The holder of key ${keyNames(found)} signed both; only a published restoration explains that.`;
}

const SAID: Record<KeptFinding['kind'], (about: string, says: string) => string> = {
  key_unknown: (about) =>
    `KEY: the device trusts ${about}, and the keys given here don't. Either the platform exchanged its keys, or the file is of another platform.`,
  not_signed: (about, says) => `KEPT: what the file has of ${about || 'one order'} is not signed as it says: ${says}.`,
  rules_differ: (about) => `KEPT: the terms of order ${about} name other rules than the device had read.`,
  moment: (about, says) =>
    `KEPT: the signed times of order ${about} contradict the device's clock: ${says}. The clock is the file's word.`,
  terms_differ: (about, says) => `KEPT: the receipt of order ${about} differs from the kept terms in ${says}.`,
  tick_differs: (about) => `KEPT: tick ${about} is another than the one that was streamed to the device.`,
  receipt_wrong: (about, says) => `KEPT: the kept receipt of order ${about} is not verified: ${says}.`,
  draw_differs: (about, says) => `KEPT: ${about} differs from what was kept in ${says}.`,
  contradiction_wrong: (about, says) => `KEPT: the contradiction about ${about} does not prove itself: ${says}.`,
};

function countsOf({ purchases, ticks, boxes, draws, receipts, promises = [] }: KeptFile): string {
  const seen = ticks.reduce((sum, one) => sum + one.seen.length, 0);
  return `Kept: ${purchases.length} purchases, ${receipts.length} receipts, ${seen} ticks of ${ticks.length} coins, ${boxes.length} boxes, ${draws.length} draws, ${promises.length} acknowledgements.`;
}

/**
 * Judges what a device kept, alone or with a receipt, draw or box beside it. `keys` is null for the file's own keys;
 * `file` is undefined if it could not be read as one.
 */
export async function judgeKept(
  file: KeptFile | undefined,
  shownText: string | null,
  keys: readonly PublishedKey[] | null,
  choices: JudgeChoices,
): Promise<KeptReport> {
  if (file === undefined) return NO_KEPT;
  const published = keys ?? file.keys;
  const { trusted } = await trustKeys(published, choices.pins?.keys ?? []);
  const lines: string[] = [];
  let isShownVerified = true;
  let pins: ReceiptFindings['pins'] = null;
  let shown: ShownBesideKept = {};
  if (shownText !== null) {
    const [receipt, draw] = [readReceipt(shownText), readDraw(shownText)];
    if (receipt !== undefined) {
      const found = await judgeReceiptFile(receipt, published, choices);
      isShownVerified = found.verdict.verified && found.contradictions.length === 0;
      lines.push(...printReport(found, isShownVerified).slice(0, -1));
      ({ pins } = found);
      shown = { receipt };
      if (!hasOrder(file, receipt)) lines.push('The file has nothing of this order.');
    } else if (draw !== undefined) {
      const found = await judgeDraw(draw, published, choices.pins);
      isShownVerified = found.isVerified;
      lines.push(...found.lines.slice(1));
      shown = 'draw' in draw ? { draw: draw.draw } : { box: draw.file.box };
    } else {
      isShownVerified = false;
      lines.push('NOT VERIFIED: this is not a receipt, a draw or a box.');
    }
  }
  const chain = choices.ask === null ? null : await askForSeen(file, choices.ask);
  const judged = await judgeKeptFile(file, { trusted, published }, { ...shown, publicTicks: chain?.texts ?? [] });
  lines.push(countsOf(file), ...(chain?.lines ?? []), ...linesOf(judged));
  // On one line, so that the file's words can't pass for a verdict.
  for (const { kind, about, says } of file.findings)
    lines.push(`The device has reported: ${kind} ${about} ${says.join(', ')}`.replaceAll(/\s+/g, ' ').trimEnd());
  if (keys === null)
    lines.push("The keys are the file's own: compare them with the platform's, or name them (--keys, --server).");
  const isVerified = isShownVerified && judged.ok && (chain?.lines.length ?? 0) === 0;
  lines.push(isVerified ? 'Verified.' : 'NOT VERIFIED.');
  return { isVerified, lines, contradictions: judged.contradictions, pins: isVerified ? pins : null };
}

function hasOrder({ purchases, receipts }: KeptFile, shown: OptionReceipt): boolean {
  const order = readOptionTerms(shown.terms.body)?.order;
  return [...purchases, ...receipts].some(({ terms }) => readOptionTerms(terms.body)?.order === order);
}

function linesOf({ findings, contradictions, unread }: KeptJudgement): string[] {
  return [
    ...findings.map(({ kind, about, says }) => SAID[kind](about, says.join(', '))),
    ...contradictions.map(sayContradiction),
    ...unread.map(({ type, count }) => `Not read: ${count} of type ${type}.`),
  ];
}

/** The most ticks per coin that are asked for; each names all before it. */
const ASKED_MAX = 1_000;

/** Asks the public chain for each coin's newest unbroken run of streamed ticks. */
async function askForSeen(file: KeptFile, ask: AskServer): Promise<{ texts: SignedText[]; lines: string[] }> {
  const texts: SignedText[] = [];
  const lines: string[] = [];
  for (const { coin, seen } of file.ticks) {
    const all = seen.map(([sequence, hash]): SeenTick => ({ sequence: BigInt(sequence), hash }));
    const broken = all.findLastIndex(({ sequence }, n) => n > 0 && all[n - 1]?.sequence !== sequence - 1n);
    const run = all.slice(Math.max(broken, 0)).slice(-ASKED_MAX);
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) continue;
    const items = await readTickSpan(ask, coin, { from: first.sequence, to: last.sequence });
    texts.push(...items);
    const fork = findFork(run, {
      texts: items,
      head: await readHead(ask, coin),
      asked: { from: first.sequence, limit: run.length },
    });
    // A rewritten tick is found again among the texts, with its number.
    if (fork !== null && fork.kind !== 'rewritten') lines.push(FORKS[fork.kind](coin, fork.sequence));
  }
  return { texts, lines };
}

/** Verifies a contradiction by itself, and says whether its keys are among the platform's if these are given. */
export async function judgeContradiction(
  given: Contradiction,
  published: readonly PublishedKey[] | null,
): Promise<{ readonly isVerified: boolean; readonly lines: readonly string[] }> {
  const fault = await verifyContradiction(given);
  if (fault !== null) return { isVerified: false, lines: [`NOT VERIFIED: ${fault}`] };
  const lines = [sayContradiction(given)];
  if (published === null) {
    lines.push(`Verified by key ${keyNames(given)}: compare it with the platform's, or name these (--keys, --server).`);
    return { isVerified: true, lines };
  }
  const { trusted } = await trustKeys(published, []);
  const isOfPlatform = given.keys.every(({ use, public_key }) =>
    trusted.some((key) => key.use === use && key.public_key === public_key),
  );
  lines.push(
    isOfPlatform ? 'Verified: the key is among those given.' : 'NOT VERIFIED: the key is not among those given.',
  );
  return { isVerified: isOfPlatform, lines };
}

/** Verifies a contradiction of a log by itself, and says whether its key is in a policy if one is given. */
export async function judgeLogContradiction(
  given: LogContradiction,
  policyText: string | null,
): Promise<{ readonly isVerified: boolean; readonly lines: readonly string[] }> {
  const fault = await verifyLogContradiction(given);
  if (fault !== null) return { isVerified: false, lines: [`NOT VERIFIED: ${fault}`] };
  const [key = ''] = given.keys;
  const found = `Two histories of the log ${given.about}. The holder of its key ${key} signed both.`;
  if (policyText === null)
    return {
      isVerified: true,
      lines: [found, `Verified by this key: compare it with the platform's policy, or name one (--keys, --server).`],
    };
  const policy = readWitnessPolicy(policyText);
  const isOfPlatform = 'logs' in policy && policy.logs.some((log) => writeVerifierKey(log.key) === key);
  const verdict = isOfPlatform ? 'Verified: the key is in the policy.' : 'NOT VERIFIED: the key is not in the policy.';
  return { isVerified: isOfPlatform, lines: [found, verdict] };
}

const WEIGHT = ['terms', 'draw', 'box', 'tick'];

/** Writes each contradiction to a file of its own, the gravest to `file` itself; returns the names. */
export function writeContradictions(file: string | undefined, all: readonly Contradiction[]): string[] {
  if (file === undefined) return [];
  const { dir, name, ext } = path.parse(path.resolve(file));
  const sorted = [...all].sort((a, b) => WEIGHT.indexOf(a.kind) - WEIGHT.indexOf(b.kind));
  return sorted.map((one, n) => {
    const target = path.join(dir, n === 0 ? `${name}${ext}` : `${name}-${n + 1}${ext}`);
    writeFileSync(target, `${JSON.stringify(one, null, 2)}\n`);
    return target;
  });
}
