import type { AssetCode } from '@sathorn/money';
import type { Queries } from '../platform/database/index.ts';
import { ACCOUNTS, accountNameOf } from './chart.ts';
import type { AccountKey, Funds, Transfer } from './journal.ts';
import { type AccountRow, type LegAfter, openAccountRows, readAccounts } from './ledger-store.ts';

/** An account of the book. Its counters are valid while its `generation` equals the book's. */
interface BookAccount {
  /** 0 until the database has assigned one. */
  id: bigint;
  readonly key: AccountKey;
  generation: number;
  /** The entries whose totals lack the stored balance, until `settle` adds it; null if none lack it. */
  entriesMade: LegAfter[] | null;
  debitsHeld: bigint;
  debitsPosted: bigint;
  creditsHeld: bigint;
  creditsPosted: bigint;
  entries: bigint;
}

const ACCOUNTS_KEPT_MAX = 300_000;

const textOf = (key: AccountKey): string => `${key.owner}/${key.name}/${key.asset}`;

export function accountKeyOf(row: Pick<AccountRow, 'owner' | 'code' | 'asset'>): AccountKey {
  const name = accountNameOf(row.code);
  if (!name) throw new Error(`account code ${row.code} is not in the chart`);
  return { owner: row.owner, name, asset: row.asset as AssetCode };
}

function nextEntry(account: BookAccount): LegAfter {
  account.entries += 1n;
  const after = {
    entry: account.entries,
    total: account.creditsPosted - account.debitsPosted,
    held: account.debitsHeld,
  };
  account.entriesMade?.push(after);
  return after;
}

function countFrom(account: BookAccount, row: AccountRow | null): void {
  account.debitsHeld = row === null ? 0n : BigInt(row.debits_held);
  account.debitsPosted = row === null ? 0n : BigInt(row.debits_posted);
  account.creditsHeld = row === null ? 0n : BigInt(row.credits_held);
  account.creditsPosted = row === null ? 0n : BigInt(row.credits_posted);
  account.entries = row === null ? 0n : row.entries;
}

/** Adds the stored balance to counters that started at zero. */
function addBase(account: BookAccount, row: AccountRow): void {
  const { debitsHeld, debitsPosted, creditsHeld, creditsPosted, entries, entriesMade } = account;
  countFrom(account, row);
  const [held, total, before] = [account.debitsHeld, account.creditsPosted - account.debitsPosted, account.entries];
  for (const after of entriesMade ?? []) {
    after.entry += before;
    after.total += total;
    after.held += held;
  }
  account.debitsHeld += debitsHeld;
  account.debitsPosted += debitsPosted;
  account.creditsHeld += creditsHeld;
  account.creditsPosted += creditsPosted;
  account.entries += entries;
  account.entriesMade = null;
}

/**
 * The counters of accounts as of one sequence of the ledger. Between two batches of this process they stay valid as
 * long as no other process posts; otherwise they are read again. Ids never change and may be resolved at any time. Only
 * one batch may use the counters: the one that holds the head, or a speculative one that expects the head at the book's
 * sequence.
 *
 * The counterparty of a match isn't known in advance, so an account may be moved before it is loaded. It collects
 * deltas from zero and `settle` adds the stored balance. Reading a balance requires loading it first.
 */
export class AccountBook implements Funds {
  /** An owner has few accounts, so a linear search is cheaper than building a text key. */
  #accounts = new Map<bigint, BookAccount[]>();
  #size = 0;
  #generation = 0;
  #sequence = -1n;
  /** Accounts whose counters start from zero in this batch. */
  #moved: BookAccount[] = [];
  /** Accounts with the ids that this batch's transaction assigned. A rollback makes the ids invalid. */
  #opened: { readonly account: BookAccount; readonly id: bigint }[] = [];

  /** The sequence at which the counters were read; -1n when memory is empty. */
  get sequence(): bigint {
    return this.#sequence;
  }

  /** Changes when another process has posted, or when a batch was rolled back. */
  get epoch(): number {
    return this.#generation;
  }

  /** True if an account was moved that `settle` has not read yet. */
  get hasUnread(): boolean {
    return this.#moved.length > 0;
  }

