import { AnswerCache } from './answer-cache.ts';
import { CoalescedReads } from './coalesced-reads.ts';
import type { HttpLimits } from './limits.ts';
import { ConcurrencyLimit, type LimitedNetwork } from './networks.ts';
import type { HttpAnswer } from './reply.ts';
import type { TokenBuckets } from './token-buckets.ts';

const KEPT_BYTES = 32 * 1024 * 1024;
const IMMUTABLE_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'lang' } as const;

/** An encoded answer; `isImmutable` when it can never change. */
interface EncodedAnswer {
  readonly body: Buffer;
  readonly isImmutable: boolean;
}

/** The status of a refused read: 429 if this caller asks too often, 503 if all callers together do. */
export interface DeclinedRead {
  readonly status: 429 | 503;
  readonly retryAfterSeconds: number;
}

interface Waiter {
  readonly networks: readonly LimitedNetwork[];
  readonly go: () => void;
}

/** Limits concurrent reads. In the bounded queue, the caller whose last turn is longest ago goes first. */
class ReadQueue {
  readonly #limits: Pick<HttpLimits, 'publicReads' | 'publicReadsWaiting' | 'publicReadsPerCaller'>;
  readonly #concurrency: ConcurrencyLimit;
  /** The number of each caller's last turn; kept only while somebody waits. */
  readonly #lastTurnOf = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  #running = 0;
  #turns = 0;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    this.#concurrency = new ConcurrencyLimit(limits.publicReadsPerCaller);
  }

  async run<Result>(networks: readonly LimitedNetwork[], work: () => Promise<Result>): Promise<Result | DeclinedRead> {
    const isFull = this.#running >= this.#limits.publicReads;
    if (isFull && this.#waiting.length >= this.#limits.publicReadsWaiting) return { status: 503, retryAfterSeconds: 1 };
    if (!this.#concurrency.acquire(networks)) return { status: 429, retryAfterSeconds: 1 };
    const name = networks[0]?.name ?? '';
    try {
      if (isFull) await new Promise<void>((go) => this.#waiting.push({ networks, go }));
      else this.#start(name);
      try {
        return await work();
      } finally {
        this.#end();
      }
    } finally {
      this.#concurrency.release(networks);
    }
  }

  #start(name: string): void {
    this.#running += 1;
    this.#turns += 1;
    this.#lastTurnOf.set(name, this.#turns);
  }

  #end(): void {
    this.#running -= 1;
    const next = this.#next();
    if (next === undefined) {
      this.#lastTurnOf.clear();
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    // Counts the turn before the waiting caller resumes, so that a newcomer cannot take its place.
    this.#start(next.networks[0]?.name ?? '');
    next.go();
  }

  #next(): Waiter | undefined {
    let best: Waiter | undefined;
    let longestAgo = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiting) {
      const lastTurn = this.#lastTurnOf.get(waiter.networks[0]?.name ?? '') ?? 0;
      if (lastTurn < longestAgo) [best, longestAgo] = [waiter, lastTurn];
      if (longestAgo === 0) break;
    }
    return best;
  }
}

/**
 * Public reads of the database. Few run at once and on their own connections, so they never delay the index, the ledger
 * or a purchase. Simultaneous identical requests share one read, and answers that never change are cached.
 */
export class PublicReads {
  readonly #rows: TokenBuckets;
  readonly #rowsMax: number;
  readonly #queue: ReadQueue;
  readonly #reads = new CoalescedReads<EncodedAnswer | DeclinedRead>();
  readonly #cache = new AnswerCache(KEPT_BYTES);

  /** `rowsMax` is the maximum charge per answer: a larger debt would lock out everybody at that address. */
  constructor(limits: HttpLimits, rows: TokenBuckets, rowsMax: number) {
    this.#rows = rows;
    this.#rowsMax = rowsMax;
    this.#queue = new ReadQueue(limits);
  }

  /** `key` identifies the question, `networks` the caller; `rows` is the cost of the answer. */
  async answer(
    key: string,
    networks: readonly LimitedNetwork[],
    rows: number,
    encode: () => Promise<EncodedAnswer>,
  ): Promise<HttpAnswer | DeclinedRead> {
    const retryAfterMs = this.#rows.take(networks, Math.min(rows, this.#rowsMax));
    if (retryAfterMs > 0) return { status: 429, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
    const cached = this.#cache.get(key);
    if (cached !== undefined) return { status: 200, body: cached, headers: IMMUTABLE_HEADERS };
    const encoded = await this.#reads.read(key, () => this.#queue.run(networks, encode));
    if ('status' in encoded) return encoded;
    const { body, isImmutable } = encoded;
    if (!isImmutable) return { status: 200, body };
    this.#cache.keep(key, body);
    return { status: 200, body, headers: IMMUTABLE_HEADERS };
  }
}
