import type { OperatorRole } from '@sathorn/api';
import type { LimitedNetwork } from './networks.ts';

/**
 * The customers module as the edge needs it: the session of a token. It is called on every request, so the module keeps
 * open sessions in memory.
 */
export interface Sessions {
  /**
   * Null for a token that was never issued, or whose session has ended or expired at `now`. Synchronous if the session
   * is in memory.
   */
  resolve(token: string, now: Date): Promise<Session | null> | Session | null;
}

/** The same for operators. No token is looked up as the other kind. */
export interface OperatorSessions {
  /** Also null if the token comes from another network than the one at its sign-in. */
  resolve(token: string, now: Date, networks: readonly LimitedNetwork[]): Promise<OperatorSession | null>;
  /** Logs that an operator called something that none of their roles allows. */
  refused(operator: OperatorSession, route: string): Promise<void>;
}

export interface OperatorSession {
  readonly id: bigint;
  readonly workName: string;
  readonly roles: readonly OperatorRole[];
  readonly sessionId: string;
  readonly endsAt: Date;
  /** The confirmation sent with this call in the field `step_up`. */
  readonly stepUp?: string;
}

export interface Session {
  readonly customerId: bigint;
  readonly sessionId: string;
}
