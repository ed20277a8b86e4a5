import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type Database, openDatabase, type Statement, type Transaction } from '../platform/database/index.ts';
import { endRoleSessions, openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { type Ledger, openLedger } from './index.ts';
import { brokenKind as freeBroken, payKind as freePay, giveKind, newIntent } from './testing-payments.ts';

/** The first batch takes what is queued. A batch that starts while another runs has the maximum size. */
const FIRST = 25;
const FULL = 1_000;

interface Gate {
  /** Resolves when a batch of the kind has the ledger's lock and is about to decide. */
  readonly reached: Promise<void>;
  open(): void;
}

/** A database that a test can stop at a statement, so that the next batch is sure to wait for the lock. */
class Held implements Database {
  readonly #database: Database;
  #gates: { name: string; reached: () => void; opened: Promise<void> }[] = [];
  /** Names of the statements that reached the database, in order. */
  readonly statements: string[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stops the next statement of this name until the gate is opened. */
  holdUp(name: string): Gate {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    this.#gates.push({ name, reached: reached.resolve, opened: opened.promise });
    return { reached: reached.promise, open: opened.resolve };
  }

  async #pass(name: string): Promise<void> {
    this.statements.push(name);
    const gate = this.#gates.find((one) => one.name === name);
    if (gate === undefined) return;
    this.#gates = this.#gates.filter((one) => one !== gate);
    gate.reached();
    await gate.opened;
  }

  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return this.#database.query<Row>(statement, values);
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#database.transaction((transaction) => {
      let waiting = 0;
      return work({
        isTransaction: true,
        // A commit must not overtake a statement that waits at a gate.
        pipelineCommit: () => {
          if (waiting === 0) transaction.pipelineCommit();
        },
        query: async <Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
          // A statement that is not stopped keeps its place in the pipeline.
          if (this.#gates.every(({ name }) => name !== statement.name)) {
            this.statements.push(statement.name);
            return transaction.query<Row>(statement, values);
          }
          waiting += 1;
          await this.#pass(statement.name);
          waiting -= 1;
          return transaction.query<Row>(statement, values);
        },
      });
    });
  }

  runAsLeader: Database['runAsLeader'] = (role, signal, work) => this.#database.runAsLeader(role, signal, work);
  runAsLeaders: Database['runAsLeaders'] = (roles, signal, work) => this.#database.runAsLeaders(roles, signal, work);
  close = (): Promise<void> => this.#database.close();
}

/** Makes a kind query the database, so that it is never speculative. */
const asking = { load: async () => null };
const pay = { ...freePay, ...asking };
const broken = { ...freeBroken, ...asking };

