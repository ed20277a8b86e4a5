import { randomUUID } from 'node:crypto';
import { listAccountRecords, readUser } from '@sathorn/api';
import { parsePrice } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customerAccount, houseAccount, type JournalKind } from '../../ledger/index.ts';
import { ALLOW_ANY_PURPOSE_SQL } from '../../platform/database/testing.ts';
import { keyedHashOf } from './keyed-hash.ts';
import { openOpaqueIds } from './opaque-ids.ts';
import { giveMoney, openTestCustomers, type SignedUpCustomer, type TestCustomers } from './testing-customers.ts';

const fee: JournalKind<{ from: bigint; units: bigint }, null, never> = {
  name: 'test.fee',
  customer: () => null,
  accounts: ({ from }) => [customerAccount(from, 'USDT'), houseAccount('fee_income', 'USDT')],
  decide: ({ from, units }) =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: customerAccount(from, 'USDT'),
          credit: houseAccount('fee_income', 'USDT'),
          units,
          code: 'option_fee',
        },
      ],
      answer: null,
    }),
};

/** A hundred small credits, like winnings. */
const hundred: JournalKind<bigint, null, never> = {
  name: 'test.hundred',
  customer: () => null,
  accounts: (to) => [customerAccount(to, 'USDT'), houseAccount('equity', 'USDT')],
  decide: (to) =>
    accept({
      transfers: Array.from({ length: 100 }, () => ({
        kind: 'single',
        debit: houseAccount('equity', 'USDT'),
        credit: customerAccount(to, 'USDT'),
        units: 1n,
        code: 'option_payout',
      })),
      answer: null,
    }),
};

/** The transfers of a limit buy: hold the cost at the limit, pay less, and release the rest. */
const orderSteps: JournalKind<
  { of: bigint; code: 'contract_hold' | 'contract_release' | 'contract_trade'; units: bigint },
  null,
  never
> = {
  name: 'test.order',
  customer: () => null,
  accounts: ({ of }) => [
    customerAccount(of, 'USDT'),
    customerAccount(of, 'USDT', 'in_orders'),
    houseAccount('maker', 'USDT'),
  ],
  decide: ({ of, code, units }) => {
    const [free, kept] = [customerAccount(of, 'USDT'), customerAccount(of, 'USDT', 'in_orders')];
    const [debit, credit] =
      code === 'contract_hold'
        ? [free, kept]
        : code === 'contract_release'
          ? [kept, free]
          : [kept, houseAccount('maker', 'USDT')];
    return accept({ transfers: [{ kind: 'single', debit, credit, units, code }], answer: null });
  },
};

/** This test has no price of ETH. */
const prices = new Map([['BTC', parsePrice('60000.01')]]);
let room: TestCustomers;
let mali: SignedUpCustomer;
beforeAll(async () => {
  room = await openTestCustomers({ priceOf: (coin) => prices.get(coin) ?? null });
  await room.sql(ALLOW_ANY_PURPOSE_SQL);
  mali = await room.signUp();
  await giveMoney(room, mali.token, 'USDT', '1000');
  await giveMoney(room, mali.token, 'BTC', '0.5');
  for (let n = 1; n <= 45; n += 1) {
    const id = randomUUID();
    await room.ledger.post(fee, { from: mali.id, units: BigInt(n) }, { id, digest: id });
  }
  await giveMoney(room, mali.token, 'POINTS', '30');
});
afterAll(() => room.close());
const list = (fields: Record<string, string>, token = mali.token) => room.call(listAccountRecords, fields, { token });

it('shows what came in and went out of all spot accounts, newest first, page by page', async () => {
  const seen: string[] = [];
  const amounts: string[] = [];
  let page: string | undefined;
  for (let n = 0; n < 10; n += 1) {
    const { data } = await list({ setup: 'all', ...(page === undefined ? {} : { page }) });
    seen.push(...data.items.map(({ id }) => id));
    amounts.push(...data.items.map(({ asset, amount }) => `${amount} ${asset}`));
    if (data.next === null) break;
    page = data.next;
  }
  expect(new Set(seen).size).toBe(48);
  expect(amounts.slice(0, 2)).toEqual(['30 POINTS', '-0.000045 USDT']);
  expect(amounts.slice(-3)).toEqual(['-0.000001 USDT', '0.50000000 BTC', '1000.000000 USDT']);
});

it('takes page numbers, too', async () => {
  const first = await list({ setup: 'all' });
  const [one, two, four] = await Promise.all(['1', '2', '4'].map((page) => list({ setup: 'all', page })));
  expect(one?.data).toEqual(first.data);
  expect(two?.data).toEqual((await list({ setup: 'all', page: first.data.next ?? '' })).data);
  expect(four?.data).toEqual({ items: [], next: null });
});

it('shows the balance after each line', async () => {
  const { data } = await list({ setup: 'expenditure' });
  expect(data.items[0]).toMatchObject({
    kind: 'option_fee',
    asset: 'USDT',
    amount: '-0.000045',
    balance_after: '999.998965',
  });
});

