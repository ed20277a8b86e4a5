export interface StreamLimits {
  readonly clients: number;
  readonly clientsPerAddress: number;
  readonly topics: number;
  /** Frames per client and second, including pings and pongs. */
  readonly framesPerSecond: number;
  readonly frameBytes: number;
  readonly bytesPerSecond: number;
  /** All clients of one address together may send as much as this many clients. */
  readonly addressShare: number;
  /** New connections per address and second. */
  readonly upgradesPerSecond: number;
  readonly upgradesAtOnce: number;
  /** A client with more unread bytes than this gets a snapshot later instead of events now. */
  readonly unsentBytes: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly slowMs: number;
  readonly frameEveryMs: number;
  readonly heartbeatMs: number;
}

const LIVE: StreamLimits = {
  clients: 20_000,
  clientsPerAddress: 200,
  topics: 32,
  framesPerSecond: 20,
  // An app's largest frame is a list of 32 topics: 1 kB.
  frameBytes: 4 * 1024,
  bytesPerSecond: 16 * 1024,
  addressShare: 10,
  upgradesPerSecond: 20,
  // After a restart all clients of an address reconnect together.
  upgradesAtOnce: 200,
  unsentBytes: 64 * 1024,
  slowMs: 30_000,
  frameEveryMs: 100,
  heartbeatMs: 25_000,
};

export const STREAM_LIMITS: Readonly<Record<'demo' | 'live', StreamLimits>> = {
  live: LIVE,
  // Benchmarks open all their connections from one address.
  demo: {
    ...LIVE,
    clientsPerAddress: LIVE.clients,
    addressShare: 1_000,
    upgradesPerSecond: 5_000,
    upgradesAtOnce: LIVE.clients,
  },
};
