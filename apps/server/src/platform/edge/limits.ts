/** Limits per caller. Counts are per minute unless stated otherwise. */
export interface EdgeLimits {
  /** High, because a mobile network has thousands of customers behind one address. */
  readonly requestsPerAddress: number;
  readonly requestsPerSession: number;
  /** The same in a demo, whose load comes from sessions: a key's limit has to be seen to hold. */
  readonly requestsPerKey: number;
  /** This is enough for a person whose pages poll. */
  readonly requestsPerOperator: number;
  /** Separate from customers, so that a flood of either does not block the other's sign-in. */
  readonly operatorSignInsPerAddress: number;
  /** Calls that move money, over all of a customer's sessions: each is stored for ever, even when refused. */
  readonly moneyCallsPerCustomer: number;
  /** Even an unusable picture costs a second of CPU time. The app sends up to 52 at once. */
  readonly uploadsPerCustomer: number;
  /** Sign-in, sign-up, codes and forgotten passwords. The customers module also has limits per account. */
  readonly signInsPerAddress: number;
  /** Rows of public reads (candles, ticks, trades) per address; an expensive row counts as several. */
  readonly rowsPerSecond: number;
  readonly rowsAtOnce: number;
  readonly formBytes: number;
  readonly pictureBytes: number;
  /** How many uploads may be in memory at once, one per customer; others wait. */
  readonly uploadsAtOnce: number;
  /** How long a picture may take to arrive once its upload has started. */
  readonly uploadMs: number;
}

/** Limits on connections and on requests in progress. */
export interface HttpLimits {
  /** Total connections, including the live stream's. */
  readonly connections: number;
  /** Connections are not counted behind proxies, where all customers come from one address. */
  readonly connectionsPerAddress: number;
  /** New connections per address and second; in a burst, as many as `connectionsPerAddress`. */
  readonly connectsPerSecond: number;
  readonly requestsPerSocket: number;
  /** How many requests of one connection may wait. If more arrive, it is closed after the answers. */
  readonly pipelined: number;
  /** Requests in progress. Above this, new ones get 503, or 429 when most belong to one address. */
  readonly underWay: number;
  readonly underWayPerAddress: number;
  /** Bytes of unread answers in memory. */
  readonly unsentBytes: number;
  readonly unsentBytesPerAddress: number;
  readonly answerBytesPerSecondMin: number;
  /** How many public reads run at once. More may wait in a queue, and each address (or customer) has its own limit. */
  readonly publicReads: number;
  readonly publicReadsWaiting: number;
  readonly publicReadsPerCaller: number;
}

const LIVE_HTTP: HttpLimits = {
  connections: 24_000,
  connectionsPerAddress: 512,
  connectsPerSecond: 50,
  requestsPerSocket: 10_000,
  pipelined: 8,
  underWay: 2_000,
  underWayPerAddress: 64,
  unsentBytes: 64 * 1024 * 1024,
  unsentBytesPerAddress: 8 * 1024 * 1024,
  answerBytesPerSecondMin: 4_000,
  // Equal to the number of connections in the pool for public reads.
  publicReads: 4,
  publicReadsWaiting: 200,
  publicReadsPerCaller: 8,
};

export const HTTP_LIMITS: Readonly<Record<'demo' | 'live', HttpLimits>> = {
  live: LIVE_HTTP,
  // The whole load of a demo may come from one address.
  demo: {
    ...LIVE_HTTP,
    connectionsPerAddress: LIVE_HTTP.connections,
    connectsPerSecond: 500,
    underWay: 10_000,
    underWayPerAddress: 10_000,
    unsentBytesPerAddress: LIVE_HTTP.unsentBytes,
    publicReadsPerCaller: 100,
  },
};

const BYTES_AND_UPLOADS = {
  formBytes: 64 * 1024,
  pictureBytes: 10 * 1024 * 1024,
  // Together they take at most 80 MB of memory.
  uploadsAtOnce: 8,
  uploadMs: 30_000,
};

export const EDGE_LIMITS: Readonly<Record<'demo' | 'live', EdgeLimits>> = {
  live: {
    requestsPerAddress: 6_000,
    requestsPerSession: 1_200,
    requestsPerKey: 1_200,
    requestsPerOperator: 1_200,
    operatorSignInsPerAddress: 30,
    moneyCallsPerCustomer: 120,
    uploadsPerCustomer: 60,
    signInsPerAddress: 60,
    // A chart requests 300 candles. A thousand candles cost 8 ms of CPU time.
    rowsPerSecond: 4_000,
    rowsAtOnce: 20_000,
    ...BYTES_AND_UPLOADS,
  },
  // A demo's visitors, tests and benchmarks come from one address, and it has no secrets worth guessing.
  demo: {
    requestsPerAddress: 3_000_000,
    requestsPerSession: 1_500_000,
    requestsPerKey: 1_200,
    requestsPerOperator: 1_500_000,
    operatorSignInsPerAddress: 3_000,
    moneyCallsPerCustomer: 1_500_000,
    uploadsPerCustomer: 600,
    signInsPerAddress: 3_000,
    // Below what one core can serve, because in a demo the same core also produces the ticks.
    rowsPerSecond: 16_000,
    rowsAtOnce: 80_000,
    ...BYTES_AND_UPLOADS,
  },
};

/** How long a slow client may keep a socket. */
export interface HttpTimeouts {
  readonly headersMs: number;
  /** Limit of the whole request; a picture may also wait for its slot. */
  readonly requestMs: number;
  /** Limit of a form's body, which has at most 64 kB. */
  readonly bodyMs: number;
  /** Limit of the rest of a body whose request is already answered, and of an answer that the client does not read. */
  readonly unreadMs: number;
  readonly keepAliveMs: number;
  /** How often the limits above are checked. */
  readonly checkMs: number;
}

export const DEFAULT_HTTP_TIMEOUTS: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 240_000,
  bodyMs: 20_000,
  unreadMs: 10_000,
  keepAliveMs: 72_000,
  checkMs: 1_000,
};
