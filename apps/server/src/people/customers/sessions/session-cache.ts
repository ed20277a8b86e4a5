/**
 * How long a session is trusted without reading it again. A session that another process has ended stays usable here at
 * most this long.
 */
export const SESSION_TRUST_MS = 5_000;
const TOUCH_EVERY_MS = 60_000;
const ENTRIES_MAX = 50_000;
const ENDED_MAX = 10_000;

interface LoadedSession extends ResolvedSession {
  readonly digest: string;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly isFrozen: boolean;
}

interface Entry {
  readonly session: ResolvedSession;
  readonly isFrozen: boolean;
  readonly loadedAt: number;
  usedAt: number;
}

interface Waiting {
  readonly token: string;
  readonly now: Date;
  readonly resolve: (session: ResolvedSession | null) => void;
  readonly reject: (error: unknown) => void;
}

interface SessionCacheOptions {
  readonly idleMs: number;
  /** Counted from the sign-in, however often the session is used. */
  readonly lifeMs: number;
  /** The keyed digest by which the database finds a token. */
  digestOf(token: string): string;
  load(digests: readonly string[], now: Date): Promise<readonly LoadedSession[]>;
  touch(sessionId: string, at: Date): void;
}

/**
 * Open sessions in memory. Sessions that are missing or older than five seconds are read in batches: all requests that
 * arrive during one batch form the next. The key is the token itself, because a keyed digest for each request would
 * cost more than all else here. Only tokens of open sessions are kept, so invented tokens take no memory.
 */
export class SessionCache {
  readonly #options: SessionCacheOptions;
  /** Keyed by the token, in order of loading: the first is the oldest. */
  readonly #entries = new Map<string, Entry>();
  readonly #tokenOf = new Map<string, string>();
  readonly #frozen = new Map<bigint, { isFrozen: boolean; at: number }>();
  /** Ids of ended sessions, so that a batch that was read before the end doesn't bring them back. */
  readonly #ended = new Set<string>();
  #waiting: Waiting[] = [];
  #isLoading = false;

  constructor(options: SessionCacheOptions) {
    this.#options = options;
  }

  resolve(token: string, now: Date): Promise<ResolvedSession | null> | ResolvedSession {
    const entry = this.#entries.get(token);
    const time = now.getTime();
    if (entry && isTrusted(entry.loadedAt, time)) return this.#use(entry, time);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ token, now, resolve, reject });
      if (!this.#isLoading) void this.#load();
    });
  }

  end(sessionId: string): void {
    this.#ended.add(sessionId);
    if (this.#ended.size > ENDED_MAX)
      for (const oldest of this.#ended) {
        this.#ended.delete(oldest);
        break;
      }
    const token = this.#tokenOf.get(sessionId);
    if (token !== undefined) this.#remove(token, sessionId);
  }

  isFrozen(customer: bigint, now: Date): boolean | null {
    const known = this.#frozen.get(customer);
    return known && isTrusted(known.at, now.getTime()) ? known.isFrozen : null;
  }

  #use(entry: Entry, time: number): ResolvedSession {
    if (time - entry.usedAt >= TOUCH_EVERY_MS) {
      entry.usedAt = time;
      this.#options.touch(entry.session.sessionId, new Date(time));
    }
    return entry.session;
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    // Waits one turn of the event loop, so that simultaneous requests share one query.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const now = new Date(Math.max(...batch.map(({ now: askedAt }) => askedAt.getTime())));
        const digests = new Map<string, string>();
        for (const { token } of batch) if (!digests.has(token)) digests.set(token, this.#options.digestOf(token));
        const loaded = await this.#options.load([...digests.values()], now);
        const byDigest = new Map(loaded.map((session) => [session.digest, session]));
        for (const { token, now: askedAt, resolve } of batch)
          resolve(this.#admit(token, byDigest.get(digests.get(token) ?? ''), askedAt));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isLoading = false;
  }

  #admit(token: string, loaded: LoadedSession | undefined, now: Date): ResolvedSession | null {
    const before = this.#entries.get(token);
    const time = now.getTime();
    const { idleMs, lifeMs } = this.#options;
    if (
      !loaded ||
      this.#ended.has(loaded.sessionId) ||
      time - loaded.usedAt.getTime() >= idleMs ||
      time - loaded.createdAt.getTime() >= lifeMs
    ) {
      if (before) this.#remove(token, before.session.sessionId);
      return null;
    }
    const { customerId, sessionId, isFrozen } = loaded;
    // Includes a use whose time is not yet written to the database.
    const usedAt = Math.max(loaded.usedAt.getTime(), before?.usedAt ?? 0);
    const entry: Entry = { session: { customerId, sessionId }, isFrozen, loadedAt: time, usedAt };
    this.#entries.delete(token);
    this.#entries.set(token, entry);
    this.#tokenOf.set(sessionId, token);
    this.#frozen.delete(customerId);
    this.#frozen.set(customerId, { isFrozen, at: time });
    this.#shrink();
    return this.#use(entry, time);
  }

  #shrink(): void {
    for (const [token, entry] of this.#entries) {
      if (this.#entries.size <= ENTRIES_MAX) break;
      this.#remove(token, entry.session.sessionId);
    }
    for (const customer of this.#frozen.keys()) {
      if (this.#frozen.size <= ENTRIES_MAX) break;
      this.#frozen.delete(customer);
    }
  }

  #remove(token: string, sessionId: string): void {
    this.#entries.delete(token);
    this.#tokenOf.delete(sessionId);
  }
}

function isTrusted(loadedAt: number, time: number): boolean {
  return time >= loadedAt && time - loadedAt < SESSION_TRUST_MS;
}

export interface ResolvedSession {
  readonly customerId: bigint;
  readonly sessionId: string;
}
