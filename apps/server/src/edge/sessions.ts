import type { OperatorRole } from '@sathorn/api';

/**
 * What the edge needs of the customers' module: whose session a token opens. Called on every request, so that module
 * keeps open sessions in memory.
 */
export interface Sessions {
  /** Null when the token opens nothing: never given, ended, or idle for too long at `now`. */
  resolve(token: string, now: Date): Promise<Session | null>;
}

/** The same for operators, of the operators' module. A token of one kind is never looked up as the other. */
export interface OperatorSessions {
  resolve(token: string, now: Date): Promise<OperatorSession | null>;
  /** An operator asked for what none of their roles may do: the log says so. */
  refused(operator: OperatorSession, route: string): Promise<void>;
}

export interface OperatorSession {
  readonly id: bigint;
  readonly workName: string;
  readonly roles: readonly OperatorRole[];
  readonly sessionId: string;
  readonly endsAt: Date;
  /** The confirmation that came with this call, in the field `step_up`. */
  readonly stepUp?: string;
}

export interface Session {
  readonly customerId: bigint;
  readonly sessionId: string;
}
