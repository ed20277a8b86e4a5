import type { SignedStatement } from '@sathorn/api';
import {
  type AccountEntry,
  CHAIN_START,
  type ChainAccount,
  type ChainPoint,
  type EntryFault,
  findContradiction,
  readStatementHead,
  type StatementFault,
  type StatementHead,
  walkEntries,
} from '@sathorn/proof';

/** How far this device has walked along one account. Numbers are decimal strings, because the store keeps JSON. */
export interface WalkedAccount extends ChainAccount {
  readonly n: string;
  readonly hash: string;
  readonly total: string;
  readonly held: string;
  readonly seq: string;
  readonly at: string;
}

/** This device's memory of a customer's own chain. */
export interface OwnChain {
  /** The signed heads to which the device has walked, or is walking. */
  readonly statement: SignedStatement;
  readonly walked: readonly WalkedAccount[];
  /** True if every account was walked from its first entry to its head in `statement`. */
  readonly isWhole: boolean;
}

/** A contradiction of the customer's own chain, with the two signed texts where there are two. */
export interface OwnChainFinding extends ChainAccount {
  readonly kind: 'statement';
  /** The hash of the heads that were shown. */
  readonly id: string;
  readonly fault: 'rewritten' | 'rolled_back' | 'entries' | 'signature';
  /** The first entry that is wrong. */
  readonly n: string;
  /** What is wrong with the entry or the signature; null for contradicting heads. */
  readonly detail: EntryFault | StatementFault | 'head_differs' | null;
  /** The heads that this device had kept; null on its first visit. */
  readonly kept: SignedStatement | null;
  readonly shown: SignedStatement;
  readonly foundAt: number;
}

export interface OwnChainDoor {
  /** Null if the server did not answer. */
  readEntries(
    account: ChainAccount,
    from: bigint,
    limit: number,
  ): Promise<{ readonly prev: string; readonly items: readonly AccountEntry[] } | null>;
  verify(
    statement: SignedStatement,
  ): Promise<
    { readonly ok: true; readonly head: StatementHead } | { readonly ok: false; readonly fault: StatementFault }
  >;
  /** Lets the page draw. */
  pause(): Promise<void>;
  nowMs(): number;
}

/** Entries per request. An old phone hashes so many in less time than a frame that somebody notices. */
export const ENTRIES_PER_PAGE = 100;
/** Entries per visit. A longer history goes on at the next visit. */
const ENTRIES_PER_VISIT = 3_000;

export interface FollowedChain {
  /** What to keep; null to keep nothing new. */
  readonly chain: OwnChain | null;
  readonly finding: OwnChainFinding | null;
}

const same = (one: ChainAccount, other: ChainAccount): boolean => one.name === other.name && one.asset === other.asset;

const pointOf = (walked: WalkedAccount | undefined): ChainPoint =>
  walked === undefined
    ? CHAIN_START
    : {
        n: BigInt(walked.n),
        hash: walked.hash,
        balance: { total: BigInt(walked.total), held: BigInt(walked.held) },
        last: { sequence: BigInt(walked.seq), atMs: Number(walked.at) },
      };

const walkedOf = ({ name, asset }: ChainAccount, { n, hash, balance, last }: ChainPoint): WalkedAccount => ({
  name,
  asset,
  n: String(n),
  hash,
  total: String(balance?.total ?? 0n),
  held: String(balance?.held ?? 0n),
  seq: String(last?.sequence ?? 0n),
  at: String(last?.atMs ?? 0),
});

/**
 * Compares the heads that the server signs now with those that this device kept, and walks along the entries since.
 * First it finishes the way to the kept heads, so that no head is dropped before the entries have led to it.
 */
export async function followOwnChain(
  kept: OwnChain | undefined,
  shown: SignedStatement,
  door: OwnChainDoor,
  budget = ENTRIES_PER_VISIT,
): Promise<FollowedChain> {
  const foundAt = door.nowMs();
  const findingOf = (
    account: ChainAccount,
    n: bigint,
    fault: OwnChainFinding['fault'],
    detail: OwnChainFinding['detail'] = null,
  ): FollowedChain => ({
    chain: null,
    finding: {
      kind: 'statement',
      id: shown.signed.hash,
      name: account.name,
      asset: account.asset,
      n: String(n),
      fault,
      detail,
      kept: kept?.statement ?? null,
      shown,
      foundAt,
    },
  });

  const verified = await door.verify(shown);
  if (!verified.ok) return findingOf({ name: '', asset: '' }, 0n, 'signature', verified.fault);
  const now = verified.head;
  const before = kept && readStatementHead(kept.statement.signed.body);
  // A server that hid a customer under another seal would have heads that nobody can compare.
  const contradiction = before && findContradiction(before, { ...now, account: before.account });
  if (contradiction) return findingOf(contradiction, contradiction.n, contradiction.kind);
  // An older text, from a process that lags behind or from before: nothing to walk to.
  if (before !== undefined && now.atMs < before.atMs) return { chain: null, finding: null };

  let left = budget;
  let walked = kept?.walked ?? [];
  for (const [statement, head] of [
    ...(kept !== undefined && before !== undefined && !kept.isWhole ? [[kept.statement, before] as const] : []),
    [shown, now] as const,
  ]) {
    for (const account of head.accounts) {
      let point = pointOf(walked.find((one) => same(one, account)));
      while (point.n < account.n) {
        if (left <= 0) return { chain: { statement, walked, isWhole: false }, finding: null };
        const wanted = account.n - point.n < BigInt(ENTRIES_PER_PAGE) ? Number(account.n - point.n) : ENTRIES_PER_PAGE;
        const page = await door.readEntries(account, point.n + 1n, Math.min(wanted, left));
        if (page === null) return { chain: { statement, walked, isWhole: false }, finding: null };
        if (page.prev !== point.hash) return findingOf(account, point.n, 'entries', 'head_differs');
        if (page.items.length === 0) return findingOf(account, point.n + 1n, 'entries', 'entry_missing');
        const step = walkEntries(account, point, page.items);
        if (!step.ok) return findingOf(account, step.n, 'entries', step.fault);
        point = step.to;
        left -= page.items.length;
        walked = [...walked.filter((one) => !same(one, account)), walkedOf(account, point)];
        await door.pause();
      }
      const { n, hash, balance } = point;
      const isHead = n === account.n && hash === account.hash;
      if (!isHead || balance?.total !== account.total || balance.held !== account.held)
        return findingOf(account, account.n, 'entries', 'head_differs');
    }
  }
  return { chain: { statement: shown, walked, isWhole: true }, finding: null };
}
