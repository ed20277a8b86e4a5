import { createSecretKey } from 'node:crypto';
import { type Price, parsePrice } from '@sathorn/money';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractsTest, openContractsTest } from './testing-contracts.ts';

/** Changes that only the tables' owner could make by hand. The checker must detect each. */
const TAMPERINGS: readonly [id: string, what: string, statement: string][] = [
  [
    'C1',
    'money kept for an order that holds less',
    `UPDATE contracts.orders SET held = held - 1 WHERE is_live AND side = 'buy'`,
  ],
  [
    'C2',
    'a bid at the best ask',
    `UPDATE contracts.orders SET price = (SELECT min(price) FROM contracts.orders WHERE is_live AND side = 'sell') WHERE is_live AND side = 'buy'`,
  ],
  [
    'C3',
    'an order that paid less than its fills',
    'UPDATE contracts.orders SET dealt_amount = dealt_amount - 1 WHERE dealt_amount > 0',
  ],
  ['C3', 'a fee that no trade asked', 'UPDATE contracts.orders SET fee = fee + 1 WHERE dealt_amount > 0'],
  ['C4', 'a trade that is gone', 'DELETE FROM contracts.trade WHERE number = 1'],
  ['C4', 'a trade through its limit', 'UPDATE contracts.trade SET price = price / 2 WHERE number = 1'],
  ['C4', 'a purchase that was a sale', `UPDATE contracts.orders SET side = 'sell' WHERE type = 'market'`],
  ['C4', 'a trade below its price', 'UPDATE contracts.trade SET amount = amount - 1 WHERE number = 1'],
  ['C4', 'a fee of another rate', 'UPDATE contracts.trade SET maker_fee = maker_fee + 1 WHERE number = 1'],
  ['C5', 'a trade of more than was moved', 'UPDATE contracts.trade SET quantity = quantity + 1000 WHERE number = 1'],
  ['C5', 'a fee that was not paid', 'UPDATE contracts.trade SET taker_fee = taker_fee - 1 WHERE number = 1'],
  [
    'C8',
    'a resting order at another price',
    `UPDATE contracts.orders SET price = price + 10000 WHERE is_live AND side = 'sell'`,
  ],
  [
    'C10',
    'an order that can trade more than it holds',
    'UPDATE contracts.orders SET quantity = quantity + 1000 WHERE is_live',
  ],
  ['C6', 'an order of the house that takes', 'UPDATE contracts.orders SET customer_id = 0 WHERE dealt_amount > 0'],
  ['C9', 'an order that was taken at another time', 'UPDATE contracts.orders SET accepted_ms = accepted_ms - 1'],
  ['C9', 'a seal that somebody made up', 'UPDATE contracts.orders SET seal = gen_random_uuid()'],
];

describe('the checker', () => {
  let room: ContractsTest;
  let owner: pg.Client;
  beforeAll(async () => {
    room = await openContractsTest();
    room.index.set('BTC', parsePrice('60000') as Price);
    owner = new pg.Client(room.test.owner);
    await owner.connect();
    const contracts = await room.open();
    for (const customer of [1n, 2n]) {
      await room.fund(customer, 'USDT', '10000');
      await room.fund(customer, 'BTC', '1');
    }
    await contracts.order(1n, { side: 'sell', type: 'limit', price: '60000', quantity: '0.1' });
    await contracts.order(2n, { side: 'buy', type: 'market', quantity: '0.04' });
    await contracts.order(2n, { side: 'buy', type: 'limit', price: '59000', quantity: '0.01' });
    await contracts.stop();
    expect(await room.violations()).toEqual([]);
  });
  afterAll(async () => {
    await owner.end();
    await room.close();
  });

  it.each(TAMPERINGS)('%s finds %s', async (id, _what, statement) => {
    await owner.query(
      'CREATE TABLE kept_orders AS TABLE contracts.orders; CREATE TABLE kept_trades AS TABLE contracts.trade',
    );
    await owner.query('SET session_replication_role = replica');
    const { rowCount } = await owner.query(statement);
    expect(rowCount).toBeGreaterThan(0);
    const found = await room.violations();
    expect(found.map(({ invariant }) => invariant)).toContain(id);
    await owner.query(`DELETE FROM contracts.orders; INSERT INTO contracts.orders TABLE kept_orders; DROP TABLE kept_orders;
      DELETE FROM contracts.trade; INSERT INTO contracts.trade TABLE kept_trades; DROP TABLE kept_trades;
      SET session_replication_role = DEFAULT`);
    expect(await room.violations()).toEqual([]);
  });

  it('the app cannot make any of these changes', async () => {
    const app = new pg.Client(room.test.app);
    await app.connect();
    for (const statement of [
      'UPDATE contracts.trade SET quantity = quantity',
      'DELETE FROM contracts.trade',
      'TRUNCATE contracts.trade',
      'UPDATE contracts.orders SET price = price',
      'DELETE FROM contracts.orders',
      'TRUNCATE contracts.orders',
    ])
      await expect(app.query(statement)).rejects.toThrow(/permission denied|kept for ever/);
    await app.end();
  });

  it('knows orders of before there were seals', async () => {
    await owner.query('UPDATE contracts.orders SET seal = NULL');
    expect(await room.violations()).toEqual([]);
  });

  it('L4 finds what the application’s login trades in a customer’s name, with this very program and another key', async () => {
    const [victim, thief] = [3n, 4n];
    await room.fund(victim, 'ETH', '1');
    await room.fund(thief, 'USDT', '100');
    room.index.set('ETH', parsePrice('1') as Price);
    const contracts = await room.open({ orderKey: createSecretKey(Buffer.alloc(32, 'thief')) });
    await contracts.order(victim, { coin: 'ETH', side: 'sell', type: 'limit', price: '1', quantity: '1' });
    const bought = await contracts.order(thief, { coin: 'ETH', side: 'buy', type: 'limit', price: '1', quantity: '1' });
    expect(bought).toMatchObject({ effect: { status: 'filled' } });
    await contracts.stop();
    expect(await room.violations()).toMatchObject([{ invariant: 'C9', subjects: ['ETH-1', 'ETH-2'] }]);
  });

  it('the database takes no order without a seal', async () => {
    const app = new pg.Client(room.test.app);
    await app.connect();
    const names = (await app.query('SELECT * FROM contracts.orders LIMIT 1')).fields.map(({ name }) => name);
    const others = names.map((name) => (name === 'seal' ? 'NULL' : name === 'sequence' ? 'sequence + 1000' : name));
    await expect(
      app.query(`INSERT INTO contracts.orders (${names}) SELECT ${others} FROM contracts.orders`),
    ).rejects.toThrow('an order without a seal');
    await app.end();
  });
});
