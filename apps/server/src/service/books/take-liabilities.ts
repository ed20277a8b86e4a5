import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type LiabilityLeaf,
  NO_LIABILITIES_HASH,
  nodeOf,
  nodeOfLeaf,
  OPTIONS_COLUMN,
  type SumNode,
  writeLeaf,
  writeLiabilities,
} from '@sathorn/proof';
import type { Database } from '../../platform/database/index.ts';
import type { Signer } from '../../platform/proofs/index.ts';
import {
  dropNodes,
  insertLiabilities,
  insertNodes,
  lockLiabilities,
  type NodeRow,
  type OwedRow,
  readLiabilitiesRows,
  readOwed,
} from './liability-store.ts';

export interface LiabilitiesDependencies {
  readonly database: Database;
  readonly signer: Signer;
  /** A secret from which each leaf's salt follows. */
  readonly accountSalt: Buffer;
  readonly mode: 'live' | 'demo';
}

/** A tree an hour; more often in a demo, so that a visitor sees their own balance in one. */
const EVERY_MS = { live: 3_600_000, demo: 300_000 } as const;
/** Of so many trees the nodes are kept. */
const TREES_KEPT = 3n;
/** The process also answers customers, so it hashes so many nodes at a time. */
const AT_ONCE = 500;

function leafOf({ customer, accounts, options }: OwedRow, salt: string): LiabilityLeaf {
  return {
    salt,
    customer: String(customer),
    accounts: accounts.map(([name, asset, n, total]) => ({ name, asset, n: BigInt(n), total: BigInt(total) })),
    options: BigInt(options),
  };
}

/** Signs a new tree if the newest one is of an earlier period. Does nothing while another process does it. */
export async function takeLiabilities(
  { database, signer, accountSalt, mode }: LiabilitiesDependencies,
  now: Date,
): Promise<void> {
  const periodOf = (at: Date): number => Math.floor(at.getTime() / EVERY_MS[mode]);
  await database.transaction(async (transaction) => {
    if (!(await lockLiabilities(transaction))) return;
    const [before] = await readLiabilitiesRows(transaction, 1);
    if (before !== undefined && periodOf(before.at) >= periodOf(now)) return;
    const owed = await readOwed(transaction);
    const [first] = owed;
    if (first === undefined) return;
    const sequence = (before?.sequence ?? 0n) + 1n;
    const saltOf = (customer: bigint): string =>
      hash('sha256', `${accountSalt.toString('hex')}:liability:${sequence}:${customer}`, 'hex');

    const assets = new Set(owed.flatMap(({ accounts }) => accounts.map(([, asset]) => asset)));
    const columns = [...[...assets].sort(), OPTIONS_COLUMN];
    const leaves: { customer: bigint; leaf: string; node: SumNode }[] = [];
    for (const [n, row] of owed.entries()) {
      if (n % AT_ONCE === AT_ONCE - 1) await nextTurn();
      const leaf = leafOf(row, saltOf(row.customer));
      const node = nodeOfLeaf(leaf, columns);
      if (node === undefined) throw new Error('an account’s asset is not among the columns');
      leaves.push({ customer: row.customer, leaf: writeLeaf(leaf), node });
    }
    // A hash with a new salt orders them at random, so a leaf's place says nothing about its customer.
    leaves.sort((a, b) => (a.node[0] < b.node[0] ? -1 : 1));

    let level = leaves.map(({ node }) => node);
    const rows: NodeRow[] = leaves.map(({ customer, leaf, node }, position) => ({
      level: 0,
      position,
      node,
      customer,
      leaf,
    }));
    for (let height = 1; level.length > 1; height += 1) {
      const above: SumNode[] = [];
      for (let n = 0; n < level.length; n += 2) {
        const [left, right] = [level[n], level[n + 1]];
        if (left !== undefined) above.push(right === undefined ? left : nodeOf(left, right));
        if (n % AT_ONCE === 0) await nextTurn();
      }
      rows.push(...above.map((node, position) => ({ level: height, position, node, customer: null, leaf: null })));
      level = above;
    }
    const [root = '', ...sums] = level[0] ?? [];
    const signed = signer.sign(
      writeLiabilities({
        sequence,
        previous: before?.signed.hash ?? NO_LIABILITIES_HASH,
        atMs: now.getTime(),
        ledger: first.ledger,
        environment: mode,
        size: leaves.length,
        root,
        sums: columns.map((column, n) => [column, BigInt(sums[n] ?? 0)] as const),
      }),
    );
    await insertLiabilities(transaction, { sequence, at: now, signed });
    for (let from = 0; from < rows.length; from += AT_ONCE)
      await insertNodes(transaction, sequence, rows.slice(from, from + AT_ONCE));
    await dropNodes(transaction, sequence - TREES_KEPT);
  });
}
