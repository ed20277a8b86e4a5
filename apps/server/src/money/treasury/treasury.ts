import type { Custody } from '@sathorn/api';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { AuditLog, Operators } from '../../staff/operators/index.ts';
import type { ChainConfig, ChainReader } from '../chain/index.ts';
import type { DemoOwner } from './demo-owner.ts';

export interface TreasuryDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Null if no chain is configured. */
  readonly chain: { readonly config: ChainConfig; readonly readers: readonly [ChainReader, ...ChainReader[]] } | null;
  readonly audit: AuditLog;
  /** The server's own key for an operator of the demo; null in live mode. */
  readonly demoOwner: ((workName: string) => DemoOwner) | null;
  /** Addresses of owners whose keys lie in vaults. In lower case. */
  readonly coldOwners: readonly string[];
  /** The host name of the console, for which the demo's keys sign. */
  readonly consoleHost: string;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  readonly workNameOf: (operator: bigint) => Promise<string>;
  readonly operators: Pick<Operators, 'findColleague' | 'listColleagues' | 'readP256Passkey'>;
}

export interface Treasury {
  /** Where the house's money lies, for the public page; null without a chain. */
  custody(): Promise<Custody | null>;
}

export type TreasuryModule = TreasuryDependencies;

export type Signer = Pick<OperatorSession, 'id' | 'workName'>;
