/** What one caller may take. Counts are per minute unless they say otherwise. */
export interface Limits {
  /** Generous: a mobile network puts thousands of customers behind one address. */
  readonly requestsPerAddress: number;
  readonly requestsPerSession: number;
  /** Calls that move money, over all sessions: each of them, refused or not, is kept for ever under its id. */
  readonly moneyCallsPerCustomer: number;
  /** A picture that is no good costs its second of a core all the same. The app sends up to 52 together. */
  readonly uploadsPerCustomer: number;
  /** Sign-in, sign-up, codes and forgotten passwords; the customers' room has its own limits per account besides. */
  readonly signInsPerAddress: number;
  readonly formBytes: number;
  readonly pictureBytes: number;
  /** Uploads being read into memory at once, in all and of one customer; others wait. */
  readonly uploadsAtOnce: number;
  readonly uploadsAtOncePerCustomer: number;
}

const BYTES_AND_UPLOADS = {
  formBytes: 64 * 1024,
  pictureBytes: 10 * 1024 * 1024,
  uploadsAtOnce: 8,
  uploadsAtOncePerCustomer: 2,
};

export const LIMITS: Readonly<Record<'demo' | 'live', Limits>> = {
  live: {
    requestsPerAddress: 6_000,
    requestsPerSession: 1_200,
    moneyCallsPerCustomer: 120,
    uploadsPerCustomer: 60,
    signInsPerAddress: 60,
    ...BYTES_AND_UPLOADS,
  },
  // A demo's visitors, its tests and its measurements come from one address, and nothing there is worth guessing.
  demo: {
    requestsPerAddress: 3_000_000,
    requestsPerSession: 1_500_000,
    moneyCallsPerCustomer: 1_500_000,
    uploadsPerCustomer: 600,
    signInsPerAddress: 3_000,
    ...BYTES_AND_UPLOADS,
  },
};

/** Slow senders hold a socket no longer than this. */
export interface Timeouts {
  readonly headersMs: number;
  /** The whole request, an upload on a slow line included. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How often the two above are looked at. */
  readonly checkMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 60_000, keepAliveMs: 72_000, checkMs: 1_000 };
