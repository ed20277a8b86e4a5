import type { DepositRecord } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Ledger } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { ApprovalRow, Approvals, Audit, StepUps } from '../../staff/operators/index.ts';
import type { Addresses, ChainConfig, ChainReader } from '../chain/index.ts';
import type { PayeeSnapshot } from '../payees/index.ts';
import type { BankAccounts } from './bank-accounts.ts';
import type { BahtRate } from './bank-rails.ts';
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
  /** Without an account of the brand, the bank channels are paused. */
  readonly banks: BankAccounts;
  /** Null while nobody knows one. */
  readonly bahtRate: () => Promise<BahtRate | null>;
  /** Reads a picture that this customer uploaded. */
  readonly readPicture: (owner: bigint, id: string) => Promise<Buffer | null>;
  /** What a picture of a slip looks like; null if that can't be told. */
  readonly lookOf: (picture: Buffer) => Promise<readonly Buffer[] | null>;
  /** Wallets that customers have saved, and their payment passwords. */
  readonly payees: {
    snapshotFor(queries: Queries, customer: bigint, id: string): Promise<PayeeSnapshot | null>;
    listOf(queries: Queries, customer: bigint): Promise<readonly PayeeSnapshot[]>;
  };
  /** When a change of credentials was so long ago that money may leave; null if none delays it now. */
  readonly heldUntil: (queries: Queries, customer: bigint, now: Date) => Promise<Date | null>;
  readonly customers: {
    exists(customer: bigint): Promise<boolean>;
    hasPaymentPassword(customer: bigint): Promise<boolean>;
    checkPaymentPassword(
      customer: bigint,
      paypass: string,
      now: Date,
    ): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>>;
    checkSecondFactor(
      customer: bigint,
      operation: { readonly kind: 'return'; readonly subject: string },
      proof: string | undefined,
      now: Date,
    ): Promise<Decision<null, 'second_factor_required' | 'second_factor_wrong' | 'second_factor_delayed'>>;
    isFrozen(queries: Queries, customer: bigint, scope: 'withdrawals'): Promise<boolean>;
  };
  /** The automatic freezes of customers who spent a deposit that was reversed. */
  readonly freezes: {
    freeze(
      transaction: Queries,
      freeze: { readonly id: string; readonly customer: bigint; readonly until: Date },
    ): Promise<void>;
    end(transaction: Queries, customer: bigint): Promise<void>;
  };
  readonly messages: Pick<Messages, 'send'>;
  /** The customer and their inviter: operators who are one of them take no part. */
  readonly concernedBy: (customer: bigint) => Promise<readonly bigint[]>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  /** Why a customer who takes a break or is excluded can't create a deposit; null for everybody else. */
  readonly pausedRefusal: (customer: bigint) => Promise<Decision<never, 'self_excluded' | 'time_out'> | null>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  readonly approvals: Approvals;
  readonly stepUps: StepUps;
  readonly audit: Audit;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  /** When a statement of the bank's own feed was imported last; null where there is no feed. */
  readonly feedReadAt: (() => Promise<Date | null>) | null;
  readonly viewOf: (row: DepositRow) => DepositRecord;
  readonly changed: (ids: readonly string[]) => Promise<void>;
}
