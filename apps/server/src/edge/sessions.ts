/**
 * What the edge needs of the customers' module: whose session a token opens. Called on every request, so that module
 * keeps open sessions in memory.
 */
export interface Sessions {
  /** Null when the token opens nothing: never given, ended, or idle for too long at `now`. */
  resolve(token: string, now: Date): Promise<Session | null>;
}

export interface Session {
  readonly customerId: bigint;
  readonly sessionId: string;
}
