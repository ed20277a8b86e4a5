import type { CorrectionCases } from '@sathorn/api';
import type { Money } from '@sathorn/money';
import type { ProofKey } from '@sathorn/proof';
import type { Options } from '../../exchange/options/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { RestorationRow } from '../../platform/proofs/index.ts';
import type { Approvals, AuditLog, Operators } from '../../staff/operators/index.ts';
import type { CorrectionRow } from './correction-store.ts';

type Severity = CorrectionCases['incidents'][number]['severity'];

export interface CorrectionsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly messages: Pick<Messages, 'send' | 'preview'>;
  readonly approvals: Approvals;
  readonly audit: AuditLog;
  /** The operators who approved, by approval. */
  readonly votesOf: (approvals: readonly string[]) => Promise<ReadonlyMap<string, readonly { readonly by: string }[]>>;
  readonly viewApproval: Operators['viewApproval'];
  readonly isCustomer: (customer: bigint) => Promise<boolean>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  /** The customer and their inviter. None of them may decide. */
  readonly concernedBy: (customer: bigint) => Promise<readonly bigint[]>;
  /** The operator's own customer account. */
  readonly ownAccountOf: (operator: bigint) => Promise<bigint | null>;
  /** A deposit of this customer: its amount, and whether it is a case on another network, which corrections may pay. */
  readonly depositOf: (
    customer: bigint,
    id: string,
  ) => Promise<{
    readonly id: string;
    readonly amount: Money<'USDT'>;
    readonly isLost: boolean;
    /** The operator who stated the deposit, if nothing read it. They may neither propose nor approve. */
    readonly openedBy: bigint | null;
  } | null>;
  /** Called in the correction's transaction, with the amount of the deposit that was paid. */
  readonly depositCorrected: (transaction: Queries, id: string, paid: Money, at: Date) => Promise<void>;
  /** True if this dispute of the customer, or this incident, exists. */
  readonly hasDispute: (customer: bigint, id: string) => Promise<boolean>;
  /** The customer with this number or username. */
  readonly findCustomer: (query: string) => Promise<{ readonly id: bigint; readonly username: string } | null>;
  /** The customer's disputes. A correction can name one; the same is true of the incidents and lost deposits below. */
  readonly disputesOf: (customer: bigint) => Promise<Readonly<CorrectionCases['disputes']>>;
  readonly incidentsSince: (
    since: Date,
  ) => Promise<readonly { id: string; severity: Severity; opened_at: Date; closed_at: Date | null }[]>;
  readonly lostDepositsOf: (
    customer: bigint,
  ) => Promise<
    readonly { readonly id: string; readonly order: string; readonly amount: string; readonly at: string }[]
  >;
  readonly keys: () => Promise<readonly ProofKey[]>;
  readonly restorations: () => Promise<readonly RestorationRow[]>;
  readonly options: Pick<Options, 'isSealOf' | 'readBooked'>;
  readonly hasIncident: (queries: Queries, id: string) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

export interface CorrectionOfCase {
  readonly id: string;
  readonly number: string;
  readonly customer: bigint;
  readonly step: CorrectionRow['step'];
}

export interface Corrections {
  queue(now: Date): Promise<{
    readonly waiting: number;
    readonly overdue: number;
    readonly oldestAt: Date | null;
    readonly dueAt: Date | null;
  }>;
  /** One round of the job, for tests that control when it runs. */
  round(now: Date): Promise<void>;
}
