import type { Money } from '@sathorn/money';
import type { Decision } from '@sathorn/settlement';
import type { CheckerReport } from '../../checker/checker/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { CustomerRow } from '../../people/customers/index.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { AuditLog, StepUps } from '../../staff/operators/index.ts';

export interface BooksDependencies {
  readonly mode: 'demo' | 'live';
  readonly database: Database;
  readonly ledger: Ledger;
  readonly audit: AuditLog;
  readonly stepUps: StepUps;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  /** Finds by exact id, username, phone or email. */
  readonly findCustomer: (query: string) => Promise<Pick<CustomerRow, 'id'> | null>;
  /** The house's holdings according to the chain; empty while the node does not answer. */
  readonly counted: () => Promise<readonly { readonly asset: string; readonly units: bigint }[]>;
  /** Since when the node has not answered; null while it does. */
  readonly failingSince: () => Date | null;
  readonly checked: () => CheckerReport | null;
  /** Marks an imported statement as attested, in the attestation's transaction. */
  readonly attestStatement: (
    transaction: Queries,
    given: {
      readonly statement: string;
      readonly attestation: string;
      readonly by: bigint;
      readonly closing: Money;
      readonly to: Date;
    },
  ) => Promise<Decision<null, 'statement_unknown' | 'statement_balance_differs' | 'own_import' | 'already_attested'>>;
}
