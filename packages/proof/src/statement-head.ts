/**
 * The signed heads of all accounts of one customer, at one moment. Two of them that contradict each other are proof of
 * a rewritten history for anybody, because one key signed both.
 */
import { type ChainAccount, isChainAccount, isEntryHash } from './account-chain.ts';
import { canonicalText, parseCanonical } from './canonical.ts';
import { accountSeal, isSealOpening } from './option-terms.ts';
import { isKeyInTime, type ProofKey } from './proof-keys.ts';
import { type SignatureFault, type SignedText, verifySignedText } from './signature.ts';

/** One account at its newest entry. */
export interface AccountHead extends ChainAccount {
  /** The number of entries, at least 1. */
  readonly n: bigint;
  readonly hash: string;
  /** Units of the asset. */
  readonly total: bigint;
  readonly held: bigint;
}

export interface StatementHead {
  /** The customer's `accountSeal`, the same in all of their statements. */
  readonly account: string;
  /** In ms since 1970. Of two heads of one customer, the later one has all entries of the earlier one. */
  readonly atMs: number;
  readonly environment: 'live' | 'demo';
  /** Accounts that have entries, sorted by name and then by asset. */
  readonly accounts: readonly AccountHead[];
}

export const STATEMENT_TYPE = 'statement/1';
/** A customer has at most one account per name and asset. */
const ACCOUNTS_MAX = 500;

export function writeStatementHead({ account, atMs, environment, accounts }: StatementHead): string {
  return canonicalText({
    v: STATEMENT_TYPE,
    acct: account,
    at: String(atMs),
    env: environment,
    accounts: [...accounts]
      .sort((a, b) => (isBefore(a, b) ? -1 : 1))
      .map(({ name, asset, n, hash, total, held }) => [name, asset, String(n), hash, String(total), String(held)]),
  });
}

const isBefore = (a: ChainAccount, b: ChainAccount): boolean =>
  a.name < b.name || (a.name === b.name && a.asset < b.asset);

const UNITS = /^(0|[1-9][0-9]{0,37})$/;

/** Undefined unless the text is exactly what `writeStatementHead` writes. */
export function readStatementHead(body: string): StatementHead | undefined {
  const value = parseCanonical(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { acct, at, env, accounts } = value as Record<string, unknown>;
  if (!isEntryHash(acct) || typeof at !== 'string' || !/^[1-9][0-9]{0,14}$/.test(at)) return undefined;
  if ((env !== 'live' && env !== 'demo') || !Array.isArray(accounts) || accounts.length > ACCOUNTS_MAX)
    return undefined;
  const heads: AccountHead[] = [];
  for (const row of accounts) {
    if (!Array.isArray(row) || row.length !== 6 || !row.every((cell) => typeof cell === 'string')) return undefined;
    const [name, asset, n, hash, total, held] = row as [string, string, string, string, string, string];
    if (!isChainAccount({ name, asset }) || !/^[1-9][0-9]{0,17}$/.test(n) || !isEntryHash(hash)) return undefined;
    if (!UNITS.test(total) || !UNITS.test(held)) return undefined;
    const head = { name, asset, n: BigInt(n), hash, total: BigInt(total), held: BigInt(held) };
    const last = heads.at(-1);
    if (head.held > head.total || (last !== undefined && !isBefore(last, head))) return undefined;
    heads.push(head);
  }
  const head: StatementHead = { account: acct, atMs: Number(at), environment: env, accounts: heads };
  return writeStatementHead(head) === body ? head : undefined;
}

/** A signed head as the customer gets it, with what opens its seal. */
export interface SignedStatement {
  readonly signed: SignedText;
  readonly account: { readonly salt: string; readonly customer: string };
}

export type StatementFault =
  | SignatureFault
  | 'statement_malformed'
  | 'key_unknown'
  | 'key_not_in_time'
  /** The salt and the customer do not open the seal. */
  | 'seal_differs';

/** Verifies a signed head by keys that the reader trusts. */
export async function verifyStatement(
  { signed, account }: SignedStatement,
  keys: readonly ProofKey[],
): Promise<
  { readonly ok: true; readonly head: StatementHead } | { readonly ok: false; readonly fault: StatementFault }
> {
  const head = readStatementHead(signed.body);
  if (head === undefined) return { ok: false, fault: 'statement_malformed' };
  const key = keys.find(({ use, id }) => use === 'receipt' && id === signed.key);
  if (key === undefined) return { ok: false, fault: 'key_unknown' };
  const fault = await verifySignedText(signed, key.public_key);
  if (fault !== null) return { ok: false, fault };
  if (!isKeyInTime(key, head.atMs)) return { ok: false, fault: 'key_not_in_time' };
  if (!isSealOpening(account) || accountSeal(account.salt, account.customer) !== head.account)
    return { ok: false, fault: 'seal_differs' };
  return { ok: true, head };
}

/** Which account two heads contradict each other about, and how. */
export interface StatementContradiction {
  /**
   * `rewritten`: the same number has another hash or balance. `rolled_back`: the later head has fewer entries, or lacks
   * the account.
   */
  readonly kind: 'rewritten' | 'rolled_back';
  readonly name: string;
  readonly asset: string;
  /** The number of the entry that both, or only the earlier head, must have. */
  readonly n: bigint;
}

/**
 * Compares two heads in either order; null if both can be true. Heads of two customers never contradict each other. The
 * caller has verified both signatures.
 */
export function findContradiction(one: StatementHead, other: StatementHead): StatementContradiction | null {
  if (one.account !== other.account) return null;
  const [earlier, later] = one.atMs <= other.atMs ? [one, other] : [other, one];
  for (const before of earlier.accounts) {
    const { name, asset, n } = before;
    const after = later.accounts.find((account) => account.name === name && account.asset === asset);
    if (after?.n === n) {
      const isSame = after.hash === before.hash && after.total === before.total && after.held === before.held;
      if (!isSame) return { kind: 'rewritten', name, asset, n };
    } else if (earlier.atMs < later.atMs && (after === undefined || after.n < n))
      return { kind: 'rolled_back', name, asset, n };
  }
  return null;
}