it.each([
  ['income', ['POINTS', 'BTC', 'USDT']],
  ['recharge', ['POINTS', 'BTC', 'USDT']],
  ['withdraw', []],
])('%s', async (setup, assets) => {
  const { data } = await list({ setup });
  expect(data.items.map(({ asset }) => asset)).toEqual(assets);
  expect(data.next).toBeNull();
});

it('neither lists a hold of an order as an expenditure nor its release as an income', async () => {
  const { id: of, token } = await room.signUp();
  await giveMoney(room, token, 'USDT', '100');
  const steps = [
    ['contract_hold', 40_000_000n],
    ['contract_trade', 25_000_000n],
    ['contract_release', 15_000_000n],
    ['contract_hold', 60_000_000n],
    ['contract_release', 60_000_000n],
  ] as const;
  for (const [code, units] of steps) {
    const id = randomUUID();
    await room.ledger.post(orderSteps, { of, code, units }, { id, digest: id });
  }
  const shown = async (setup: string) =>
    (await list({ setup }, token)).data.items.map((record) => [record.kind, record.amount, record.balance_after]);
  expect(await shown('income')).toEqual([['demo_money', '100.000000', '100.000000']]);
  // The balance includes the amount that is still held for the order.
  expect(await shown('expenditure')).toEqual([['contract_trade', '-25.000000', '75.000000']]);
  expect(await shown('all')).toEqual([
    ['contract_trade', '-25.000000', '75.000000'],
    ['demo_money', '100.000000', '100.000000'],
  ]);
});

it('finds a rare line behind thousands of others', async () => {
  const { id: to, token } = await room.signUp();
  await giveMoney(room, token, 'USDT', '7');
  for (let n = 0; n < 45; n += 1) await room.ledger.post(hundred, to, { id: randomUUID(), digest: 'hundred' });
  await giveMoney(room, token, 'USDT', '8');
  const first = await list({ setup: 'recharge' }, token);
  expect(first.data.items.map(({ amount }) => amount)).toEqual(['8.000000']);
  const second = await list({ setup: 'recharge', page: first.data.next ?? '' }, token);
  expect(second.data.items.map(({ amount }) => amount)).toEqual(['7.000000']);
  expect(second.data.next).toBeNull();
});

it('lists only outgoing amounts as expenditure', async () => {
  const { data } = await list({ setup: 'expenditure' });
  expect(data.items).toHaveLength(20);
  expect(data.items.every(({ amount }) => amount.startsWith('-'))).toBe(true);
});

it('returns one record by its id, to its owner only', async () => {
  const [, record] = (await list({ setup: 'all' })).data.items;
  const one = { setup: 'all', id: record?.id ?? '' };
  expect((await list(one)).data).toEqual({ items: [record], next: null });
  expect((await list({ ...one, setup: 'income' })).data.items).toEqual(record?.kind === 'demo_money' ? [record] : []);
  expect((await list({ ...one, id: 'A'.repeat(22) })).data).toEqual({ items: [], next: null });
  const other = await room.signUp();
  await giveMoney(room, other.token, 'USDT', '1');
  expect((await list(one, other.token)).data).toEqual({ items: [], next: null });
  expect((await list({ ...one, id: '%%' })).refusal).toBe('malformed_request');
});

it('is empty for a new customer, and refuses malformed requests', async () => {
  const other = await room.signUp();
  expect((await list({ setup: 'all' }, other.token)).data).toEqual({ items: [], next: null });
  expect((await list({ setup: 'everything' })).refusal).toBe('malformed_request');
  for (const page of ['%%%', 'zzz', 'A'.repeat(22)])
    expect((await list({ setup: 'all', page })).refusal).toBe('malformed_request');
  expect((await list({ setup: 'all', page: '51' })).data).toEqual({ items: [], next: null });
});

it('the customer’s own page shows the balances, and coins at the newest index', async () => {
  const { data } = await room.call(readUser, {}, { token: mali.token });
  expect(data).toMatchObject({
    balance: '999.998965',
    // Half a coin at 60,000.01 each, and the rest in USDT.
    total: '31000.003965',
    held: '0.000000',
    score: '30',
    lockup: '0.000000',
    liquidity: '0.000000',
    coins: [{ code: 'BTC', amount: '0.50000000', held: '0.00000000', value: '30000.005000' }],
  });
  await giveMoney(room, mali.token, 'ETH', '2');
  const { data: later } = await room.call(readUser, {}, { token: mali.token });
  expect(later.total).toBe('31000.003965');
  expect(later.coins).toHaveLength(2);
  expect(later.coins[1]).toEqual({ code: 'ETH', amount: '2.00000000', held: '0.00000000', value: null });
});

it('ids reveal no sequence, and none can be forged', () => {
  const ids = openOpaqueIds(keyedHashOf(Buffer.alloc(32, 1)));
  for (const sequence of [1n, 2n, 2n ** 63n]) expect(ids.open(ids.seal(sequence))).toBe(sequence);
  expect(ids.seal(1n)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  for (const text of [
    '',
    'x',
    'A'.repeat(22),
    ids.seal(1n).slice(1),
    openOpaqueIds(keyedHashOf(Buffer.alloc(32, 2))).seal(1n),
  ])
    expect(ids.open(text)).toBeNull();
});
