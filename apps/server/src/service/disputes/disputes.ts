import type { DepositRecord, OwnCorrection, WithdrawalRecord } from '@sathorn/api';
import type { Options } from '../../exchange/options/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { StoredKey } from '../../platform/proofs/index.ts';
import type { ApprovalKind, Approvals, AuditLog, Operators } from '../../staff/operators/index.ts';
import type { DisputeState, MoneySubject } from './case-store.ts';

export interface DisputesDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly options: Pick<Options, 'evidence' | 'closeDispute'>;
  readonly ledger: Pick<Ledger, 'transfersOf'>;
  readonly records: MoneyRecords;
  /** Corrections that name this dispute. */
  readonly correctionsOf: (
    queries: Queries,
    dispute: string,
  ) => Promise<
    readonly { readonly id: string; readonly number: string; readonly customer: bigint; readonly step: string }[]
  >;
  /** The published proof keys. */
  readonly keys: () => Promise<readonly StoredKey[]>;
  readonly messages: Pick<Messages, 'send'>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly staffName: (operator: bigint) => Promise<string>;
  /** The customer and their inviter. */
  readonly concernedBy: (customer: bigint) => Promise<readonly bigint[]>;
  readonly audit: AuditLog;
  readonly approvals: Pick<Approvals, 'propose'>;
  readonly findWaiting: Operators['findWaitingApproval'];
  /** Called when a fault of the platform is confirmed: opens a public incident and pauses sales. */
  readonly onFaultConfirmed: (
    transaction: Queries,
    fault: {
      readonly dispute: string;
      readonly order: string;
      readonly operator: OperatorSession;
      readonly text: string;
    },
  ) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

interface DisputeOfCustomer {
  readonly id: string;
  readonly kind: 'option' | MoneySubject;
  readonly order: string;
  readonly status: DisputeState;
  readonly at: string;
}

export interface Disputes {
  readonly answerKind: ApprovalKind;
  readonly moneyAnswerKind: ApprovalKind;
  /** True if this customer has opened this dispute, about a trade or about money. */
  isOf(customer: bigint, id: string): Promise<boolean>;
  /** The newest disputes of a customer, about trades and about money. */
  listOf(customer: bigint): Promise<readonly DisputeOfCustomer[]>;
  queue(now: Date): Promise<{
    readonly waiting: number;
    readonly overdue: number;
    readonly oldestAt: Date | null;
    readonly dueAt: Date | null;
  }>;
}

/** Other modules' data about a disputed deposit, withdrawal or correction; null if the customer has none such. */
interface MoneyRecords {
  deposit(
    customer: bigint,
    id: string,
  ): Promise<{
    readonly record: DepositRecord;
    readonly journal: string | null;
    readonly line: {
      readonly bank_reference: string;
      readonly reference: string;
      readonly payer: string;
      readonly amount: string;
      readonly at: Date;
    } | null;
  } | null>;
  withdrawal(
    customer: bigint,
    id: string,
  ): Promise<{ readonly record: WithdrawalRecord; readonly journal: string | null } | null>;
  correction(customer: bigint, id: string): Promise<OwnCorrection | null>;
  /** The node's receipt of a transaction; null if there is none, or if the node does not answer. */
  receipt(hash: string): Promise<{ readonly isSuccess: boolean } | null>;
}
