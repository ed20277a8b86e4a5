import { readFileSync } from 'node:fs';
import { canonicalText } from '@sathorn/proof';
import * as v from 'valibot';
import { uuidOfName } from '../../ledger/index.ts';
import { type Database, type Queries, statement } from '../../platform/database/index.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { AuditLog } from '../../staff/operators/index.ts';
import type { BankAccount } from './bank-rails.ts';

/** The house's accounts to which customers pay. */
export interface BankAccounts {
  /** The same customer gets the same account while the list is unchanged. */
  forCustomer(customer: bigint): BankAccount | null;
  /**
   * The account that an order was given, even if the list has changed. For an older order without a stored account: the
   * first account of the current list.
   */
  ofOrder(account: string | null): BankAccount | null;
  /** True if the number is, or was, one of ours. */
  isOurs(number: string): boolean;
  /** Reads the current accounts again. */
  refresh(): Promise<void>;
}

const HELD_MS = 24 * 60 * 60 * 1_000;

const ACCOUNT = v.object({
  bank: v.pipe(v.string(), v.regex(/^[A-Z]{2,10}$/)),
  bank_name: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  account_name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  number: v.pipe(v.string(), v.regex(/^[0-9-]{8,20}$/)),
  promptpay_biller: v.pipe(v.string(), v.regex(/^[0-9]{15}$/)),
});
const ACCOUNTS = v.pipe(v.array(ACCOUNT), v.minLength(1), v.maxLength(20));
type Kept = v.InferOutput<typeof ACCOUNTS>;
/**
 * The content of a list that this server writes; `after` is the seal of the previous list. Lists from before seals are
 * bare arrays.
 */
const CONTENT = v.union([
  v.object({ accounts: ACCOUNTS, after: v.optional(v.nullable(v.string()), null), seal: v.string() }),
  ACCOUNTS,
]);

/** The id is derived from everything that a customer sees of the account, so a changed account is a different one. */
const accountOf = (one: Kept[number]): BankAccount => ({
  id: uuidOfName(`bank account ${canonicalText(one)}`),
  bank: one.bank,
  bankName: one.bank_name,
  accountName: one.account_name,
  number: one.number,
  promptPayBiller: one.promptpay_biller,
});

/**
 * Throws with the fault in the file. A deployment with a broken file must not start with no accounts, or with some of
 * them.
 */
export function readBankFile(file: string): Kept {
  const parsed = v.safeParse(ACCOUNTS, JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success)
    throw new Error(
      `BANK_FILE=${file}: ${parsed.issues[0].message} in ${v.getDotPath(parsed.issues[0]) ?? 'the list'}`,
    );
  return parsed.output;
}

const ALL = statement(
  'deposits.read_accounts',
  'SELECT n, content, effective_from <= clock_timestamp() AS is_in_force FROM deposits.bank_accounts ORDER BY n',
);
const ANNOUNCE = statement(
  'deposits.announce_accounts',
  'INSERT INTO deposits.bank_accounts (content, effective_from) VALUES ($1, $2) RETURNING effective_from',
);

/**
 * Each list has a keyed digest, so that an attacker with only the database's login cannot tell customers where to pay.
 * The digest includes the previous list's, so that an old list inserted again does not count.
 */
const sealOf = (sealer: Pick<Sealer, 'digest'>, accounts: Kept, after: string | null): string =>
  sealer.digest('bank accounts', canonicalText({ accounts, after })).toString('hex');

interface Announced {
  readonly n: bigint;
  readonly accounts: Kept;
  /** Null for a list from before seals. */
  readonly seal: string | null;
  readonly isInForce: boolean;
}

/**
 * The lists, oldest first. One without a seal counts only if it is older than the first sealed list; `planted` are
 * those that do not count.
 */
async function readAnnounced(
  queries: Queries,
  sealer: Pick<Sealer, 'digest'>,
): Promise<{ readonly announced: readonly Announced[]; readonly planted: readonly bigint[] }> {
  const rows = await queries.query<{ n: bigint; content: string; is_in_force: boolean }>(ALL);
  const announced: Announced[] = [];
  const planted: bigint[] = [];
  let last: string | null = null;
  for (const { n, content, is_in_force: isInForce } of rows) {
    const parsed = v.safeParse(CONTENT, JSON.parse(content));
    const list = parsed.success && !Array.isArray(parsed.output) ? parsed.output : null;
    const isNext = list !== null && list.after === last && list.seal === sealOf(sealer, list.accounts, last);
    if (isNext) {
      last = list.seal;
      announced.push({ n, accounts: list.accounts, seal: last, isInForce });
    } else if (parsed.success && last === null)
      announced.push({ n, accounts: list?.accounts ?? (parsed.output as Kept), seal: null, isInForce });
    else planted.push(n);
  }
  return { announced, planted };
}

/**
 * Logs that the file names other accounts than before; they take effect a day later. Returns null if nothing changed.
 */
export async function announceBankAccounts(
  database: Database,
  audit: AuditLog,
  sealer: Pick<Sealer, 'digest'>,
  accounts: Kept,
  now: Date,
): Promise<Date | null> {
  return database.transaction(async (transaction) => {
    const { announced } = await readAnnounced(transaction, sealer);
    const newest = announced.findLast(({ seal }) => seal !== null);
    if (newest && canonicalText(newest.accounts) === canonicalText(accounts)) return null;
    const after = newest?.seal ?? null;
    const content = canonicalText({ accounts, after, seal: sealOf(sealer, accounts, after) });
    // A day and one minute, because the database compares with its own clock.
    const until = new Date(now.getTime() + HELD_MS + 60_000);
    const [row] = await transaction.query<{ effective_from: Date }>(ANNOUNCE, [content, until]);
    const from = row?.effective_from ?? until;
    await audit.append(transaction, {
      operator: null,
      what: 'bank_account.announced',
      on: { kind: 'brand', id: 'bank_accounts' },
      after: {
        accounts: accounts.map(({ bank, number }) => `${bank} ${number.slice(-4)}`),
        effective_from: from.toISOString(),
      },
    });
    return from;
  });
}

/** Opens the announced accounts. `onFault` is called for lists that somebody else put into the database. */
export async function openBankAccounts(
  queries: Queries,
  sealer: Pick<Sealer, 'digest'>,
  onFault: (error: unknown) => void,
): Promise<BankAccounts> {
  let inForce: readonly BankAccount[] = [];
  const known = new Map<string, BankAccount>();
  const told = new Set<bigint>();
  const refresh = async (): Promise<void> => {
    const { announced, planted } = await readAnnounced(queries, sealer);
    const unheard = planted.filter((n) => !told.has(n));
    for (const n of unheard) told.add(n);
    for (const n of unheard)
      onFault(new Error(`alarm: bank accounts ${n} were not announced by this platform: they are not shown`));
    for (const account of announced.flatMap(({ accounts }) => accounts.map(accountOf))) known.set(account.id, account);
    inForce = announced.findLast((one) => one.isInForce)?.accounts.map(accountOf) ?? [];
  };
  await refresh();
  return {
    forCustomer: (customer) => inForce[Number(customer % BigInt(Math.max(1, inForce.length)))] ?? null,
    ofOrder: (account) => (account === null ? null : known.get(account)) ?? inForce[0] ?? null,
    isOurs: (number) => [...known.values()].some((one) => one.number === number),
    refresh,
  };
}

/** A demonstration's only account, or none. */
export const fixedBankAccounts = (account: BankAccount | null): BankAccounts => ({
  forCustomer: () => account,
  ofOrder: () => account,
  isOurs: (number) => number === account?.number,
  refresh: async () => undefined,
});
