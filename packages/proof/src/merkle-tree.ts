/**
 * The Merkle tree of RFC 6962 (and 9162): one root represents an ordered list, a short path proves that an entry is in
 * it, and a consistency proof shows that a longer list begins with a shorter one. Leaves and nodes are hashed with
 * different prefixes, so that a node can never pass for a leaf.
 */
import { type Bytes, sha256 } from './hash.ts';

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);
const HASH_BYTES = 32;

export function leafHash(entry: Uint8Array): Bytes {
  return sha256(LEAF, entry);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Bytes {
  return sha256(NODE, left, right);
}

/** The largest power of two below `size`, where RFC 6962 splits a list of at least two. */
function splitOf(size: number): number {
  return 2 ** (31 - Math.clz32(size - 1));
}

/** The root of a list of leaf hashes; for an empty list the hash of an empty text. */
export function treeRoot(leaves: readonly Uint8Array[]): Bytes {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return new Uint8Array(first);
  const split = splitOf(leaves.length);
  return nodeHash(treeRoot(leaves.slice(0, split)), treeRoot(leaves.slice(split)));
}

/** The sibling hashes on the way from leaf `index` to the root, lowest first. */
export function inclusionPath(leaves: readonly Uint8Array[], index: number): Bytes[] {
  if (!Number.isInteger(index) || index < 0 || index >= leaves.length) throw new RangeError('no such leaf');
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...inclusionPath(left, index), treeRoot(right)]
    : [...inclusionPath(right, index - split), treeRoot(left)];
}

/**
 * All hashes of a tree, level by level from the leaves to the root, so that many paths cost one computation. A node
 * without a sibling moves up unchanged, which gives the splits of RFC 6962.
 */
export function treeLevels(leaves: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const levels = [leaves];
  let level = leaves;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let n = 0; n < level.length; n += 2) {
      const [left, right] = [level[n], level[n + 1]];
      if (left !== undefined) above.push(right === undefined ? left : nodeHash(left, right));
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

/** Returns the same path as `inclusionPath`, read from the levels of a tree. */
export function pathInLevels<Hash>(levels: readonly (readonly Hash[])[], index: number): Hash[] {
  if (!Number.isInteger(index) || index < 0 || index >= (levels[0]?.length ?? 0)) throw new RangeError('no such leaf');
  const path: Hash[] = [];
  for (const [height, level] of levels.entries()) {
    const beside = level[(index >>> height) ^ 1];
    if (beside !== undefined) path.push(beside);
  }
  return path;
}

/**
 * Computes the root from a leaf and its path in a tree of `size`; undefined if the path does not fit (RFC 9162,
 * 2.1.3.2).
 */
export function rootFromPath(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Bytes | undefined {
  if (!isTreeSize(size) || !Number.isInteger(index) || index < 0 || index >= size) return undefined;
  let node = index;
  let last = size - 1;
  let hash: Bytes = new Uint8Array(leaf);
  for (const beside of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(beside, hash);
      while (node % 2 === 0 && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      hash = nodeHash(hash, beside);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 ? hash : undefined;
}

/** Proves that the tree of all leaves begins with the tree of the first `firstSize` leaves. */
export function consistencyProof(leaves: readonly Uint8Array[], firstSize: number): Bytes[] {
  if (!Number.isInteger(firstSize) || firstSize < 1 || firstSize > leaves.length)
    throw new RangeError('no such earlier tree');
  return subproof(leaves, firstSize, true);
}

function subproof(leaves: readonly Uint8Array[], firstSize: number, isWholeFirstTree: boolean): Bytes[] {
  if (firstSize === leaves.length) return isWholeFirstTree ? [] : [treeRoot(leaves)];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return firstSize <= split
    ? [...subproof(left, firstSize, isWholeFirstTree), treeRoot(right)]
    : [...subproof(right, firstSize - split, false), treeRoot(left)];
}

interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** True if the second tree begins with the first (RFC 9162, 2.1.4.2). Every tree begins with the empty one. */
export function isConsistent(first: TreeHead, second: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!isTreeSize(second.size) || !Number.isInteger(first.size) || first.size < 0 || first.size > second.size)
    return false;
  // Two hashes of other lengths could stand for the same 64 bytes of a node.
  if ([first.root, ...proof].some(({ length }) => length !== HASH_BYTES)) return false;
  if (first.size === 0) return proof.length === 0 && isSame(first.root, sha256());
  if (first.size === second.size) return proof.length === 0 && isSame(first.root, second.root);

  let node = first.size - 1;
  let last = second.size - 1;
  while (node % 2 === 1) {
    node = half(node);
    last = half(last);
  }
  // A first tree whose size is a power of two is a node of the second, and the proof omits it.
  const [start, ...rest] = node === 0 ? [first.root, ...proof] : proof;
  if (start === undefined) return false;
  let firstHash: Bytes = new Uint8Array(start);
  let secondHash: Bytes = new Uint8Array(start);
  for (const beside of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      firstHash = nodeHash(beside, firstHash);
      secondHash = nodeHash(beside, secondHash);
      while (node % 2 === 0 && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      secondHash = nodeHash(secondHash, beside);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && isSame(firstHash, first.root) && isSame(secondHash, second.root);
}

/** Not a shift, which would cut a size of more than 31 bits. */
const half = (count: number): number => Math.floor(count / 2);

function isTreeSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 1;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
