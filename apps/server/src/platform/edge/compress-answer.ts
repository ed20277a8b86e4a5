import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedEncoding } from './page-files.ts';
import type { HttpAnswer } from './reply.ts';

const WORTH_COMPRESSING = 1024;
/** Half the time of a higher quality, for a few percent more bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/**
 * Compresses an answer. Only for answers that are the same for everybody: in an answer with a secret beside the
 * caller's own words, the compressed length would reveal the secret.
 */
export async function compressAnswer(answer: HttpAnswer, accepted: string | undefined): Promise<HttpAnswer> {
  const encoding = acceptedEncoding(accepted);
  if (encoding === 'identity' || Buffer.byteLength(answer.body) < WORTH_COMPRESSING) return answer;
  return { ...answer, encoding, body: await (encoding === 'br' ? brotli(answer.body, BROTLI) : zip(answer.body)) };
}
