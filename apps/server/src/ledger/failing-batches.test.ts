import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import {
  type Database,
  openDatabase,
  type Statement,
  statement,
  type Transaction,
} from '../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { customerAccount, houseAccount, type JournalKind, type Ledger, openLedger } from './index.ts';

const EQUITY = houseAccount('equity', 'USDT');
interface Gift {
  readonly to: bigint;
}
type GiftKind = JournalKind<Gift, null, never>;

const gift: GiftKind = {
  name: 'test.gift',
  customer: () => null,
  accounts: ({ to }) => [EQUITY, customerAccount(to, 'USDT')],
  decide: ({ to }) =>
    accept({
      transfers: [
        { kind: 'single', debit: EQUITY, credit: customerAccount(to, 'USDT'), units: 5n, code: 'capital_paid_in' },
      ],
      answer: null,
    }),
};
/** This kind does not declare its payee, like an order that does not know its counterparty. */
const undeclared: GiftKind = { ...gift, accounts: () => [EQUITY] };
const asking: JournalKind<Gift, { has: string }, never> = {
  name: 'test.asking',
  customer: () => null,
  accounts: ({ to }) => [customerAccount(to, 'USDT')],
  decide: ({ to }, funds) =>
    accept({ transfers: [], answer: { has: String(funds.available(customerAccount(to, 'USDT'))) } }),
};
const intent = () => ({ id: randomUUID(), digest: 'd' });
const NOTE = statement('test.note', 'INSERT INTO public.note VALUES ($1)');

/** Makes one transaction fail at a statement, once. */
class FailingDatabase implements Database {
  readonly #database: Database;
  #at: { readonly name: string; readonly error: Error } | null = null;
  constructor(database: Database) {
    this.#database = database;
  }
  failAt(name: string, error: Error): void {
    this.#at = { name, error };
  }
  query: Database['query'] = (statement, values) => this.#database.query(statement, values);
  runAsLeader: Database['runAsLeader'] = (...said) => this.#database.runAsLeader(...said);
  runAsLeaders: Database['runAsLeaders'] = (...said) => this.#database.runAsLeaders(...said);
  close = () => this.#database.close();
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#database.transaction((transaction) =>
      work({
        isTransaction: true,
        pipelineCommit: () => transaction.pipelineCommit(),
        query: async <Row extends object>(said: Statement, values?: readonly unknown[]): Promise<Row[]> => {
          if (this.#at?.name === said.name) {
            const { error } = this.#at;
            this.#at = null;
            throw error;
          }
          return transaction.query<Row>(said, values);
        },
      }),
    );
  }
}
const cut = (): Error => new Error('Connection terminated unexpectedly');

