import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fundDemoHandler } from '../demo/demo/index.ts';
import { openContracts } from '../exchange/contracts/index.ts';
import { optionCalls } from '../exchange/options/index.ts';
import { type OptionsTest, openOptionsTest } from '../exchange/options/testing.ts';
import { openLedger } from '../ledger/index.ts';
import { openLocalCommands } from '../platform/bus/index.ts';
import { openTestEdge } from '../platform/edge/testing.ts';

type Form = Readonly<Record<string, string>>;

const DAY_MS = 86_400_000;
const AGAIN = 40;
const PRICE = 64_000_000_000n;

let test: OptionsTest;

/** Opens the server with empty memory, as after a restart. `token-1` is a session of customer 1. */
/** Nothing waits here for a tick. */
const NO_TICKS = { lastTick: () => null, firstTickAfter: async () => null, ticksBetween: async () => [] };

async function openProgram() {
  const { clock, bus, market } = test;
  const { database } = test.test;
  const ledger = openLedger({ eligibility: null, database, clock, bus }).api;
  const { api: contracts, handlers } = openContracts({
    database,
    ledger,
    clock,
    bus,
    commands: openLocalCommands(),
    market: { environment: 'sim', isStale: market.isStale, lastPrice: () => null, ...NO_TICKS },
    orderKey: createSecretKey(Buffer.alloc(32)),
    levelOf: () => 0,
    isTurnedByHand: true,
    onFault: (error) => test.faults.push(error),
  });
  const ending = new AbortController();
  const running = contracts.run(ending.signal);
  const edge = await openTestEdge({
    handlers: [...optionCalls(await test.open({ ledger })), ...handlers, fundDemoHandler(ledger)],
    clock,
    elapsedMs: () => clock.ms,
    limits: { requestsPerAddress: 1e9, requestsPerSession: 1e9, moneyCallsPerCustomer: 1e9 },
  });
  return {
    async ask(path: string, fields: Form, key: string) {
      const headers = { token: 'token-1', 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': key };
      const body = new URLSearchParams(fields).toString();
      const base = path.startsWith('/demo') ? path : `/api${path}`;
      for (;;) {
        const { status, body: answer } = await edge.ask('POST', base, { headers, body });
        // Waits until the matcher has its leases.
        if (status === 503) continue;
        return answer;
      }
    },
    async close() {
      ending.abort();
      await running;
      await edge.close();
    },
  };
}

/** Publishes ticks of the last seconds, so that options can be sold. */
async function wait(ms: number): Promise<void> {
  const until = test.clock.ms + ms;
  await test.publish('BTC', until, (at) => (at > until - 5_000 ? PRICE : null));
}

beforeAll(async () => {
  test = await openOptionsTest();
  await wait(5_000);
});
afterAll(async () => {
  expect(test.faults).toEqual([]);
  expect(await test.violations()).toEqual([]);
  await test.close();
});

it('A5 a captured request that is sent again, a day or a month later, gets its first answer and moves nothing', async () => {
  let program = await openProgram();
  const key = (name: string) => `captured-${name}`;
  const gift = await program.ask('/demo/fund', { asset: 'USDT', amount: '1000' }, key('fund'));
  expect(gift.data.available).toBe('1000.000000');
  const limit = { code: 'BTC', side: 'buy', type: 'limit', price: '60000.00', quantity: '0.001' };
  const resting = await program.ask('/coin/trans/add', limit, key('resting'));
  /** Per call: the path, the form, and another form for the same key, or null if the call has no fields to change. */
  const captured: [string, string, Form, Form | null][] = [
    ['fund', '/demo/fund', { asset: 'USDT', amount: '1000' }, { amount: '2' }],
    ['option', '/coin/order/add', { code: 'BTC', direction: 'up', quantity: '10', duration: '30' }, { quantity: '2' }],
    ['resting', '/coin/trans/add', limit, { quantity: '2' }],
    ['revoke', '/coin/trans/close', { id: String(resting.data.id) }, { id: 'BTC-77' }],
    ['revokeAll', '/coin/trans/closeAll', { code: 'BTC' }, null],
  ];
  const first = new Map<string, unknown>();
  for (const [name, path, fields] of captured) {
    const answer = await program.ask(path, fields, key(name));
    expect(answer.ret, name).toBe(1);
    first.set(name, answer);
  }
  expect(first.get('fund')).toEqual(gift);
  expect(first.get('resting')).toEqual(resting);
  // Places a new order, so that a repeated revocation would have something to revoke.
  await program.ask('/coin/trans/add', limit, key('another'));

  for (const days of [1, 30]) {
    await wait(days * DAY_MS);
    await (await test.open()).settleDue();
    // Makes the request equally old in the database.
    await test.asOwner(
      `ALTER TABLE ledger.journal DISABLE TRIGGER append_only; UPDATE ledger.journal SET at = at - interval '${days} days'; ALTER TABLE ledger.journal ENABLE TRIGGER append_only`,
    );
    const before = await test.ledger.balances(1n);
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await program.close();
        program = await openProgram();
      }
      for (const [name, path, fields, other] of captured) {
        const again = await Promise.all(Array.from({ length: AGAIN }, () => program.ask(path, fields, key(name))));
        for (const answer of again) expect(answer, `${name} after ${days} days`).toEqual(first.get(name));
        if (other === null) continue;
        const changed = await program.ask(path, { ...fields, ...other }, key(name));
        expect(changed.data.code, name).toBe('idempotency_key_reused');
      }
    }
    expect(await test.ledger.balances(1n)).toEqual(before);
  }
  await program.close();
});
