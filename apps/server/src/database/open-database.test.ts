import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isConnectionFault } from './open-database.ts';
import { statement } from './sql.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

const ONE = statement('test.one', 'SELECT 1 AS one');

describe('a pool whose connections are all taken', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase({ connections: 1 });
  });
  afterAll(() => test.close());

  it('says so as a fault of the connection, so that what asked is tried again', async () => {
    const over = Promise.withResolvers<void>();
    const holding = test.database.transaction(async (transaction) => {
      await transaction.query(ONE);
      await over.promise;
    });
    const fault = await test.database.query(ONE).catch((error: unknown) => error);
    over.resolve();
    await holding;
    expect(fault).toBeInstanceOf(Error);
    expect(isConnectionFault(fault)).toBe(true);
    expect(await test.database.query(ONE)).toEqual([{ one: 1 }]);
  }, 20_000);
});
