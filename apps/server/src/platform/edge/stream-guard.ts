import assert from 'node:assert';
import type { Duplex } from 'node:stream';
import type { ElapsedMs } from '../clock.ts';
import type { LimitedNetwork } from './networks.ts';
import type { StreamLimits } from './stream-limits.ts';
import { type RateLimit, TokenBuckets, takeFromBucket } from './token-buckets.ts';

/** How long an address that flooded is refused new connections. */
const REFUSED_MS = 10_000;
/** This many topics in a subscription count as one frame. */
const TOPICS_OF_FRAME = 4;

/** Counts WebSocket frames by their headers (RFC 6455, 5.2) as bytes arrive, without parsing their contents. */
export class FrameCounter {
  readonly #head = new Uint8Array(10);
  #headLength = 0;
  /** Bytes of the current frame still to arrive: mask and payload. */
  #left = 0;

  /** How many frames start in these bytes; stops counting beyond `max`. */
  count(bytes: Uint8Array, max: number): number {
    let frames = 0;
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, bytes.length - at);
        this.#left -= step;
        at += step;
        continue;
      }
      if (this.#headLength === 0 && ++frames > max) return frames;
      this.#head[this.#headLength++] = bytes[at++] ?? 0;
      this.#readHead();
    }
    return frames;
  }

  #readHead(): void {
    if (this.#headLength < 2) return;
    const second = this.#head[1] ?? 0;
    const short = second & 0x7f;
    const longBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (this.#headLength < 2 + longBytes) return;
    let length = longBytes === 0 ? short : 0;
    for (let n = 0; n < longBytes; n += 1) length = length * 256 + (this.#head[2 + n] ?? 0);
    this.#left = length + (second & 0x80 ? 4 : 0);
    this.#headLength = 0;
  }
}

/** Counts what one connection has sent. */
export class ConnectionUsage {
  readonly counter = new FrameCounter();
  framesFullAtMs = 0;
  bytesFullAtMs = 0;
}

type GuardLimits = Pick<
  StreamLimits,
  'framesPerSecond' | 'bytesPerSecond' | 'addressShare' | 'upgradesPerSecond' | 'upgradesAtOnce'
>;

/**
 * Limits the bytes that clients send, before they are parsed. Handling a frame costs a thousand times more than sending
 * one, so even a moment of reading a flooding client could stall the event loop.
 */
export class StreamGuard {
  readonly #elapsedMs: ElapsedMs;
  readonly #frames: RateLimit;
  readonly #bytes: RateLimit;
  readonly #addressFrames: TokenBuckets;
  readonly #addressBytes: TokenBuckets;
  readonly #upgrades: TokenBuckets;
  readonly #floods: TokenBuckets;

  constructor(limits: GuardLimits, elapsedMs: ElapsedMs) {
    const { framesPerSecond, bytesPerSecond, addressShare } = limits;
    this.#elapsedMs = elapsedMs;
    this.#frames = { perSecond: framesPerSecond, burst: framesPerSecond };
    this.#bytes = { perSecond: bytesPerSecond, burst: 2 * bytesPerSecond };
    const ofAddress = ({ perSecond, burst }: RateLimit) =>
      new TokenBuckets({ perSecond: perSecond * addressShare, burst: 4 * burst * addressShare }, elapsedMs);
    this.#addressFrames = ofAddress(this.#frames);
    this.#addressBytes = ofAddress(this.#bytes);
    this.#upgrades = new TokenBuckets({ perSecond: limits.upgradesPerSecond, burst: limits.upgradesAtOnce }, elapsedMs);
    this.#floods = new TokenBuckets({ perSecond: 1_000 / REFUSED_MS, burst: 1 }, elapsedMs);
  }

  /** How many ms an address must wait before it may open another connection; 0 when it may now. */
  retryUpgradeAfterMs(networks: readonly LimitedNetwork[]): number {
    return this.#floods.retryAfterMs(networks) || this.#upgrades.take(networks);
  }

  /** True if these bytes of a connection may be read. After the first false, nothing more may be read. */
  admits(usage: ConnectionUsage, bytes: Uint8Array, networks: readonly LimitedNetwork[]): boolean {
    const nowMs = this.#elapsedMs();
    const framesMax = this.#frames.burst;
    const frames = usage.counter.count(bytes, framesMax);
    const ofFrames = takeFromBucket(usage.framesFullAtMs, frames, this.#frames, nowMs);
    const ofBytes = takeFromBucket(usage.bytesFullAtMs, bytes.length, this.#bytes, nowMs);
    const isFlood =
      frames > framesMax ||
      bytes.length > this.#bytes.burst ||
      ofFrames.retryAfterMs > 0 ||
      ofBytes.retryAfterMs > 0 ||
      this.#addressFrames.take(networks, frames) > 0 ||
      this.#addressBytes.take(networks, bytes.length) > 0;
    usage.framesFullAtMs = ofFrames.fullAtMs;
    usage.bytesFullAtMs = ofBytes.fullAtMs;
    // Connections that flood at the same time count as one flood, so their number does not lengthen the wait of other
    // clients at that address.
    if (isFlood) this.#floods.take(networks);
    return !isFlood;
  }

  /** Like `admits`, for subscriptions: a list of topics is one frame, but each topic is answered with a snapshot. */
  admitsTopics(usage: ConnectionUsage, topics: number): boolean {
    const taken = takeFromBucket(usage.framesFullAtMs, topics / TOPICS_OF_FRAME, this.#frames, this.#elapsedMs());
    usage.framesFullAtMs = taken.fullAtMs;
    return taken.retryAfterMs === 0;
  }
}

/**
 * Inserts a check between a socket and its reader; after its first refusal nothing more is delivered. `ws` has no hook
 * for this, so its listener is replaced. If a version of `ws` uses another one, this throws at the first connection.
 */
export function filterSocketReads(wire: Duplex, admits: (bytes: Buffer) => boolean): void {
  const [deliver, ...others] = wire.listeners('data');
  assert(deliver !== undefined && others.length === 0, 'one reader of an upgraded socket');
  wire.off('data', deliver as (chunk: Buffer) => void);
  const read = (chunk: Buffer): void => {
    if (admits(chunk)) deliver.call(wire, chunk);
  };
  wire.on('data', read);
  // On closing, ws reads the remaining bytes itself.
  wire.prependListener('close', () => wire.off('data', read));
}

/** Drops bytes that have arrived but were not read; otherwise ws would parse them when it closes. */
export function dropUnreadBytes(wire: Duplex): void {
  wire.removeAllListeners('data');
  while (wire.readableLength > 0 && wire.read() !== null);
}
