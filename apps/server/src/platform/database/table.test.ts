import { type CoinCode, type Money, money, type Price, price } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { column, table } from './table.ts';

interface Lot {
  readonly coin: CoinCode;
  readonly owner: bigint;
  readonly paid: Money<'USDT'>;
  readonly lastPrice: Price | null;
  readonly isOpen: boolean;
  readonly sum: bigint;
  readonly atMs: number;
}
const LOTS = table<Lot>({
  coin: column.text(),
  owner: column.named('customer_id', column.bigint),
  paid: column.money('USDT'),
  lastPrice: column.nullable(column.price),
  isOpen: column.boolean,
  sum: column.numeric,
  atMs: column.number,
});
const LOT: Lot = {
  coin: 'BTC',
  owner: 7n,
  paid: money('USDT', 5n),
  lastPrice: price(9n),
  isOpen: true,
  sum: 10n ** 30n,
  atMs: 1_700_000_000_000,
};
const STORED = {
  coin: 'BTC',
  customer_id: 7n,
  paid: 5n,
  last_price: 9n,
  is_open: true,
  sum: `1${'0'.repeat(30)}`,
  at_ms: 1_700_000_000_000n,
};

describe('a table', () => {
  it('names its columns and their types in one order', () => {
    expect(LOTS.insertInto('x.lot')).toBe(
      'INSERT INTO x.lot (coin, customer_id, paid, last_price, is_open, sum, at_ms) SELECT * FROM unnest(' +
        '$1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::numeric[], $7::bigint[])',
    );
    expect(LOTS.only('coin', 'paid').insertOneInto('x.lot')).toBe('INSERT INTO x.lot (coin, paid) VALUES ($1, $2)');
    expect(LOTS.only('atMs', 'coin')).toMatchObject({ names: 'at_ms, coin', arrays: '$1::bigint[], $2::text[]' });
    const counted = table<{ isOld: boolean }>({ isOld: column.computed('age > 1', column.boolean) });
    expect(counted.names).toBe('age > 1 AS is_old');
  });

  it('writes a column of each property', () => {
    expect(LOTS.values([LOT, { ...LOT, lastPrice: null, isOpen: false }])).toEqual([
      '{BTC,BTC}',
      '{7,7}',
      '{5,5}',
      '{9,NULL}',
      '{t,f}',
      `{${10n ** 30n},${10n ** 30n}}`,
      '{1700000000000,1700000000000}',
    ]);
  });

  it('writes one row without quoting', () => {
    expect(LOTS.only('owner', 'paid', 'isOpen').valuesOf(LOT)).toEqual([7n, 5n, 't']);
    const sealed = table<{ key: Buffer; said: object }>({ key: column.bytes, said: column.json() });
    expect(sealed.valuesOf({ key: Buffer.from('ab', 'hex'), said: { a: '1' } })).toEqual(['\\xab', '{"a":"1"}']);
  });

  it('converts rows to the types of their properties', async () => {
    const queries = { query: async () => [STORED, { ...STORED, last_price: null }] as never };
    const rows = await LOTS.query(queries, { name: 'test.lots', text: '' });
    expect(rows).toEqual([LOT, { ...LOT, lastPrice: null }]);
  });
});
