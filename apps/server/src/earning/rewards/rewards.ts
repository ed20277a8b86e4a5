import type { SignInState } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Intent, Ledger, LedgerRefusal } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries, Transaction } from '../../platform/database/index.ts';
import type { PointsGrant } from './grant-points.ts';
import type { RewardLock, SignInAnswer } from './sign-in-kind.ts';
import type { SignInLadder } from './sign-in-ladder.ts';

export interface RewardsDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  /** The brand's time zone, which decides when a day begins. */
  readonly timeZone: string;
  readonly clock: Clock;
  readonly lock: RewardLock;
  readonly onFault: (error: unknown) => void;
}

export interface Rewards {
  /** Null if no ladder is in force. */
  signInState(customer: bigint, now: Date): Promise<SignInState | null>;
  signIn(
    customer: bigint,
    intent: Intent,
  ): Promise<
    Decision<
      SignInAnswer,
      'account_frozen' | 'already_signed_in' | 'sign_in_closed' | 'reward_fund_empty' | LedgerRefusal
    >
  >;
  /** Grants points for an invitation or an activity, once per reason and reference. */
  grantPoints(grant: PointsGrant, now: Date): Promise<Decision<null, 'reward_fund_empty' | LedgerRefusal>>;
  /**
   * Makes a customer's locked rewards available, in the transaction that certifies them. Returns true if there were
   * any; does nothing while money is halted.
   */
  release(transaction: Queries, customer: bigint): Promise<boolean>;
  /** Releases rewards that the certification itself missed, such as one that was granted during it. */
  releaseDue(): Promise<void>;
  /** True if this customer gets no reward yet because they are not certified. */
  isLocked(queries: Queries, customer: bigint): Promise<boolean>;
  ladders(): Promise<readonly SignInLadder[]>;
  /** The local day of a moment. */
  dayOf(moment: Date): number;
  /** Adds the ladder that two people approved, in the transaction in which it takes effect. */
  addLadder(
    transaction: Transaction,
    proposed: Pick<SignInLadder, 'points' | 'usdt'>,
    effectiveDay: number,
    approval: string,
    now: Date,
  ): Promise<void>;
  /** Adds the ladder with which a demo starts; idempotent. */
  offerDemo(proposed: Pick<SignInLadder, 'points' | 'usdt'>, now: Date): Promise<void>;
}
