import type { Call, ResultOf } from '@sathorn/api';
import { type Answer, addressOf, failure, headersOf, REQUEST_TIMEOUT_MS, readAnswer } from '@sathorn/app/client';

/** Uploads one picture in the field `image`. */
export async function uploadPicture<C extends Call>(
  call: C,
  file: File,
  idempotencyKey: string,
): Promise<Answer<ResultOf<C>>> {
  const body = new FormData();
  body.append('image', file);
  const headers = { ...headersOf(), 'Idempotency-Key': idempotencyKey };
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(addressOf(call), { method: 'POST', headers, body, signal });
    return readAnswer(call, response.status, await response.text(), headersOf().token);
  } catch {
    return failure('REQUEST_ERROR');
  }
}
