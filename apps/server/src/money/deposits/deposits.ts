import type { KeyObject } from 'node:crypto';
import type { DepositRecord } from '@sathorn/api';
import type { Money } from '@sathorn/money';
import type { Ledger } from '../../ledger/index.ts';
import type { Customers, MovementList } from '../../people/customers/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { ApprovalKind, ApprovalRow, Approvals, AuditLog, StepUps } from '../../staff/operators/index.ts';
import type { ChainConfig, ChainReader, DepositAddresses } from '../chain/index.ts';
import type { Payees } from '../payees/index.ts';
import type { BankAccounts } from './bank-accounts.ts';
import type { BankFeed } from './bank-feed.ts';
import type { BahtRate } from './bank-rails.ts';
import type { DepositRow } from './deposit-store.ts';
import type { NotableMatch } from './notable-matches.ts';
import type { PublicReversal } from './read-reversal-use.ts';
import type { attestBankStatement } from './statement-store.ts';

export interface DepositChain {
  readonly config: ChainConfig;
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  readonly addresses: DepositAddresses;
}

/** The dependencies and state that all handlers of this module share. */
export interface DepositsModule {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly timeZone: string;
  /** Null if no chain is configured. */
  readonly chain: DepositChain | null;
  /** Without an account of the brand, the bank channels are paused. */
  readonly banks: BankAccounts;
  /** Its key is not in the database: an order's id proves that this server promised its rate. */
  readonly sealer: Pick<Sealer, 'digest'>;
  /** Null while no rate is known. */
  readonly bahtRate: () => Promise<BahtRate | null>;
  /** Reads a picture that this customer uploaded. */
  readonly readPicture: (owner: bigint, id: string) => Promise<Buffer | null>;
  /** The perceptual hashes of a slip's picture; null if it cannot be hashed. */
  readonly lookOf: (picture: Buffer) => Promise<readonly Buffer[] | null>;
  /** The wallets that customers have saved. */
  readonly payees: Pick<Payees, 'snapshotFor' | 'listOf'>;
  /** When the delay after a change of credentials ends, so that money may leave; null if none applies now. */
  readonly heldUntil: (queries: Queries, customer: bigint, now: Date) => Promise<Date | null>;
  readonly customers: Pick<
    Customers,
    'exists' | 'hasPaymentPassword' | 'checkPaymentPassword' | 'checkSecondFactor' | 'isFrozen'
  >;
  /** The automatic freezes of customers who spent a deposit that was reversed. */
  readonly freezes: {
    freeze(
      transaction: Queries,
      freeze: { readonly id: string; readonly customer: bigint; readonly until: Date },
    ): Promise<void>;
    end(transaction: Queries, customer: bigint): Promise<void>;
  };
  readonly messages: Pick<Messages, 'send'>;
  /** The customer and their inviter. Operators who are one of them must not take part. */
  readonly concernedBy: (customer: bigint) => Promise<readonly bigint[]>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  readonly approvals: Approvals;
  readonly stepUps: StepUps;
  readonly audit: AuditLog;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  /** When a statement of the bank's own feed was last imported; null if there is no feed. */
  readonly feedReadAt: (() => Promise<Date | null>) | null;
  readonly viewOf: (row: DepositRow) => DepositRecord;
  readonly changed: (ids: readonly string[]) => Promise<void>;
}

export interface Deposits extends MovementList<DepositRecord> {
  /** Sum of completed deposits without reversed ones. */
  completedTotal(queries: Queries, customer: bigint): Promise<Money<'USDT'>>;
  /** Credits that reorganisations have undone since then, without their owners. */
  reversalsSince(since: Date): Promise<readonly PublicReversal[]>;
  /** The newest block read from a chain; null before the first. */
  headOf(chain: string): Promise<bigint | null>;
  /** Called when a transfer that people decided to send back is final on the chain. */
  sentBack(id: string, now: Date): Promise<void>;
  /** Called in a correction's transaction, with the amount of a deposit that it paid; the database checks it. */
  corrected(transaction: Queries, id: string, paid: Money, at: Date): Promise<void>;
  /** The operator who stated this customer's deposit; null for a deposit that was read from a chain or a bank. */
  openerOf(customer: bigint, id: string): Promise<bigint | null>;
  /** The decision of two people about a transfer that can't be credited by rule. */
  readonly recoveryKind: ApprovalKind;
  /** Matches of the last day that deserve a review. */
  notableMatches(): Promise<readonly NotableMatch[]>;
  /** Marks an imported statement as attested by a second person, in the transaction of their attestation. */
  readonly attestStatement: typeof attestBankStatement;
  /** This customer's deposit with the bank line that it was matched with; null for another customer's. */
  evidence(
    customer: bigint,
    id: string,
  ): Promise<{
    readonly record: DepositRecord;
    readonly journal: string | null;
    readonly line: BankEvidence | null;
  } | null>;
}

interface BankEvidence {
  readonly bank_reference: string;
  readonly reference: string;
  readonly payer: string;
  readonly amount: string;
  readonly at: Date;
}

export type DepositsDependencies = Omit<DepositsModule, 'viewOf' | 'changed' | 'feedReadAt'> & {
  /** The key of the watcher's seals; null or absent where the chain is not watched. */
  readonly watchKey?: KeyObject | null;
  /** The source of the bank's own statements; null if there is no feed. */
  readonly feed: BankFeed | null;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly mode: 'demo' | 'live';
  /** How often the balances of the wallets are recorded for the checker. */
  readonly observeEveryMs?: number;
  /** Records which accounts the deployment's file names; null if there is no such file. */
  readonly announce?: ((now: Date) => Promise<void>) | null;
  readonly onFault: (error: unknown) => void;
};
