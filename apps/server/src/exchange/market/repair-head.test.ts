import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../platform/database/testing.ts';
import { openTestIndex, openVirtualClockDatabase, ScriptedSource } from './testing.ts';

const START = Date.parse('2026-12-01T03:00:00Z');

describe('a head that stopped while ticks were published', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  let index: Awaited<ReturnType<typeof openTestIndex>>;
  const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
  let at = START;
  const publish = async (): Promise<number> => {
    at += 1_000;
    for (const source of sources) source.report('BTC', at - 300, 64_000_000_000n);
    return index.publisher.publish(at);
  };
  const heads = async () =>
    (await owner.query('SELECT sequence::int, (SELECT max(sequence)::int FROM market.tick) AS newest FROM market.head'))
      .rows[0];
  beforeEach(async () => {
    at = START;
    test = await openVirtualClockDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
    index = await openTestIndex(test, sources, ['BTC'], new Date(at));
    for (let n = 0; n < 3; n++) await publish();
    await owner.query('ALTER TABLE market.tick DISABLE TRIGGER link_tick');
    for (let n = 0; n < 5; n++) await publish();
    await owner.query('ALTER TABLE market.tick ENABLE TRIGGER link_tick');
    expect(await heads()).toEqual({ sequence: 3, newest: 8 });
  });
  afterEach(async () => {
    await owner.end();
    await test.close();
  });

  it('is repaired automatically, and the index publishes again after one second', async () => {
    await expect(publish()).rejects.toThrow('does not follow');
    expect(await heads()).toEqual({ sequence: 8, newest: 8 });
    // The second that was refused is published late.
    expect(await publish()).toBe(2);
    expect(await heads()).toEqual({ sequence: 10, newest: 10 });
  });

  it.each([
    [
      'whose signature is another’s',
      `UPDATE market.tick SET signature = decode(repeat('00', 64), 'hex') WHERE sequence = 6`,
    ],
    ['that was changed', `UPDATE market.tick SET price = price + 10000 WHERE sequence = 6`],
    ['that is gone', 'DELETE FROM market.tick WHERE sequence = 6'],
    ['that names another one before', `UPDATE market.tick SET hash = sha256('x') WHERE sequence = 6`],
  ])('stays as it is if there is %s', async (_what, statement) => {
    await owner.query('ALTER TABLE market.tick DROP CONSTRAINT hash_of_body');
    await owner.query(`SET session_replication_role = replica; ${statement}`);
    await expect(publish()).rejects.toThrow(/the head stays/);
    expect((await heads()).sequence).toBe(3);
  });
});
