import type { Fill } from '@sathorn/api';

/**
 * One row per fill: times in UTC, amounts as plain decimals, codes as on the wire. Programs read the file, so it is
 * never translated.
 */
const COLUMNS: readonly (readonly [name: string, of: (fill: Fill) => string])[] = [
  ['time_utc', (fill) => fill.at],
  ['order_id', (fill) => fill.order],
  ['fill_id', (fill) => fill.id],
  ['coin', (fill) => fill.code],
  ['side', (fill) => fill.side],
  ['role', (fill) => fill.role],
  ['price_usdt', (fill) => fill.price],
  ['quantity', (fill) => fill.quantity],
  ['amount_usdt', (fill) => fill.amount],
  ['fee', (fill) => fill.fee],
  ['fee_asset', (fill) => fill.fee_asset],
  ['with_house', (fill) => String(fill.with_house)],
];

const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** Returns the file in RFC 4180, oldest fill first, as tax programs expect. */
export function fillsCsv(newestFirst: readonly Fill[]): string {
  const rows = newestFirst.toReversed().map((fill) => COLUMNS.map(([, of]) => quoted(of(fill))));
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
