import { type AssetCode, type Money, money, type Price, price } from '@sathorn/money';
import { arrayLiteral, type Queries, type Statement } from './sql.ts';

type Cell = bigint | number | string | boolean | null;

/** The conversion of a column's values. Texts must need no quoting inside an array: names, ids, decimals. */
export interface Column<Value> {
  /** The column's name, if it is not the property's name in snake_case. */
  readonly name?: string;
  /** An expression to select instead of the column. */
  readonly expression?: string;
  /** The SQL type. */
  readonly type: string;
  read(stored: unknown): Value;
  write(value: Value): Cell;
}

const plain = <Value extends Cell>(type: string): Column<Value> => ({
  type,
  read: (stored) => stored as Value,
  write: (value) => value,
});

export const column = {
  uuid: plain<string>('uuid'),
  bigint: plain<bigint>('bigint'),
  integer: plain<number>('integer'),
  text: <Text extends string>(): Column<Text> => plain<Text>('text'),
  boolean: { ...plain<boolean>('boolean'), write: (value: boolean) => (value ? 't' : 'f') },
  /** A bigint that stays below 2^53. */
  number: { ...plain<number>('bigint'), read: (stored: unknown) => Number(stored) },
  time: {
    type: 'timestamptz',
    read: (stored) => stored as Date,
    write: (value) => value.toISOString(),
  } as Column<Date>,
  bytes: {
    type: 'bytea',
    read: (stored) => stored as Buffer,
    write: (value) => `\\x${value.toString('hex')}`,
  } as Column<Buffer>,
  json: <Value>(): Column<Value> => ({ type: 'jsonb', read: (stored) => stored as Value, write: JSON.stringify }),
  /** Integers of any size. */
  numeric: { ...plain<bigint>('numeric'), read: (stored: unknown) => BigInt(stored as string) },
  /** Counted in the smallest units. */
  price: { ...plain<Price>('bigint'), read: (stored: unknown) => price(stored as bigint) },
  money: <Asset extends AssetCode>(asset: Asset): Column<Money<Asset>> => ({
    type: 'bigint',
    read: (stored) => money(asset, BigInt(stored as bigint | string)),
    write: ({ units }) => units,
  }),
  nullable: <Value>({ read, write, ...rest }: Column<Value>): Column<Value | null> => ({
    ...rest,
    read: (stored) => (stored === null ? null : read(stored)),
    write: (value) => (value === null ? null : write(value)),
  }),
  /** An array, only for reading. */
  list: (name: string): Column<readonly string[]> => ({
    expression: `${name}::text[]`,
    type: 'text[]',
    read: (stored) => stored as string[],
    write: String,
  }),
  named: <Value>(name: string, of: Column<Value>): Column<Value> => ({ ...of, name }),
  computed: <Value>(expression: string, of: Column<Value>): Column<Value> => ({ ...of, expression }),
};

/** The row that these columns describe, for tables whose row has no other definition. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};
type ColumnsOf<Row> = { readonly [Name in keyof Row]-?: Column<Row[Name]> };

export interface Table<Row> {
  /** The column list for SELECT, such as `id, customer_id`. */
  readonly names: string;
  /** Typed array parameters, such as `$1::uuid[], $2::bigint[]`. */
  readonly arrays: string;
  /** The values of `arrays`. */
  values(rows: readonly Row[]): string[];
  /** An INSERT of any number of rows. */
  insertInto(name: string): string;
  /** An INSERT of one row with `valuesOf(row)`. Unlike those of an array, its texts may need quoting. */
  insertOneInto(name: string): string;
  valuesOf(row: Row): Cell[];
  query(queries: Queries, statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  only<Name extends keyof Row & string>(...names: Name[]): Table<Pick<Row, Name>>;
}

/** The columns of a table or query, defined once: their names, SQL types, TypeScript types and order. */
export function table<Row extends object>(columns: ColumnsOf<Row>): Table<Row> {
  const entries = Object.entries<Column<unknown>>(columns).map(([property, of]) => ({
    ...of,
    property: property as keyof Row & string,
    name: of.name ?? property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  }));
  const names = entries.map(({ name, expression }) => (expression ? `${expression} AS ${name}` : name)).join(', ');
  const arrays = entries.map(({ type }, n) => `$${n + 1}::${type}[]`).join(', ');
  const rowOf = (stored: Record<string, unknown>): Row => {
    const row: Partial<Record<keyof Row, unknown>> = {};
    for (const { property, name, read } of entries) row[property] = read(stored[name]);
    return row as Row;
  };
  return {
    names,
    arrays,
    insertInto: (name) => `INSERT INTO ${name} (${names}) SELECT * FROM unnest(${arrays})`,
    insertOneInto: (name) =>
      `INSERT INTO ${name} (${names}) VALUES (${entries.map((_entry, n) => `$${n + 1}`).join(', ')})`,
    valuesOf: (row) => entries.map(({ property, write }) => write(row[property])),
    values: (rows) =>
      entries.map(({ property, write }) => arrayLiteral(rows.map((row) => write(row[property]) as string))),
    query: async (queries, statement, values) =>
      (await queries.query<Record<string, unknown>>(statement, values)).map(rowOf),
    only: (...wanted) =>
      table(
        Object.fromEntries(wanted.map((name) => [name, columns[name]])) as ColumnsOf<
          Pick<Row, (typeof wanted)[number]>
        >,
      ),
  };
}
