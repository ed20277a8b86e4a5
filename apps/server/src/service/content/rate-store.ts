import type { Currency } from '@sathorn/api';
import { type Queries, statement } from '../../platform/database/index.ts';

interface RateRow {
  readonly code: Currency;
  /** A decimal string: how much of the currency one USDT is worth. */
  readonly rate: string;
  readonly at: Date;
}

const LIST = statement('content.list_rates', 'SELECT code, rate, at FROM content.rate ORDER BY code');
/** A source that lags behind must not replace a newer rate with an older one. */
const UPSERT = statement(
  'content.upsert_rate',
  `INSERT INTO content.rate (code, rate, at) VALUES ($1, $2, $3)
   ON CONFLICT (code) DO UPDATE SET rate = excluded.rate, at = excluded.at WHERE content.rate.at < excluded.at`,
);

export function listRateRows(queries: Queries): Promise<RateRow[]> {
  return queries.query<RateRow>(LIST);
}

export async function upsertRate(queries: Queries, row: RateRow): Promise<void> {
  await queries.query(UPSERT, [row.code, row.rate, row.at]);
}
