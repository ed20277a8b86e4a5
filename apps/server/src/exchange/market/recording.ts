import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type CoinCode, isCoinCode, PRICE_SCALE, parseDecimal } from '@sathorn/money';

/** One venue's recorded prices for a pair, as one-minute candles. */
export interface RecordedFeed {
  /** The venue and its quote currency, as in the file name: `kraken-usdc`. */
  readonly name: string;
  readonly family: string;
  readonly coin: CoinCode;
  readonly minutes: ReadonlyMap<number, RecordedMinute>;
  /** The starts of the minutes in Unix seconds, oldest first. */
  readonly times: readonly number[];
}

/** Prices in units of 10^-6 of the quote currency, volume in 10^-8 coins. */
export interface RecordedMinute {
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
}

const FILE = /^([a-z0-9]+)-([a-z]+)\.csv(\.gz)?$/;
const HEADER = 'time,open,high,low,close,volume';

/**
 * Reads a recording: a folder named `<coin>-…` with files `<venue>-<quote>.csv[.gz]`, or a folder of such folders.
 * Throws on an invalid file, because a partial recording would give another replay.
 */
export async function readRecording(folder: string): Promise<RecordedFeed[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && FILE.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const feeds =
    names.length > 0
      ? await Promise.all(names.map((name) => readFeed(folder, name)))
      : (await Promise.all(folders.map((name) => readRecording(path.join(folder, name))))).flat();
  if (feeds.length === 0) throw new Error(`${folder} has no recording: it needs files named like kraken-usdc.csv.gz`);
  const known = new Set<string>();
  for (const { coin, name } of feeds) {
    // A venue must not get two votes.
    if (known.has(`${coin} ${name}`)) throw new Error(`${folder} has ${name} of ${coin} twice`);
    known.add(`${coin} ${name}`);
  }
  return feeds;
}

async function readFeed(folder: string, name: string): Promise<RecordedFeed> {
  const [, venue = '', quote = '', zipped] = FILE.exec(name) ?? [];
  const coin = path.basename(path.resolve(folder)).split('-')[0]?.toUpperCase() ?? '';
  if (!isCoinCode(coin)) throw new Error(`${folder} is not named after a coin, as btc-2023-03 is`);
  const bytes = await readFile(path.join(folder, name));
  const unzip = (): Promise<Buffer> =>
    promisify(gunzip)(bytes).catch((cause: unknown) => {
      throw new Error(`${name} is not a complete gzip file`, { cause });
    });
  const text = (zipped ? await unzip() : bytes).toString('utf8');
  const [header, ...lines] = text.trimEnd().split(/\r?\n/);
  if (header !== HEADER) throw new Error(`${name} does not begin with ${HEADER}`);
  const minutes = new Map<number, RecordedMinute>();
  for (const [index, line] of lines.entries()) {
    const minute = parseLine(line);
    if (minute === undefined) throw new Error(`${name}, line ${index + 2} is malformed: ${line.slice(0, 80)}`);
    const { time, ...prices } = minute;
    if (minutes.has(time)) throw new Error(`${name}, line ${index + 2} repeats a minute`);
    minutes.set(time, prices);
  }
  const times = [...minutes.keys()].sort((a, b) => a - b);
  if (times.length === 0) throw new Error(`${name} is empty`);
  return { name: `${venue}-${quote}`, family: quote.toUpperCase(), coin, minutes, times };
}

function parseLine(line: string): (RecordedMinute & { time: number }) | undefined {
  const [time, open, high, low, close, volume, ...more] = line.split(',');
  const prices = [open, high, low, close].map((text) => parseDecimal(text ?? '', PRICE_SCALE));
  const traded = parseVolume(volume ?? '');
  if (!/^[1-9][0-9]{9}$/.test(time ?? '') || Number(time) % 60 !== 0 || traded === undefined || more.length > 0)
    return undefined;
  const [o, h, l, c] = prices;
  if (o === undefined || h === undefined || l === undefined || c === undefined) return undefined;
  if (l <= 0n || l > o || l > c || h < o || h < c) return undefined;
  return { time: Number(time), open: o, high: h, low: l, close: c, volume: traded };
}

/** A larger number does not fit into a candle, and would make the ticks of all coins fail for that second. */
const VOLUME_END = 10n ** 20n;

/** Recorders write volumes in various formats: `1E+1`, `5E-8`, nine decimals. Digits below 10^-8 coins are cut off. */
function parseVolume(text: string): bigint | undefined {
  const [, whole, fraction = '', exponent = '0'] =
    /^([0-9]{1,12})(?:\.([0-9]{1,20}))?(?:[eE]([+-]?[0-9]{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const shift = 8 + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return units < VOLUME_END ? units : undefined;
}
