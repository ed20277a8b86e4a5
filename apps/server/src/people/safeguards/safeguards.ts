import type { OwnLimit, RealityCheck, Safeguards as View } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Messages } from '../messages/index.ts';
import type { OwnPauseKind } from './safeguard-store.ts';

export interface SafeguardsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'send'>;
  /** The time zone of the periods. */
  readonly timeZone: string;
  /** Revokes the customer's open contract orders when they take a break. */
  readonly revokeOrders: (customer: bigint, pause: string) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

export type OwnPauseRefusal = 'self_excluded' | 'time_out';

export interface Safeguards {
  read(customer: bigint): Promise<View>;
  setLimit(
    customer: bigint,
    kind: OwnLimit,
    value: string | null,
    now: Date,
  ): Promise<Decision<View, 'amount_not_positive' | 'above_maximum' | 'limit_unchanged' | 'malformed_request'>>;
  cancelLimit(customer: bigint, id: string): Promise<Decision<View, 'limit_unknown'>>;
  /** `length` is a PostgreSQL interval. */
  pause(customer: bigint, kind: OwnPauseKind, length: string, now: Date): Promise<Decision<View, OwnPauseRefusal>>;
  setReality(customer: bigint, minutes: number | null): Promise<View>;
  countMinute(customer: bigint): Promise<{ readonly counts: boolean; readonly check: RealityCheck | null }>;
  answerCheck(customer: bigint): Promise<void>;
  /** True if the app must report the customer's minutes of use. */
  countsTime(customer: bigint): Promise<boolean>;
  /**
   * The refusal if a break or an exclusion stops this customer outside the ledger, for example at deposits; null
   * otherwise.
   */
  refusalOf(customer: bigint): Promise<Decision<never, OwnPauseRefusal> | null>;
  /** Returns the customers of these who take a break or are excluded. */
  readPaused(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
}
