import type { FastifyRequest } from 'fastify';

/** The specification's name of the file field. */
const FIELD = 'image';

export interface UploadedFile {
  readonly bytes: Buffer;
  readonly name: string;
}

export type Upload =
  | { readonly ok: true; readonly file: UploadedFile | null }
  | { readonly ok: false; readonly refusal: 'picture_too_large'; readonly field: typeof FIELD };

/** The body is not the multipart that its header promises, or it was cut off. */
class BrokenUpload extends Error {
  readonly statusCode = 400;
}

/** Reads the picture of a multipart request into memory; null when there is none under the right name. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<Upload> {
  if (!request.isMultipart()) return { ok: true, file: null };
  // Who hung up while waiting for a turn: of a socket that is gone nothing comes any more, not even its end, and the turn would be lost.
  if (request.raw.destroyed) throw new BrokenUpload('hung up before it was read');
  const limits = { fileSize: maxBytes, files: 1, fields: 10, fieldSize: 1024, parts: 12, headerPairs: 20 };
  try {
    for await (const part of request.files({ limits, throwFileSizeLimit: false })) {
      if (part.fieldname !== FIELD) {
        part.file.resume();
        continue;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of part.file) chunks.push(chunk as Buffer);
      if (part.file.truncated) return { ok: false, refusal: 'picture_too_large', field: FIELD };
      return { ok: true, file: { bytes: Buffer.concat(chunks), name: part.filename.slice(0, 200) } };
    }
    return { ok: true, file: null };
  } catch (cause) {
    // Only the caller's bytes are read here, so whatever the parser throws is theirs.
    throw new BrokenUpload('multipart could not be read', { cause });
  }
}

/**
 * Turns to have an upload in memory: so many in all, so many of one customer. Who has none waits, with the body still in the
 * socket, so 52 uploads at once cost no more than a few.
 */
export class UploadTurns {
  readonly #max: number;
  readonly #maxOfOne: number;
  readonly #taken = new Map<bigint, number>();
  #inAll = 0;
  #waiting: { customer: bigint; go: () => void }[] = [];

  constructor(max: number, maxOfOne: number) {
    this.#max = max;
    this.#maxOfOne = maxOfOne;
  }

  async run<Result>(customer: bigint, work: () => Promise<Result>): Promise<Result> {
    if (!this.#isFree(customer)) await new Promise<void>((go) => this.#waiting.push({ customer, go }));
    else this.#take(customer);
    try {
      return await work();
    } finally {
      this.#give(customer);
    }
  }

  #isFree(customer: bigint): boolean {
    return this.#inAll < this.#max && (this.#taken.get(customer) ?? 0) < this.#maxOfOne;
  }

  #take(customer: bigint): void {
    this.#inAll += 1;
    this.#taken.set(customer, (this.#taken.get(customer) ?? 0) + 1);
  }

  #give(customer: bigint): void {
    this.#inAll -= 1;
    const left = (this.#taken.get(customer) ?? 0) - 1;
    if (left > 0) this.#taken.set(customer, left);
    else this.#taken.delete(customer);
    const next = this.#waiting.findIndex((waiter) => this.#isFree(waiter.customer));
    if (next === -1) return;
    const [waiter] = this.#waiting.splice(next, 1);
    if (waiter === undefined) return;
    // Taken here, for the next caller could come between this and its waking.
    this.#take(waiter.customer);
    waiter.go();
  }
}
