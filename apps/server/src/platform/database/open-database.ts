import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './postgres-connection.ts';
import { ELECTION_EVERY_MS, openRoleSession } from './role-session.ts';
import type { Database, Queries, Statement, Transaction } from './sql.ts';

const INT8 = 20;
const ABORTED = '25P02';
/**
 * The server ends the session of a process that holds a role or a transaction and is silent for this long, which frees
 * its locks. Longer than the stalls of a busy machine, but shorter than any time-out for an order's answer or for a
 * lock.
 */
const IDLE_SESSION_MAX_MS = 4_000;
/** Longer than the server's statement timeout, so a connection without an answer by then is lost. */
const ANSWER_MAX_MS = 15_000;
/** A connection of the embedded server takes 2 to 8 MB, and the start opens twenty more than are needed later. */
const IDLE_CONNECTION_MS = 4_000;
/**
 * A query waits this long for a busy connection before another one is opened, because opening one costs both sides more
 * than most statements take.
 */
const BUSY_PATIENCE_MS = 20;
/** A server that disappears does not close its connections, so each wait has a limit. */
const CLIENT_TIMEOUTS = {
  connectionTimeoutMillis: 5_000,
  query_timeout: ANSWER_MAX_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};
/**
 * The server must notice when a client machine disappears, because others wait for its locks. TCP's default takes two
 * hours.
 */
const TCP_KEEPALIVE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000';
const SESSION_SETTINGS = `-c statement_timeout=10000 -c idle_in_transaction_session_timeout=${IDLE_SESSION_MAX_MS} -c lock_timeout=5000 ${TCP_KEEPALIVE}`;
const LEADER_SESSION_SETTINGS = `-c idle_session_timeout=${IDLE_SESSION_MAX_MS} ${TCP_KEEPALIVE}`;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

class Connected implements Transaction {
  readonly isTransaction = true;
  /** True after a failure on our side, perhaps in the middle of a message; the connection must not be reused. */
  isBroken = false;
  readonly #client: pg.ClientBase;
  #commit: Promise<pg.QueryResult> | undefined;
  #cause: unknown;
  constructor(client: pg.ClientBase) {
    this.#client = client;
  }
  pipelineCommit(): void {
    this.#commit ??= this.#client.query('COMMIT');
    // `committed` reports the error, unless an earlier statement has failed already.
    this.#commit.catch(() => undefined);
  }
  /** Resolves once the database has committed. */
  async committed(): Promise<void> {
    this.pipelineCommit();
    const result = await this.#commit;
    // A statement failed but its error was ignored: PostgreSQL answers COMMIT with a rollback and without an error.
    if (result?.command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
  }
  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.#commit !== undefined)
      throw new Error(`${statement.name} was sent after the commit: send it before pipelineCommit()`);
    try {
      const result = await this.#client.query<Row>({
        name: statement.name,
        text: statement.text,
        values: values as unknown[],
      });
      return result.rows;
    } catch (error) {
      this.isBroken ||= !(error instanceof pg.DatabaseError) || isConnectionFault(error);
      // Statements after a failed one only report that the transaction is aborted. Answers arrive in order, so the
      // first error is the cause.
      this.#cause ??= error;
      throw error instanceof Error && 'code' in error && error.code === ABORTED ? this.#cause : error;
    }
  }
}

/** A dropped or idle connection, or a restarting server: the work may be retried. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(57P0[1235]|25P03|08...|53300|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(code) ||
    /Connection terminated|connection timeout|timeout expired|timeout exceeded when trying to connect|the database system is|Client has encountered a connection error|Query read timeout/i.test(
      error.message,
    )
  );
}

/** A deadlock or a serialization failure: the same work may be retried at once. */
export function isSerializationFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');
}

/** A lock or a statement took too long: retrying at once would only wait again. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '57014');
}

export function openDatabase(
  connection: Connection,
  options: { connections?: number; onFault?: (error: Error) => void } = {},
): Database {
  const most = options.connections ?? 16;
  const pool = new pg.Pool({
    ...connection,
    options: [SESSION_SETTINGS, connection.options].filter(Boolean).join(' '),
    max: most,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    ...CLIENT_TIMEOUTS,
    // Statements that don't need each other's answers share a round trip.
    pipeline: true,
    types,
  });
  // Without a listener a dropped connection would end the process.
  pool.on('error', (error) => options.onFault?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));

  /** Connections in use or reserved. */
  let taken = 0;
  const waiting: (() => void)[] = [];
  const connect = async (): Promise<pg.PoolClient> => {
    const isGrowing = pool.totalCount > 0 && pool.totalCount < most;
    if (isGrowing && taken >= pool.totalCount) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, BUSY_PATIENCE_MS);
      waiting.push(resolve);
      await promise;
      clearTimeout(timer);
      const place = waiting.indexOf(resolve);
      if (place >= 0) waiting.splice(place, 1);
    }
    taken += 1;
    return pool.connect().catch((error: unknown) => {
      taken -= 1;
      throw error;
    });
  };

  const withClient = async <Result>(
    work: (connected: Connected, client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> => {
    const client = await connect();
    const connected = new Connected(client);
    try {
      return await work(connected, client);
    } catch (error) {
      connected.isBroken ||= isConnectionFault(error);
      throw error;
    } finally {
      taken -= 1;
      client.release(connected.isBroken);
      waiting.shift()?.();
    }
  };

  const transaction = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    withClient(async (connected, client) => {
      const begun = client.query('BEGIN');
      try {
        const [result] = await Promise.all([work(connected), begun]);
        await connected.committed();
        return result;
      } catch (error) {
        // The server rolls back when it loses the connection.
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });

  const query: Queries['query'] = (statement, values) => withClient((connected) => connected.query(statement, values));

  const seek = openRoleSession(
    {
      ...connection,
      ...CLIENT_TIMEOUTS,
      options: [LEADER_SESSION_SETTINGS, connection.options].filter(Boolean).join(' '),
    },
    (error) => options.onFault?.(error as Error),
  );

  const lead = async (
    role: string,
    signal: AbortSignal,
    work: (role: string, signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    for (let turn = await seek(role, signal); turn !== null; turn = await seek(role, signal)) {
      try {
        await work(role, AbortSignal.any([signal, turn.lost]));
      } catch (error) {
        if (!isConnectionFault(error)) throw error;
        options.onFault?.(error as Error);
      } finally {
        await turn.free();
      }
      // Gives a waiting process the chance to take the role.
      await pause(ELECTION_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };

  const runAsLeaders: Database['runAsLeaders'] = async (roles, signal, work) => {
    const failed = new AbortController();
    const both = AbortSignal.any([signal, failed.signal]);
    const leading = roles.map((role) => lead(role, both, work).finally(() => failed.abort()));
    await Promise.allSettled(leading);
    await Promise.all(leading);
  };

  const runAsLeader: Database['runAsLeader'] = (role, signal, work) =>
    runAsLeaders([role], signal, (_role, itsSignal) => work(itsSignal));

  return { query, transaction, runAsLeader, runAsLeaders, close: () => pool.end() };
}
