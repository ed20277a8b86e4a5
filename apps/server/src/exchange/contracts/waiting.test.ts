import { randomUUID } from 'node:crypto';
import { type Price, parsePrice } from '@sathorn/money';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notifyTriggered } from './notify-triggered.ts';
import { type ContractsTest, openContractsTest, type RunningContracts } from './testing-contracts.ts';
import { readWaitingOrders } from './waiting-store.ts';

const at = (text: string): Price => parsePrice(text) as Price;
const intent = () => ({ id: randomUUID(), digest: randomUUID() });

describe('orders that wait', () => {
  let room: ContractsTest;
  let contracts: RunningContracts;
  let nobody = 100n;
  let [anan, mali] = [0n, 0n];
  const stopSale = { side: 'sell', type: 'market', trigger: 'stop', triggerPrice: '59000', quantity: '0.01' } as const;

  beforeAll(async () => {
    room = await openContractsTest();
    contracts = await room.open();
  });
  afterAll(async () => {
    expect(room.faults).toEqual([]);
    await room.close();
  });
  beforeEach(async () => {
    nobody += 2n;
    [anan, mali] = [nobody, nobody + 1n];
    await room.tick('BTC', '60000');
    await contracts.triggerByHand('BTC');
    for (const customer of [anan, mali]) {
      await room.fund(customer, 'USDT', '100000');
      await room.fund(customer, 'BTC', '10');
    }
    return async () => {
      for (const customer of [anan, mali]) await contracts.revokeAll(customer, null, intent());
      for (const customer of [anan, mali]) {
        expect(await room.funds(customer, 'USDT')).toMatch(/\+0$/);
        expect(await room.funds(customer, 'BTC')).toMatch(/\+0$/);
      }
      expect(await room.violations()).toEqual([]);
    };
  });
  const move = async (...prices: string[]) => {
    const ticks = [];
    for (const price of prices) ticks.push(await room.tick('BTC', price));
    await contracts.triggerByHand('BTC');
    return ticks;
  };
  const idOf = (answer: Awaited<ReturnType<RunningContracts['wait']>>): string => {
    if (!answer.ok) throw new Error(answer.refusal);
    return answer.effect.id;
  };
  const read = async (customer: bigint, id: string) => {
    const answer = await contracts.readWaiting(customer, id);
    if (!answer.ok) throw new Error(answer.refusal);
    return answer.effect;
  };
  const bid = (price: string, quantity = '1') => contracts.order(mali, { side: 'buy', type: 'limit', price, quantity });

  it('hold their money, are triggered by the first tick that reaches their price, and name it', async () => {
    await bid('58900');
    const placed = await contracts.wait(anan, stopSale);
    expect(placed).toMatchObject({
      ok: true,
      effect: { status: 'waiting', trigger_price: '59000.00', trigger_when: 'below', held: '0.01000000', tick: null },
    });
    const id = idOf(placed);
    expect(await room.funds(anan, 'BTC')).toBe('999000000+1000000');
    expect(await contracts.waiting(anan)).toHaveLength(1);
    const [, , third] = await move('59500', '59000.01', '58999.5', '58000');
    const ended = await read(anan, id);
    expect(ended).toMatchObject({
      status: 'triggered',
      held: '0.00000000',
      tick: { sequence: String(third?.sequence), price: '58999.50', at: third?.at.toISOString() },
    });
    expect(await contracts.read(anan, ended.order ?? '')).toMatchObject({
      effect: { waiting: id, status: 'filled', dealt_price: '58900.00', side: 'sell' },
    });
    expect(await contracts.waiting(anan)).toEqual([]);
    expect(await contracts.listWaiting(anan, { status: 'history', coin: 'BTC', page: null })).toMatchObject({
      items: [{ id, status: 'triggered' }],
      next: null,
    });
    // Nobody else may see it.
    expect(await contracts.readWaiting(mali, id)).toMatchObject({ refusal: 'order_unknown' });
  });

  it('tell their customers once what was triggered or could not be placed, also after a crash', async () => {
    const sent: object[] = [];
    const messages = {
      send: async (customer: bigint, template: string, params: object, _now: Date, id?: string) => {
        sent.push({ customer, template, params, id });
      },
    };
    const notify = () => notifyTriggered({ database: room.test.database, clock: room.clock, messages });
    await notify();
    sent.length = 0;
    await bid('58900', '0.01');
    const [placed, refused] = [idOf(await contracts.wait(anan, stopSale)), idOf(await contracts.wait(anan, stopSale))];
    idOf(await contracts.wait(anan, { ...stopSale, triggerPrice: '50000' }));
    const [tick] = await move('58999');
    const params = { coin: 'BTC', amount: '58999.00 USDT', at: tick?.at.toISOString() };
    const expected = [
      { customer: anan, template: 'order_triggered', params: { ...params, order: placed }, id: `waiting ${placed}` },
      { customer: anan, template: 'order_not_placed', params: { ...params, order: refused }, id: `waiting ${refused}` },
    ];
    // A process that ends here has told one of them, and will tell it again under the same id.
    await expect(
      notifyTriggered({
        database: room.test.database,
        clock: room.clock,
        messages: { send: async () => Promise.reject(new Error('the process ends')) },
      }),
    ).rejects.toThrow('the process ends');
    await notify();
    expect(sent).toHaveLength(2);
    expect(sent).toEqual(expect.arrayContaining(expected));
    await notify();
    expect(sent).toHaveLength(2);
  });

  it('are not triggered by a tick before they were accepted, nor by trades', async () => {
    await move('58000', '60000');
    const id = idOf(await contracts.wait(anan, stopSale));
    await contracts.order(mali, { side: 'sell', type: 'limit', price: '54500', quantity: '0.1' });
    await contracts.order(anan, { side: 'buy', type: 'limit', price: '54500', quantity: '0.1' });
    await contracts.triggerByHand('BTC');
    expect(await read(anan, id)).toMatchObject({ status: 'waiting' });
  });

  it.each([
    ['buy', 'stop', '60000'],
    ['sell', 'stop', '60000.01'],
    ['sell', 'take_profit', '59999.99'],
    ['buy', 'take_profit', '60000'],
  ] as const)(
    'a %s with %s at %s that the index has reached is refused with its field',
    async (side, trigger, price) => {
      expect(await contracts.wait(anan, { ...stopSale, side, trigger, triggerPrice: price })).toMatchObject({
        ok: false,
        refusal: 'stop_would_trigger',
        field: 'trigger_price',
      });
    },
  );

  it('a stop to buy holds its cap, never pays more, and ends if the index jumps beyond it', async () => {
    await contracts.order(mali, { side: 'sell', type: 'limit', price: '61900', quantity: '0.01' });
    const buy = { side: 'buy', type: 'market', trigger: 'stop', triggerPrice: '61000', quantity: '0.01' } as const;
    const [first, second] = [idOf(await contracts.wait(anan, buy)), idOf(await contracts.wait(anan, buy))];
    expect(await read(anan, first)).toMatchObject({ cap: '62220.00', held: '622.200000', held_asset: 'USDT' });
    await contracts.order(mali, { side: 'sell', type: 'limit', price: '62220.01', quantity: '1' });
    await move('64000');
    expect(await read(anan, first)).toMatchObject({ status: 'triggered', tick: { price: '64000.00' } });
    expect(await read(anan, second)).toMatchObject({ status: 'refused', refusal: 'beyond_price_band', order: null });
    expect(await room.funds(anan, 'USDT')).toBe('99381000000+0');
  });

  it('a limit order rests when it is triggered, in the order of acceptance at its price', async () => {
    const take = {
      side: 'sell',
      type: 'limit',
      trigger: 'take_profit',
      triggerPrice: '61000',
      price: '61000',
    } as const;
    const first = idOf(await contracts.wait(anan, { ...take, quantity: '0.01' }));
    const second = idOf(await contracts.wait(mali, { ...take, quantity: '0.01' }));
    await move('61000');
    const [one, other] = [await read(anan, first), await read(mali, second)];
    expect(Number(one.order?.slice(4))).toBeLessThan(Number(other.order?.slice(4)));
    expect(await contracts.read(anan, one.order ?? '')).toMatchObject({
      effect: { status: 'open', held: '0.01000000' },
    });
  });

  it('a buy by amount spends at most its amount', async () => {
    await contracts.order(mali, { side: 'sell', type: 'limit', price: '60500', quantity: '1' });
    const id = idOf(
      await contracts.wait(anan, { side: 'buy', type: 'market', trigger: 'stop', triggerPrice: '60100', amount: '50' }),
    );
    expect(await room.funds(anan, 'USDT')).toBe('99950000000+50000000');
    await move('60100');
    const { order } = await read(anan, id);
    expect(await contracts.read(anan, order ?? '')).toMatchObject({
      effect: { amount: '50.000000', dealt_quantity: '0.00082000', waiting: id },
    });
  });

  it('are revoked one by one, with all of their coin, and by their owner only', async () => {
    const id = idOf(await contracts.wait(anan, stopSale));
    expect(await contracts.revokeWaiting(mali, id, intent())).toMatchObject({ refusal: 'order_unknown' });
    expect(await contracts.revoke(anan, id, intent())).toMatchObject({ refusal: 'order_unknown' });
    const asked = intent();
    const revoked = await contracts.revokeWaiting(anan, id, asked);
    expect(revoked).toMatchObject({ ok: true, effect: { status: 'cancelled', reason: 'revoked', held: '0.00000000' } });
    expect(await contracts.revokeWaiting(anan, id, asked)).toEqual(revoked);
    expect(await contracts.revokeWaiting(anan, id, intent())).toMatchObject({ refusal: 'order_ended' });
    const [one, other] = [idOf(await contracts.wait(anan, stopSale)), idOf(await contracts.wait(anan, stopSale))];
    const resting = await bid('50000');
    expect(await contracts.revokeAll(anan, 'ETH', intent())).toEqual({ ok: true, effect: { revoked: [] } });
    expect(await contracts.revokeAll(anan, 'BTC', intent())).toEqual({ ok: true, effect: { revoked: [one, other] } });
    expect(resting.ok && (await contracts.read(mali, resting.effect.id))).toMatchObject({ effect: { status: 'open' } });
  });

  it('are changed into new ones that only later ticks trigger', async () => {
    const id = idOf(await contracts.wait(anan, stopSale));
    const asked = intent();
    const amended = await contracts.amendWaiting(anan, id, { triggerPrice: at('58000'), quantity: '0.02' }, asked);
    expect(amended).toMatchObject({
      ok: true,
      effect: { replaces: id, trigger_price: '58000.00', quantity: '0.02000000', held: '0.02000000' },
    });
    expect(await contracts.amendWaiting(anan, id, { triggerPrice: at('58000'), quantity: '0.02' }, asked)).toEqual(
      amended,
    );
    expect(await read(anan, id)).toMatchObject({ status: 'cancelled', reason: 'amended' });
    await move('58500');
    expect(await contracts.waiting(anan)).toHaveLength(1);
    const { id: next } = (amended as { effect: { id: string } }).effect;
    for (const [change, refusal] of [
      [{ triggerPrice: at('58600') }, 'stop_would_trigger'],
      [{ quantity: '11' }, 'exceeds_balance'],
      [{ triggerPrice: at('58000') }, 'nothing_changes'],
      [{ triggerPrice: at('58000.001') }, 'price_off_tick'],
    ] as const)
      expect(await contracts.amendWaiting(anan, next, change, intent())).toMatchObject({ refusal });
    expect(await contracts.amendWaiting(mali, next, { quantity: '0.01' }, intent())).toMatchObject({
      refusal: 'order_unknown',
    });
    expect(await room.funds(anan, 'BTC')).toBe('998000000+2000000');
  });

  it('survive a restart, and ticks of the time without a matcher trigger them in order', async () => {
    await bid('58800', '0.01');
    const late = idOf(await contracts.wait(anan, { ...stopSale, triggerPrice: '58500' }));
    const early = idOf(await contracts.wait(anan, stopSale));
    await contracts.stop();
    for (const price of ['59500', '59000', '58400', '61000']) await room.tick('BTC', price);
    contracts = await room.open();
    await contracts.triggerByHand('BTC');
    const [one, other] = [await read(anan, early), await read(anan, late)];
    expect([one.tick?.price, other.tick?.price]).toEqual(['59000.00', '58400.00']);
    expect(await contracts.read(anan, one.order ?? '')).toMatchObject({ effect: { status: 'filled' } });
    expect(other).toMatchObject({ status: 'refused', refusal: 'no_liquidity' });
  });

  it('of a frozen customer end without trading', async () => {
    await contracts.stop();
    const barred: bigint[] = [];
    contracts = await room.open({ frozenTraders: async () => barred });
    const id = idOf(await contracts.wait(anan, stopSale));
    barred.push(anan);
    await contracts.revokeOfFrozen();
    expect(await read(anan, id)).toMatchObject({ status: 'cancelled', reason: 'revoked' });
    await contracts.stop();
    contracts = await room.open();
    room.frozen.add(anan);
    expect(await contracts.wait(anan, stopSale)).toMatchObject({ refusal: 'account_frozen' });
    room.frozen.clear();
  });

  describe('a pair', () => {
    const pairOf = async (triggerPrice = '59000') => {
      const placed = await contracts.pair(anan, { side: 'sell', quantity: '0.01', price: '61000', triggerPrice });
      if (!placed.ok) throw new Error(placed.refusal);
      return placed.effect;
    };

    it('shares one hold, and a fill of the limit order ends the stop in the same transaction', async () => {
      const { waiting, order } = await pairOf();
      expect(waiting).toMatchObject({ status: 'waiting', pair: order.id, held: '0.00000000' });
      expect(await room.funds(anan, 'BTC')).toBe('999000000+1000000');
      await contracts.order(mali, { side: 'buy', type: 'limit', price: '61000', quantity: '0.004' });
      expect(await read(anan, waiting.id)).toMatchObject({ status: 'cancelled', reason: 'paired' });
      expect(await contracts.read(anan, order.id)).toMatchObject({ effect: { status: 'partial', held: '0.00600000' } });
      await move('58000');
      expect(await read(anan, waiting.id)).toMatchObject({ tick: null });
    });

    it('a stop that triggers ends the limit order, whose hold pays for it', async () => {
      const { waiting, order } = await pairOf();
      await bid('58950');
      await move('59000');
      expect(await contracts.read(anan, order.id)).toMatchObject({ effect: { status: 'cancelled', reason: 'paired' } });
      const { order: sold } = await read(anan, waiting.id);
      expect(await contracts.read(anan, sold ?? '')).toMatchObject({ effect: { status: 'filled' } });
    });

    it('of a buy holds what the dearer of both may cost', async () => {
      const placed = await contracts.pair(anan, {
        side: 'buy',
        quantity: '0.01',
        price: '59000',
        triggerPrice: '61000',
        stopPrice: '61500',
      });
      expect(placed).toMatchObject({
        ok: true,
        effect: { order: { held: '590.000000' }, waiting: { held: '25.000000' } },
      });
      expect(await room.funds(anan, 'USDT')).toBe('99385000000+615000000');
      await move('61000');
      expect(await room.funds(anan, 'USDT')).toBe('99385000000+615000000');
      expect(await contracts.open(anan)).toMatchObject([{ price: '61500.00', held: '615.000000' }]);
    });

    it('ends together when one is revoked, and neither can be changed', async () => {
      const { waiting, order } = await pairOf();
      expect(await contracts.amend(anan, order.id, { price: at('62000') }, intent())).toMatchObject({
        refusal: 'order_paired',
      });
      expect(await contracts.amendWaiting(anan, waiting.id, { quantity: '0.005' }, intent())).toMatchObject({
        refusal: 'order_paired',
      });
      await contracts.revoke(anan, order.id, intent());
      expect(await read(anan, waiting.id)).toMatchObject({ status: 'cancelled', reason: 'paired' });
      expect(await room.funds(anan, 'BTC')).toBe('1000000000+0');
    });

    it('is refused whole if either is', async () => {
      await bid('60500', '0.01');
      const sell = { side: 'sell', quantity: '0.01', price: '60400', triggerPrice: '59000' } as const;
      expect(await contracts.pair(anan, sell)).toMatchObject({ refusal: 'post_only_would_cross' });
      expect(await contracts.pair(anan, { ...sell, price: '61000', triggerPrice: '60000' })).toMatchObject({
        refusal: 'stop_would_trigger',
      });
      expect(await contracts.open(anan)).toEqual([]);
      expect(await contracts.waiting(anan)).toEqual([]);
    });
  });

  describe('the database', () => {
    const tamper = async (text: string, role: 'app' | 'owner' = 'app') => {
      const client = new pg.Client(room.test[role]);
      await client.connect();
      try {
        return await client.query(text);
      } finally {
        await client.end();
      }
    };

    it('takes no tick that does not trigger, and no second end', async () => {
      const id = idOf(await contracts.wait(anan, stopSale));
      const [tick] = await move('59001');
      const sequence = Number(id.slice(4));
      const trigger = (
        price: string,
      ) => `UPDATE contracts.waiting SET state = 'triggered', held = 0, order_sequence = 1,
        tick = ${tick?.sequence}, tick_ms = ${tick?.at.getTime()}, tick_price = ${price} WHERE sequence = ${sequence}`;
      // The tick as it is, which does not reach the price; and another price than its own.
      await expect(tamper(trigger('59001000000'))).rejects.toThrow('does not trigger');
      await expect(tamper(trigger('59000000000'))).rejects.toThrow('does not trigger');
      await contracts.revokeWaiting(anan, id, intent());
      await expect(
        tamper(`UPDATE contracts.waiting SET state = 'waiting', held = 1000000 WHERE sequence = ${sequence}`),
      ).rejects.toThrow('ends once');
      for (const text of [
        'DELETE FROM contracts.waiting',
        'TRUNCATE contracts.waiting',
        'UPDATE contracts.waiting SET trigger_price = 1',
        'UPDATE contracts.waiting SET armed_ms = 1',
      ])
        await expect(tamper(text)).rejects.toThrow(/permission denied|kept for ever/);
    });

    it('takes no later tick than the first that reaches the price', async () => {
      const id = idOf(await contracts.wait(anan, stopSale));
      await room.tick('BTC', '58900');
      const second = await room.tick('BTC', '58800');
      await expect(
        tamper(`UPDATE contracts.waiting SET state = 'refused', refusal = 'no_liquidity', held = 0, tick = ${second.sequence},
          tick_ms = ${second.at.getTime()}, tick_price = 58800000000 WHERE sequence = ${id.slice(4)}`),
      ).rejects.toThrow('a tick before');
      await contracts.triggerByHand('BTC');
    });

    it.each([
      ['C1', 'a hold that is too small', `UPDATE contracts.waiting SET held = held - 1 WHERE state = 'waiting'`],
      [
        'C14',
        'another trigger price',
        `UPDATE contracts.waiting SET trigger_price = trigger_price - 10000 WHERE state = 'waiting'`,
      ],
      [
        'C12',
        'a tick of another price',
        `UPDATE contracts.waiting SET tick_price = tick_price - 1 WHERE tick IS NOT NULL`,
      ],
      [
        'C12',
        'a later tick',
        `UPDATE contracts.waiting w SET tick = t.sequence, tick_ms = (extract(epoch FROM t.at) * 1000)::bigint, tick_price = t.price
        FROM market.tick t WHERE w.tick IS NOT NULL AND t.coin = w.coin AND t.sequence = w.tick + 1`,
      ],
      [
        'C13',
        'an order of another',
        `UPDATE contracts.waiting SET order_sequence = order_sequence - 1 WHERE state = 'triggered'`,
      ],
    ])('%s finds %s', async (invariant, _what, text) => {
      await bid('58000');
      idOf(await contracts.wait(anan, stopSale));
      await move('59000', '58000');
      await move('60000');
      idOf(await contracts.wait(anan, stopSale));
      await tamper('CREATE TABLE kept_waiting AS TABLE contracts.waiting', 'owner');
      const { rowCount } = await tamper(`SET session_replication_role = replica; ${text}`, 'owner').then((result) =>
        Array.isArray(result) ? result[1] : result,
      );
      expect(rowCount).toBeGreaterThan(0);
      expect((await room.violations()).map((found) => found.invariant)).toContain(invariant);
      await tamper(
        `SET session_replication_role = replica; DELETE FROM contracts.waiting;
         INSERT INTO contracts.waiting TABLE kept_waiting; DROP TABLE kept_waiting`,
        'owner',
      );
      expect(await room.violations()).toEqual([]);
    });

    it('C11 finds an order that was passed over', async () => {
      const id = idOf(await contracts.wait(anan, stopSale));
      await room.tick('BTC', '58000');
      room.clock.ms += 70_000;
      await room.tick('BTC', '60000');
      expect(await room.violations()).toMatchObject([{ invariant: 'C11', subjects: [id] }]);
      await contracts.triggerByHand('BTC');
      expect(await readWaitingOrders(room.test.database, 'BTC')).toEqual([]);
    });
  });
});