describe('a batch that waits for the lock while the previous one is written', () => {
  let test: TestDatabase;
  let held: Held;
  let ledger: Ledger;
  let killer: pg.Client;
  let customer = 100n;

  beforeAll(async () => {
    test = await openTestDatabase({ anyPurpose: true });
    held = new Held(test.database);
    ledger = openLedger({ eligibility: null, database: held, clock: systemClock, bus: new Bus() }).api;
    killer = new pg.Client(test.owner);
    await killer.connect();
  });
  afterAll(async () => {
    expect(await findViolations(test.checker)).toEqual([]);
    await killer.end();
    await test.close();
  });

  const fresh = async (units: bigint): Promise<bigint> => {
    customer += 1n;
    await ledger.post(giveKind, { from: customer, units }, newIntent());
    return customer;
  };
  const available = async (owner: bigint): Promise<bigint | undefined> =>
    (await ledger.balances(owner)).find(({ account }) => account.name === 'spot')?.available;
  const payMany = (from: bigint, count: number) =>
    Array.from({ length: count }, () => ledger.post(pay, { from, units: 1n }, newIntent()));

  /** The second batch, a full one, requests the lock while the first is held up. */
  const inARow = async <Answer>(first: () => Promise<Answer>[], second: () => Promise<Answer>[]) => {
    const gate = held.holdUp('ledger.post');
    const earlier = first();
    await gate.reached;
    held.statements.length = 0;
    const later = second();
    await expect.poll(() => held.statements.includes('ledger.lock_head')).toBe(true);
    return { gate, answers: [...earlier, ...later] };
  };

  it('is decided on the balances that the previous batch left', async () => {
    const owner = await fresh(500n);
    const { gate, answers } = await inARow(
      () => payMany(owner, FIRST),
      () => payMany(owner, FULL),
    );
    gate.open();
    const outcomes = await Promise.all(answers);
    expect(outcomes.slice(0, FIRST).every(({ ok }) => ok)).toBe(true);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(500);
    expect(await available(owner)).toBe(0n);
  });

  it('succeeds when the previous batch fails', async () => {
    const owner = await fresh(3_000n);
    let fault: Promise<unknown> = Promise.resolve();
    const { gate, answers } = await inARow(
      () => {
        fault = ledger.post(broken, null, newIntent()).catch((error: Error) => error.message);
        return payMany(owner, FIRST);
      },
      () => payMany(owner, FULL),
    );
    gate.open();
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
    expect(await fault).toBe('division by zero');
    expect(await available(owner)).toBe(3_000n - BigInt(FIRST + FULL));
  });

  it('sees transfers that another process posted in between', async () => {
    const owner = await fresh(500n);
    const database = openDatabase(test.app, { connections: 2 });
    const foreign = openLedger({ eligibility: null, database, clock: systemClock, bus: new Bus() }).api;
    const gate = held.holdUp('ledger.post');
    const first = payMany(owner, FIRST);
    await gate.reached;
    // The other process waits for the lock before our second batch. PostgreSQL guarantees no order of waiters, but the
    // other process almost always comes first. In either order, neither spends the other's money.
    const theirs = foreign.post(pay, { from: owner, units: 7n }, newIntent());
    await expect
      .poll(
        async () =>
          (
            await killer.query(
              "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
    held.statements.length = 0;
    const second = payMany(owner, FULL);
    await expect.poll(() => held.statements.includes('ledger.lock_head')).toBe(true);
    gate.open();
    const spentByThem = (await theirs).ok ? 7 : 0;
    const outcomes = await Promise.all([...first, ...second]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(500 - spentByThem);
    expect(await available(owner)).toBe(0n);
    await database.close();
  });

  it('recognises the intents of the previous batch', async () => {
    const owner = await fresh(10_000n);
    const same = Array.from({ length: FIRST }, newIntent);
    const paySame = () => same.map((one) => ledger.post(pay, { from: owner, units: 1n }, one));
    const { gate, answers } = await inARow(paySame, () => [...paySame(), ...payMany(owner, FULL)]);
    gate.open();
    const outcomes = await Promise.all(answers);
    expect(outcomes.slice(FIRST, 2 * FIRST)).toEqual(outcomes.slice(0, FIRST));
    expect(await available(owner)).toBe(10_000n - BigInt(FIRST + FULL));
  });

  it('moves nothing twice when connections die while it waits', async () => {
    const owner = await fresh(10_000n);
    const { gate, answers } = await inARow(
      () => payMany(owner, FIRST),
      () => payMany(owner, FULL),
    );
    await endRoleSessions(killer, 'sathorn_app');
    gate.open();
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
    expect(await available(owner)).toBe(10_000n - BigInt(FIRST + FULL));
  });

  it('moves nothing twice when the connection of the previous batch dies at its commit', async () => {
    const owner = await fresh(100_000n);
    // The commit is held up in the database by a deferred trigger, and the backend is killed there.
    await killer.query(`
      CREATE FUNCTION public.wait_at_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON ledger.journal DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION public.wait_at_commit()`);
    await killer.query('SELECT pg_advisory_lock(4711)');
    const first = payMany(owner, FIRST);
    const atCommit = async () =>
      (
        await killer.query(
          "SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database() AND query = 'COMMIT'",
        )
      ).rows;
    await expect.poll(atCommit).toHaveLength(1);
    const answers = [...first, ...payMany(owner, FULL)];
    await expect
      .poll(
        async () =>
          (
            await killer.query(
              "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%lock_head%'",
            )
          ).rowCount,
      )
      .toBe(1);
    const [{ pid }] = await atCommit();
    await killer.query('SELECT pg_terminate_backend($1)', [pid]);
    await killer.query('SELECT pg_advisory_unlock(4711)');
    const outcomes = await Promise.all(answers);
    await killer.query('DROP TRIGGER wait_at_commit ON ledger.journal');
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(await available(owner)).toBe(100_000n - BigInt(FIRST + FULL));
  });
});
