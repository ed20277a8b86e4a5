import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import {
  LIABILITIES_TYPE,
  type Liabilities,
  type LiabilityLeaf,
  type LiabilityProof,
  NO_LIABILITIES_HASH,
  nodeOfLeaf,
  type SumNode,
  sumLevels,
  sumPath,
  verifyLiability,
  writeLeaf,
  writeLiabilities,
} from './liabilities.ts';
import { signText } from './signature.ts';
import { FIRST_TICK_MS, TEST_KEY_SEEDS, TEST_KEYS } from './testing-receipts.ts';

const COLUMNS = ['BTC', 'USDT', 'options'];

export const testLeaf = (customer: number, change: Partial<LiabilityLeaf> = {}): LiabilityLeaf => ({
  salt: String(customer).padStart(64, 'a'),
  customer: String(customer),
  accounts: [
    { name: 'in_orders', asset: 'USDT', n: 1n, total: 80_000n },
    { name: 'spot', asset: 'BTC', n: 2n, total: BigInt(customer) },
    { name: 'spot', asset: 'USDT', n: 10n, total: BigInt(customer) * 1_000_000n },
  ],
  options: BigInt(customer % 3) * 5n,
  ...change,
});

interface Choices {
  readonly seed?: Uint8Array;
  readonly change?: (tree: Liabilities) => Liabilities;
  readonly nodes?: (nodes: SumNode[]) => SumNode[];
}

/** The proof of the leaf at `index` in a tree of these leaves, as a server makes it. */
export function testProof(leaves: readonly LiabilityLeaf[], index: number, choices: Choices = {}): LiabilityProof {
  const { seed = TEST_KEY_SEEDS.receipt, change = (tree) => tree, nodes = (all) => all } = choices;
  const levels = sumLevels(
    nodes(
      leaves.map((leaf) => {
        const node = nodeOfLeaf(leaf, COLUMNS);
        if (node === undefined) throw new Error('an asset that is no column');
        return node;
      }),
    ),
  );
  const [root, ...sums] = levels.at(-1)?.[0] ?? [''];
  const tree: Liabilities = {
    sequence: 2n,
    previous: 'b'.repeat(64),
    atMs: FIRST_TICK_MS,
    ledger: 120n,
    environment: 'demo',
    size: leaves.length,
    root,
    sums: COLUMNS.map((column, n) => [column, BigInt(sums[n] ?? 0)] as const),
  };
  return {
    signed: signText(writeLiabilities(change(tree)), seed),
    leaf: writeLeaf(leaves[index] as LiabilityLeaf),
    index: String(index),
    path: sumPath(levels, index),
  };
}

/** The leaves of that many customers, numbered from 1. */
export const testLeaves = (count: number): LiabilityLeaf[] => Array.from({ length: count }, (_, n) => testLeaf(n + 1));

/** The same tree with half of each sum. */
export const halve = (tree: Liabilities): Liabilities => ({
  ...tree,
  sums: tree.sums.map(([column, units]) => [column, units / 2n] as const),
});

