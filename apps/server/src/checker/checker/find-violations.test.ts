import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fundDemoHouse } from '../../demo/demo/index.ts';
import { openMarket } from '../../exchange/market/index.ts';
import { openLedger } from '../../ledger/index.ts';
import { openBus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { announceTestKey, testSigner } from '../../platform/testing-keys.ts';
import { findViolations } from './find-violations.ts';

const MONEY = 'UPDATE ledger.account SET debits_posted = debits_posted + 1 WHERE code = 210';

/** Manipulations that a superuser could make by hand, bypassing every trigger. */
const TAMPERINGS: readonly [what: string, ids: readonly string[], ...statements: string[]][] = [
  ['money that nobody debited', ['I1', 'I3'], MONEY],
  ['a tick’s price beside its signed text', ['T1'], 'UPDATE market.tick SET price = price + 10000 WHERE sequence = 1'],
  ['a tick’s text', ['T1'], `UPDATE market.tick SET body = replace(body, '"flag":""', '"flag":"jump"')`],
  ['a tick that is gone', ['T1'], 'DELETE FROM market.tick WHERE sequence = 2'],
  ['money, behind a text that no query can read', ['I1', 'I3', 'T1'], `UPDATE market.tick SET body = 'none'`, MONEY],
];

describe('the checker', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  beforeAll(async () => {
    test = await openTestDatabase();
    const { bus } = await openBus({ natsUrl: null, onFault: () => undefined });
    await fundDemoHouse(openLedger({ eligibility: null, database: test.database, clock: systemClock, bus }).api);
    await announceTestKey(test);
    const market = (
      await openMarket({
        database: test.database,
        clock: systemClock,
        bus,
        publishing: { database: test.index, signer: testSigner },
        prices: { kind: 'sim', seed: 'checker' },
        onFault: (error) => {
          throw error;
        },
      })
    ).api;
    const ending = new AbortController();
    bus.on('ticked', () => {
      if ((market.lastTick('BTC')?.sequence ?? 0n) >= 3n) ending.abort();
    });
    await market.lead(ending.signal);
    owner = new pg.Client(test.owner);
    await owner.connect();
    await owner.query('ALTER TABLE market.tick DROP CONSTRAINT hash_of_body');
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });

  it.each(TAMPERINGS)('finds %s', async (_what, ids, ...statements) => {
    expect(await findViolations(test.checker)).toEqual([]);
    await owner.query(`SET session_replication_role = replica;
      CREATE TABLE kept_ticks AS TABLE market.tick; CREATE TABLE kept_accounts AS TABLE ledger.account`);
    for (const statement of statements) expect((await owner.query(statement)).rowCount).toBeGreaterThan(0);
    const found = await findViolations(test.checker);
    await owner.query(`DELETE FROM market.tick; INSERT INTO market.tick TABLE kept_ticks; DROP TABLE kept_ticks;
      DELETE FROM ledger.account; INSERT INTO ledger.account OVERRIDING SYSTEM VALUE TABLE kept_accounts; DROP TABLE kept_accounts;
      SET session_replication_role = DEFAULT`);
    expect(found.map(({ invariant }) => invariant)).toEqual(ids);
  });

  it('reports candles that differ from their ticks, without halting money', async () => {
    const hour = `(SELECT date_trunc('hour', max(at)) - interval '2 hours' FROM market.head)`;
    for (const [interval, column] of [
      ['1h', 'high'],
      ['15m', 'low'],
    ] as const) {
      const change = (by: string) =>
        owner.query(
          `UPDATE market.candle SET ${column} = ${column} ${by} WHERE coin = 'BTC' AND interval = '${interval}' AND at = ${hour}`,
        );
      expect((await change(column === 'high' ? '+ 1000000' : '- 1000000')).rowCount).toBe(1);
      expect(await findViolations(test.checker)).toMatchObject([
        {
          invariant: 'T2',
          isHalting: false,
          subjects: expect.arrayContaining([expect.stringContaining(`BTC ${interval}`)]),
        },
      ]);
      await change(column === 'high' ? '- 1000000' : '+ 1000000');
    }
    expect(await findViolations(test.checker)).toEqual([]);
  });

  it('throws if it may not read a table, and still reports what it found', async () => {
    // The first revoked table is read by queries about the current state, the second by the scan through history.
    await owner.query('REVOKE SELECT ON options.exposure, options.orders FROM sathorn_checker');
    await expect(findViolations(test.checker)).rejects.toThrow(/permission denied/);
    await owner.query(`SET session_replication_role = replica; ${MONEY};
      UPDATE ledger.transfer SET credit_total = credit_total + 1 WHERE sequence = 1`);
    expect((await findViolations(test.checker)).map(({ invariant }) => invariant)).toEqual(['I1', 'I3', 'I4']);
  });
});
