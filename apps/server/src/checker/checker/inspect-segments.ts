import type { CoinCode } from '@sathorn/money';
import { hashOfBody, symbolOf } from '@sathorn/proof';
import type pg from 'pg';
import { unpackTicks } from '../../exchange/market/index.ts';
import '../../platform/proofs/index.ts';
import type { KnownKeys } from './known-keys.ts';
import type { Findings } from './run-invariants.ts';

/** The newest segments per coin, which are checked first. Two are sealed in ten minutes. */
const NEWEST = 4;
/** Unpacking one takes about 25 ms, so this is 1 to 2 s per round of 40 s. */
const UNPACKED_MAX = 48;
/** Reading an unchanged, verified segment takes some tenths of a millisecond. A day of eight coins has 2,304. */
const READ_MAX = 1_500;
/** How many segment digests are kept in memory. In a longer history, older segments are unpacked again in each pass. */
const REMEMBERED_MAX = 100_000;
const BROKEN_MAX = 20;
/** A tick takes 13 to 40 bytes, so more means damage. */
const BYTES_A_TICK_MAX = 1_000;

interface SegmentRow {
  readonly coin: CoinCode;
  readonly first: string;
  readonly last: string;
  readonly firstMs: string;
  readonly previousHash: string;
  readonly lastHash: string;
  readonly seconds: readonly number[];
  readonly prices: readonly string[];
  readonly signed: readonly number[];
  readonly signatures: string;
  readonly keys: readonly string[];
  readonly bytes: Buffer;
  /** Lateness in ms by number (from 1) of the ticks that were late; null in segments that don't say it. */
  readonly late: Readonly<Record<string, number>> | null;
  readonly digest: string;
}

/** A segment's key, and a digest of its whole content. */
type Seen = Pick<SegmentRow, 'coin' | 'last' | 'digest'>;

const DIGEST = `encode(sha256(convert_to(s::text, 'UTF8')), 'hex') AS digest`;
const SEEN = `s.coin, s.last_sequence::text AS last, ${DIGEST}`;
const NEWEST_TEXT = `SELECT ${SEEN} FROM market.head h CROSS JOIN LATERAL (
    SELECT * FROM market.sealed_segment WHERE coin = h.coin ORDER BY last_sequence DESC LIMIT $1) s ORDER BY s.last_at DESC`;
const AHEAD_TEXT = `SELECT ${SEEN} FROM market.sealed_segment s WHERE (coin, last_sequence) > ($1, $2::bigint)
  ORDER BY coin, last_sequence LIMIT $3`;
const WHOLE_TEXT = `SELECT coin, first_sequence::text AS first, last_sequence::text AS last, (extract(epoch FROM first_at) * 1000)::bigint::text AS "firstMs",
    encode(previous_hash, 'hex') AS "previousHash", encode(last_hash, 'hex') AS "lastHash", seconds, prices::text[] AS prices, signed,
    encode(signatures, 'hex') AS signatures, keys, bytes, late, ${DIGEST}
  FROM market.sealed_segment s WHERE coin = $1 AND last_sequence = $2::bigint`;

/**
 * True if the texts match the row's columns and form a chain, and known keys made all its signatures, including the
 * last one.
 */
function isGenuine(row: SegmentRow, keys: KnownKeys | undefined): boolean {
  const { coin, prices, seconds, signed } = row;
  if (row.bytes.length > BYTES_A_TICK_MAX * prices.length) return false;
  const texts = unpackTicks(row.bytes, row.previousHash);
  if (texts.length !== prices.length || signed.at(-1) !== texts.length) return false;
  let before = row.previousHash;
  for (const [nth, { body }] of texts.entries()) {
    const { prev, seq, sym, t, px, late } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const at = BigInt(row.firstMs) + 1_000n * BigInt(seconds[nth] ?? -1);
    const isTold =
      prev === before &&
      sym === symbolOf(coin) &&
      seq === `${BigInt(row.first) + BigInt(nth)}` &&
      t === `${at}` &&
      px === prices[nth] &&
      (row.late === null || late === row.late[nth + 1]?.toString());
    if (!isTold) return false;
    before = hashOfBody(body);
  }
  if (before !== row.lastHash) return false;
  return (
    keys === undefined ||
    signed.every((nth, at) =>
      keys.hasSigned(
        'index',
        row.keys[at] ?? '',
        `tick/1\n${texts[nth - 1]?.body}`,
        row.signatures.slice(128 * at, 128 * (at + 1)),
      ),
    )
  );
}

interface SegmentInspection {
  readonly findings: Findings;
  /** Without the keys, no signature is verified. */
  readonly keys?: KnownKeys | undefined;
  readonly unpackedMax?: number;
  readonly readMax?: number;
}

/**
 * Verifies sealed ticks, a few segments per call, newest first. The database cannot: SQL neither unpacks Zstandard nor
 * verifies Ed25519. So `market.seal_ticks` takes times, prices and signatures from the rows but has to trust its
 * caller's bytes. Texts that a false caller destroys cannot be restored, but no settlement reads them. This process
 * remembers verified segments by a digest of the row.
 */
export class SegmentInspector {
  readonly #verified = new Map<string, string>();
  #broken: readonly Seen[] = [];
  #cursor: readonly [coin: string, last: string] = ['', '0'];

  /** Returns true when the pass over all segments is complete. */
  async inspect(
    client: pg.ClientBase,
    { findings, keys, unpackedMax = UNPACKED_MAX, readMax = READ_MAX }: SegmentInspection,
  ): Promise<boolean> {
    const broken = new Map<string, Seen>();
    let left = unpackedMax;
    const judge = async (seen: Seen): Promise<void> => {
      const name = `${seen.coin} ${seen.last}`;
      if (this.#verified.get(name) === seen.digest || broken.has(name)) return;
      left -= 1;
      const { rows } = await client.query<SegmentRow>(WHOLE_TEXT, [seen.coin, seen.last]);
      const [row] = rows;
      // The segment was deleted, which T3 and H1 report.
      if (row === undefined) return;
      let isWell = false;
      try {
        isWell = isGenuine(row, keys);
      } catch {
        // The bytes are not a valid segment.
      }
      this.#verified.delete(name);
      if (!isWell) {
        if (broken.size < BROKEN_MAX) broken.set(name, seen);
        findings.add({
          invariant: 'T4',
          says: 'the texts of each sealed segment are the ticks that it stands for, and known keys signed them',
          subjects: [`${row.coin} sealed from ${row.first}`],
        });
      } else if (this.#verified.size < REMEMBERED_MAX) this.#verified.set(name, row.digest);
    };

    for (const seen of this.#broken) await judge(seen);
    for (const seen of (await client.query<Seen>(NEWEST_TEXT, [NEWEST])).rows) await judge(seen);
    const { rows: ahead } = await client.query<Seen>(AHEAD_TEXT, [...this.#cursor, readMax]);
    let isWhole = ahead.length < readMax;
    for (const seen of ahead) {
      if (left <= 0) {
        isWhole = false;
        break;
      }
      await judge(seen);
      this.#cursor = [seen.coin, seen.last];
    }
    if (isWhole) this.#cursor = ['', '0'];
    this.#broken = [...broken.values()];
    return isWhole;
  }
}
