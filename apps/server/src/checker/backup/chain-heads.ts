import { COIN_CODES, type CoinCode } from '@sathorn/money';
import pg from 'pg';
import type { Connection } from '../../platform/database/index.ts';

/** The heads of the books and of the tick chains at one moment. Sequences are decimal strings, hashes hex. */
export interface ChainHeads {
  /** The database's time, rounded up to a millisecond, so that everything committed before is not later. */
  readonly at: string;
  readonly transfers: string;
  readonly ticks: Readonly<Partial<Record<CoinCode, { readonly sequence: string; readonly hash: string }>>>;
}

export async function withOwnerClient<Result>(
  owner: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Reads the heads in one snapshot. Everything that they include is committed and flushed. */
export async function readChainHeads(client: pg.ClientBase): Promise<ChainHeads> {
  const { rows } = await client.query<{ at: Date; transfers: string; ticks: ChainHeads['ticks'] | null }>(
    `SELECT clock_timestamp() + interval '1 millisecond' AS at, last_sequence::text AS transfers,
       (SELECT jsonb_object_agg(coin, jsonb_build_object('sequence', sequence::text, 'hash', encode(hash, 'hex'))) FROM market.head) AS ticks
     FROM ledger.head`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no ledger');
  return { at: row.at.toISOString(), transfers: row.transfers, ticks: row.ticks ?? {} };
}

/** Describes in words what `wanted` contains and `has` lacks; empty when nothing is missing. */
export function describeMissingHeads(has: ChainHeads, wanted: ChainHeads): string[] {
  const missing: string[] = [];
  if (BigInt(wanted.transfers) > BigInt(has.transfers))
    missing.push(`transfers ${BigInt(has.transfers) + 1n} to ${wanted.transfers}`);
  for (const coin of COIN_CODES) {
    const [from, to] = [BigInt(has.ticks[coin]?.sequence ?? 0), BigInt(wanted.ticks[coin]?.sequence ?? 0)];
    if (to > from) missing.push(`ticks ${from + 1n} to ${to} of ${coin}`);
  }
  return missing;
}
