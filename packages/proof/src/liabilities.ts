/**
 * What the platform owes its customers, as a sum tree that it signs: each leaf is one customer with a salt, each node
 * is bound to the hashes and the sums of both children. A customer finds their own balances in it, and nobody can leave
 * one out or make it smaller without a difference that this customer sees. Amounts are never negative.
 */
import { isChainAccount } from './account-chain.ts';
import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import { isKeyInTime, type ProofKey } from './proof-keys.ts';
import { hashOfBody, keyIdOf, type SignatureFault, type SignedText, verifySignedText } from './signature.ts';

/** An account at the moment of the tree. */
export interface OwedAccount {
  readonly name: string;
  readonly asset: string;
  /** The number of the account's newest entry. */
  readonly n: bigint;
  readonly total: bigint;
}

/** One customer. */
export interface LiabilityLeaf {
  /** 32 random bytes in hex, new for each tree. Without it nobody can guess whose leaf it is. */
  readonly salt: string;
  readonly customer: string;
  /** Sorted by name and then by asset. */
  readonly accounts: readonly OwedAccount[];
  /** What the customer's open options pay at most beyond their stakes, in units of USDT. */
  readonly options: bigint;
}

/** A node of the tree: its hash in hex, and its sums in the order of the tree's columns. */
export type SumNode = readonly [hash: string, ...sums: string[]];

export interface Liabilities {
  /** From 1, without gaps. */
  readonly sequence: bigint;
  /** Hash of the text before; 64 zeros for the first. */
  readonly previous: string;
  /** In ms since 1970. */
  readonly atMs: number;
  /** The newest transfer of the ledger that the balances include. */
  readonly ledger: bigint;
  readonly environment: 'live' | 'demo';
  /** The number of leaves. */
  readonly size: number;
  /** The root's hash. */
  readonly root: string;
  /** The whole sums by column: assets, sorted, and then `options`. */
  readonly sums: readonly (readonly [column: string, units: bigint])[];
}

export const LIABILITIES_TYPE = 'liabilities/1';
export const NO_LIABILITIES_HASH = '0'.repeat(64);
/** The column of what open options could pay. No asset is named in lower case. */
export const OPTIONS_COLUMN = 'options';
const SIZE_MAX = 0x7fff_ffff;
const COLUMNS_MAX = 64;
const UNITS = /^(0|[1-9][0-9]{0,37})$/;
const HASH = /^[0-9a-f]{64}$/;
const COUNT = /^[1-9][0-9]{0,17}$/;

export function writeLeaf({ salt, customer, accounts, options }: LiabilityLeaf): string {
  return canonicalText({
    v: 'liability/1',
    salt,
    customer,
    accounts: accounts.map(({ name, asset, n, total }) => [name, asset, String(n), String(total)]),
    options: String(options),
  });
}

/** Undefined unless the text is exactly what `writeLeaf` writes. */
export function readLeaf(body: string): LiabilityLeaf | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { salt, customer, accounts, options } = value as Record<string, Canonical>;
  if (typeof salt !== 'string' || !HASH.test(salt)) return undefined;
  if (typeof customer !== 'string' || !/^[1-9][0-9]{0,18}$/.test(customer)) return undefined;
  if (typeof options !== 'string' || !UNITS.test(options) || !Array.isArray(accounts)) return undefined;
  const read: OwedAccount[] = [];
  for (const row of accounts as readonly Canonical[]) {
    if (!Array.isArray(row) || row.length !== 4 || !row.every((cell) => typeof cell === 'string')) return undefined;
    const [name, asset, n, total] = row as [string, string, string, string];
    if (!isChainAccount({ name, asset }) || !COUNT.test(n) || !UNITS.test(total)) return undefined;
    const last = read.at(-1);
    if (last !== undefined && !(last.name < name || (last.name === name && last.asset < asset))) return undefined;
    read.push({ name, asset, n: BigInt(n), total: BigInt(total) });
  }
  const leaf: LiabilityLeaf = { salt, customer, accounts: read, options: BigInt(options) };
  return writeLeaf(leaf) === body ? leaf : undefined;
}

