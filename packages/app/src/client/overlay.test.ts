import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginOverlay, endOverlay, useOverlay } from './overlay.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('S4.16 the overlay is shown while any request is in flight, and hides 200 ms after the last', () => {
  const isShown = () => useOverlay.getState().isShown;
  beginOverlay();
  beginOverlay();
  endOverlay();
  vi.advanceTimersByTime(1_000);
  expect(isShown()).toBe(true);
  endOverlay();
  vi.advanceTimersByTime(199);
  expect(isShown()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isShown()).toBe(false);
});

test('a request within the delay keeps the overlay', () => {
  beginOverlay();
  endOverlay();
  vi.advanceTimersByTime(100);
  beginOverlay();
  vi.advanceTimersByTime(1_000);
  expect(useOverlay.getState().isShown).toBe(true);
  endOverlay();
  vi.advanceTimersByTime(200);
});
