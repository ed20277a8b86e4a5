import { setTimeout as pause } from 'node:timers/promises';
import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { type Database, statement } from '../../platform/database/index.ts';
import { packTicks } from './tick-segment.ts';

/** Five minutes of one coin. Longer segments would hardly compress better, and more ticks would stay in the table. */
const SEGMENT_TICKS = 300;
/** Newer ticks stay in the table, because settlements and fresh receipts read them. */
const AGE_MIN_SECONDS = 120;
const LOOK_EVERY_MS = 15_000;
/** Pause between two segments of a backlog: packing one delays the process that produces ticks by about 40 ms. */
const PAUSE_MS = 200;

const readAheadText = statement(
  'market.read_ticks_to_seal',
  `SELECT t.sequence, t.body, encode(s.last_hash, 'hex') AS previous
   FROM market.head h
   LEFT JOIN LATERAL (SELECT last_sequence, last_hash FROM market.sealed_segment WHERE coin = h.coin ORDER BY last_sequence DESC LIMIT 1) s ON true
   JOIN LATERAL (SELECT sequence, at, body FROM market.tick WHERE coin = h.coin AND sequence > coalesce(s.last_sequence, 0) ORDER BY sequence LIMIT $2) t
     ON t.at <= h.at - $3::double precision * interval '1 second'
   WHERE h.coin = $1 ORDER BY t.sequence`,
);
const sealText = statement('market.seal_ticks', 'SELECT market.seal_ticks($1, $2, $3, $4) AS removed');

/** Packs a coin's oldest complete segment; returns false if there is nothing to seal. */
export async function sealNextSegment(
  database: Database,
  coin: CoinCode,
  { ticks = SEGMENT_TICKS, ageSeconds = AGE_MIN_SECONDS }: { ticks?: number; ageSeconds?: number } = {},
): Promise<boolean> {
  const rows = await database.query<{ sequence: bigint; body: string; previous: string | null }>(readAheadText, [
    coin,
    ticks,
    ageSeconds,
  ]);
  const [first, last] = [rows[0], rows.at(-1)];
  if (rows.length < ticks || first === undefined || last === undefined) return false;
  const packed = packTicks(
    rows.map(({ body }) => body),
    first.previous ?? '0'.repeat(64),
  );
  await database.query(sealText, [coin, first.sequence, last.sequence, packed]);
  return true;
}

interface TickSealer {
  /** Seals old ticks repeatedly until the signal aborts. One process at a time does this. */
  run(signal: AbortSignal): Promise<void>;
}

export function openTickSealer(database: Database, onFault: (error: unknown) => void): TickSealer {
  return {
    run: (signal) =>
      database.runAsLeader('sealer', signal, async (held) => {
        const wait = (ms: number): Promise<void> => pause(ms, undefined, { signal: held }).catch(() => undefined);
        while (!held.aborted) {
          let isAny = false;
          for (const coin of COIN_CODES) {
            if (held.aborted) return;
            const isSealed = await sealNextSegment(database, coin).catch(onFault);
            isAny ||= isSealed === true;
            if (isSealed) await wait(PAUSE_MS);
          }
          if (!isAny) await wait(LOOK_EVERY_MS);
        }
      }),
  };
}
