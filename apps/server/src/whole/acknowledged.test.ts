import { listEarningOrders, placeContract, readContract, type SignedAcknowledgements } from '@sathorn/api';
import {
  findContradictions,
  type ProofKey,
  type PublishedKey,
  type TreeSignedText,
  trustKeys,
  verifyAcknowledgement,
} from '@sathorn/proof';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

let platform: TestPlatform;
let token = '';
let sql: pg.Client;
let published: PublishedKey[];
let keys: readonly ProofKey[];

beforeAll(async () => {
  platform = await openTestPlatform({
    CHAIN: 'local',
    CHAIN_BLOCK_MS: '100',
    SIM_SEED: 'acknowledged',
    // No checker: it would stop money at what this test rigs.
    ROLES: 'edge,index,matcher,settler',
  });
  token = await platform.signIn(DEMO_CUSTOMER);
  sql = new pg.Client(platform.test.owner);
  await sql.connect();
  // Past every trigger, as a database's owner can.
  await sql.query('SET session_replication_role = replica');
  published = (await platform.send('GET /proof/keys')).answer.data.keys as PublishedKey[];
  ({ trusted: keys } = await trustKeys(published, []));
});
afterAll(async () => {
  await sql?.end();
  await platform?.close();
});

interface Asked {
  readonly data: Record<string, unknown>;
  readonly texts: readonly TreeSignedText[];
  readonly facts: readonly Readonly<Record<string, string | null>>[];
}

/** Asks and verifies all that is signed in the answer, as a device does. */
async function ask(route: string, fields: TestForm): Promise<Asked> {
  const { answer } = await platform.send(route, fields, { token });
  if (answer.ret !== 1) throw new Error(`${route}: ${JSON.stringify(answer)}`);
  const { acknowledged } = answer as unknown as { acknowledged?: SignedAcknowledgements };
  const texts = acknowledged?.texts ?? [];
  const facts = texts.map(async (text) => {
    const verified = await verifyAcknowledgement(text, keys, acknowledged?.account);
    if (!verified.ok) throw new Error(`${route}: ${verified.fault}`);
    return verified.acknowledgement.facts;
  });
  return { data: answer.data, texts, facts: await Promise.all(facts) };
}

const contradictionsOf = (texts: readonly TreeSignedText[]) => findContradictions(texts, { trusted: keys, published });

it('a lock-up whose yield is halved in the database contradicts what its customer was given', async () => {
  const bought = await ask('POST /yuebao/transfer/in', { amount: '1000', type: 'regular', product: '30' });
  expect(bought.facts).toEqual([expect.objectContaining({ amount: '1000.000000', days: '30' })]);
  const id = String(bought.data.id);
  const own = { type: 'regular', id };
  const read = () => ask(`${listEarningOrders.method} ${listEarningOrders.path}`, own);
  // The same body, whoever signs it and whenever.
  expect((await read()).texts.map(({ body }) => body)).toEqual(bought.texts.map(({ body }) => body));

  const rig = (by: string) =>
    sql.query(
      `UPDATE earning.lockup SET daily_rate = daily_rate ${by},
        yield = floor(principal::numeric * (daily_rate ${by}) * days / 100000000) WHERE id = $1`,
      [id],
    );
  await rig('/ 2');
  const rigged = await read();
  await rig('* 2');
  expect(await contradictionsOf([...bought.texts, ...rigged.texts])).toMatchObject([
    { kind: 'ack', about: expect.stringMatching(`^lockup ${id} `), differs: ['daily_rate', 'total_income'] },
  ]);
});

it('liquidity terms that are worsened for the past contradict what was shown before', async () => {
  const read = () => ask('GET /yuebao/balance', {});
  const before = await read();
  const rig = (by: string) =>
    sql.query(
      `UPDATE earning.version SET stage_rates = ARRAY(SELECT r ${by} FROM unnest(stage_rates) r) WHERE product = 1`,
    );
  await rig('/ 5');
  const rigged = await read();
  await rig('* 5');
  expect(await contradictionsOf([...before.texts, ...rigged.texts])).toMatchObject([
    { kind: 'ack', differs: ['stages'] },
  ]);
});

