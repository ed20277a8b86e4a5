import { describe, expect, it } from 'vitest';
import { fromHex, toHex, utf8Bytes } from './hash.ts';
import {
  consistencyProof,
  inclusionPath,
  isConsistent,
  leafHash,
  nodeHash,
  pathInLevels,
  rootFromPath,
  treeLevels,
  treeRoot,
} from './merkle-tree.ts';

const leavesOf = (size: number) => Array.from({ length: size }, (_, index) => leafHash(utf8Bytes(`entry ${index}`)));
const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33];

// The eight entries and roots of Certificate Transparency's reference implementation.
const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('the tree of RFC 6962', () => {
  it('has the published roots', () => {
    const leaves = entries.map((hex) => leafHash(fromHex(hex, hex.length / 2) ?? new Uint8Array()));
    roots.forEach((root, index) => {
      expect(toHex(treeRoot(leaves.slice(0, index + 1)))).toBe(root);
    });
    expect(toHex(treeRoot([]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it.each(sizes)('proves each of %d leaves, at its own position only', (size) => {
    const leaves = leavesOf(size);
    const root = toHex(treeRoot(leaves));
    leaves.forEach((leaf, index) => {
      const path = inclusionPath(leaves, index);
      for (let claimed = 0; claimed < size; claimed += 1) {
        const reached = rootFromPath(leaf, claimed, size, path);
        expect(reached !== undefined && toHex(reached) === root).toBe(claimed === index);
      }
      expect(toHex(rootFromPath(leafHash(utf8Bytes('other')), index, size, path) ?? utf8Bytes(''))).not.toBe(root);
    });
  });

  it.each([...sizes, 63, 64])('gives the same paths from the levels of %d leaves', (size) => {
    const leaves = leavesOf(size);
    const levels = treeLevels(leaves);
    expect(levels.at(-1)?.map(toHex)).toEqual([toHex(treeRoot(leaves))]);
    for (const index of leaves.keys())
      expect(pathInLevels(levels, index).map(toHex)).toEqual(inclusionPath(leaves, index).map(toHex));
    expect(() => pathInLevels(levels, size)).toThrow(RangeError);
  });

  it('refuses a path that is too long, too short or outside the tree', () => {
    const leaves = leavesOf(6);
    const leaf = leaves[2] ?? new Uint8Array();
    const path = inclusionPath(leaves, 2);
    expect(rootFromPath(leaf, 2, 6, [...path, leaf])).toBeUndefined();
    expect(rootFromPath(leaf, 2, 6, path.slice(1))).toBeUndefined();
    for (const [index, size] of [
      [6, 6],
      [-1, 6],
      [0.5, 6],
      [0, 0],
      [0, Number.NaN],
    ] as const) {
      expect(rootFromPath(leaf, index, size, path)).toBeUndefined();
    }
  });

  it('proves that it begins with each shorter tree, and with no other', () => {
    for (const size of sizes) {
      const leaves = leavesOf(size);
      const second = { size, root: treeRoot(leaves) };
      for (let firstSize = 1; firstSize <= size; firstSize += 1) {
        const first = { size: firstSize, root: treeRoot(leaves.slice(0, firstSize)) };
        const proof = consistencyProof(leaves, firstSize);
        expect(isConsistent(first, second, proof)).toBe(true);
        expect(isConsistent({ ...first, root: leafHash(utf8Bytes('other')) }, second, proof)).toBe(false);
        expect(isConsistent(first, { ...second, root: leafHash(utf8Bytes('other')) }, proof)).toBe(false);
        expect(isConsistent(first, second, [...proof, second.root])).toBe(false);
        if (proof.length > 0) expect(isConsistent(first, second, proof.slice(1))).toBe(false);
      }
      expect(isConsistent({ size: 0, root: treeRoot([]) }, second, [])).toBe(true);
      expect(isConsistent({ size: size + 1, root: second.root }, second, [])).toBe(false);
    }
  });

  it('refuses a proof whose hashes are cut at another byte', () => {
    const leaves = leavesOf(4);
    const second = { size: 4, root: treeRoot(leaves) };
    const [left, right] = [treeRoot(leaves.slice(0, 2)), treeRoot(leaves.slice(2))];
    const both = new Uint8Array([...left, ...right]);
    // A root of 33 bytes and a hash of 31 are the same node of 64 bytes.
    expect(isConsistent({ size: 2, root: left }, second, [right])).toBe(true);
    expect(isConsistent({ size: 2, root: both.slice(0, 33) }, second, [both.slice(33)])).toBe(false);
  });

  it('proves trees of more leaves than a shift can count', () => {
    // Two equal halves, and one leaf more: each root follows from the one below.
    for (const height of [31, 32, 40, 52]) {
      let root = leafHash(utf8Bytes('same'));
      const path: Uint8Array[] = [];
      for (let n = 0; n < height; n += 1) {
        path.push(root);
        root = nodeHash(root, root);
      }
      const leaf = leafHash(utf8Bytes('same'));
      const last = leafHash(utf8Bytes('last'));
      const [first, second] = [
        { size: 2 ** height, root },
        { size: 2 ** height + 1, root: nodeHash(root, last) },
      ];
      expect(isConsistent(first, second, [last])).toBe(true);
      expect(isConsistent({ ...first, size: first.size - 1 }, second, [last])).toBe(false);
      expect(rootFromPath(leaf, 2 ** (height - 1), second.size, [...path, last])).toEqual(second.root);
      expect(rootFromPath(last, 2 ** height, second.size, [root])).toEqual(second.root);
      expect(rootFromPath(last, 2 ** height - 1, second.size, [root])).not.toEqual(second.root);
    }
  });
});