  /** True when all of these are loaded already. */
  hasAll(keys: Iterable<AccountKey>): boolean {
    if (this.#sequence < 0n) return false;
    for (const key of keys) {
      const account = this.#find(key);
      if (account === undefined || account.id === 0n || account.generation !== this.#generation) return false;
    }
    return true;
  }

  /** Opens missing accounts. Ids never change, so this needs no lock. */
  async resolveIds(queries: Queries, keys: Iterable<AccountKey>): Promise<void> {
    const missing = new Map<string, AccountKey>();
    for (const key of keys) if ((this.#find(key)?.id ?? 0n) === 0n) missing.set(textOf(key), key);
    if (missing.size === 0) return;
    const wanted = [...missing.values()].map((key) => ({
      owner: key.owner,
      asset: key.asset,
      code: ACCOUNTS[key.name].code,
    }));
    for (const row of await openAccountRows(queries, wanted)) this.#add(row);
  }

  /** Call it with the head's sequence while it is locked. A new epoch begins if the book has another sequence. */
  standAt(sequence: bigint): void {
    if (sequence !== this.#sequence) this.#generation += 1;
    this.#sequence = sequence;
  }

  /** Loads the counters of these accounts as of the book's sequence. */
  async load(queries: Queries, keys: Iterable<AccountKey>): Promise<void> {
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
      account.entriesMade = null;
      countFrom(account, row);
    }
  }

  /** Returns the account to move; its counters start from zero if it is not loaded. */
  toMove(key: AccountKey): BookAccount {
    const account = this.#find(key) ?? this.#remember({ id: 0n, key });
    if (account.generation === this.#generation) return account;
    account.generation = this.#generation;
    account.entriesMade = [];
    countFrom(account, null);
    this.#moved.push(account);
    return account;
  }

  /** Reads the accounts that were moved before they were loaded, and corrects their entries. */
  async settle(queries: Queries): Promise<void> {
    const moved = new Map<bigint, BookAccount>();
    if (this.#moved.length === 0) return;
    const unopened = this.#moved.filter(({ id }) => id === 0n);
    await this.resolveIds(
      queries,
      unopened.map(({ key }) => key),
    );
    this.#opened = unopened.map((account) => ({ account, id: account.id }));
    for (const account of this.#moved) moved.set(account.id, account);
    this.#moved = [];
    const rows = await readAccounts(queries, [...moved.keys()]);
    if (rows.length !== moved.size) throw new Error('an account that was moved is not there');
    for (const row of rows) {
      const account = moved.get(row.id);
      if (account !== undefined) addBase(account, row);
    }
  }

  available(key: AccountKey): bigint {
    const { creditsPosted, debitsPosted, debitsHeld } = this.#loaded(key);
    return creditsPosted - debitsPosted - debitsHeld;
  }

  held(key: AccountKey): bigint {
    return this.#loaded(key).debitsHeld;
  }

  /** Changes the counters, and returns both sides as they are afterwards. */
  apply(transfer: Transfer, from: BookAccount, to: BookAccount): { debitAfter: LegAfter; creditAfter: LegAfter } {
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
    this.#opened = [];
  }

  /** Discards all counters, because a rollback makes them wrong. */
  forget(): void {
    this.#generation += 1;
    this.#sequence = -1n;
    this.#moved = [];
    // Another batch may have read the right id in the meantime.
    for (const { account, id } of this.#opened) if (account.id === id) account.id = 0n;
    this.#opened = [];
  }

  /** Call it only while no batch is in progress, because a batch keeps references to its accounts. */
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

  #loaded(key: AccountKey): BookAccount {
    const account = this.#named(key);
    if (account.generation !== this.#generation || account.entriesMade !== null)
      throw new Error(`account ${textOf(key)} was not loaded`);
    return account;
  }

  #add(row: AccountRow): void {
    const key = accountKeyOf(row);
    // Two batches may have requested the same account, or one may have moved it already.
    const known = this.#find(key);
    if (known === undefined) this.#remember({ id: row.id, key });
    else known.id = row.id;
  }

  #remember({ id, key }: Pick<BookAccount, 'id' | 'key'>): BookAccount {
    const account: BookAccount = {
      id,
      key,
      generation: -1,
      entriesMade: null,
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
    return account;
  }
}
