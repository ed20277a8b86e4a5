/**
 * The chain of promises. Signed trees of terms are collected each second into one link, and each link names the one
 * before it. A tick names the newest link, so everybody who kept a later tick can see that the terms are older than it.
 */
import { canonicalText, parseCanonical } from './canonical.ts';
import { fromHex, toHex } from './hash.ts';
import { leafHash, pathInLevels, rootFromPath, treeLevels } from './merkle-tree.ts';
import { hashOfBody } from './signature.ts';

export const PROMISES_TYPE = 'promises/1';
/** The most trees in one link. What is left waits for the next second. */
export const PROMISED_TREES_MAX = 4_096;
export const NO_LINK_HASH = '0'.repeat(64);

/** One link: the trees that were signed since the link before. */
export interface PromiseLink {
  /** From 1, without gaps. */
  readonly sequence: bigint;
  /** The second of the ticks that name it first, in ms since 1970. */
  readonly at: number;
  /** Hash of the link before; 64 zeros for the first. */
  readonly previous: string;
  /** Root of the tree (RFC 6962) whose leaves are the hashes of the trees' heads, 32 bytes each; hex. */
  readonly root: string;
  readonly size: number;
}

/** How a tree's head is in the chain, up to the link that a tick names. */
export interface PromiseProof {
  /** The head's index in its link, from 0. */
  readonly index: string;
  /** The hashes beside the way to the link's root, lowest first, hex. */
  readonly path: readonly string[];
  /** The texts of the link and of those after it, up to the one that a tick names. */
  readonly links: readonly string[];
}

const levelsOf = (heads: readonly string[]) =>
  treeLevels(
    heads.map((hex) => {
      const hash = fromHex(hex, 32);
      if (hash === undefined) throw new TypeError('a hash is 32 bytes in hex');
      return leafHash(hash);
    }),
  );

/** The root over hashes of trees' heads; at least one. */
export function promisesRoot(heads: readonly string[]): string {
  const root = levelsOf(heads).at(-1)?.[0];
  if (root === undefined) throw new RangeError('a link has at least one tree');
  return toHex(root);
}

/** The path of the head at `index` to its link's root, hex. */
export const promisePath = (heads: readonly string[], index: number): string[] =>
  pathInLevels(levelsOf(heads), index).map(toHex);

export function writePromiseLink({ sequence, at, previous, root, size }: PromiseLink): string {
  return canonicalText({
    v: PROMISES_TYPE,
    seq: String(sequence),
    t: String(at),
    prev: previous,
    root,
    size: String(size),
  });
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown): value is string => typeof value === 'string' && /^[1-9][0-9]{0,14}$/.test(value);

/** Undefined unless the text is exactly what `writePromiseLink` writes. */
export function readPromiseLink(body: string): PromiseLink | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== PROMISES_TYPE) return undefined;
  const { seq, t, prev, root, size } = value;
  if (!isCount(seq) || !isCount(t) || !isHash(prev) || !isHash(root) || !isCount(size)) return undefined;
  if (Number(size) > PROMISED_TREES_MAX || (seq === '1') !== (prev === NO_LINK_HASH)) return undefined;
  return Object.keys(value).length === 6
    ? { sequence: BigInt(seq), at: Number(t), previous: prev, root, size: Number(size) }
    : undefined;
}

export type PromiseFault = 'promise_malformed' | 'promise_path_wrong' | 'promise_link_wrong' | 'promise_not_named';

/** Returns the first fault; null if the proof leads from a tree's head (its hash) to the link that a tick names. */
export function faultOfPromise(head: string, { index, path, links }: PromiseProof, named: string): PromiseFault | null {
  const read = links.map(readPromiseLink);
  const [first] = read;
  const hash = fromHex(head, 32);
  const beside = path.map((hex) => fromHex(hex, 32));
  if (first === undefined || hash === undefined || !/^(0|[1-9][0-9]{0,8})$/.test(index)) return 'promise_malformed';
  const root = beside.every((one) => one !== undefined)
    ? rootFromPath(leafHash(hash), Number(index), first.size, beside)
    : undefined;
  if (root === undefined || toHex(root) !== first.root) return 'promise_path_wrong';
  for (const [nth, link] of read.entries()) {
    if (link === undefined) return 'promise_malformed';
    const before = read[nth - 1];
    const body = links[nth - 1];
    if (before === undefined || body === undefined) continue;
    if (link.sequence !== before.sequence + 1n || link.at <= before.at || link.previous !== hashOfBody(body))
      return 'promise_link_wrong';
  }
  return hashOfBody(links.at(-1) ?? '') === named ? null : 'promise_not_named';
}
