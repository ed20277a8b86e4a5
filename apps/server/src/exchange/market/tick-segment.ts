import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { higherOf, lowerOf } from './candle.ts';

/**
 * Packs a run of ticks. Their texts repeat and `prev` follows from the chain, so only numbers remain. The numbers of
 * one field or source form a column. Each is predicted from the previous row or from another number of its row, and the
 * prediction errors are stored in planes of one byte. The packer does not interpret ticks, so texts with new fields are
 * preserved exactly, too.
 */
const FORMAT = 'ticks/1';
const NUMBER = /"(0|[1-9][0-9]{0,18})"/g;
const SLOT = '"#"';
const LINK = '"prev":"~"';
/**
 * A larger count means damage, or an attack on the reader's time: `market.seal_ticks` accepts at most 3,600 ticks, and
 * a tick with 30 sources has 2 kB.
 */
const COUNT_MAX = 3_600;
const FORM_MAX = 16 << 10;
const TEXT_MAX = 8 << 20;

export interface ChainedText {
  readonly body: string;
  /** In hex. */
  readonly hash: string;
}

interface Column {
  readonly key: string;
  /** The key of the column that predicts this one in the same row; null if this column's previous number does. */
  readonly by: string | null;
  readonly first: string;
  readonly least: string;
  readonly step: string;
  readonly planes: number;
}

interface Header {
  readonly v: string;
  readonly count: number;
  /**
   * One template per distinct text of a tick, with the numbers and the link removed. A `raw` template is a complete
   * text.
   */
  readonly forms: readonly { readonly text: string; readonly raw: boolean }[];
  readonly columns: readonly Column[];
}

export function hashOfTick(body: string): string {
  return createHash('sha256').update(`tick/1\n${body}`).digest('hex');
}

/** The names of a template's numbers: each is the field, or the beginning of the list that contains the number. */
function keysOf(text: string): string[] {
  const keys: string[] = [];
  for (let at = text.indexOf(SLOT); at >= 0; at = text.indexOf(SLOT, at + SLOT.length)) {
    const before = text.slice(0, at);
    const key = /"([^"]*)":$/.exec(before)?.[1] ?? before.slice(before.lastIndexOf('[') + 1);
    keys.push(keys.includes(key) ? `${key}${keys.length}` : key);
  }
  return keys;
}

interface Rows {
  /** The index of each row's template in the header's `forms`. */
  readonly forms: readonly number[];
  readonly values: ReadonlyMap<string, bigint>[];
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));
const bytesOf = (value: bigint): number => Math.ceil(value.toString(16).length / 2);

function predict(values: Rows['values'], key: string, by: string | null, first: bigint): bigint[] {
  let before = first;
  return values.flatMap((row) => {
    const value = row.get(key);
    if (value === undefined) return [];
    const guess = by === null ? before : (row.get(by) ?? before);
    before = value;
    return value - guess;
  });
}

/** Chooses the prediction with the smallest errors. */
function fit(values: Rows['values'], key: string, earlier: readonly string[]): { column: Column; rests: bigint[] } {
  const first = values.find((row) => row.has(key))?.get(key) ?? 0n;
  let best: { column: Column; rests: bigint[]; bits: number } | undefined;
  for (const by of [null, ...earlier]) {
    const misses = predict(values, key, by, first);
    const least = misses.reduce(lowerOf);
    const step = misses.reduce((a, b) => gcd(a, b - least), 0n) || 1n;
    const rests = misses.map((miss) => (miss - least) / step);
    const most = rests.reduce(higherOf);
    const distinct = new Set(rests).size;
    // A rough estimate of the entropy-coded size: the logarithm of the number of distinct values or of their range,
    // whichever is smaller.
    const bits = Math.min(Math.log2(distinct), most === 0n ? 0 : most.toString(2).length);
    const planes = most === 0n ? 0 : bytesOf(most);
    if (best === undefined || bits < best.bits || (bits === best.bits && planes < best.column.planes))
      best = { column: { key, by, first: `${first}`, least: `${least}`, step: `${step}`, planes }, rests, bits };
  }
  if (best === undefined) throw new Error('a column without numbers');
  return best;
}

/**
 * Packs texts that form a chain after `previous` (the previous hash in hex). Throws if unpacking the result does not
 * return the same texts.
 */
