import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { higherOf, lowerOf } from './candle.ts';
import { type RecordedFeed, type RecordedMinute, readRecording } from './recording.ts';
import { observationAt, priceInMinute, replaySources } from './replay-sources.ts';

const HEADER = 'time,open,high,low,close,volume';
const MINUTE_0 = 1_677_628_800;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recording-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function record(name: string, files: Record<string, string | Buffer>): Promise<string> {
  const target = path.join(folder, name);
  await mkdir(target, { recursive: true });
  for (const [file, text] of Object.entries(files))
    await writeFile(path.join(target, file), typeof text === 'string' && file.endsWith('.gz') ? gzipSync(text) : text);
  return target;
}

describe('a recording', () => {
  test('is read with its venue, family and coin; volumes in any notation', async () => {
    const lines = [
      HEADER,
      `${MINUTE_0},23144.78,23152.48,23133.11,23143.72,3.912156`,
      `${MINUTE_0 + 60},1,2,0.5,1,1E+1`,
      `${MINUTE_0 + 120},1,1,1,1,5.4e-07`,
    ];
    const feeds = await readRecording(
      await record('btc-2023-03', {
        'kraken-usdc.csv.gz': `${lines.join('\n')}\n`,
        'okx-usdt.csv': `${lines.slice(0, 2).join('\r\n')}`,
        'README.md': '',
      }),
    );
    expect(feeds.map(({ name, family, coin, times }) => [name, family, coin, times.length])).toEqual([
      ['kraken-usdc', 'USDC', 'BTC', 3],
      ['okx-usdt', 'USDT', 'BTC', 1],
    ]);
    expect(feeds[0]?.minutes.get(MINUTE_0)).toEqual({
      open: 23_144_780_000n,
      high: 23_152_480_000n,
      low: 23_133_110_000n,
      close: 23_143_720_000n,
      volume: 391_215_600n,
    });
    expect([...(feeds[0]?.minutes.values() ?? [])].map(({ volume }) => volume)).toEqual([
      391_215_600n,
      1_000_000_000n,
      54n,
    ]);
  });

  test('of several coins is a folder of folders', async () => {
    const file = { 'okx-usdt.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1\n` };
    await record('several/btc-a', file);
    await record('several/eth-a', file);
    expect((await readRecording(path.join(folder, 'several'))).map(({ coin }) => coin)).toEqual(['BTC', 'ETH']);
  });

  test.each([
    ['no-files', {}, /has no recording/],
    ['gold-1', { 'a-usd.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1` }, /not named after a coin/],
    ['btc-1', { 'a-usd.csv': `time,price\n${MINUTE_0},1` }, /does not begin with/],
    ['btc-2', { 'a-usd.csv': `${HEADER}\n` }, /malformed|empty/],
    ['btc-3', { 'a-usd.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1\n${MINUTE_0 + 60},1e3,1,1,1,1` }, /line 3 is malformed/],
    ['btc-4', { 'a-usd.csv': `${HEADER}\n${MINUTE_0},5,4,3,4,1` }, /line 2 is malformed/],
    ['btc-5', { 'a-usd.csv': `${HEADER}\n${MINUTE_0 + 1},1,1,1,1,1` }, /line 2 is malformed/],
    ['btc-6', { 'a-usd.csv': `${HEADER}\n${MINUTE_0},0,0,0,0,1` }, /line 2 is malformed/],
    ['btc-7', { 'a-usd.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1e99` }, /line 2 is malformed/],
    ['btc-8', { 'a-usd.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1,000` }, /line 2 is malformed/],
    ['btc-9', { 'a-usd.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1\n${MINUTE_0},2,2,2,2,1` }, /line 3 repeats a minute/],
    [
      'btc-10',
      { 'a-usd.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1`, 'a-usd.csv.gz': `${HEADER}\n${MINUTE_0},1,1,1,1,1` },
      /a-usd of BTC twice/,
    ],
    [
      'btc-11',
      { 'a-usd.csv': `${HEADER}\n${MINUTE_0},1,1,1,1,1`, 'b-usd.csv.gz': Buffer.from('1f8b', 'hex') },
      /b-usd.csv.gz is not a complete gzip/,
    ],
  ])('%s is no recording', async (name, files, message) => {
    await expect(readRecording(await record(name, files))).rejects.toThrow(message);
  });
});

const minutes = fc
  .tuple(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n))
  .map(([open, close, above, below]): RecordedMinute => {
    const low = lowerOf(open, close) - below;
    return { open, close, high: higherOf(open, close) + above, low: higherOf(low, 1n), volume: 1n };
  });

describe('within a recorded minute', () => {
  test('the price begins at open, ends at close, touches both extremes and never leaves them', () => {
    fc.assert(
      fc.property(minutes, (minute) => {
        const prices = Array.from({ length: 60 }, (_, second) => priceInMinute(minute, second));
        expect([prices[0], prices[59]]).toEqual([minute.open, minute.close]);
        expect([prices.reduce(higherOf), prices.reduce(lowerOf)]).toEqual([minute.high, minute.low]);
      }),
    );
  });
});

describe('replayed', () => {
  const at = (offset: number, volume: bigint, close = 100n): [number, RecordedMinute] => [
    MINUTE_0 + offset,
    { open: 100n, high: higherOf(100n, close), low: lowerOf(100n, close), close, volume },
  ];
  function feed(...entries: [number, RecordedMinute][]): RecordedFeed {
    return {
      name: 'a-usdt',
      family: 'USDT',
      coin: 'BTC',
      minutes: new Map(entries),
      times: entries.map(([time]) => time),
    };
  }

  test('a source reports what was recorded the same number of seconds after the start', () => {
    const started = 1_795_000_000_500;
    const [source] = replaySources([feed(at(0, 60n, 159n), at(60, 7n))], started);
    const second = Math.floor(started / 1_000) * 1_000;
    expect(source?.latest('BTC', second - 1_000)).toBeNull();
    expect(source?.latest('ETH', second)).toBeNull();
    expect(source?.latest('BTC', second)).toMatchObject({ price: 100n, at: second });
    expect(source?.latest('BTC', second + 59_000)).toMatchObject({ price: 159n, at: second + 59_000 });
    expect(source?.latest('BTC', second + 130_000)).toMatchObject({ price: 100n, at: second + 119_000 });
    const volumes = Array.from({ length: 130 }, (_, index) => source?.takeVolume('BTC', second + index * 1_000) ?? 0n);
    expect(volumes.slice(0, 60).reduce((sum, volume) => sum + volume)).toBe(60n);
    expect(volumes.slice(60, 120).reduce((sum, volume) => sum + volume)).toBe(7n);
    expect(volumes[125]).toBe(0n);
  });

  test('may begin later in the recording', () => {
    const [source] = replaySources([feed(at(0, 1n), at(60, 1n, 130n))], 1_795_000_000_000, (MINUTE_0 + 119) * 1_000);
    expect(source?.latest('BTC', 1_795_000_000_000)?.price).toBe(130n);
  });

  test('a missing minute is silence; a minute without trades repeats a price whose trade is old', () => {
    const recorded = feed(at(0, 1n), at(180, 0n), at(240, 0n));
    expect(observationAt(recorded, MINUTE_0 - 1)).toBeNull();
    expect(observationAt(recorded, MINUTE_0 + 179)?.age).toBe(120);
    const marks = [180, 200, 239, 240, 299].map((offset) => observationAt(recorded, MINUTE_0 + offset));
    expect(marks.map((mark) => mark?.age)).toEqual([0, 0, 0, 0, 0]);
    expect(new Set(marks.map((mark) => mark?.trade)).size).toBe(1);
    expect(new Set([0, 20, 40].map((offset) => observationAt(recorded, MINUTE_0 + offset)?.trade)).size).toBe(3);
  });
});
