/** A customer's whole statement as a file for anybody: the signed heads and every entry that leads to them. */
import { type AccountEntry, CHAIN_START, type EntryFault, walkEntries } from './account-chain.ts';
import type { ProofKey } from './proof-keys.ts';
import { type SignedStatement, type StatementFault, type StatementHead, verifyStatement } from './statement-head.ts';

export const STATEMENT_FILE_TYPE = 'statements/1';

export interface StatementFile extends SignedStatement {
  readonly v: typeof STATEMENT_FILE_TYPE;
  /** Each account of the head with all of its entries, in the head's order. */
  readonly accounts: readonly {
    readonly name: string;
    readonly asset: string;
    readonly entries: readonly AccountEntry[];
  }[];
}

const hasExactly = (value: unknown, names: readonly string[]): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === names.length &&
  names.every((name) => Object.hasOwn(value, name));

const areTexts = (value: Record<string, unknown>): boolean =>
  Object.values(value).every((member) => typeof member === 'string');

/** True for exactly these members, at every level but the entries, which `walkEntries` looks at. */
export function isStatementFile(value: unknown): value is StatementFile {
  if (!hasExactly(value, ['v', 'signed', 'account', 'accounts']) || value.v !== STATEMENT_FILE_TYPE) return false;
  const { signed, account, accounts } = value;
  return (
    hasExactly(signed, ['body', 'hash', 'signature', 'key']) &&
    areTexts(signed) &&
    hasExactly(account, ['salt', 'customer']) &&
    areTexts(account) &&
    Array.isArray(accounts) &&
    accounts.every(
      (one) =>
        hasExactly(one, ['name', 'asset', 'entries']) &&
        typeof one.name === 'string' &&
        typeof one.asset === 'string' &&
        Array.isArray(one.entries),
    )
  );
}

/** The first fault of a file, with the account and the entry where it is one of those. */
export interface StatementFileFault {
  readonly fault:
    | StatementFault
    | EntryFault
    | 'file_malformed'
    /** The file has other accounts than the head. */
    | 'accounts_differ'
    /** The entries lead to another hash, number or balance than the head names. */
    | 'head_differs';
  readonly account?: { readonly name: string; readonly asset: string };
  readonly n?: bigint;
}

/** Verifies the head's signature, and that the entries of each account lead from the beginning to its head. */
export async function verifyStatementFile(
  file: unknown,
  keys: readonly ProofKey[],
): Promise<
  | { readonly ok: true; readonly head: StatementHead; readonly entries: number }
  | ({ readonly ok: false } & StatementFileFault)
> {
  if (!isStatementFile(file)) return { ok: false, fault: 'file_malformed' };
  const verified = await verifyStatement(file, keys);
  if (!verified.ok) return verified;
  const { head } = verified;
  if (file.accounts.length !== head.accounts.length) return { ok: false, fault: 'accounts_differ' };
  let count = 0;
  for (const [place, { name, asset, n, hash, total, held }] of head.accounts.entries()) {
    const shown = file.accounts[place];
    const account = { name, asset };
    if (shown?.name !== name || shown.asset !== asset) return { ok: false, fault: 'accounts_differ', account };
    const walked = walkEntries(account, CHAIN_START, shown.entries);
    if (!walked.ok) return { ...walked, account };
    const { to } = walked;
    if (to.n !== n || to.hash !== hash || to.balance?.total !== total || to.balance.held !== held)
      return { ok: false, fault: 'head_differs', account, n: to.n };
    count += shown.entries.length;
  }
  return { ok: true, head, entries: count };
}
