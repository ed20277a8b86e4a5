import { readFileSync } from 'node:fs';
import { canonical } from '@sathorn/proof';
import * as v from 'valibot';
import { uuidOfName } from '../../ledger/index.ts';
import { type Database, type Queries, statement } from '../../platform/database/index.ts';
import type { Audit } from '../../staff/operators/index.ts';
import type { BankAccount } from './bank-rails.ts';

/** The house's accounts to which customers pay. */
export interface BankAccounts {
  /** The same customer pays to the same account while the list is unchanged. */
  forCustomer(customer: bigint): BankAccount | null;
  /**
   * The account that an order was given, even if the list has changed. For an older order without one: the first
   * account of the current list.
   */
  ofOrder(account: string | null): BankAccount | null;
  /** Whether a number is one of ours, now or once. */
  isOurs(number: string): boolean;
  /** Reads the accounts in force again. */
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

/** The id is derived from everything that a customer sees of the account, so a changed account is a different one. */
const accountOf = (one: Kept[number]): BankAccount => ({
  id: uuidOfName(`bank account ${canonical(one)}`),
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

const NEWEST = statement(
  'deposits.newest_accounts',
  'SELECT content, effective_from FROM deposits.bank_accounts ORDER BY n DESC LIMIT 1',
);
const ALL = statement(
  'deposits.read_accounts',
  'SELECT content, effective_from <= clock_timestamp() AS is_in_force FROM deposits.bank_accounts ORDER BY effective_from, n',
);
const ANNOUNCE = statement(
  'deposits.announce_accounts',
  'INSERT INTO deposits.bank_accounts (content, effective_from) VALUES ($1, $2) RETURNING effective_from',
);

/**
 * Logs that the file names other accounts than before; they take effect a day later. Returns null if nothing changed.
 */
export async function announceAccounts(
  database: Database,
  audit: Audit,
  accounts: Kept,
  now: Date,
): Promise<Date | null> {
  const content = canonical(accounts);
  return database.transaction(async (transaction) => {
    const [newest] = await transaction.query<{ content: string }>(NEWEST);
    if (newest?.content === content) return null;
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

/** The accounts that the database has announced. `onFault` receives errors of later reads. */
export async function openBankAccounts(queries: Queries): Promise<BankAccounts> {
  let inForce: readonly BankAccount[] = [];
  const known = new Map<string, BankAccount>();
  const refresh = async (): Promise<void> => {
    for (const { content, is_in_force } of await queries.query<{ content: string; is_in_force: boolean }>(ALL)) {
      const accounts = v.parse(ACCOUNTS, JSON.parse(content)).map(accountOf);
      for (const account of accounts) known.set(account.id, account);
      if (is_in_force) inForce = accounts;
    }
  };
  await refresh();
  return {
    forCustomer: (customer) => inForce[Number(customer % BigInt(Math.max(1, inForce.length)))] ?? null,
    ofOrder: (account) => (account === null ? null : known.get(account)) ?? inForce[0] ?? null,
    isOurs: (number) => [...known.values()].some((one) => one.number === number),
    refresh,
  };
}

/** The only account of a demonstration, or none. */
export const fixedAccounts = (account: BankAccount | null): BankAccounts => ({
  forCustomer: () => account,
  ofOrder: () => account,
  isOurs: (number) => number === account?.number,
  refresh: async () => undefined,
});