/** The leaf as a node of a tree with these columns; undefined if it has an asset that is not among them. */
export function nodeOfLeaf(leaf: LiabilityLeaf, columns: readonly string[]): SumNode | undefined {
  const sums = new Map(columns.map((column) => [column, 0n]));
  for (const [column, units] of [
    ...leaf.accounts.map(({ asset, total }) => [asset, total] as const),
    [OPTIONS_COLUMN, leaf.options] as const,
  ]) {
    const before = sums.get(column);
    if (before === undefined) return undefined;
    sums.set(column, before + units);
  }
  return [hashOfBody(writeLeaf(leaf)), ...[...sums.values()].map(String)];
}

export function nodeOf(left: SumNode, right: SumNode): SumNode {
  const [, ...leftSums] = left;
  const [, ...rightSums] = right;
  if (leftSums.length !== rightSums.length) throw new RangeError('both children have the same columns');
  const sums = leftSums.map((units, n) => String(BigInt(units) + BigInt(rightSums[n] ?? '')));
  return [hashOfBody(canonicalText({ v: 'sum/1', left, right })), ...sums];
}

/**
 * All nodes, level by level from the leaves to the root. A node without a sibling moves up unchanged (the splits of RFC
 * 6962).
 */
export function sumLevels(leaves: readonly SumNode[]): readonly (readonly SumNode[])[] {
  const levels = [leaves];
  let level = leaves;
  while (level.length > 1) {
    const above: SumNode[] = [];
    for (let n = 0; n < level.length; n += 2) {
      const [left, right] = [level[n], level[n + 1]];
      if (left !== undefined) above.push(right === undefined ? left : nodeOf(left, right));
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

/** The nodes beside the way from leaf `index` to the root, lowest first. */
export function sumPath(levels: readonly (readonly SumNode[])[], index: number): SumNode[] {
  if (!Number.isInteger(index) || index < 0 || index >= (levels[0]?.length ?? 0)) throw new RangeError('no such leaf');
  return levels.flatMap((level, height) => {
    const beside = level[(index >>> height) ^ 1];
    return beside === undefined ? [] : [beside];
  });
}

/** The root from a leaf and its path (RFC 9162, 2.1.3.2); undefined if the path does not fit. */
function rootOfPath(leaf: SumNode, index: number, size: number, path: readonly SumNode[]): SumNode | undefined {
  let node = index;
  let last = size - 1;
  let at = leaf;
  for (const beside of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      at = nodeOf(beside, at);
      while (node % 2 === 0 && node !== 0) {
        node >>>= 1;
        last >>>= 1;
      }
    } else at = nodeOf(at, beside);
    node >>>= 1;
    last >>>= 1;
  }
  return last === 0 ? at : undefined;
}

export function writeLiabilities(tree: Liabilities): string {
  return canonicalText({
    v: LIABILITIES_TYPE,
    seq: String(tree.sequence),
    prev: tree.previous,
    at: String(tree.atMs),
    ledger: String(tree.ledger),
    env: tree.environment,
    size: String(tree.size),
    root: tree.root,
    sums: tree.sums.map(([column, units]) => [column, String(units)]),
  });
}

/** Undefined unless the text is exactly what `writeLiabilities` writes. */
export function readLiabilities(body: string): Liabilities | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { seq, prev, at, ledger, env, size, root, sums } = value as Record<string, Canonical>;
  const isCount = (text: unknown, pattern = COUNT): text is string => typeof text === 'string' && pattern.test(text);
  if (!isCount(seq) || !isCount(at, /^[1-9][0-9]{0,14}$/) || !isCount(ledger, /^(0|[1-9][0-9]{0,17})$/))
    return undefined;
  if (!isCount(size, /^[1-9][0-9]{0,9}$/) || Number(size) > SIZE_MAX || (env !== 'live' && env !== 'demo'))
    return undefined;
  if (!isCount(prev, HASH) || !isCount(root, HASH) || (seq === '1') !== (prev === NO_LIABILITIES_HASH))
    return undefined;
  if (!Array.isArray(sums) || sums.length > COLUMNS_MAX) return undefined;
  const columns: (readonly [string, bigint])[] = [];
  for (const row of sums as readonly Canonical[]) {
    if (!Array.isArray(row) || row.length !== 2) return undefined;
    const [column, units] = row as readonly Canonical[];
    if (typeof column !== 'string' || typeof units !== 'string' || !UNITS.test(units)) return undefined;
    if (!/^[A-Z][A-Z0-9]{0,14}$/.test(column) && column !== OPTIONS_COLUMN) return undefined;
    const [last] = columns.at(-1) ?? [];
    if (last !== undefined && last >= column) return undefined;
    columns.push([column, BigInt(units)]);
  }
  // Capitals come before small letters, so `options` is the last one.
  if (columns.at(-1)?.[0] !== OPTIONS_COLUMN) return undefined;
  const read: Liabilities = {
    sequence: BigInt(seq),
    previous: prev,
    atMs: Number(at),
    ledger: BigInt(ledger),
    environment: env,
    size: Number(size),
    root,
    sums: columns,
  };
  return writeLiabilities(read) === body ? read : undefined;
}

/** What a customer gets: the signed root, and the way from their own leaf to it. */
export interface LiabilityProof {
  readonly signed: SignedText;
  /** The text of the leaf. */
  readonly leaf: string;
  /** The leaf's index, from 0. */
  readonly index: string;
  readonly path: readonly (readonly string[])[];
}

export type LiabilityFault =
  | SignatureFault
  | 'liabilities_malformed'
  | 'key_unknown'
  | 'key_not_in_time'
  | 'leaf_malformed'
  /** The leaf is of another customer than the reader. */
  | 'leaf_of_another'
  | 'path_malformed'
  /** The path does not lead to the signed root, or to other sums. */
  | 'root_differs';

/** Verifies the signed text alone. */
export async function verifyLiabilities(
  signed: SignedText,
  keys: readonly ProofKey[],
): Promise<{ readonly ok: true; readonly tree: Liabilities } | { readonly ok: false; readonly fault: LiabilityFault }> {
  const tree = readLiabilities(signed.body);
  if (tree === undefined) return { ok: false, fault: 'liabilities_malformed' };
  const key = keys.find(
    ({ use, id, public_key }) => use === 'receipt' && id === signed.key && keyIdOf(public_key) === id,
  );
  if (key === undefined) return { ok: false, fault: 'key_unknown' };
  const fault = await verifySignedText(signed, key.public_key);
  if (fault !== null) return { ok: false, fault };
  return isKeyInTime(key, tree.atMs) ? { ok: true, tree } : { ok: false, fault: 'key_not_in_time' };
}

/** Verifies that a customer's leaf is in the signed tree, and that its sums are part of the signed ones. */
export async function verifyLiability(
  { signed, leaf: body, index, path }: LiabilityProof,
  customer: string,
  keys: readonly ProofKey[],
): Promise<
  | { readonly ok: true; readonly tree: Liabilities; readonly leaf: LiabilityLeaf }
  | { readonly ok: false; readonly fault: LiabilityFault }
> {
  const verified = await verifyLiabilities(signed, keys);
  if (!verified.ok) return verified;
  const { tree } = verified;
  const leaf = readLeaf(body);
  const columns = tree.sums.map(([column]) => column);
  const node = leaf && nodeOfLeaf(leaf, columns);
  if (leaf === undefined || node === undefined) return { ok: false, fault: 'leaf_malformed' };
  if (leaf.customer !== customer) return { ok: false, fault: 'leaf_of_another' };
  const isNode = (given: readonly string[]): given is SumNode =>
    given.length === columns.length + 1 &&
    HASH.test(given[0] ?? '') &&
    given.slice(1).every((units) => UNITS.test(units));
  if (!/^(0|[1-9][0-9]{0,9})$/.test(index) || Number(index) >= tree.size || path.length > 31 || !path.every(isNode))
    return { ok: false, fault: 'path_malformed' };
  const root = rootOfPath(node, Number(index), tree.size, path);
  const wanted = [tree.root, ...tree.sums.map(([, units]) => String(units))];
  return root?.join() === wanted.join() ? { ok: true, tree, leaf } : { ok: false, fault: 'root_differs' };
}
