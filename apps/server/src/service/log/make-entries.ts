import { randomBytes } from 'node:crypto';
import { leafHash, toHex, treeRoot } from '@sathorn/proof';
import { commitmentOf, type LoggedHeads, writeLoggedEntry } from '@sathorn/transparency';
import { accountLeafOf, type NewEntry, type UnloggedRecord } from './log-store.ts';

/** An entry for each record; what concerns one person is committed to with a new salt. */
export function recordEntries(records: readonly UnloggedRecord[], tMs: number): NewEntry[] {
  return records.map(({ kind, subject, at, said, hidden }) => {
    const salt = hidden === null ? null : randomBytes(16);
    const commitment = salt && commitmentOf(hidden, salt);
    const record = { kind, subject, atMs: at.getTime(), said, hidden: commitment };
    return { kind, subject, body: writeLoggedEntry({ tMs, record }), salt: salt?.toString('hex') ?? null };
  });
}

/** The heads that changed since `before`, and the root over customers' new heads; null if there is nothing new. */
export function headsEntry(
  heads: LoggedHeads,
  before: LoggedHeads,
  accounts: readonly { readonly hash: string }[],
  tMs: number,
): NewEntry | null {
  const isNew = ([name, head]: [string, unknown]): boolean =>
    JSON.stringify(head) !== JSON.stringify(before[name as keyof LoggedHeads]);
  const coins = Object.entries(heads.ticks ?? {}).filter(
    ([coin, head]) => JSON.stringify(head) !== JSON.stringify(before.ticks?.[coin]),
  );
  const said: Record<string, unknown> = Object.fromEntries(
    Object.entries(heads).filter((each) => each[0] !== 'ticks' && (each[0] === 'custody' || isNew(each))),
  );
  // Blocks come every few seconds; what is held is only worth a line beside what is owed.
  if (said.liabilities === undefined) delete said.custody;
  if (coins.length > 0) said.ticks = Object.fromEntries(coins);
  if (accounts.length > 0) {
    const root = treeRoot(accounts.map(({ hash }) => leafHash(accountLeafOf(hash))));
    said.accounts = [String(accounts.length), toHex(root)];
  }
  if (Object.keys(said).length === 0) return null;
  return { kind: 'heads', subject: null, body: writeLoggedEntry({ tMs, heads: said as LoggedHeads }), salt: null };
}
