import type { KeyObject } from 'node:crypto';
import type { WithdrawalRecord } from '@sathorn/api';
import type { Money } from '@sathorn/money';
import type { SignedText } from '@sathorn/proof';
import type { PayoutStop } from '@sathorn/settlement';
import type { Ledger } from '../../ledger/index.ts';
import type { Customers, MovementList } from '../../people/customers/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { ApprovalKind, ApprovalRow, Approvals, AuditLog, StepUps } from '../../staff/operators/index.ts';
import type { ChainConfig, ChainReader, DepositAddresses } from '../chain/index.ts';
import type { BahtRate } from '../deposits/index.ts';
import type { Payees } from '../payees/index.ts';
import type { approveUnattendedKind, LockFrozenCustomers, requestWithdrawalKind } from './withdrawal-kinds.ts';
import type { ChannelTerms } from './withdrawal-settings.ts';
import type { PaymentTimes, WithdrawalRow, WithdrawalTimes } from './withdrawal-store.ts';

export interface WithdrawalChain {
  readonly config: ChainConfig;
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  readonly addresses: DepositAddresses;
}

/** The functions of other modules that this module needs. */
interface WithdrawalPorts {
  readonly payees: Pick<Payees, 'snapshotFor' | 'listOf' | 'holdersOf'>;
  readonly customers: Pick<Customers, 'hasPaymentPassword' | 'checkPaymentPassword' | 'checkSecondFactor'> & {
    readFrozen(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
    /** Like `readFrozen`, within a decision: until the commit, nobody else can be frozen. */
    lockFrozen: LockFrozenCustomers;
  };
  /** The latest change of a password, phone, email or second factor; null if there was none since the sign-up. */
  readonly credentialsChangedAt: (queries: Queries, customer: bigint) => Promise<Date | null>;
  /** Fees and limits in force; by default the first version. */
  readonly terms?: () => ChannelTerms;
  /** The daily limit, by certification and level. */
  readonly dailyMaxOf: (queries: Queries, customer: bigint) => Promise<Money<'USDT'>>;
  readonly approvals: Approvals;
  readonly audit: AuditLog;
  readonly stepUps: StepUps;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  /** Sum of the deposits without reversed ones. */
  readonly depositedOf: (queries: Queries, customer: bigint) => Promise<Money<'USDT'>>;
}

/** The dependencies and state that all handlers of this module share. */
export interface WithdrawalsModule extends WithdrawalPorts {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly sealer: Sealer;
  /** Signs with the edge's own key, right after the payment password and the second factor were verified. */
  readonly authorise: (body: string) => SignedText;
  /** The key of the seals on payouts that the chain refused; null where none is tracked. */
  readonly refusalKey: KeyObject | null;
  /** Null if no chain is configured. */
  readonly chain: WithdrawalChain | null;
  readonly hasBank: boolean;
  /** THB per USDT; null while no rate is known. */
  readonly bahtRate: () => Promise<BahtRate | null>;
  /** Notifies the deposits module that a transfer that people decided to send back has left. */
  readonly sentBack: (deposit: string, hash: string, now: Date) => Promise<void>;
  /** One instance of each kind, because the ledger batches by kind. */
  readonly kinds: {
    readonly request: ReturnType<typeof requestWithdrawalKind>;
    readonly pass: ReturnType<typeof approveUnattendedKind>;
  };
  /**
   * The sequence of the ledger up to which the checker has scanned without a finding; null while it has a finding or is
   * silent.
   */
  readonly clearedUpTo: () => bigint | null;
  readonly onFault: (error: unknown) => void;
  /** Since when the books must be reconciled after a restoration, so that nothing leaves; null if they need not be. */
  readonly heldSince: (queries: Queries) => Promise<Date | null>;
  readonly viewsOf: (rows: readonly WithdrawalRow[]) => Promise<WithdrawalRecord[]>;
  readonly changed: (ids: readonly string[]) => Promise<void>;
}

export interface Withdrawals extends MovementList<WithdrawalRecord> {
  /** How long withdrawals since then took, and how many are waiting now. */
  times(since: Date, now: Date): Promise<WithdrawalTimes>;
  /** Payment times by hour, oldest first, then those of the whole period; empty without a payment. */
  paymentHours(since: Date): Promise<readonly (PaymentTimes & { readonly hour: Date | null })[]>;
  /** Payouts that should be signed by now and are not, or that were sent long ago and are in no block. */
  countLatePayouts(now: Date): Promise<number>;
  /** The reason why no payout is signed at the moment; null while payouts continue. */
  payoutStop(): Promise<PayoutStop | null>;
  /** The decision of two people about a transaction that was sent with the house's key and not by the signer. */
  readonly foreignKind: ApprovalKind;
  /** The decision of two people that the books are reconciled with the chain after a restoration. */
  readonly restorationKind: ApprovalKind;
}

export type WithdrawalsDependencies = Omit<WithdrawalsModule, 'viewsOf' | 'changed' | 'kinds' | 'heldSince'> & {
  readonly messages: Pick<Messages, 'send'>;
  /** The newest block read from a chain. */
  readonly headOf: (chain: string) => Promise<bigint | null>;
  /** The operators who voted on these approvals, by work name. */
  readonly votesOf: (approvals: readonly string[]) => Promise<ReadonlyMap<string, WithdrawalRecord['approvals']>>;
};
