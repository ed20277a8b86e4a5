import type { AssetCode } from '@sathorn/money';
import type { Queries } from '../database/index.ts';
import { ACCOUNT_CODES, type AccountKey, type AccountName, type Funds, type Transfer } from './journal.ts';
import { type AccountRow, type After, openAccounts, readAccounts } from './ledger-store.ts';

/** An account of the book. Its counters are true while `generation` is the book's. */
export interface BookAccount {
  readonly id: bigint;
  readonly key: AccountKey;
  generation: number;
  debitsHeld: bigint;
  debitsPosted: bigint;
  creditsHeld: bigint;
  creditsPosted: bigint;
  entries: bigint;
}

const ACCOUNTS_KEPT_MAX = 300_000;
const NAMES = new Map<number, AccountName>(
  Object.entries(ACCOUNT_CODES).map(([name, code]) => [code, name as AccountName]),
);

const textOf = (key: AccountKey): string => `${key.owner}/${key.name}/${key.asset}`;

export function accountKeyOf(row: Pick<AccountRow, 'owner' | 'code' | 'asset'>): AccountKey {
  const name = NAMES.get(row.code);
  if (!name) throw new Error(`account code ${row.code} is not in the chart`);
  return { owner: row.owner, name, asset: row.asset as AssetCode };
}

function nextEntry(account: BookAccount): After {
  account.entries += 1n;
  return { entry: account.entries, total: account.creditsPosted - account.debitsPosted, held: account.debitsHeld };
}

/**
 * The counters of accounts as of one sequence of the ledger. Between two batches of this process they stay true as long as
 * nobody else has posted; when somebody has, they are read again. Ids never change and may be asked for at any time; counters
 * are for the one batch that has the head.
 */
export class AccountBook implements Funds {
  /** An owner has few accounts, so looking through them is cheaper than making a text of each key. */
  #accounts = new Map<bigint, BookAccount[]>();
  #size = 0;
  #generation = 0;
  #sequence = -1n;

  /** Opens what is missing; ids never change, so this needs no lock. */
  async resolveIds(queries: Queries, keys: Iterable<AccountKey>): Promise<void> {
    const missing = new Map<string, AccountKey>();
    for (const key of keys) if (this.#find(key) === undefined) missing.set(textOf(key), key);
    if (missing.size === 0) return;
    const wanted = [...missing.values()].map((key) => ({
      owner: key.owner,
      asset: key.asset,
      code: ACCOUNT_CODES[key.name],
    }));
    for (const row of await openAccounts(queries, wanted)) this.#add(row);
  }

  /** Brings the counters to the locked head. */
  async load(queries: Queries, keys: Iterable<AccountKey>, sequence: bigint): Promise<void> {
    if (sequence !== this.#sequence) this.#generation += 1;
    this.#sequence = sequence;
    const missing = new Map<bigint, BookAccount>();
    for (const key of keys) {
      const account = this.#named(key);
      if (account.generation !== this.#generation) missing.set(account.id, account);
    }
    if (missing.size === 0) return;
    for (const row of await readAccounts(queries, [...missing.keys()])) {
      const account = missing.get(row.id);
      if (account === undefined) continue;
      account.generation = this.#generation;
      account.debitsHeld = BigInt(row.debits_held);
      account.debitsPosted = BigInt(row.debits_posted);
      account.creditsHeld = BigInt(row.credits_held);
      account.creditsPosted = BigInt(row.credits_posted);
      account.entries = row.entries;
    }
  }

  /** The account with counters that are true. */
  of(key: AccountKey): BookAccount {
    const account = this.#named(key);
    if (account.generation !== this.#generation) throw new Error(`account ${textOf(key)} was not loaded`);
    return account;
  }

  available(key: AccountKey): bigint {
    const { creditsPosted, debitsPosted, debitsHeld } = this.of(key);
    return creditsPosted - debitsPosted - debitsHeld;
  }

  held(key: AccountKey): bigint {
    return this.of(key).debitsHeld;
  }

  /** Moves the counters, and tells what both sides are afterwards. */
  apply(transfer: Transfer, from: BookAccount, to: BookAccount): { debitAfter: After; creditAfter: After } {
    if (transfer.kind === 'hold') {
      from.debitsHeld += transfer.units;
      to.creditsHeld += transfer.units;
    } else {
      if (transfer.kind !== 'single') {
        from.debitsHeld -= transfer.hold.units;
        to.creditsHeld -= transfer.hold.units;
      }
      if (transfer.kind !== 'void') {
        from.debitsPosted += transfer.units;
        to.creditsPosted += transfer.units;
      }
    }
    return { debitAfter: nextEntry(from), creditAfter: nextEntry(to) };
  }

  committed(sequence: bigint): void {
    this.#sequence = sequence;
  }

  /** After a rollback nothing in memory can be trusted. */
  forget(): void {
    this.#generation += 1;
    this.#sequence = -1n;
  }

  /** Only while no batch is under way: one that is has resolved its accounts. */
  trim(): void {
    if (this.#size <= ACCOUNTS_KEPT_MAX) return;
    this.#accounts = new Map();
    this.#size = 0;
  }

  #find({ owner, name, asset }: AccountKey): BookAccount | undefined {
    return this.#accounts.get(owner)?.find(({ key }) => key.name === name && key.asset === asset);
  }

  #named(key: AccountKey): BookAccount {
    const account = this.#find(key);
    if (account === undefined) throw new Error(`account ${textOf(key)} was not declared by its journal kind`);
    return account;
  }

  #add(row: AccountRow): void {
    const key = accountKeyOf(row);
    // Two batches may have asked for the same one.
    if (this.#find(key) !== undefined) return;
    const account: BookAccount = {
      id: row.id,
      key,
      generation: -1,
      debitsHeld: 0n,
      debitsPosted: 0n,
      creditsHeld: 0n,
      creditsPosted: 0n,
      entries: 0n,
    };
    const others = this.#accounts.get(key.owner);
    if (others === undefined) this.#accounts.set(key.owner, [account]);
    else others.push(account);
    this.#size += 1;
  }
}
