import type { Money } from '@sathorn/money';
import type { Decision } from '@sathorn/settlement';
import type { Invitations } from '../../people/customers/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';

export interface InvitesDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly invitations: Invitations;
  readonly certifiedAmong: (queries: Queries, customers: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
  /** Customers whose primary certification was verified since this time. */
  readonly verifiedSince: (since: Date) => Promise<readonly bigint[]>;
  readonly sharePayee: (queries: Queries, one: bigint, other: bigint) => Promise<boolean>;
  readonly isFrozen: (queries: Queries, customer: bigint) => Promise<boolean>;
  /** Grants points, once per reference. */
  readonly grantPoints: (
    grant: {
      readonly customer: bigint;
      readonly points: Money<'POINTS'>;
      readonly reason: 'invite';
      readonly ref: string;
    },
    at: Date,
  ) => Promise<Decision<unknown, string>>;
  readonly maskName: (name: string) => string;
  readonly onFault: (error: unknown) => void;
}

export interface Invites {
  /**
   * Judges the invitations of customers certified since this time, and pays the rewards. A job calls it periodically.
   */
  judge(since: Date, now: Date): Promise<void>;
}
