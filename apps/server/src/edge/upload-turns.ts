import type { Limits } from './limits.ts';

/**
 * Who may send us a picture at the same moment as others. Nobody holds a place by sending slowly: there is a least pace, and where
 * others wait, the slowest of those who have most places gives way. A phone on a poor line that nobody waits for may take its time.
 */

/** Sends too slowly, for anybody or while others wait. */
class SlowUpload extends Error {
  readonly statusCode = 408;
}

interface Sender {
  readonly customer: bigint;
  /** The network that it comes from. */
  readonly line: string;
}

/** One picture on its way in. */
class Sending {
  readonly sender: Sender;
  bytes = 0;
  /** It sends, it waits for room to go on, or all of it is here. */
  state: 'sending' | 'waiting' | 'read' = 'sending';
  /** Rejects when it has to go. */
  readonly dropped: Promise<never>;
  readonly drop: () => void;

  constructor(sender: Sender) {
    this.sender = sender;
    const { promise, reject } = Promise.withResolvers<never>();
    this.dropped = promise;
    // It may be dropped while nobody listens: between two chunks.
    promise.catch(() => undefined);
    this.drop = () => reject(new SlowUpload('the picture comes too slowly'));
  }
}

/** A place in the hands of a sending. Its pace counts from when it was given. */
class Turn {
  readonly sending: Sending;
  sinceMs: number;
  readonly #bytesBefore: number;

  constructor(sending: Sending, nowMs: number) {
    this.sending = sending;
    this.sinceMs = nowMs;
    this.#bytesBefore = sending.bytes;
  }

  ageMs(nowMs: number): number {
    return nowMs - this.sinceMs;
  }

