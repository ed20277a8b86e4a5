import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './postgres-connection.ts';
import type { Database, Queries, Statement, Transaction } from './sql.ts';

const INT8 = 20;
const SESSION_GUARDS = '-c statement_timeout=10000 -c idle_in_transaction_session_timeout=10000 -c lock_timeout=5000';

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

class Connected implements Transaction {
  readonly isTransaction = true;
  readonly #client: pg.ClientBase;
  constructor(client: pg.ClientBase) {
    this.#client = client;
  }
  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.#client.query<Row>({
      name: statement.name,
      text: statement.text,
      values: values as unknown[],
    });
    return result.rows;
  }
}

/** A dropped connection or a restarting server: the work may be tried again. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(57P0[123]|08...|53300|ECONN|ENOENT|EPIPE)/.test(code) ||
    /Connection terminated|connection timeout|the database system is|Client has encountered a connection error/i.test(
      error.message,
    )
  );
}

/** Two transactions met: the same work may be tried again at once. */
export function isSerializationFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');
}

export function openDatabase(
  connection: Connection,
  options: { connections?: number; onFault?: (error: Error) => void } = {},
): Database {
  const pool = new pg.Pool({
    ...connection,
    options: [SESSION_GUARDS, connection.options].filter(Boolean).join(' '),
    max: options.connections ?? 16,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    // Statements that don't need each other's answers share a round trip.
    pipeline: true,
    types,
  });
  // Without a listener a dropped server would end the process.
  pool.on('error', (error) => options.onFault?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));

  const withClient = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionFault(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };

  const transaction = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    withClient(async (client) => {
      const begun = client.query('BEGIN');
      try {
        const [result] = await Promise.all([work(new Connected(client)), begun]);
        const { command } = await client.query('COMMIT');
        // A statement failed and its error was swallowed: PostgreSQL answers COMMIT with a rollback, and no error.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
        return result;
      } catch (error) {
        // A broken connection rolls back by itself.
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });

  const query: Queries['query'] = (statement, values) =>
    withClient((client) => new Connected(client).query(statement, values));

  /** Holds the lock on a connection of its own; when that connection dies, so does the work. */
  const holdRole = async (
    role: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    const client = new pg.Client({ ...connection, types });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    try {
      await client.connect();
      while (!signal.aborted && !lost.signal.aborted) {
        const { rows } = await client.query<{ held: boolean }>(
          'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
          [`role:${role}`],
        );
        if (rows[0]?.held) return await work(AbortSignal.any([signal, lost.signal]));
        await pause(500, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  const asSingle: Database['asSingle'] = async (role, signal, work) => {
    while (!signal.aborted) {
      try {
        await holdRole(role, signal, work);
      } catch (error) {
        if (!isConnectionFault(error)) throw error;
        options.onFault?.(error as Error);
      }
      await pause(500, undefined, { signal }).catch(() => undefined);
    }
  };

  return { query, transaction, asSingle, close: () => pool.end() };
}
