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

describe('a session', () => {
  it('is given up by the server too, half a minute after the machine behind it is gone', async () => {
    const test = await testDatabase({ connections: 1 });
    // As it would hold for a connection through the network; on a socket the settings themselves say 0.
    const text = `SELECT name, reset_val FROM pg_settings WHERE name ~ '^tcp_' ORDER BY name`;
    const kept = await test.database.query<{ name: string; reset_val: string }>(statement('test.alive', text));
    await test.close();
    expect(kept.map(({ reset_val }) => reset_val)).toEqual(['3', '10', '5', '25000']);
  });
});
