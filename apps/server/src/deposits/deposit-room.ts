import type { DepositRecord } from '@sathorn/api';
import type { Addresses, ChainConfig, ChainReader } from '../chain/index.ts';
import type { Database, Queries } from '../database/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { BahtRate, BankAccount } from './bank-rails.ts';
import type { DepositRow } from './deposit-store.ts';

export interface DepositChain {
  readonly config: ChainConfig;
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  readonly addresses: Addresses;
}

/** What the calls of this room share. */
export interface DepositRoom {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly timeZone: string;
  /** Null where no chain is configured. */
  readonly chain: DepositChain | null;
  /** Null where the brand has no bank account: the bank's channels are paused. */
  readonly bank: BankAccount | null;
  /** Null while nobody knows one. */
  readonly bahtRate: () => Promise<BahtRate | null>;
  /** A picture of this customer's that was uploaded. */
  readonly hasPicture: (owner: bigint, id: string) => Promise<boolean>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  readonly viewOf: (row: DepositRow) => DepositRecord;
  readonly changed: (ids: readonly string[]) => Promise<void>;
}
