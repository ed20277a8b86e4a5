import { expect, test } from 'vitest';
import { type Sleep, wholeSeconds } from './whole-seconds.ts';

/** Runs with a clock that moves only when the code waits, or when the test moves it after a yielded second. */
async function secondsOf(start: number, moves: readonly number[]): Promise<{ given: number[]; waits: number[] }> {
  let now = start;
  const stop = new AbortController();
  const waits: number[] = [];
  const pause: Sleep = async (ms) => {
    waits.push(ms);
    now += ms;
  };
  const given: number[] = [];
  for await (const second of wholeSeconds({ now: () => new Date(now) }, stop.signal, pause)) {
    given.push(second);
    const move = moves[given.length - 1];
    if (move === undefined) stop.abort();
    else now += move;
  }
  return { given, waits };
}

test('begins with the next whole second, never with the current one', async () => {
  expect(await secondsOf(10_999, [0, 0])).toEqual({ given: [11_000, 12_000, 13_000], waits: [1, 1_000, 1_000] });
});

test('a second that passes during the work is skipped for good', async () => {
  expect((await secondsOf(10_500, [2_700, 999])).given).toEqual([11_000, 13_000, 14_000]);
});

test('B7: after a small step back, nothing comes until the clock has passed its old position', async () => {
  const { given, waits } = await secondsOf(10_500, [-3_000]);
  expect(given).toEqual([11_000, 12_000]);
  expect(waits).toEqual([500, 1_000, 1_000, 1_000, 1_000]);
});

test('a step ahead is followed at once', async () => {
  expect((await secondsOf(10_500, [3_600_000])).given).toEqual([11_000, 3_611_000]);
});

test('B7: a clock that was an hour ahead is followed back at once', async () => {
  expect((await secondsOf(10_500, [3_600_000, -3_600_000, 0])).given).toEqual([11_000, 3_611_000, 11_000, 12_000]);
});
