/**
 * The signed heads of customers' accounts. They are computed when somebody asks, never while money is posted, and from
 * committed entries only. A head that was signed is kept, so the next one costs only the entries since.
 */
import { hash } from 'node:crypto';
import {
  type AccountEntry,
  type AccountHead,
  accountSeal,
  type ChainAccount,
  hashOfEntry,
  NO_ENTRY_HASH,
  type SignedStatement,
  writeStatementHead,
} from '@sathorn/proof';
import type { Database, Transaction } from '../platform/database/index.ts';
import { openKeyStart, type Signer } from '../platform/proofs/index.ts';
import { RecentMap } from '../platform/recent-map.ts';
import {
  type EntryRow,
  type HeadRow,
  lockHeads,
  type NewHead,
  readEntries,
  readHeadBefore,
  readHeads,
  rememberHeads,
} from './account-head-store.ts';
import { accountNameOf, purposeNameOf, TRANSFER_KIND_LETTERS } from './chart.ts';

export interface StatementSigning {
  readonly signer: Signer;
  /** A secret that hides customers in signed texts. */
  readonly accountSalt: Buffer;
  readonly environment: 'live' | 'demo';
}

export interface AccountChains {
  /** The newest heads of all accounts of the customer, signed. The same text as long as nothing moves. */
  statementOf(owner: bigint): Promise<SignedStatement>;
  /**
   * The same for answers that are read after every order. The heads may be some seconds behind, so that a customer who
   * trades without a pause does not have a head written for each order.
   */
  recentStatementOf(owner: bigint, now: Date): Promise<SignedStatement>;
  /**
   * Entries of one account from number `from` on, oldest first, up to the newest signed head; `prev` is the hash of the
   * entry before the first. No entries beyond the head, or for an account that does not exist.
   */
  entriesOf(
    owner: bigint,
    account: ChainAccount,
    from: bigint,
    limit: number,
  ): Promise<{ readonly prev: string; readonly items: readonly AccountEntry[] }>;
}

/** Between two kept heads are at most so many entries, so the hash before any entry costs at most these. */
const ENTRIES_PER_HEAD = 1_000n;
/** One request hashes at most so many entries. A head may be behind its account, and the next request goes on. */
const ENTRIES_PER_REQUEST = 20_000n;
const STATEMENTS_KEPT = 5_000;
const RECENT_MS = 10_000;

const KINDS = Object.fromEntries(
  Object.entries(TRANSFER_KIND_LETTERS).map(([kind, letter]) => [letter, kind]),
) as Record<EntryRow['kind'], AccountEntry['kind']>;

function entryOf(row: EntryRow): AccountEntry {
  const purpose = purposeNameOf(row.code);
  if (purpose === undefined) throw new Error(`transfer ${row.sequence} has a purpose that is not in the chart`);
  return {
    n: String(row.entry),
    seq: String(row.sequence),
    journal: row.journal,
    kind: KINDS[row.kind],
    resolves: row.resolves === null ? null : String(row.resolves),
    amount: row.amount,
    held: row.held,
    total: row.total,
    purpose,
    at: String(row.at_ms),
  };
}

const accountOf = ({ code, asset }: Pick<HeadRow, 'code' | 'asset'>): ChainAccount => {
  const name = accountNameOf(code);
  if (name === undefined) throw new Error(`account code ${code} is not in the chart`);
  return { name, asset };
};

/** The salt of a customer's statements. It is the same in all of them, so that two of them can be compared. */
export const statementSaltOf = (owner: bigint, accountSalt: Buffer): string =>
  hash('sha256', `${accountSalt.toString('hex')}:statement:${owner}`, 'hex');

/** An account's head with the time at which it was first signed. */
interface TimedHead extends AccountHead {
  readonly atMs: bigint;
}

