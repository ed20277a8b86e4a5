import { type Call, type ResultOf, uploadPicture as uploadCall } from '@sathorn/api';
import {
  type Answer,
  callAddressOf,
  failureOf,
  REQUEST_TIMEOUT_MS,
  readAnswer,
  sessionHeaders,
} from '@sathorn/app/client';
import { fitPictureForUpload } from './fit-picture.ts';

/** Uploads one picture in the field `image`, in a size and format that the server accepts. */
export async function uploadPicture(
  file: Blob,
  onProgress?: (share: number) => void,
): Promise<Answer<ResultOf<typeof uploadCall>>> {
  const picture = await fitPictureForUpload(file);
  if (picture === null) return failureOf('said.picture_unreadable', { isAnswered: true });
  return sendPicture(picture, onProgress);
}

export function sendPicture(
  file: Blob,
  onProgress?: (share: number) => void,
): Promise<Answer<ResultOf<typeof uploadCall>>> {
  const form = new FormData();
  form.append('image', file);
  return sendMultipart(uploadCall, form, onProgress);
}

/**
 * Sends a form with a picture; `onProgress` receives a share from 0 to 1, which `fetch` cannot report. On a slow
 * connection an upload takes minutes, so it is aborted only if no bytes were sent for the usual time-out.
 */
export function sendMultipart<C extends Call>(
  call: C,
  form: FormData,
  onProgress: (share: number) => void = () => {},
): Promise<Answer<ResultOf<C>>> {
  return new Promise((resolve) => {
    const headers = sessionHeaders();
    const request = new XMLHttpRequest();
    request.open('POST', callAddressOf(call));
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    let silence: ReturnType<typeof setTimeout> | undefined;
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        request.abort();
        resolve(failureOf('NO_RESPONDING'));
      }, REQUEST_TIMEOUT_MS);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      listen();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onloadend = () => clearTimeout(silence);
    request.onload = () => resolve(readAnswer(call, request.status, request.responseText, headers.token));
    request.onerror = () => resolve(failureOf('REQUEST_ERROR'));
    listen();
    request.send(form);
  });
}
