import type { Options } from '../../exchange/options/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { StoredKey } from '../../platform/proofs/index.ts';
import type { Approvals, Audit, Operators } from '../../staff/operators/index.ts';
import type { MoneyRecords } from './money-evidence.ts';

export interface DisputesRoom {
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
  readonly audit: Audit;
  readonly approvals: Pick<Approvals, 'open' | 'close'>;
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