  /** Bytes a second. */
  pace(nowMs: number): number {
    return ((this.sending.bytes - this.#bytesBefore) * 1000) / Math.max(1, this.ageMs(nowMs));
  }
}

interface PlaceLimits {
  readonly inAll: number;
  readonly ofCustomer: number;
  readonly ofLine: number;
}

interface Waiter {
  readonly sending: Sending;
  readonly go: (turn: Turn) => void;
}

/** So many places in all, of one customer and of one network; who finds none waits, with the body still in the socket. */
class Places {
  readonly #limits: PlaceLimits;
  readonly #held = new Set<Turn>();
  #waiting: Waiter[] = [];

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get turns(): Iterable<Turn> {
    return this.#held;
  }

  take(sending: Sending, nowMs: number): Turn | Promise<Turn> {
    if (this.#isFree(sending.sender)) return this.#hold(sending, nowMs);
    return new Promise((go) => this.#waiting.push({ sending, go }));
  }

  give(turn: Turn, nowMs: number): void {
    this.#held.delete(turn);
    const next = this.#next();
    if (next === null) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    // Held from here, for the next caller could come between this and its waking.
    next.go(this.#hold(next.sending, nowMs));
  }

  /** Who has to go because others wait: of the network with most places, the slowest that is below the pace. */
  givesWay(belowBytesPerSecond: number, graceMs: number, nowMs: number): Turn | null {
    const waiter = this.#waiting.find(({ sending: { sender } }) => this.#ofCustomer(sender) < this.#limits.ofCustomer);
    if (waiter === undefined) return null;
    const perLine = Map.groupBy(this.#held, (turn) => turn.sending.sender.line);
    const isFull = this.#held.size >= this.#limits.inAll;
    const most = Math.max(...[...perLine.values()].map((turns) => turns.length));
    const crowd = isFull
      ? [...perLine.values()].filter((turns) => turns.length === most).flat()
      : (perLine.get(waiter.sending.sender.line) ?? []);
    const slow = crowd.filter(
      (turn) => turn.sending.state !== 'read' && turn.ageMs(nowMs) > graceMs && turn.pace(nowMs) < belowBytesPerSecond,
    );
    return slow.sort((a, b) => a.pace(nowMs) - b.pace(nowMs))[0] ?? null;
  }

  #hold(sending: Sending, nowMs: number): Turn {
    const turn = new Turn(sending, nowMs);
    this.#held.add(turn);
    return turn;
  }

  #count(isCounted: (sender: Sender) => boolean): number {
    let count = 0;
    for (const { sending } of this.#held) if (isCounted(sending.sender)) count += 1;
    return count;
  }

  #ofCustomer({ customer }: Sender): number {
    return this.#count((sender) => sender.customer === customer);
  }

  #isFree({ customer, line }: Sender): boolean {
    const { inAll, ofCustomer, ofLine } = this.#limits;
    if (this.#held.size >= inAll) return false;
    return this.#ofCustomer({ customer, line }) < ofCustomer && this.#count((sender) => sender.line === line) < ofLine;
  }

  /** The first of those customers who have fewest places: a queue of somebody's own is in nobody else's way. */
  #next(): Waiter | null {
    let best: { waiter: Waiter; held: number } | null = null;
    for (const waiter of this.#waiting) {
      if (!this.#isFree(waiter.sending.sender)) continue;
      const held = this.#ofCustomer(waiter.sending.sender);
      if (best === null || held < best.held) best = { waiter, held };
      if (held === 0) break;
    }
    return best?.waiter ?? null;
  }
}

export type UploadLimits = Pick<
  Limits,
  | 'pictureBytes'
  | 'smallPictureBytes'
  | 'uploadsAtOnce'
  | 'uploadsAtOncePerCustomer'
  | 'uploadsAtOncePerNetwork'
  | 'largeUploadsAtOnce'
  | 'uploadBytesPerSecondMin'
  | 'uploadBytesPerSecondKept'
  | 'uploadGraceMs'
>;

/** How `readUpload` says what has come. */
export interface UploadProgress {
  /** Resolves at once, or when there is room for a picture that has become a large one. */
  received(bytes: number): Promise<void>;
  /** Its sender has hung up. */
  lost(): void;
}

/**
 * Two kinds of places, for what counts is memory. Most pictures fit into a small one, of which there are many; who sends more than
 * fits waits for one of the few large ones, with the rest still in the socket.
 */
export class UploadTurns {
  readonly #limits: UploadLimits;
  readonly #small: Places;
  readonly #large: Places;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;

  constructor(limits: UploadLimits, checkMs: number, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#small = new Places({
      inAll: limits.uploadsAtOnce,
      ofCustomer: limits.uploadsAtOncePerCustomer,
      ofLine: limits.uploadsAtOncePerNetwork,
    });
    this.#large = new Places({
      inAll: limits.largeUploadsAtOnce,
      ofCustomer: 1,
      ofLine: Math.ceil(limits.largeUploadsAtOnce / 2),
    });
    this.#timer = setInterval(() => this.check(), checkMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** `read` fills the memory that `work` then uses; the place is theirs until `work` has ended. */
  async run<Read, Result>(
    sender: Sender,
    read: (progress: UploadProgress) => Promise<Read>,
    work: (read: Read) => Promise<Result>,
  ): Promise<Result> {
    const sending = new Sending(sender);
    const small = await this.#small.take(sending, this.#nowMs());
    let growing: Promise<Turn> | undefined;
    const grow = async (): Promise<Turn> => {
      sending.state = 'waiting';
      const waitsFromMs = this.#nowMs();
      const large = await this.#large.take(sending, waitsFromMs);
      // Its pace is not slower for our having kept it waiting.
      small.sinceMs += this.#nowMs() - waitsFromMs;
      sending.state = 'sending';
      return large;
    };
    const received = async (bytes: number): Promise<void> => {
      sending.bytes += bytes;
      if (sending.bytes <= this.#limits.smallPictureBytes) return;
      growing ??= grow();
      await growing;
    };
    try {
      const reading = read({ received, lost: sending.drop });
      // Who is dropped leaves a reading that ends by itself, with its socket.
      reading.catch(() => undefined);
      const result = await Promise.race([reading, sending.dropped]);
      sending.state = 'read';
      return await work(result);
    } finally {
      this.#small.give(small, this.#nowMs());
      // A large place that is still waited for is given back as soon as it comes.
      void growing?.then((large) => this.#large.give(large, this.#nowMs()));
    }
  }

  /** Drops who is too slow. The clock is read once: all are judged by the same moment. */
  check(): void {
    const { uploadBytesPerSecondMin, uploadBytesPerSecondKept, uploadGraceMs } = this.#limits;
    const nowMs = this.#nowMs();
    for (const turn of this.#small.turns) {
      const isSlow = turn.ageMs(nowMs) > uploadGraceMs && turn.pace(nowMs) < uploadBytesPerSecondMin;
      if (isSlow && turn.sending.state === 'sending') turn.sending.drop();
    }
    for (const places of [this.#small, this.#large])
      places.givesWay(uploadBytesPerSecondKept, uploadGraceMs, nowMs)?.sending.drop();
  }
}
