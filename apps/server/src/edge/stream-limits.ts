export interface StreamLimits {
  readonly clients: number;
  readonly clientsPerAddress: number;
  readonly topics: number;
  /** Frames that one client may send in a second. */
  readonly framesPerSecond: number;
  readonly frameBytes: number;
  /** A client with more than this unsent gets a snapshot later instead of events now. */
  readonly unsentBytes: number;
  /** A client that reads nothing for so long is let go. */
  readonly slowMs: number;
  readonly frameEveryMs: number;
  readonly heartbeatMs: number;
}

const LIVE: StreamLimits = {
  clients: 20_000,
  clientsPerAddress: 200,
  topics: 32,
  framesPerSecond: 20,
  frameBytes: 8 * 1024,
  unsentBytes: 64 * 1024,
  slowMs: 30_000,
  frameEveryMs: 100,
  heartbeatMs: 25_000,
};

export const STREAM_LIMITS: Readonly<Record<'demo' | 'live', StreamLimits>> = {
  live: LIVE,
  // Measurements open all their connections from one address.
  demo: { ...LIVE, clientsPerAddress: LIVE.clients },
};
