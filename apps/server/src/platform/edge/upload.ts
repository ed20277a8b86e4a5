import type { FastifyRequest } from 'fastify';

/** The specification's name of the file field. */
const FIELD = 'image';

export interface UploadedFile {
  readonly bytes: Buffer;
  readonly name: string;
}

export type ReadUpload =
  /** `form`: the other fields, encoded as a form. */
  | { readonly ok: true; readonly file: UploadedFile | null; readonly form: string }
  | { readonly ok: false; readonly refusal: 'picture_too_large'; readonly field: typeof FIELD };

/** The body is not valid multipart, or was cut off. */
class BrokenUpload extends Error {
  readonly statusCode = 400;
}

/** A text of 2,000 characters in any script. */
const FIELD_BYTES = 16_384;

/** Reads a multipart request's picture into memory, and its other fields; null if no file has the right name. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<ReadUpload> {
  if (!request.isMultipart())
    return { ok: true, file: null, form: typeof request.body === 'string' ? request.body : '' };
  const { socket } = request.raw;
  const { promise: hungUp, reject } = Promise.withResolvers<never>();
  const lost = (): void => reject(new BrokenUpload('the client hung up'));
  // A closed socket emits nothing, not even its end, so a client that left while it waited would keep its slot.
  if (socket.destroyed) lost();
  socket.once('close', lost);
  try {
    return await Promise.race([hungUp, readPicture(request, maxBytes)]);
  } catch (cause) {
    // Only the caller's bytes are parsed here, so any error is the caller's.
    throw new BrokenUpload('multipart could not be read', { cause });
  } finally {
    socket.off('close', lost);
  }
}

async function readPicture(request: FastifyRequest, maxBytes: number): Promise<ReadUpload> {
  const limits = { fileSize: maxBytes, files: 1, fields: 10, fieldSize: FIELD_BYTES, parts: 12, headerPairs: 20 };
  const form = new URLSearchParams();
  let file: UploadedFile | null = null;
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new BrokenUpload('a field is too long');
      form.append(part.fieldname, String(part.value));
      continue;
    }
    if (part.fieldname !== FIELD) {
      part.file.resume();
      continue;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) chunks.push(chunk);
    if (part.file.truncated) return { ok: false, refusal: 'picture_too_large', field: FIELD };
    file = { bytes: Buffer.concat(chunks), name: part.filename.slice(0, 200) };
  }
  return { ok: true, file, form: form.toString() };
}
