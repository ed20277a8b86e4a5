import type { DepositRecord } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Addresses, ChainConfig, ChainReader } from '../chain/index.ts';
import type { Database, Queries } from '../database/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { ApprovalRow, Approvals, Audit } from '../operators/index.ts';
import type { BahtRate, BankAccount } from './bank-rails.ts';
import type { DepositRow } from './deposit-store.ts';

export interface DepositChain {
  readonly config: ChainConfig;
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  readonly addresses: Addresses;
}

/** What this room's handlers share. */
export interface DepositRoom {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly timeZone: string;
  /** Null where no chain is configured. */
  readonly chain: DepositChain | null;
  /** Null where the brand has no bank account; the bank channels are then paused. */
  readonly bank: BankAccount | null;
  /** Returns null while no rate is known. */
  readonly bahtRate: () => Promise<BahtRate | null>;
  /** Reads a picture that this customer uploaded. */
  readonly readPicture: (owner: bigint, id: string) => Promise<Buffer | null>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  /** Why a customer who takes a break or is excluded can't create a deposit; null for everybody else. */
  readonly pausedRefusal: (customer: bigint) => Promise<Decision<never, 'self_excluded' | 'time_out'> | null>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  readonly viewOf: (row: DepositRow) => DepositRecord;
  readonly changed: (ids: readonly string[]) => Promise<void>;
}
