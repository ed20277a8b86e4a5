import type { AssetCode } from '@sathorn/money';
import type { Queries } from '../database/index.ts';
import { ACCOUNT_CODES, type AccountKey, type AccountName, type Funds, type Transfer } from './journal.ts';
import { type AccountRow, type After, openAccounts, readAccounts } from './ledger-store.ts';

interface Counters {
  readonly id: bigint;
  readonly key: AccountKey;
  debitsHeld: bigint;
  debitsPosted: bigint;
  creditsHeld: bigint;
  creditsPosted: bigint;
  entries: bigint;
}

const ACCOUNTS_KEPT_MAX = 300_000;
const NAMES = new Map<number, AccountName>(
  Object.entries(ACCOUNT_CODES).map(([name, { code }]) => [code, name as AccountName]),
);

const textOf = (key: AccountKey): string => `${key.owner}/${key.name}/${key.asset}`;

export function accountKeyOf(row: Pick<AccountRow, 'owner' | 'code' | 'asset'>): AccountKey {
  const name = NAMES.get(row.code);
  if (!name) throw new Error(`account code ${row.code} is not in the chart`);
  return { owner: row.owner, name, asset: row.asset as AssetCode };
}

function nextEntry(account: Counters): After {
  account.entries += 1n;
  return { entry: account.entries, total: account.creditsPosted - account.debitsPosted, held: account.debitsHeld };
}

/**
 * The counters of accounts as of one sequence of the ledger. Between two batches of this process they stay true as long as
 * nobody else has posted; when somebody has, they are read again.
 */
export class AccountBook implements Funds {
  readonly #ids = new Map<string, bigint>();
  readonly #counters = new Map<string, Counters>();
  #sequence = -1n;

  /** Opens what is missing; ids never change, so this needs no lock. */
  async resolveIds(queries: Queries, keys: Iterable<AccountKey>): Promise<void> {
    const missing = new Map<string, AccountKey>();
    for (const key of keys) {
      const text = textOf(key);
      if (!this.#ids.has(text)) missing.set(text, key);
    }
    if (missing.size === 0) return;
    const wanted = [...missing.values()].map((key) => ({
      owner: key.owner,
      asset: key.asset,
      ...ACCOUNT_CODES[key.name],
    }));
    for (const row of await openAccounts(queries, wanted)) this.#ids.set(textOf(accountKeyOf(row)), row.id);
  }

  /** Brings the counters to the locked head. */
  async load(queries: Queries, keys: Iterable<AccountKey>, sequence: bigint): Promise<void> {
    if (sequence !== this.#sequence || this.#counters.size > ACCOUNTS_KEPT_MAX) this.#counters.clear();
    this.#sequence = sequence;
    const missing = new Set<bigint>();
    for (const key of keys) if (!this.#counters.has(textOf(key))) missing.add(this.idOf(key));
    if (missing.size === 0) return;
    for (const row of await readAccounts(queries, [...missing])) {
      const key = accountKeyOf(row);
      this.#counters.set(textOf(key), {
        id: row.id,
        key,
        debitsHeld: BigInt(row.debits_held),
        debitsPosted: BigInt(row.debits_posted),
        creditsHeld: BigInt(row.credits_held),
        creditsPosted: BigInt(row.credits_posted),
        entries: row.entries,
      });
    }
  }

  idOf(key: AccountKey): bigint {
    const id = this.#ids.get(textOf(key));
    if (id === undefined) throw new Error(`account ${textOf(key)} was not declared by its journal kind`);
    return id;
  }

  #of(key: AccountKey): Counters {
    const counters = this.#counters.get(textOf(key));
    if (!counters) throw new Error(`account ${textOf(key)} was not declared by its journal kind`);
    return counters;
  }

  available(key: AccountKey): bigint {
    const { creditsPosted, debitsPosted, debitsHeld } = this.#of(key);
    return creditsPosted - debitsPosted - debitsHeld;
  }

  held(key: AccountKey): bigint {
    return this.#of(key).debitsHeld;
  }

  /** Moves the counters, and tells what both sides are afterwards. */
  apply(transfer: Transfer): { debitAfter: After; creditAfter: After } {
    const { debit, credit } = transfer.kind === 'single' || transfer.kind === 'hold' ? transfer : transfer.hold;
    const from = this.#of(debit);
    const to = this.#of(credit);
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
    this.#counters.clear();
    this.#sequence = -1n;
  }
}
