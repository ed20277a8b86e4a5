import type { Database, Queries } from '../platform/database/index.ts';

/** The moment of a strike: before a statement is sent, after it is sent, after it is answered, or after the commit. */
export type StrikePhase = 'before' | 'sent' | 'after' | 'committed';

/** A target that can be struck at the nth statement of a command: a connection, a process, a server. */
export interface StrikeVictim {
  arm(nth: number, phase: StrikePhase): void;
  /** True if the strike has happened since `arm`. */
  readonly wasStruck: boolean;
}

/** The parts of a test that strikes a command at each of its steps. */
export interface StrikeDrill<Prepared, Answer> {
  /** Prepares the command's data for each strike. */
  prepare(): Promise<Prepared>;
  /** The command with its retry after a strike: the product's own retry, or the next process. */
  command(prepared: Prepared): Promise<Answer>;
  /** Checks the state afterwards: done once, the same answer, nothing lost. */
  audit(prepared: Prepared, answer: Answer): Promise<void>;
}

/**
 * Strikes the victim at a command's first statement, then at the second, and so on, until a command ends before its
 * strike. Returns how many statements were struck.
 */
export async function strikeEachStep<Prepared, Answer>(
  victim: StrikeVictim,
  phase: StrikePhase,
  { prepare, command, audit }: StrikeDrill<Prepared, Answer>,
): Promise<number> {
  for (let nth = 1; ; nth += 1) {
    const prepared = await prepare();
    victim.arm(nth, phase);
    await audit(prepared, await command(prepared));
    if (!victim.wasStruck) return nth - 1;
  }
}

/** The error of `pg` for a server that has gone away. */
const lost = (): Error => new Error('Connection terminated unexpectedly');

/** A database whose connection is lost once: at the nth statement of its transactions, or after a commit. */
export class FragileDatabase implements Database, StrikeVictim {
  readonly #database: Database;
  readonly runAsLeader: Database['runAsLeader'];
  readonly runAsLeaders: Database['runAsLeaders'];
  #left = 0;
  #phase: StrikePhase = 'before';
  /** Names of the statements since `arm`. */
  said: string[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.runAsLeader = (...of) => database.runAsLeader(...of);
    this.runAsLeaders = (...of) => database.runAsLeaders(...of);
  }

  arm(nth: number, phase: StrikePhase): void {
    this.#left = nth;
    this.#phase = phase;
    this.said = [];
  }

  get wasStruck(): boolean {
    return this.#left <= 0;
  }

  query: Database['query'] = (statement, values) => this.#database.query(statement, values);
  close = (): Promise<void> => this.#database.close();

  async transaction<Result>(work: Parameters<Database['transaction']>[0]): Promise<Result> {
    const result = await this.#database.transaction((transaction) =>
      work({
        isTransaction: true,
        query: this.#fragile(transaction),
        pipelineCommit: () => {
          if (!this.wasStruck) transaction.pipelineCommit();
        },
      }),
    );
    if (this.#phase === 'committed' && this.#left > 0) {
      this.#left = 0;
      throw lost();
    }
    return result as Result;
  }

  #fragile(queries: Queries): Queries['query'] {
    return async (statement, values) => {
      this.said.push(statement.name);
      if (this.#phase !== 'committed') this.#left -= 1;
      const isHere = this.#phase !== 'committed' && this.#left === 0;
      if (isHere && this.#phase === 'before') throw lost();
      const rows = await queries.query(statement, values);
      if (isHere) throw lost();
      return rows as never;
    };
  }
}