function cases(): [string, unknown, string?][] {
  const seven = testLeaves(7);
  const honest = testProof(seven, 4);
  const body = (members: Record<string, Canonical>): unknown => {
    const text = parseCanonical(honest.signed.body) as Record<string, Canonical>;
    return {
      ...honest,
      signed: signText(canonicalText({ ...text, v: LIABILITIES_TYPE, ...members }), TEST_KEY_SEEDS.receipt),
    };
  };
  const leaf = (members: Record<string, Canonical>): unknown => ({
    ...honest,
    leaf: canonicalText({ ...(parseCanonical(honest.leaf) as Record<string, Canonical>), ...members }),
  });
  const path = (at: number, node: (old: readonly string[]) => readonly string[]): unknown => ({
    ...honest,
    path: honest.path.map((old, n) => (n === at ? node(old) : old)),
  });
  /** A tree in which one node claims less than its leaf, as somebody would who owes less. */
  const smaller = testProof(seven, 4, {
    nodes: (all) => all.map((node, n) => (n === 4 ? [node[0], node[1] ?? '', '1', node[3] ?? ''] : node)),
  });
  /** A neighbour with a negative amount would hide what is owed to everybody. */
  const negative = testProof(seven, 4, {
    nodes: (all) => all.map((node, n) => (n === 5 ? [node[0], node[1] ?? '', '-4000000', node[3] ?? ''] : node)),
  });
  return [
    ...[1, 2, 3, 5, 7, 8].flatMap((size) =>
      Array.from({ length: size }, (_, index): [string, unknown, string] => [
        `leaf ${index} of ${size}`,
        testProof(testLeaves(size), index),
        String(index + 1),
      ]),
    ),
    ['without accounts', testProof([testLeaf(1, { accounts: [], options: 0n }), testLeaf(2)], 0), '1'],
    [
      'the first tree',
      testProof(seven, 4, { change: (tree) => ({ ...tree, sequence: 1n, previous: NO_LIABILITIES_HASH }) }),
    ],
    ['the first tree with one before it', testProof(seven, 4, { change: (tree) => ({ ...tree, sequence: 1n }) })],
    [
      'a later tree with none before it',
      testProof(seven, 4, { change: (tree) => ({ ...tree, previous: NO_LIABILITIES_HASH }) }),
    ],
    ['another customer', honest, '6'],
    ['a foreign key', testProof(seven, 4, { seed: TEST_KEY_SEEDS.other })],
    ['a spoiled signature', { ...honest, signed: { ...honest.signed, signature: '0'.repeat(128) } }],
    ['another index', { ...honest, index: '3' }],
    ['an index beyond the tree', { ...honest, index: '7' }],
    ['an index with a zero before', { ...honest, index: '04' }],
    ['a path too short', { ...honest, path: honest.path.slice(1) }],
    ['a path too long', { ...honest, path: [...honest.path, honest.path[0]] }],
    ['a smaller balance in the leaf', leaf({ accounts: [['spot', 'USDT', '10', '1']] })],
    ['an asset without a column', leaf({ accounts: [['spot', 'THB', '1', '5']] })],
    [
      'accounts in another order',
      leaf({
        accounts: [
          ['spot', 'USDT', '10', '5000000'],
          ['in_orders', 'USDT', '1', '80000'],
        ],
      }),
    ],
    [
      'an account twice',
      leaf({
        accounts: [
          ['spot', 'USDT', '10', '1'],
          ['spot', 'USDT', '10', '1'],
        ],
      }),
    ],
    ['a negative balance', leaf({ accounts: [['spot', 'USDT', '10', '-1']] })],
    ['an account without an entry', leaf({ accounts: [['spot', 'USDT', '0', '1']] })],
    ['a short salt', leaf({ salt: 'aa' })],
    ['a leaf with a member more', leaf({ note: '' })],
    ['a leaf of another type', leaf({ v: 'liability/2' })],
    ['a node that claims less than its leaf', smaller],
    ['a negative neighbour', negative],
    ['a neighbour’s sums changed', path(0, ([hash, , ...sums]) => [hash ?? '', '999', ...sums])],
    ['a neighbour’s hash changed', path(0, ([, ...sums]) => ['c'.repeat(64), ...sums])],
    ['a neighbour without a sum', path(0, (old) => old.slice(0, -1))],
    ['a neighbour with a sum more', path(0, (old) => [...old, '0'])],
    ['a negative sum beside the way', path(0, ([hash, , ...sums]) => [hash ?? '', '-1', ...sums])],
    ['a total that is smaller', testProof(seven, 4, { change: halve })],
    ['a tree of another size', testProof(seven, 4, { change: (tree) => ({ ...tree, size: 9 }) })],
    [
      'a column twice',
      body({
        sums: [
          ['BTC', '28'],
          ['BTC', '28'],
          ['options', '5'],
        ],
      }),
    ],
    [
      'no column for options',
      body({
        sums: [
          ['BTC', '28'],
          ['USDT', '5'],
        ],
      }),
    ],
    [
      'a column in small letters',
      body({
        sums: [
          ['btc', '28'],
          ['options', '5'],
        ],
      }),
    ],
    [
      'a negative total',
      body({
        sums: [
          ['BTC', '-28'],
          ['USDT', '5'],
          ['options', '5'],
        ],
      }),
    ],
    ['no leaf', body({ size: '0' })],
    ['no time', body({ at: '0' })],
    ['an unknown place', body({ env: 'test' })],
    ['a member more in the signed text', body({ note: '' })],
  ];
}

/** The published vectors; each verdict is that of this package. */
export async function liabilityVectors() {
  return Promise.all(
    cases().map(async ([name, proof, customer = '5']) => {
      const verified = await verifyLiability(proof as LiabilityProof, customer, TEST_KEYS);
      return { name, proof, customer, keys: TEST_KEYS, fault: verified.ok ? null : verified.fault };
    }),
  );
}
