/** What one caller may take. Counts are per minute unless they say otherwise. */
export interface Limits {
  /** Generous: a mobile network puts thousands of customers behind one address. */
  readonly requestsPerAddress: number;
  readonly requestsPerSession: number;
  /** A person at a desk, with pages that read again what they show. */
  readonly requestsPerOperator: number;
  /** At the door of the console; apart from customers, so that neither's flood closes the other's door. */
  readonly operatorSignInsPerAddress: number;
  /** Calls that move money, over all sessions of a customer: each is kept for ever under its id, even when refused. */
  readonly moneyCallsPerCustomer: number;
  /** Even an unusable picture costs a second of a core. The app sends up to 52 together. */
  readonly uploadsPerCustomer: number;
  /** Sign-in, sign-up, codes and forgotten passwords; the customers' room has its own limits per account besides. */
  readonly signInsPerAddress: number;
  /** Rows of public reads (candles, ticks, trades) of one address; an expensive row counts as several. */
  readonly rowsPerSecond: number;
  readonly rowsAtOnce: number;
  readonly formBytes: number;
  readonly pictureBytes: number;
  /** Uploads in memory at once, one per customer; others wait. */
  readonly uploadsAtOnce: number;
  /** For one picture to come, once it has its place. */
  readonly uploadMs: number;
}

/** Limits of connections and of the requests under way. */
export interface HttpLimits {
  /** Connections in all, including the live stream's. */
  readonly connections: number;
  /** Not counted behind proxies, where all customers come from one address. */
  readonly connectionsPerAddress: number;
  /** New connections of an address per second; in a burst, as many as it may have at once. */
  readonly connectsPerSecond: number;
  readonly requestsPerSocket: number;
  /**
   * Requests of one connection that may wait behind the one being served; with more, it is closed after their answers.
   */
  readonly pipelined: number;
  /** Requests being served: more are refused at once, with 503, or with 429 when they are one address's. */
  readonly underWay: number;
  readonly underWayPerAddress: number;
  /** Bytes of answers in memory that clients have not taken yet. */
  readonly unsentBytes: number;
  readonly unsentBytesPerAddress: number;
  readonly answerBytesPerSecondMin: number;
  /**
   * Public reads: how many run at once, how many more may wait, and how many of both one address (or customer) may
   * have.
   */
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
  // As many as the connections in the pool for public reads.
  publicReads: 4,
  publicReadsWaiting: 200,
  publicReadsPerCaller: 8,
};

export const HTTP_LIMITS: Readonly<Record<'demo' | 'live', HttpLimits>> = {
  live: LIVE_HTTP,
  // A demo's load comes from one address.
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
  // At most 80 MB.
  uploadsAtOnce: 8,
  uploadMs: 30_000,
};

export const LIMITS: Readonly<Record<'demo' | 'live', Limits>> = {
  live: {
    requestsPerAddress: 6_000,
    requestsPerSession: 1_200,
    requestsPerOperator: 1_200,
    operatorSignInsPerAddress: 30,
    moneyCallsPerCustomer: 120,
    uploadsPerCustomer: 60,
    signInsPerAddress: 60,
    // A chart asks for 300. A thousand candles cost 8 ms of a core.
    rowsPerSecond: 4_000,
    rowsAtOnce: 20_000,
    ...BYTES_AND_UPLOADS,
  },
  // A demo's visitors, tests and benchmarks come from one address, and it has no secrets worth guessing.
  demo: {
    requestsPerAddress: 3_000_000,
    requestsPerSession: 1_500_000,
    requestsPerOperator: 1_500_000,
    operatorSignInsPerAddress: 3_000,
    moneyCallsPerCustomer: 1_500_000,
    uploadsPerCustomer: 600,
    signInsPerAddress: 3_000,
    // Below what a core can do: in a demo the same core also makes the ticks.
    rowsPerSecond: 16_000,
    rowsAtOnce: 80_000,
    ...BYTES_AND_UPLOADS,
  },
};

/** How long a slow client may hold a socket. */
export interface Timeouts {
  readonly headersMs: number;
  /** The whole request; a picture may wait for its place. */
  readonly requestMs: number;
  /** A form: the longest is 64 kB. */
  readonly bodyMs: number;
  /** For the rest of a body that was already answered, and for an answer that the client doesn't take. */
  readonly unreadMs: number;
  readonly keepAliveMs: number;
  /** How often the limits above are checked. */
  readonly checkMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 240_000,
  bodyMs: 20_000,
  unreadMs: 10_000,
  keepAliveMs: 72_000,
  checkMs: 1_000,
};
