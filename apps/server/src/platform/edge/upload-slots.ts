import { Semaphore } from '../semaphore.ts';
import type { EdgeLimits } from './limits.ts';

class SlowUpload extends Error {
  readonly statusCode = 408;
}

/**
 * Limits the pictures in memory: a few at once, one per customer, and each for a limited time. The bodies of waiting
 * uploads stay in their sockets.
 */
export class UploadSlots {
  readonly #timeoutMs: number;
  readonly #all: Semaphore;
  readonly #perCustomer = new Map<bigint | string, Semaphore>();

  constructor({ uploadsAtOnce, uploadMs }: Pick<EdgeLimits, 'uploadsAtOnce' | 'uploadMs'>) {
    this.#timeoutMs = uploadMs;
    this.#all = new Semaphore(uploadsAtOnce);
  }

  /** `read` fills the memory that `work` then uses; the slot is occupied until `work` has finished. */
  async run<Read, Result>(
    /** The customer's id, or the network of a visitor. */
    customer: bigint | string,
    read: () => Promise<Read>,
    work: (read: Read) => Promise<Result>,
  ): Promise<Result> {
    const own = this.#perCustomer.get(customer) ?? new Semaphore(1);
    this.#perCustomer.set(customer, own);
    try {
      // Takes the customer's own slot first, so that one customer's queue occupies no shared slots.
      return await own.run(() => this.#all.run(async () => work(await this.#inTime(read()))));
    } finally {
      if (own.isIdle) this.#perCustomer.delete(customer);
    }
  }

  async #inTime<Read>(reading: Promise<Read>): Promise<Read> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new SlowUpload('upload too slow')), this.#timeoutMs);
    // A read that was given up ends when its socket closes.
    reading.catch(() => undefined);
    return Promise.race([reading, late]).finally(() => clearTimeout(timer));
  }
}
