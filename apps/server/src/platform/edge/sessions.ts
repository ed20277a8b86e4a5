import type { OperatorRole } from '@sathorn/api';
import type { Network } from './networks.ts';

/**
 * What the edge needs from the customers room: the session of a token. Called on every request, so that room keeps open
 * sessions in memory.
 */
export interface Sessions {
  /**
   * Null for a token that was never issued, or whose session has ended or expired at `now`. Answers at once what it has
   * in memory.
   */
  resolve(token: string, now: Date): Promise<Session | null> | Session | null;
}

/** The same for operators, from the operators room. Tokens of one kind are never looked up as the other. */
export interface OperatorSessions {
  /** Null also where the token comes from another network than it was given to. */
  resolve(token: string, now: Date, networks: readonly Network[]): Promise<OperatorSession | null>;
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
