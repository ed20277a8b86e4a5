import type { FastifyRequest } from 'fastify';
import type { UploadProgress } from './upload-turns.ts';

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
export async function readUpload(
  request: FastifyRequest,
  maxBytes: number,
  { received, lost }: UploadProgress,
): Promise<Upload> {
  if (!request.isMultipart()) return { ok: true, file: null };
  // Who hung up while waiting for a turn: of a socket that is gone nothing comes any more, not even its end, and the turn would be lost.
  if (request.raw.destroyed) throw new BrokenUpload('hung up before it was read');
  // Nothing is read while it waits for room, so nothing else would tell.
  const { socket } = request.raw;
  socket.once('close', lost);
  const limits = { fileSize: maxBytes, files: 1, fields: 10, fieldSize: 1024, parts: 12, headerPairs: 20 };
  try {
    for await (const part of request.files({ limits, throwFileSizeLimit: false })) {
      if (part.fieldname !== FIELD) {
        part.file.resume();
        continue;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        await received(chunk.length);
      }
      if (part.file.truncated) return { ok: false, refusal: 'picture_too_large', field: FIELD };
      return { ok: true, file: { bytes: Buffer.concat(chunks), name: part.filename.slice(0, 200) } };
    }
    return { ok: true, file: null };
  } catch (cause) {
    // Only the caller's bytes are read here, so whatever the parser throws is theirs.
    throw new BrokenUpload('multipart could not be read', { cause });
  } finally {
    socket.off('close', lost);
  }
}
