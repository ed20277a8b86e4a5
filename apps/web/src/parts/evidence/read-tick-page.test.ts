import { afterEach, expect, test, vi } from 'vitest';
import { readTickPage } from './read-tick-page.ts';

afterEach(() => vi.unstubAllGlobals());

const page = { items: [{ body: '{}', hash: 'h', signature: '', key: '' }], head: null };

/** A server that refuses `refusals` times before it answers. */
function serve(refusals: number, status: number, headers: Record<string, string>) {
  let left = refusals;
  const fetch = vi.fn(async () => {
    left -= 1;
    const body = left >= 0 ? { ret: 0, msg: '', data: {} } : { ret: 1, msg: '', data: page };
    return new Response(JSON.stringify(body), left >= 0 ? { status, headers } : {});
  });
  vi.stubGlobal('fetch', fetch);
  const waits: number[] = [];
  const read = () => readTickPage('BTC', '1', 100, async (ms) => void waits.push(ms));
  return { fetch, waits, read };
}

test('reads a page without a head, and ticks without a signature', async () => {
  const { read, waits } = serve(0, 200, {});
  expect([await read(), waits]).toEqual([page, []]);
});

test('waits as long as the server says', async () => {
  const { read, waits } = serve(2, 429, { 'retry-after': '4' });
  expect([await read(), waits]).toEqual([page, [4_000, 4_000]]);
});

test('waits a second if a refusal has no retry-after', async () => {
  const { read, waits } = serve(1, 503, {});
  expect([await read(), waits]).toEqual([page, [1_000]]);
});

test('gives up after some tries, and at once for a long wait or another fault', async () => {
  const stubborn = serve(99, 429, { 'retry-after': '1' });
  expect(await stubborn.read()).toBeNull();
  expect(stubborn.fetch).toHaveBeenCalledTimes(5);
  for (const [status, headers] of [
    [429, { 'retry-after': '3600' }],
    [500, {}],
  ] as const) {
    const { read, fetch } = serve(99, status, headers);
    expect(await read()).toBeNull();
    expect(fetch).toHaveBeenCalledTimes(1);
  }
});
