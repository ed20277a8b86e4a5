import { REQUEST_TIMEOUT_MS } from '@sathorn/app/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendPicture } from './upload-picture.ts';

/** A fake of the part of XMLHttpRequest that uploads use; the test controls the network. */
class Request {
  static last: Request;
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onloadend?: () => void;
  status = 200;
  responseText = '';
  isAborted = false;
  constructor() {
    Request.last = this;
  }
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {
    this.isAborted = true;
    this.onloadend?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', Request);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('continues while bytes are sent, and then returns the answer', async () => {
  const shares: number[] = [];
  const uploaded = sendPicture(new Blob(['picture']), (share) => shares.push(share));
  for (const loaded of [1, 2, 3, 4]) {
    vi.advanceTimersByTime(REQUEST_TIMEOUT_MS - 1);
    Request.last.upload.onprogress?.({ loaded, total: 4 });
  }
  Request.last.responseText = '{"ret":1,"msg":"","data":{"id":"7","url":"/upload/7"}}';
  Request.last.onload?.();
  Request.last.onloadend?.();
  vi.advanceTimersByTime(REQUEST_TIMEOUT_MS);
  expect(await uploaded).toMatchObject({ ok: true });
  expect(shares).toEqual([0.25, 0.5, 0.75, 1]);
  expect(Request.last.isAborted).toBe(false);
});

test('is aborted if no bytes are sent for too long', async () => {
  const uploaded = sendPicture(new Blob(['picture']));
  vi.advanceTimersByTime(REQUEST_TIMEOUT_MS);
  expect(await uploaded).toMatchObject({ ok: false, code: 'NO_RESPONDING' });
  expect(Request.last.isAborted).toBe(true);
});