it('an order whose fee rate is doubled contradicts what was accepted', async () => {
  const quote = (await platform.send('GET /coin/data/rate', { code: 'BTC' })).answer.data;
  const { data, texts, facts } = await ask(`${placeContract.method} ${placeContract.path}`, {
    code: 'BTC',
    side: 'buy',
    type: 'limit',
    price: String(Math.floor(Number(quote.price) * 0.9)),
    quantity: '0.01',
  });
  const id = String(data.id);
  expect(facts).toEqual([expect.objectContaining({ code: 'BTC', side: 'buy', taker_fee_rate: data.taker_fee_rate })]);
  const read = () => ask(`${readContract.method} ${readContract.path}`, { id });
  const rig = (by: string) =>
    sql.query(`UPDATE contracts.orders o SET taker_bps = taker_bps ${by} FROM (SELECT coin, sequence FROM contracts.orders
      WHERE customer_id > 0 ORDER BY accepted_ms DESC LIMIT 1) newest WHERE (o.coin, o.sequence) = (newest.coin, newest.sequence)`);
  await rig('* 2');
  const rigged = await read();
  await rig('/ 2');
  expect(await contradictionsOf([...texts, ...rigged.texts])).toMatchObject([
    { kind: 'ack', differs: ['taker_fee_rate'] },
  ]);
});

it.each([
  [
    'a regular purchase whose amount is doubled contradicts what was ordered',
    ['POST /coin/recur/add', { code: 'BTC', amount: '50', every: 'week', day: '1', hour: '21' }],
    'GET /coin/recur/info',
    'UPDATE recurring.instruction SET amount = amount * 2 WHERE id = $1',
    { amount: '50.000000', every: 'week', day: '1', hour: '21', times: null },
    ['amount'],
  ],
  [
    'a standing order for deposits whose bounds are widened contradicts what was ordered',
    ['POST /yuebao/standing/deposits', { type: 'liquidity', amount_min: '50', amount_max: '100' }],
    'GET /yuebao/standing/info',
    'UPDATE standing.instruction SET amount_min = amount_min / 5, amount_max = amount_max * 5 WHERE id = $1',
    { kind: 'deposits', type: 'liquidity', amount_min: '50.000000', amount_max: '100.000000', rate_min: null },
    ['amount_max', 'amount_min'],
  ],
] as const)('%s', async (_title, [route, fields], read, rig, agreed, differs) => {
  const { data, texts, facts } = await ask(route, fields);
  expect(facts).toEqual([expect.objectContaining(agreed)]);
  const id = String(data.id);
  expect((await ask(read, { id })).texts.map(({ body }) => body)).toEqual(texts.map(({ body }) => body));
  await sql.query(rig, [id]);
  const rigged = await ask(read, { id });
  expect(await contradictionsOf([...texts, ...rigged.texts])).toMatchObject([{ kind: 'ack', differs }]);
});

it('a withdrawal whose promised time is moved contradicts what was answered', async () => {
  const { wallets } = (await ask('GET /users/bank', {})).data as { wallets: { id: string; address: string }[] };
  const [wallet] = wallets;
  const { facts, texts, data } = await ask('POST /users/extract', {
    channel: 'testnet',
    target: wallet?.id ?? '',
    amount: '100',
    paypass: DEMO_CUSTOMER.paypass,
  });
  expect(facts).toEqual([
    expect.objectContaining({
      amount: '100.000000',
      fee: data.fee,
      address: wallet?.address,
      promised_at: data.promised_at,
    }),
  ]);
  const move = (by: string) =>
    sql.query(`UPDATE withdrawals.withdrawal SET promised_at = promised_at ${by} interval '20 days' WHERE id = $1`, [
      String(data.id),
    ]);
  await move('+');
  const rigged = await ask('GET /users/account/lists', { setup: 'withdraw', id: String(data.id) });
  await move('-');
  expect(await contradictionsOf([...texts, ...rigged.texts])).toMatchObject([
    { kind: 'ack', differs: ['promised_at'] },
  ]);
});

it('a bank order whose rate is lowered contradicts what was shown', async () => {
  const { data, texts, facts } = await ask('POST /pay/submit', { channel: 'bank', amount: '5000' });
  const { rate, rate_until, reference } = data.fiat as Record<string, string>;
  expect(facts).toEqual([expect.objectContaining({ currency_amount: '5000.00', rate, rate_until, reference })]);
  const id = String(data.id);
  const rig = (by: string) => sql.query(`UPDATE deposits.deposit SET rate = rate ${by} WHERE id = $1`, [id]);
  await rig('* 2');
  const rigged = await ask('GET /users/account/lists', { setup: 'recharge', id });
  await rig('/ 2');
  expect(await contradictionsOf([...texts, ...rigged.texts])).toMatchObject([{ kind: 'ack', differs: ['rate'] }]);
});

it('names the customer’s own deposit address', async () => {
  const { data, facts } = await ask('GET /pay/lists', {});
  const own = (data as unknown as { address: string | null }[]).flatMap(({ address }) => address ?? []);
  expect(facts).toEqual(own.map((address) => ({ address })));
});

it('signs nothing for a visitor, and nothing where an answer says nothing lasting', async () => {
  const { answer } = await platform.send('GET /yuebao/product');
  expect(Object.keys(answer)).toEqual(['ret', 'msg', 'data']);
  expect((await ask('GET /users/info', {})).texts).toEqual([]);
});
