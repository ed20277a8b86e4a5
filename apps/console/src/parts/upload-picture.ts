import type { Call, ResultOf } from '@sathorn/api';
import {
  type Answer,
  callAddressOf,
  failureOf,
  REQUEST_TIMEOUT_MS,
  readAnswer,
  sessionHeaders,
} from '@sathorn/app/client';

/** Uploads one picture in the field `image`. */
export async function uploadPicture<C extends Call>(
  call: C,
  file: File,
  idempotencyKey: string,
): Promise<Answer<ResultOf<C>>> {
  const body = new FormData();
  body.append('image', file);
  const headers = { ...sessionHeaders(), 'Idempotency-Key': idempotencyKey };
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(callAddressOf(call), { method: 'POST', headers, body, signal });
    return readAnswer(call, response.status, await response.text(), sessionHeaders().token);
  } catch {
    return failureOf('REQUEST_ERROR');
  }
}
