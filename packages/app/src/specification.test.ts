import { expect, it } from 'vitest';
import { REQUEST_TIMEOUT_MS } from './client/call-server.ts';
import { OVERLAY_HIDE_AFTER_MS } from './client/overlay.ts';
import { PRESS_EVERY_MS } from './client/press-guard.ts';
import { SUBMITS_IN_FLIGHT_MAX } from './client/submit-throttle.ts';
import { CHUNK_TIMEOUT_MS, LOADING_AFTER_MS, PAGE_TIMEOUT_MS } from './late/lazy-screen.ts';
import { PAGE_MEMORY_DEPTH } from './navigation/page-memory.ts';
import { LOGIN_REDIRECT_MS } from './shell/session-watch.tsx';
import { TOAST_MS } from './shell/toasts.ts';

it('S4.16 S8.7 S9.4 S9.5 the specification’s times and counts', () => {
  expect({
    HIDE_AFTER_MS: OVERLAY_HIDE_AFTER_MS,
    LOADING_AFTER_MS,
    PAGE_TIMEOUT_MS,
    CHUNK_TIMEOUT_MS,
    REQUEST_TIMEOUT_MS,
  }).toEqual({
    HIDE_AFTER_MS: 200,
    LOADING_AFTER_MS: 200,
    PAGE_TIMEOUT_MS: 60_000,
    CHUNK_TIMEOUT_MS: 120_000,
    REQUEST_TIMEOUT_MS: 60_000,
  });
  expect({
    TOAST_MS,
    PRESS_EVERY_MS,
    LOGIN_REDIRECT_MS,
    MEMORY_DEPTH: PAGE_MEMORY_DEPTH,
    IN_FLIGHT_MAX: SUBMITS_IN_FLIGHT_MAX,
  }).toEqual({
    TOAST_MS: 2000,
    PRESS_EVERY_MS: 500,
    LOGIN_REDIRECT_MS: 800,
    MEMORY_DEPTH: 10,
    IN_FLIGHT_MAX: 5,
  });
});