export function packTicks(bodies: readonly string[], previous: string): Buffer {
  const forms: { text: string; raw: boolean }[] = [];
  const numbers = new Map<string, number>();
  const rows = { forms: [] as number[], values: [] as Map<string, bigint>[] };
  let link = previous;
  for (const body of bodies) {
    const linked = body.replace(`"prev":"${link}"`, LINK);
    const cut = linked.replace(NUMBER, SLOT);
    const raw = body.includes(SLOT) || body.includes(LINK);
    const text = raw ? body : cut;
    let form = numbers.get(text);
    if (form === undefined) {
      form = forms.push({ text, raw }) - 1;
      numbers.set(text, form);
    }
    const found = raw ? [] : Array.from(linked.matchAll(NUMBER), ([, digits]) => BigInt(digits ?? 0));
    const keys = raw ? [] : keysOf(text);
    rows.forms.push(form);
    rows.values.push(new Map(keys.map((key, nth) => [key, found[nth] ?? 0n])));
    link = hashOfTick(body);
  }

  // Starts with the last fields, because the sources' numbers are close to their tick's time and price.
  const keys = [...new Set(rows.values.flatMap((row) => [...row.keys()].reverse()))];
  const columns: Column[] = [];
  const planes: Buffer[] = [];
  for (const [nth, key] of keys.entries()) {
    const { column, rests } = fit(rows.values, key, keys.slice(0, nth));
    columns.push(column);
    for (let plane = 0; plane < column.planes; plane += 1)
      planes.push(Buffer.from(rests.map((rest) => Number((rest >> BigInt(8 * plane)) & 255n))));
  }
  const header: Header = { v: FORMAT, count: bodies.length, forms, columns };
  const formOf = Buffer.from(Uint16Array.from(rows.forms).buffer);
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), formOf, ...planes]);
  const packed = zstdCompressSync(whole, {
    params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const back = unpackTicks(packed, previous);
  if (back.length !== bodies.length || back.some(({ body }, nth) => body !== bodies[nth]))
    throw new Error('a segment does not give its ticks back');
  return packed;
}

/** Returns the texts with their hashes, each linked to its predecessor. Throws if the bytes are not a segment. */
export function unpackTicks(packed: Uint8Array, previous: string): ChainedText[] {
  const whole = zstdDecompressSync(packed, { maxOutputLength: TEXT_MAX });
  const end = whole.indexOf(10);
  const header = JSON.parse(whole.toString('utf8', 0, end)) as Header;
  if (header.v !== FORMAT) throw new Error(`a segment of ticks is ${header.v}, not ${FORMAT}`);
  const { count, forms, columns } = header;
  if (count > COUNT_MAX || forms.some(({ text }) => text.length > FORM_MAX))
    throw new Error('a segment that is too large');
  let at = end + 1;
  const formOf = Array.from({ length: count }, (_, row) => whole.readUInt16LE(at + 2 * row));
  at += 2 * count;
  const keys = forms.map(({ text, raw }) => (raw ? [] : keysOf(text)));
  const values = formOf.map(() => new Map<string, bigint>());
  for (const { key, by, first, least, step, planes } of columns) {
    const rows = values.filter((_, row) => keys[formOf[row] ?? 0]?.includes(key));
    const [low, by_] = [BigInt(least), BigInt(step)];
    let before = BigInt(first);
    rows.forEach((row, nth) => {
      let rest = 0n;
      for (let plane = 0; plane < planes; plane += 1)
        rest |= BigInt(whole.readUInt8(at + plane * rows.length + nth)) << BigInt(8 * plane);
      before = (by === null ? before : (row.get(by) ?? before)) + low + rest * by_;
      row.set(key, before);
    });
    at += planes * rows.length;
  }

  let link = previous;
  return formOf.map((form, row) => {
    const { text = '', raw = true } = forms[form] ?? {};
    let body = text;
    if (!raw) {
      const found = (keys[form] ?? []).map((key) => values[row]?.get(key) ?? 0n);
      let nth = 0;
      body = text.replaceAll(SLOT, () => `"${found[nth++]}"`).replace(LINK, `"prev":"${link}"`);
    }
    link = hashOfTick(body);
    return { body, hash: link };
  });
}
