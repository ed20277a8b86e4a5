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
import type { ApprovalKind, ApprovalRow, Approvals, Audit } from '../../staff/operators/index.ts';
import type { Addresses, ChainConfig, ChainReader } from '../chain/index.ts';
import type { BahtRate } from '../deposits/index.ts';
import type { Payees } from '../payees/index.ts';
import type { approveUnattendedKind, LockFrozen, requestKind } from './withdrawal-kinds.ts';
import type { ChannelTerms } from './withdrawal-settings.ts';
import type { PaymentTimes, WithdrawalRow, WithdrawalTimes } from './withdrawal-store.ts';

export interface WithdrawalChain {
  readonly config: ChainConfig;
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  readonly addresses: Addresses;
}

/** What this module needs from other modules. */
export interface WithdrawalPorts {
  readonly payees: Pick<Payees, 'snapshotFor' | 'listOf' | 'holdersOf'>;
  readonly customers: Pick<Customers, 'hasPaymentPassword' | 'checkPaymentPassword' | 'checkSecondFactor'> & {
    readFrozen(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
    /** The same within a decision: nobody else is frozen between this and the commit. */
    lockFrozen: LockFrozen;
  };
  /** The latest change of a password, phone, email or second factor; null if there was none since the sign-up. */
  readonly credentialsChangedAt: (queries: Queries, customer: bigint) => Promise<Date | null>;
  /** Fees and limits in force; by default the first version. */
  readonly terms?: () => ChannelTerms;
  /** By certification and level. */
  readonly dailyMaxOf: (queries: Queries, customer: bigint) => Promise<Money<'USDT'>>;
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  /** Deposited and not reversed. */
  readonly depositedOf: (queries: Queries, customer: bigint) => Promise<Money<'USDT'>>;
}

/** What every handler of this module is given. */
export interface WithdrawalsModule extends WithdrawalPorts {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly sealer: Sealer;
  /** Signs an authorisation with the edge's own key. Called right after digits and second factor were checked. */
  readonly authorise: (body: string) => SignedText;
  /** Null where no chain is configured. */
  readonly chain: WithdrawalChain | null;
  readonly hasBank: boolean;
  /** THB per USDT; null while no rate is known. */
  readonly bahtRate: () => Promise<BahtRate | null>;
  /** Notifies the deposits module that a transfer that people decided to send back has left. */
  readonly sentBack: (deposit: string, hash: string, now: Date) => Promise<void>;
  /** One instance of each kind, because the ledger batches by kind. */
  readonly kinds: {
    readonly request: ReturnType<typeof requestKind>;
    readonly pass: ReturnType<typeof approveUnattendedKind>;
  };
  /**
   * Up to which sequence of the ledger the checker has looked at everything and found nothing; null while it has found
   * something or is silent.
   */
  readonly clearedUpTo: () => bigint | null;
  readonly onFault: (error: unknown) => void;
  /** Since when the books wait to be reconciled after a restoration, so that nothing leaves; null if they don't. */
  readonly heldSince: (queries: Queries) => Promise<Date | null>;
  readonly viewsOf: (rows: readonly WithdrawalRow[]) => Promise<WithdrawalRecord[]>;
  readonly changed: (ids: readonly string[]) => Promise<void>;
}

export interface Withdrawals extends MovementList<WithdrawalRecord> {
  /** How long withdrawals since then took, and how many wait now. */
  times(since: Date, now: Date): Promise<WithdrawalTimes>;
  /** Times by hour, oldest first, then those of the whole time; empty without a payment. */
  paymentHours(since: Date): Promise<readonly (PaymentTimes & { readonly hour: Date | null })[]>;
  /** Payouts that should be signed by now and are not, or were sent long ago and are in no block. */
  countLatePayouts(now: Date): Promise<number>;
  /** The reason why no payout is signed at the moment; null while payouts go on. */
  payoutStop(): Promise<PayoutStop | null>;
  /** What two people decide about a transaction that was sent with the house's key and not by the signer. */
  readonly foreignKind: ApprovalKind;
  /** What two people decide once the books are reconciled with the chain after a restoration. */
  readonly restorationKind: ApprovalKind;
}

export type WithdrawalsDependencies = Omit<WithdrawalsModule, 'viewsOf' | 'changed' | 'kinds' | 'heldSince'> & {
  readonly messages: Pick<Messages, 'send'>;
  /** The newest block read from a chain. */
  readonly headOf: (chain: string) => Promise<bigint | null>;
  /** Who has voted on these approvals, by work name. */
  readonly votesOf: (approvals: readonly string[]) => Promise<ReadonlyMap<string, WithdrawalRecord['approvals']>>;
};