export function openAccountChains(
  database: Database,
  { signer, accountSalt, environment }: StatementSigning,
): AccountChains {
  const recent = new RecentMap<bigint, SignedStatement>(STATEMENTS_KEPT);

  const readKeyStart = openKeyStart(database, signer);

  const sign = async (owner: bigint, heads: readonly TimedHead[]): Promise<SignedStatement> => {
    const account = { salt: statementSaltOf(owner, accountSalt), customer: String(owner) };
    const body = writeStatementHead({
      account: accountSeal(account.salt, account.customer),
      atMs: Math.max(await readKeyStart(), ...heads.map(({ atMs }) => Number(atMs))),
      environment,
      accounts: heads,
    });
    const known = recent.get(owner);
    if (known?.signed.body === body) return known;
    const statement = { signed: signer.sign(body), account };
    recent.set(owner, statement);
    return statement;
  };

  const statementOf = async (owner: bigint): Promise<SignedStatement> => {
    const rows = await readHeads(database, owner);
    const isCurrent = rows.every(({ entries, entry }) => entries === entry);
    const heads = isCurrent
      ? rows.map(headOf)
      : await database.transaction((transaction) => advanceHeads(transaction, owner));
    return sign(owner, heads);
  };
  const recentAt = new RecentMap<bigint, number>(STATEMENTS_KEPT);

  return {
    statementOf,
    async recentStatementOf(owner, now) {
      const known = recent.get(owner);
      const age = now.getTime() - (recentAt.get(owner) ?? 0);
      if (known !== undefined && age >= 0 && age < RECENT_MS) return known;
      recentAt.set(owner, now.getTime());
      return statementOf(owner);
    },

    async entriesOf(owner, { name, asset }, from, limit) {
      const rows = await readHeads(database, owner);
      const row = rows.find((one) => one.asset === asset && accountNameOf(one.code) === name);
      const upTo = row && minOf(row.entry, from + BigInt(limit) - 1n);
      if (row === undefined || upTo === undefined || from > upTo) return { prev: NO_ENTRY_HASH, items: [] };
      const head = await readHeadBefore(database, row.id, from - 1n);
      const read = (await readEntries(database, row.id, head?.entry ?? 0n, upTo)).map(entryOf);
      const skipped = Number(from - 1n - (head?.entry ?? 0n));
      const account = accountOf(row);
      const prev = read
        .slice(0, skipped)
        .reduce((before, entry) => hashOfEntry(account, entry, before), head?.hash ?? NO_ENTRY_HASH);
      return { prev, items: read.slice(skipped) };
    },
  };
}

const minOf = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const headOf = (row: HeadRow): TimedHead => ({
  ...accountOf(row),
  n: row.entry,
  hash: row.hash,
  total: BigInt(row.total),
  held: BigInt(row.held),
  atMs: row.at_ms,
});

/** Brings the customer's heads up to date. The lock comes before the read, so later heads have later times. */
async function advanceHeads(transaction: Transaction, owner: bigint): Promise<TimedHead[]> {
  await lockHeads(transaction, owner);
  const rows = await readHeads(transaction, owner);
  const added: NewHead[] = [];
  const advanced: (TimedHead & { isNew: boolean })[] = [];
  let left = ENTRIES_PER_REQUEST;
  for (const row of rows) {
    const account = accountOf(row);
    let head = { ...headOf(row), isNew: false };
    while (head.n < row.entries && left > 0n) {
      const previous = head.n;
      const upTo = minOf(minOf(previous + ENTRIES_PER_HEAD, previous + left), row.entries);
      const entries = await readEntries(transaction, row.id, previous, upTo);
      const [last] = entries.slice(-1);
      if (last?.entry !== upTo || BigInt(entries.length) !== upTo - previous)
        throw new Error(`account ${row.id} lacks entries between ${previous} and ${upTo}`);
      const hashed = entries.reduce(
        (before, entry) => hashOfEntry(account, entryOf(entry), before),
        previous === 0n ? NO_ENTRY_HASH : head.hash,
      );
      head = { ...head, n: upTo, hash: hashed, total: BigInt(last.total), held: BigInt(last.held), isNew: true };
      added.push({ account: row.id, previous, entry: upTo, hash: hashed });
      left -= upTo - previous;
    }
    if (head.n > 0n && head.n < row.entries && !head.isNew) {
      // The account's own counters are ahead of this head.
      const [at] = await readEntries(transaction, row.id, head.n - 1n, head.n);
      head = { ...head, total: BigInt(at?.total ?? 0), held: BigInt(at?.held ?? 0) };
    }
    if (head.n > 0n) advanced.push(head);
  }
  if (added.length === 0) return advanced;
  const atMs = await rememberHeads(transaction, owner, added);
  return advanced.map((head) => (head.isNew ? { ...head, atMs } : head));
}
