/**
 * What a monitor found: canonical texts in one chain, signed by its own key (docs/verification.md, section 26). Whoever
 * has the file and the key can tell that none was changed, and a later file shows if one was left out.
 */
import {
  type Canonical,
  canonicalText,
  hashOfBody,
  isSignedText,
  parseCanonical,
  publicKeyOf,
  type SignedText,
  signText,
  toHex,
  verifySignedText,
} from '@sathorn/proof';

export type FindingKind =
  /** The platform serves another policy than the one that was pinned. */
  | 'policy'
  /** A checkpoint that is refused, or entries that do not belong to it. */
  | 'log'
  /** An entry whose times do not fit. */
  | 'time'
  /** A chain's head that goes back, or has two hashes. */
  | 'head'
  | 'tick'
  /** The signed sums of what customers are owed, and public figures that differ from them. */
  | 'liabilities'
  | 'key'
  | 'offer'
  | 'box'
  | 'bank'
  /** An order book by itself, and fills that passed a better price over. */
  | 'book'
  /** The public list of trades. */
  | 'trade';

export interface Finding {
  readonly kind: FindingKind;
  readonly about: string;
  /** One sentence that stays the same as long as the finding does. */
  readonly says: string;
  /** The texts that show it, as they were served. */
  readonly evidence: readonly string[];
}

/** A server may send half a character, which no signed text can contain. */
export const findingOf = (kind: FindingKind, about: string, says: string, ...evidence: readonly string[]): Finding => ({
  kind,
  about: about.toWellFormed(),
  says: says.toWellFormed(),
  evidence: evidence.map((text) => text.toWellFormed()),
});

/** A public file: anybody may copy it. */
export interface FindingsFile {
  readonly v: 'findings/1';
  /** The monitor's public key, hex. */
  readonly key: string;
  /** Texts of type `finding/1`, oldest first. */
  readonly findings: readonly SignedText[];
  /** A text of type `visit/1`: how far the newest visit came; null before the first. */
  readonly visit: SignedText | null;
}

const NO_HASH = '0'.repeat(64);

export const emptyFindings = (seed: Uint8Array): FindingsFile => ({
  v: 'findings/1',
  key: toHex(publicKeyOf(seed)),
  findings: [],
  visit: null,
});

interface ReadFinding extends Finding {
  readonly prev: string;
}

function readFinding({ body }: SignedText): ReadFinding | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== 'finding/1') return undefined;
  return value as unknown as ReadFinding;
}

/**
 * Two findings are the same when they say the same about the same thing by the same texts. A refused checkpoint is
 * cosigned again every ten seconds.
 */
const nameOf = ({ kind, about, says, evidence }: Finding): string =>
  JSON.stringify([kind, about, says, kind === 'log' ? null : evidence]);
export const countFindings = (found: readonly Finding[]): number => new Set(found.map(nameOf)).size;

/** What the file does not say yet, each once. */
export function newFindings({ findings }: FindingsFile, found: readonly Finding[]): Finding[] {
  const known = new Set(findings.flatMap((text) => readFinding(text) ?? []).map(nameOf));
  return found.filter((finding) => {
    const name = nameOf(finding);
    return !known.has(name) && known.add(name);
  });
}

/** How far a visit came. */
export interface VisitEnd {
  /** The log's origin. */
  readonly log: string;
  /** The accepted checkpoint's size and root. All entries of it were read. */
  readonly size: number;
  readonly root: string;
}

/**
 * Adds findings, and signs how far this visit came; null for one that is not done or could not read the log, which
 * states nothing about it.
 */
export function signFindings(
  { key, findings }: FindingsFile,
  found: readonly Finding[],
  { atMs, log, end }: { readonly atMs: number; readonly log: string; readonly end: VisitEnd | null },
  seed: Uint8Array,
): FindingsFile {
  const all = [...findings];
  const at = String(atMs);
  for (const { kind, about, says, evidence } of found) {
    const place = { n: String(all.length + 1), prev: all.at(-1)?.hash ?? NO_HASH };
    all.push(signText(canonicalText({ v: 'finding/1', ...place, at, log, kind, about, says, evidence }), seed));
  }
  const last = { findings: String(all.length), last: all.at(-1)?.hash ?? NO_HASH };
  const read = end && { log: end.log, size: String(end.size), root: end.root };
  const visit = read && signText(canonicalText({ v: 'visit/1', at, ...read, ...last }), seed);
  return { v: 'findings/1', key, findings: all, visit };
}

/** Reads a file of findings; says what is wrong with one that its key did not sign as it is. */
export async function readFindings(text: string): Promise<FindingsFile | { readonly fault: string }> {
  let value: { [name: string]: unknown };
  try {
    value = JSON.parse(text) ?? {};
  } catch {
    return { fault: 'it is no JSON' };
  }
  const { v, key, findings, visit } = value;
  const isShaped = Array.isArray(findings) && findings.every(isSignedText) && (visit === null || isSignedText(visit));
  if (v !== 'findings/1' || typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key) || !isShaped)
    return { fault: 'it has another form' };
  let before = NO_HASH;
  for (const [n, finding] of findings.entries()) {
    if ((await verifySignedText(finding, key)) !== null) return { fault: `finding ${n + 1} is not signed as it is` };
    const body = parseCanonical(finding.body) as { readonly [name: string]: Canonical };
    if (body.v !== 'finding/1' || body.n !== String(n + 1) || body.prev !== before)
      return { fault: `finding ${n + 1} does not follow` };
    before = hashOfBody(finding.body);
  }
  if (visit !== null) {
    if ((await verifySignedText(visit, key)) !== null) return { fault: 'its visit is not signed as it is' };
    const body = parseCanonical(visit.body) as { readonly [name: string]: Canonical };
    if (body.v !== 'visit/1' || body.findings !== String(findings.length) || body.last !== before)
      return { fault: 'its visit is of other findings' };
  }
  return { v, key, findings, visit };
}

/** A duration in the two largest units, rounded down: `3 h 5 min`. */
export function spellDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? 'less than a minute' : shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** A time as people and programs read it. */
export const spellTime = (ms: number): string =>
  Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `${ms} ms since 1970`;
