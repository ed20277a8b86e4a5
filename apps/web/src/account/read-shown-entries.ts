import { type AccountEntry, type ChainAccount, postedOf, walkEntries } from '@sathorn/proof';
import type { WalkedAccount } from '../parts/evidence/follow-own-chain.ts';
import type { ShownEntries } from './match-records.ts';

type ReadPage = (
  account: ChainAccount,
  from: bigint,
  limit: number,
) => Promise<{ readonly prev: string; readonly items: readonly AccountEntry[] } | null>;

const PAGE = 200;

/**
 * Reads the entries of an account from its walked head backwards, until `isEnough` or to the first one. Each page must
 * lead to the hash that is known already, and so vouches for the hash before it. Null if the server did not answer;
 * `differs` if a page leads elsewhere.
 */
export async function readShownEntries(
  head: WalkedAccount,
  isEnough: (oldest: AccountEntry) => boolean,
  readPage: ReadPage,
): Promise<ShownEntries | null | 'differs'> {
  const { name, asset } = head;
  let [n, hash] = [BigInt(head.n), head.hash];
  let entries: readonly AccountEntry[] = [];
  while (n > 0n) {
    const from = n > BigInt(PAGE) ? n - BigInt(PAGE) + 1n : 1n;
    const page = await readPage({ name, asset }, from, Number(n - from) + 1);
    if (page === null) return null;
    const walked = walkEntries(
      { name, asset },
      { n: from - 1n, hash: page.prev, balance: null, last: null },
      page.items,
    );
    if (!walked.ok || walked.to.n !== n || walked.to.hash !== hash) return 'differs';
    entries = [...page.items, ...entries];
    [n, hash] = [from - 1n, page.prev];
    const [oldest] = entries;
    if (oldest === undefined || isEnough(oldest)) break;
  }
  const [first] = entries;
  return { name, asset, entries, before: first === undefined ? 0n : BigInt(first.total) - postedOf(first) };
}
