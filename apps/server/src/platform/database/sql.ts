/**
 * A prepared statement with a name: parsed and planned once per connection. Values are positional; arrays go through
 * `unnest`, so that one statement serves a whole batch. int8 arrives as bigint, numeric as string, timestamptz as Date.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const texts = new Map<string, string>();

export function statement(name: string, text: string): Statement {
  const known = texts.get(name);
  if (known !== undefined && known !== text) throw new Error(`two statements are named ${name}`);
  texts.set(name, text);
  return { name, text };
}

export interface Queries {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Transaction extends Queries {
  readonly isTransaction: true;
  /**
   * Sends the commit directly after the last statement, so that the database does not wait for us in between. Nothing
   * may be sent afterwards, and anything that must prevent the commit has to fail in the database.
   */
  pipelineCommit(): void;
}

export interface Database extends Queries {
  /** Runs the work in one transaction; throws what it throws, after a rollback. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Runs the work while this process leads the role, that is, holds the role's advisory lock. Resolves when `signal`
   * aborts. A frozen process loses the lock within seconds and does not notice until it wakes, so the database must
   * reject what its work writes then.
   */
  runAsLeader(role: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Leads several roles, each as soon as its lock is free. When the work of one role fails, the work of all ends. */
  runAsLeaders(
    roles: readonly string[],
    signal: AbortSignal,
    work: (role: string, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
}

/**
 * An array parameter for `unnest`, for elements that need no quoting (integers, uuids). Several times faster than the
 * driver's.
 */
export function arrayLiteral(values: readonly (bigint | number | string | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}