describe('a batch that fails', () => {
  let test: TestDatabase;
  let failing: FailingDatabase;
  let ledger: Ledger;
  let owner: pg.Client;
  let to = 100n;

  beforeAll(async () => {
    test = await openTestDatabase({ anyPurpose: true });
    failing = new FailingDatabase(test.database);
    ledger = openLedger({ eligibility: null, database: failing, clock: systemClock, bus: new Bus() }).api;
    owner = new pg.Client(test.owner);
    await owner.connect();
    await owner.query(
      'CREATE TABLE public.note (said text); GRANT ALL ON public.note TO sathorn_app; GRANT USAGE ON SCHEMA public TO sathorn_app',
    );
    await ledger.post(gift, { to: 1n }, intent());
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });
  beforeEach(() => {
    to += 1n;
  });
  const has = async (): Promise<bigint> =>
    (await ledger.balances(to)).reduce((units, { available }) => units + available, 0n);
  const notes = async (): Promise<string[]> =>
    (await owner.query<{ said: string }>('SELECT said FROM public.note')).rows.map(({ said }) => said);

  it('does not keep an account that it opened', async () => {
    failing.failAt('ledger.post', cut());
    expect(await ledger.post(undeclared, { to }, intent())).toMatchObject({ ok: true });
    expect(await has()).toBe(5n);

    // Below, RESTART WITH simulates a crash that loses the counter of ids: another account then gets this account's id.
    to += 1n;
    const { rows } = await owner.query<{ max: string }>('SELECT max(id) FROM ledger.account');
    failing.failAt('ledger.post', new Error('a bug'));
    await expect(ledger.post(undeclared, { to }, intent())).rejects.toThrow('a bug');
    await owner.query(`ALTER TABLE ledger.account ALTER COLUMN id RESTART WITH ${BigInt(rows[0]?.max ?? 0) + 1n}`);
    const other = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
    const stranger = to + 1_000n;
    await other.post(asking, { to: stranger }, intent());
    expect(await ledger.post(undeclared, { to }, intent())).toMatchObject({ ok: true });
    expect(await has()).toBe(5n);
    expect(await ledger.post(asking, { to: stranger }, intent())).toMatchObject({ effect: { has: '0' } });
  });

  it('leaves its account readable', async () => {
    const other = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
    await ledger.post(undeclared, { to }, intent());
    await other.post(gift, { to: 1n }, intent());
    await ledger.post(undeclared, { to: 1n }, intent());
    failing.failAt('ledger.read_accounts', new Error('a bug'));
    await expect(ledger.post(undeclared, { to }, intent())).rejects.toThrow('a bug');
    expect(await ledger.post(asking, { to }, intent())).toMatchObject({ effect: { has: '5' } });
  });

  it.each<[string, NonNullable<GiftKind['write']>, string | RegExp]>([
    ['before its first statement', () => [Promise.reject(new Error('a bug in the columns'))], 'a bug in the columns'],
    [
      'a few turns later, without a statement',
      () => [Promise.resolve().then(() => Promise.reject(new Error('a later bug')))],
      'a later bug',
    ],
    [
      'in the driver',
      (transaction) => [
        transaction.query(NOTE, [
          {
            toPostgres() {
              throw new Error('no value for a column');
            },
          },
        ]),
      ],
      'no value for a column',
    ],
    [
      'in the database, while another write still sends statements',
      (transaction) => [
        transaction.query(NOTE, ['first']).then(() => transaction.query(NOTE, ['second'])),
        transaction.query(statement('test.broken_write', 'SELECT 1 / 0')),
      ],
      // Either of the two errors may arrive first.
      /division by zero|was sent after the commit/,
    ],
  ])('commits nothing when a write fails %s', async (_, write, said) => {
    const failed = ledger.post({ ...gift, name: 'test.failing', write }, { to }, intent());
    await expect(failed).rejects.toThrow(said);
    expect(await has()).toBe(0n);
    expect(await notes()).toEqual([]);
    expect(await ledger.post(gift, { to }, intent())).toMatchObject({ ok: true });
  });

  it('at the lock is retried, with the statements that were sent after the request for the lock', async () => {
    const impatient = openDatabase({ ...test.app, options: '-c lock_timeout=200' }, { connections: 4 });
    const waiting = openLedger({ eligibility: null, database: impatient, clock: systemClock, bus: new Bus() }).api;
    for (let round = 0; round < 5; round += 1) {
      await owner.query('BEGIN; SELECT FROM ledger.head FOR UPDATE');
      const answer = waiting.post(gift, { to }, intent());
      await pause(300);
      await owner.query('ROLLBACK');
      expect(await answer).toMatchObject({ ok: true });
    }
    await impatient.close();
  });

  it('is decided one by one where the database rejects one entry for good', async () => {
    const unfit: GiftKind = {
      ...gift,
      name: 'test.unfit',
      write: (transaction, { accepted }) =>
        accepted.map(() =>
          transaction.query({ name: '', text: `DO $$ BEGIN RAISE 'older terms' USING ERRCODE = 'EA009'; END $$` }),
        ),
    };
    // The first begins a batch of its own, and the others wait together.
    const posted = [gift, gift, unfit, gift].map((kind) => ledger.post(kind, { to }, intent()));
    const outcomes = await Promise.allSettled(posted);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await has()).toBe(15n);
  });

  it('answers every caller when the database stays unavailable', async () => {
    const away = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    const database = { ...test.database, query: away, transaction: away };
    const unheard = openLedger({ eligibility: null, database, clock: systemClock, bus: new Bus() }).api;
    const answers = [];
    for (let n = 0; n < 40; n += 1) {
      answers.push(unheard.post(gift, { to }, intent()));
      await pause(10);
    }
    for (const outcome of await Promise.allSettled(answers)) expect(outcome.status).toBe('rejected');
  });

  it('does not fail when a listener throws: the error is reported, and the money has moved', async () => {
    const faults: unknown[] = [];
    const bus = new Bus((error) => faults.push(error));
    bus.on('funds', () => {
      throw new Error('a bug of who listens');
    });
    const told = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus }).api;
    expect(await told.post(gift, { to }, intent())).toMatchObject({ ok: true });
    expect(faults).toEqual([new Error('a bug of who listens')]);
    expect(await has()).toBe(5n);
  });
});
