import type { WithdrawalRecord } from '@sathorn/api';
import type { SignedText } from '@sathorn/proof';
import type { Decision } from '@sathorn/settlement';
import type { Ledger } from '../../ledger/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { ApprovalRow, Approvals, Audit } from '../../staff/operators/index.ts';
import type { Addresses, ChainConfig, ChainReader } from '../chain/index.ts';
import type { BahtRate } from '../deposits/index.ts';
import type { PayeeHolder, PayeeSnapshot } from '../payees/index.ts';
import type { LockFrozen, passKind, requestKind } from './withdrawal-kinds.ts';
import type { ChannelTerms } from './withdrawal-settings.ts';
import type { WithdrawalRow } from './withdrawal-store.ts';

export interface WithdrawalChain {
  readonly config: ChainConfig;
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  readonly addresses: Addresses;
}

/** What this room needs from other rooms. */
export interface WithdrawalPorts {
  readonly payees: {
    snapshotFor(queries: Queries, customer: bigint, id: string): Promise<PayeeSnapshot | null>;
    listOf(queries: Queries, customer: bigint): Promise<readonly PayeeSnapshot[]>;
    holdersOf(queries: Queries, chain: string, address: string): Promise<readonly PayeeHolder[]>;
  };
  readonly customers: {
    hasPaymentPassword(customer: bigint): Promise<boolean>;
    checkPaymentPassword(
      customer: bigint,
      paypass: string,
      now: Date,
    ): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>>;
    checkSecondFactor(
      customer: bigint,
      operation: { readonly kind: 'withdrawal'; readonly subject: string },
      proof: string | undefined,
      now: Date,
    ): Promise<Decision<null, 'second_factor_required' | 'second_factor_wrong' | 'second_factor_delayed'>>;
    readFrozen(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
    /** The same within a decision: nobody else is frozen between this and the commit. */
    lockFrozen: LockFrozen;
  };
  /** The latest change of a password, phone, email or second factor; null if there was none since the sign-up. */
  readonly credentialsChangedAt: (queries: Queries, customer: bigint) => Promise<Date | null>;
  /** Fees and limits in force; by default the first version. */
  readonly terms?: () => ChannelTerms;
  /** Units of USDT a day, by certification and level. */
  readonly dailyMaxOf: (queries: Queries, customer: bigint) => Promise<bigint>;
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly findWaiting: (queries: Queries, kind: string, subject: string) => Promise<ApprovalRow | null>;
  readonly usernameOf: (customer: bigint) => Promise<string>;
  /** Units of USDT deposited and not reversed. */
  readonly depositedOf: (queries: Queries, customer: bigint) => Promise<bigint>;
}

/** What this room's handlers share. */
export interface WithdrawalRoom extends WithdrawalPorts {
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
  /** Notifies the deposits room that a transfer that people decided to send back has left. */
  readonly sentBack: (deposit: string, hash: string, now: Date) => Promise<void>;
  /** One instance of each kind, because the ledger batches by kind. */
  readonly kinds: { readonly request: ReturnType<typeof requestKind>; readonly pass: ReturnType<typeof passKind> };
  readonly onFault: (error: unknown) => void;
  /** Since when the books wait to be reconciled after a restoration, so that nothing leaves; null if they don't. */
  readonly heldSince: (queries: Queries) => Promise<Date | null>;
  readonly viewsOf: (rows: readonly WithdrawalRow[]) => Promise<WithdrawalRecord[]>;
  readonly changed: (ids: readonly string[]) => Promise<void>;
}
