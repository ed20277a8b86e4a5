import { randomUUID } from 'node:crypto';
import { type Price, parsePrice } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Queries } from '../database/index.ts';
import { openLedger } from '../ledger/index.ts';
import { type ContractsTest, openContractsTest, type RunningContracts, storedHash } from './testing-contracts.ts';

const [ANAN, MALI] = [1n, 2n];

/** As `pg` says it when the server has gone away. */
const cut = (): Error => new Error('Connection terminated unexpectedly');

/**
 * A database whose connection is lost once, at the n-th thing that a batch says, or after its commit before the news of
 * it came.
 */
class FragileDatabase implements Database {
  readonly #database: Database;
  readonly asSingle: Database['asSingle'];
  readonly asSingles: Database['asSingles'];
  #left = 0;
  #phase: Phase = 'before';
  said: string[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.asSingle = (...of) => database.asSingle(...of);
    this.asSingles = (...of) => database.asSingles(...of);
  }

  cutAt(nth: number, phase: Phase): void {
    this.#left = nth;
    this.#phase = phase;
    this.said = [];
  }

  get wasCut(): boolean {
    return this.#left <= 0;
  }

  query: Database['query'] = (statement, values) => this.#database.query(statement, values);
  close = (): Promise<void> => this.#database.close();

  async transaction<Result>(work: Parameters<Database['transaction']>[0]): Promise<Result> {
    const result = await this.#database.transaction((transaction) =>
      work({
        isTransaction: true,
        query: this.#fragile(transaction),
        commitBehind: () => {
          if (!this.wasCut) transaction.commitBehind();
        },
      }),
    );
    if (this.#phase === 'committed' && this.#left > 0) {
      this.#left = 0;
      throw cut();
    }
    return result as Result;
  }

  #fragile(queries: Queries): Queries['query'] {
    return async (statement, values) => {
      this.said.push(statement.name);
      if (this.#phase !== 'committed') this.#left -= 1;
      const isHere = this.#phase !== 'committed' && this.#left === 0;
      if (isHere && this.#phase === 'before') throw cut();
      const rows = await queries.query(statement, values);
      if (isHere) throw cut();
      return rows as never;
    };
  }
}
type Phase = 'before' | 'after' | 'committed';

describe('B1 a matcher whose connection is cut at any step of a batch', () => {
  let room: ContractsTest;
  let contracts: RunningContracts;
  let fragile: FragileDatabase;

  beforeAll(async () => {
    room = await openContractsTest();
    room.index.set('BTC', parsePrice('60000') as Price);
    fragile = new FragileDatabase(room.test.database);
    contracts = await room.open({
      ledger: openLedger({ eligibility: room.eligibility, database: fragile, clock: room.clock, bus: room.bus }).api,
    });
    for (const customer of [ANAN, MALI]) {
      await room.fund(customer, 'USDT', '100000');
      await room.fund(customer, 'BTC', '10');
    }
  });
  afterAll(() => room.close());

  /** One batch: a trade with a rest, a revoke, an order that rests, one that is refused. */
  const trade = async (nth: number, phase: Phase): Promise<void> => {
    const resting = await contracts.order(ANAN, { side: 'sell', type: 'limit', price: '60000', quantity: '0.01' });
    const other = await contracts.order(ANAN, { side: 'buy', type: 'limit', price: '59000', quantity: '0.01' });
    if (!resting.ok || !other.ok) throw new Error('an order before the cut was refused');
    fragile.cutAt(nth, phase);
    const answers = await Promise.all([
      contracts.order(MALI, { side: 'buy', type: 'limit', price: '60000', quantity: '0.004' }),
      contracts.revoke(ANAN, other.effect.id, { id: randomUUID(), digest: 'd' }),
      contracts.order(MALI, { side: 'sell', type: 'limit', price: '61000', quantity: '0.01' }),
      contracts.order(MALI, { side: 'sell', type: 'limit', price: '61000', quantity: '16' }),
    ]);
    expect(answers).toMatchObject([
      { ok: true, effect: { status: 'filled', dealt_quantity: '0.00400000' } },
      { ok: true, effect: { status: 'cancelled', reason: 'revoked' } },
      { ok: true, effect: { status: 'open' } },
      { ok: false, refusal: 'exceeds_balance' },
    ]);
    const left = await contracts.read(ANAN, resting.effect.id);
    expect(left).toMatchObject({ ok: true, effect: { status: 'partial', fills: [{ quantity: '0.00400000' }] } });
    // The next command finds whatever the batch left.
    for (const { id } of [...(await contracts.open(ANAN)), ...(await contracts.open(MALI))]) {
      const owner = id === (answers[2] as { effect: { id: string } }).effect.id ? MALI : ANAN;
      expect(await contracts.revoke(owner, id, { id: randomUUID(), digest: 'd' })).toMatchObject({ ok: true });
      expect(contracts.stateHash('BTC')).toBe(await storedHash(room.test, 'BTC'));
    }
  };

  it.each(['before', 'after'] as const)(
    '%s it speaks: everything once, the book as the database has it',
    async (phase) => {
      let nth = 1;
      for (; ; nth += 1) {
        await trade(nth, phase);
        if (!fragile.wasCut) break;
      }
      expect(nth).toBeGreaterThan(8);
      expect(fragile.said).toContain('contracts.insert_trades');
      expect(await room.violations()).toEqual([]);
    },
    120_000,
  );

  it('after the commit, before the news of it: the batch is not carried out again, and who was to hear of it reads it anew', async () => {
    fragile.cutAt(0, 'before');
    const heard: string[] = [];
    for (const name of ['contracts', 'gap'] as const) room.bus.on(name, () => heard.push(name));
    await trade(1, 'committed');
    expect(fragile.wasCut).toBe(true);
    // The two orders before the cut, nothing of the batch; the revokes afterwards.
    expect(heard.slice(0, 4)).toEqual(['contracts', 'contracts', 'gap', 'contracts']);
    expect(await room.violations()).toEqual([]);
  });
});
