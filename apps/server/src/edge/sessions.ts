/**
 * What the edge asks of the customers' room: whose session a token opens. It is asked on every request, so the room keeps
 * open sessions in memory.
 */
export interface Sessions {
  /** Null when the token opens nothing: never given, ended, or idle for too long at `now`. */
  resolve(token: string, now: Date): Promise<Session | null>;
}

export interface Session {
  readonly customerId: bigint;
  readonly sessionId: string;
}
