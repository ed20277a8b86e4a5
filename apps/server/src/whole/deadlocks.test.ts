import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

const ROUNDS = 12;

let platforms: readonly [TestPlatform, TestPlatform];
let owner: pg.Client;
let token = '';

beforeAll(async () => {
  const first = await openTestPlatform({ SIM_SEED: 'deadlocks', ROLES: 'edge,index,matcher,settler' });
  platforms = [first, await openTestPlatform({ SIM_SEED: 'deadlocks', ROLES: 'edge,index' }, first)];
  owner = new pg.Client(first.test.owner);
  await owner.connect();
  token = await first.signIn(DEMO_CUSTOMER);
});
afterAll(async () => {
  await owner.end();
  await platforms[0].close();
});

it('A15 two processes never deadlock, whatever they post at once', async () => {
  const ids = Array.from({ length: 200 }, () => randomUUID().replaceAll('-', '').slice(0, 16));
  await owner.query(
    `INSERT INTO messages.message (id, owner, template, params, at)
     SELECT id, (SELECT id FROM customers.customer WHERE username = $2), 'welcome', '{}', now() FROM unnest($1::text[]) AS t(id)`,
    [ids, DEMO_CUSTOMER.username],
  );
  const answers: string[] = [];
  const ask = async (n: number, route: string, fields: TestForm = {}): Promise<void> => {
    // Without a bus between the platforms, only the first one's edge reaches the matcher.
    const platform = platforms[route.includes('/trans/') ? 0 : n % 2] as TestPlatform;
    const isSigningUp = route.includes('/sms');
    const headers = { 'idempotency-key': randomUUID(), ...(!isSigningUp && { token }) };
    const { status, answer } = await platform.send(route, fields, headers);
    answers.push(`${status} ${answer.ret === 1 ? 'done' : answer.data.code}`);
  };
  const order = { code: 'BTC', direction: 'up', quantity: '1', duration: '30' };
  const quote = await (platforms[0] as TestPlatform).send('GET /coin/data/rate', { code: 'DOGE' });
  const low = (Number(quote.answer.data.price) * 0.6).toFixed(5);
  const contract = { code: 'DOGE', side: 'buy', type: 'limit', price: low, quantity: '100' };
  for (let round = 0; round < ROUNDS; round += 1) {
    await owner.query('UPDATE messages.message SET read_at = NULL');
    const some = ids.filter((_, n) => (n + round) % 3 > 0);
    await Promise.all(
      [0, 1, 2, 3].flatMap((n) => [
        ask(n, 'POST /users/message/reader', { ids: (n % 2 ? some : [...some].reverse()).join(',') }),
        ask(n, 'POST /users/message/reader', { ids: 'all' }),
        ask(n, 'POST /demo/fund', { asset: n % 2 ? 'BTC' : 'USDT', amount: '1' }),
        ask(n, 'POST /coin/order/add', order),
        ask(n, 'POST /coin/trans/add', contract),
        ask(n, 'POST /coin/trans/closeAll'),
        ask(n, 'POST /users/edit', { nickname: `somebody ${n}` }),
        ask(n, 'GET /users/sms', { userphone: `0812345${String(round * 10 + n).padStart(3, '0')}`, must: 'register' }),
        ask(n, 'GET /users/sessions'),
        ask(n, 'GET /users/info'),
      ]),
    );
  }
  expect(new Set(answers)).toEqual(new Set(['200 done']));
  for (const { faults } of platforms) expect(faults).toEqual([]);
  // PostgreSQL reports a connection's counters when the connection ends.
  await platforms[1].close();
  const { rows } = await owner.query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()');
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
