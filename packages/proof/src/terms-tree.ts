/**
 * One signature for all terms that were accepted together: their Merkle root is signed, and each receipt contains the
 * path from its own terms to the root. A signature costs about thirty times what hashing one order's terms does.
 */
import { canonicalText, parseCanonical } from './canonical.ts';
import { fromHex, sha256, toHex, utf8Bytes } from './hash.ts';
import { leafHash, pathInLevels, rootFromPath, treeLevels, treeRoot } from './merkle-tree.ts';
import { bytesToSign, hashOfBody, type SignatureFault, type SignedText, verifySignedText } from './signature.ts';

/** A text with its path in a signed tree. */
export interface TreeSignedText {
  readonly body: string;
  /** SHA-256 of `v + " " + body`, as for texts that are signed alone. */
  readonly hash: string;
  /** The text's index in the tree, from 0. */
  readonly index: string;
  /** The sibling hashes on the way to the root, lowest first, in hex. */
  readonly path: readonly string[];
  /** The signed root and size. */
  readonly tree: SignedText;
}

/** A tree of texts. The caller signs its head, and then each text can prove its place. */
export interface TextTree {
  /** The text of the head, which the caller signs. */
  readonly head: string;
  /** The proof for the body at `index` under the signed head. Costs two hashes, because the tree is computed once. */
  prove(index: number, signed: SignedText): TreeSignedText;
}

/**
 * The bodies must be canonical texts of one type. This is not checked: the caller has just created them, and the check
 * would double the cost. A text that is not canonical would fail its proof.
 */
export function buildTextTree(type: string, bodies: readonly string[]): TextTree {
  const texts = bodies.map((body) => utf8Bytes(`${type}\n${body}`));
  const levels = treeLevels(texts.map((bytes) => leafHash(bytes))).map((level) => level.map(toHex));
  const root = levels.at(-1)?.[0] ?? toHex(treeRoot([]));
  return {
    head: canonicalText({ v: 'tree/1', root, size: String(bodies.length) }),
    prove(index, signed) {
      const [body, bytes] = [bodies[index], texts[index]];
      if (body === undefined || bytes === undefined) throw new RangeError('no such text in this tree');
      const path = pathInLevels(levels, index);
      return { body, hash: toHex(sha256(bytes)), index: String(index), path, tree: signed };
    },
  };
}

/** The text of a tree's head, which is signed. */
export function writeTreeHead(type: string, bodies: readonly string[]): string {
  return buildTextTree(type, bodies).head;
}

/** Proves that one of the bodies is in the signed tree. */
export function proveInTree(type: string, bodies: readonly string[], index: number, tree: SignedText): TreeSignedText {
  return buildTextTree(type, bodies).prove(index, tree);
}

export type TreeFault = SignatureFault | 'tree_malformed' | 'path_wrong';

/** Returns the first fault; null if the key's holder signed a tree that has this text at this index. */
export async function verifyTreeSignedText(text: TreeSignedText, publicKeyHex: string): Promise<TreeFault | null> {
  const bytes = bytesToSign(text.body);
  if (bytes === undefined) return 'body_malformed';
  if (hashOfBody(text.body) !== text.hash) return 'hash_differs';
  const fault = await verifySignedText(text.tree, publicKeyHex);
  if (fault !== null) return fault;
  const head = readTreeHead(text.tree.body);
  if (head === undefined) return 'tree_malformed';
  const path = text.path.map((hex) => fromHex(hex, 32));
  if (!/^(0|[1-9][0-9]{0,8})$/.test(text.index) || !path.every((hash) => hash !== undefined)) return 'path_wrong';
  const root = rootFromPath(leafHash(bytes), Number(text.index), head.size, path);
  return root !== undefined && toHex(root) === head.root ? null : 'path_wrong';
}

/** The server starts a new tree after this many texts. */
const TREE_SIZE_MAX = 64;

function readTreeHead(body: string): { root: string; size: number } | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== 'tree/1') return undefined;
  const { root, size } = value;
  if (typeof root !== 'string' || typeof size !== 'string' || !/^[1-9][0-9]?$/.test(size)) return undefined;
  if (Number(size) > TREE_SIZE_MAX) return undefined;
  return Object.keys(value).length === 3 ? { root, size: Number(size) } : undefined;
}
