import { randomUUID } from 'node:crypto';
import { COIN_CODES, formatMoney, lotUnits, money, type Price, parsePrice } from '@sathorn/money';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CommandBus, openBus } from '../../platform/bus/index.ts';
import { type NatsServer, startNatsServer } from '../../platform/bus/testing.ts';
import { BookLeaseLostError } from './contract-store.ts';
import {
  type ContractsTest,
  openContractsTest,
  type RunningContracts,
  readStoredBookHash,
} from './testing-contracts.ts';

const at = (text: string): Price => parsePrice(text) as Price;

describe.each(['local', 'nats'] as const)('contracts over a %s bus', (transport) => {
  let nats: NatsServer | undefined;
  let bringCommands: (() => Promise<CommandBus>) | undefined;
  /** Opens the module with empty memory, as after a restart, on the transport under test. */
  /** Customers who were frozen after they had placed orders. */
  const barred = new Set<bigint>();
  const open = async () =>
    room.open({
      frozenTraders: async () => [...barred],
      ...(bringCommands && { commands: await bringCommands() }),
    });
  let room: ContractsTest;
  let contracts: RunningContracts;
  let nobody = 100n;
  /** Two customers with money whom no other test uses. */
  let [anan, mali] = [0n, 0n];

  beforeAll(async () => {
    room = await openContractsTest();
    if (transport === 'nats') {
      nats = await startNatsServer();
      const { url } = nats;
      bringCommands = async () =>
        (await openBus({ natsUrl: url, onFault: (error) => room.faults.push(error) })).commands;
    }
    contracts = await open();
  });
  afterAll(async () => {
    expect(room.faults).toEqual([]);
    await room.close();
    await nats?.close();
  });
  beforeEach(async () => {
    nobody += 2n;
    [anan, mali] = [nobody, nobody + 1n];
    room.index.set('BTC', at('60000'));
    for (const customer of [anan, mali]) {
      await room.fund(customer, 'USDT', '100000');
      await room.fund(customer, 'BTC', '10');
    }
    return async () => {
      for (const customer of [anan, mali])
        for (const { id } of await contracts.open(customer)) await contracts.revoke(customer, id, intent());
      expect(await room.violations()).toEqual([]);
      expect(contracts.book('BTC')).toBeDefined();
    };
  });

  const intent = () => ({ id: randomUUID(), digest: randomUUID() });

  describe('an order on the book', () => {
    it('holds what it may cost, stays open, and releases all of it when it is revoked', async () => {
      const placed = await contracts.order(anan, {
        side: 'buy',
        type: 'limit',
        price: '59000.01',
        quantity: '0.00003',
      });
      expect(placed).toMatchObject({
        ok: true,
        effect: {
          status: 'open',
          price: '59000.01',
          quantity: '0.00003000',
          dealt_price: null,
          held: '1.770001',
          held_asset: 'USDT',
          tif: 'GTC',
          fee_asset: 'BTC',
          reason: null,
        },
      });
      expect(await room.funds(anan, 'USDT')).toBe('99998229999+1770001');
      if (!placed.ok) throw new Error();
      const revoked = await contracts.revoke(anan, placed.effect.id, intent());
      expect(revoked).toMatchObject({ ok: true, effect: { status: 'cancelled', reason: 'revoked', held: '0.000000' } });
      expect(await room.funds(anan, 'USDT')).toBe('100000000000+0');
      expect(await contracts.revoke(anan, placed.effect.id, intent())).toMatchObject({
        ok: false,
        refusal: 'order_ended',
      });
    });

    it('trades at the resting price, which is better for the taker, with fees on the received asset', async () => {
      room.levels.set(mali, 2);
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.5' });
      const bought = await contracts.order(mali, { side: 'buy', type: 'limit', price: '61000', quantity: '0.8' });
      room.levels.clear();
      expect(bought).toMatchObject({
        ok: true,
        effect: {
          status: 'partial',
          dealt_quantity: '0.50000000',
          dealt_amount: '30000.000000',
          dealt_price: '60000.00',
          // 12 bps of half a coin.
          fee: '0.00060000',
          taker_fee_rate: '0.0012',
          held: '18300.000000',
        },
      });
      expect(await room.funds(mali, 'USDT')).toBe('51700000000+18300000000');
      expect(await room.funds(mali, 'BTC')).toBe('1049940000+0');
      // 10 bps of 30,000.
      expect(await room.funds(anan, 'USDT')).toBe('129970000000+0');
      expect(await room.funds(anan, 'BTC')).toBe('950000000+0');
      if (!bought.ok) throw new Error();
      const read = await contracts.read(mali, bought.effect.id);
      expect(read).toMatchObject({
        ok: true,
        effect: {
          fills: [{ role: 'taker', side: 'buy', price: '60000.00', quantity: '0.50000000', with_house: false }],
        },
      });
      const fills = await contracts.fills(anan, null, null, 10);
      expect(fills.items).toMatchObject([
        { role: 'maker', side: 'sell', amount: '30000.000000', fee: '30.000000', fee_asset: 'USDT' },
      ]);
      const tape = await contracts.tape('BTC', null, 1);
      expect(tape.items).toMatchObject([{ price: '60000.00', quantity: '0.50000000', side: 'buy', house: false }]);
    });

    it('leaves no remainder, however an order is split', async () => {
      // 0.00001 at 60000.01 costs 0.6000001 USDT, which is not a whole number of units.
      await contracts.order(anan, { side: 'buy', type: 'limit', price: '60000.01', quantity: '0.00007' });
      for (let n = 0; n < 3; n += 1)
        await contracts.order(mali, {
          side: 'sell',
          type: 'limit',
          price: '60000.01',
          quantity: '0.00002',
          timeInForce: 'IOC',
        });
      const [open] = await contracts.open(anan);
      expect(open).toMatchObject({ status: 'partial', dealt_quantity: '0.00006000', dealt_amount: '3.600000' });
      await contracts.order(mali, {
        side: 'sell',
        type: 'limit',
        price: '54000',
        quantity: '0.00003',
        timeInForce: 'IOC',
      });
      const filled = await contracts.read(anan, open?.id ?? '');
      expect(filled).toMatchObject({
        ok: true,
        effect: { status: 'filled', held: '0.000000', dealt_amount: '4.200000' },
      });
      expect((await room.funds(anan, 'USDT')).split('+')[1]).toBe('0');
    });

    it('of another customer is answered like one that does not exist', async () => {
      const placed = await contracts.order(anan, { side: 'buy', type: 'limit', price: '50000', quantity: '0.01' });
      if (!placed.ok) throw new Error();
      for (const id of [placed.effect.id, 'BTC-999999', 'XYZ-1', 'BTC-0', '1', `${placed.effect.id}0`]) {
        expect(await contracts.revoke(mali, id, intent())).toMatchObject({ ok: false, refusal: 'order_unknown' });
        expect(await contracts.read(mali, id)).toMatchObject({ ok: false, refusal: 'order_unknown' });
      }
      expect(await contracts.open(anan)).toHaveLength(1);
    });

    it('revokes all orders of a coin at once, oldest first, and nobody else’s; a repeated request gets the first answer', async () => {
      const placed: string[] = [];
      for (const [side, price] of [
        ['buy', '50000'],
        ['sell', '70000'],
        ['buy', '49000'],
      ] as const) {
        const order = await contracts.order(anan, { side, type: 'limit', price, quantity: '0.01' });
        if (order.ok) placed.push(order.effect.id);
      }
      await contracts.order(mali, { side: 'buy', type: 'limit', price: '50000', quantity: '0.01' });
      const asked = intent();
      const answer = { ok: true, effect: { revoked: placed } };
      expect(await contracts.revokeAll(anan, null, asked)).toEqual(answer);
      expect(await contracts.open(anan)).toEqual([]);
      expect(await room.funds(anan, 'USDT')).toBe('100000000000+0');
      expect(await room.funds(anan, 'BTC')).toBe('1000000000+0');
      expect(await contracts.open(mali)).toHaveLength(1);
      expect(await contracts.read(anan, placed[0] ?? '')).toMatchObject({
        effect: { status: 'cancelled', reason: 'revoked', held: '0.000000' },
      });

      await contracts.order(anan, { side: 'buy', type: 'limit', price: '50000', quantity: '0.01' });
      expect(await contracts.revokeAll(anan, null, asked)).toEqual(answer);
      expect(await contracts.open(anan)).toHaveLength(1);
      expect(await contracts.revokeAll(anan, 'ETH', intent())).toEqual({ ok: true, effect: { revoked: [] } });
      expect(await contracts.revokeAll(anan, 'BTC', intent())).toMatchObject({ ok: true });
      expect(await contracts.open(anan)).toEqual([]);
    });

    it('that only gets smaller keeps its place in the queue, and what it no longer needs is free', async () => {
      const first = await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.01' });
      const behind = await contracts.order(mali, { side: 'sell', type: 'limit', price: '60000', quantity: '0.01' });
      if (!first.ok || !behind.ok) throw new Error();
      const { id } = first.effect;
      const asked = intent();
      const amended = await contracts.amend(anan, id, { quantity: '0.004' }, asked);
      expect(amended).toMatchObject({
        ok: true,
        effect: { id, status: 'open', quantity: '0.01000000', cut_quantity: '0.00600000', held: '0.00400000' },
      });
      expect(await room.funds(anan, 'BTC')).toBe('999600000+400000');
      // Another customer's order is as unknown as one that never was.
      for (const stranger of [mali, 999n])
        expect(await contracts.amend(stranger, id, { quantity: '0.003' }, intent())).toMatchObject({
          ok: false,
          refusal: 'order_unknown',
        });
      const taker = nobody + 1_000n;
      await room.fund(taker, 'USDT', '10000');
      await contracts.order(taker, { side: 'buy', type: 'limit', price: '60000', quantity: '0.005' });
      expect(await contracts.read(anan, id)).toMatchObject({
        effect: { status: 'filled', dealt_quantity: '0.00400000', reason: null },
      });
      expect(await contracts.read(mali, behind.effect.id)).toMatchObject({
        effect: { status: 'partial', dealt_quantity: '0.00100000' },
      });
      expect(await contracts.amend(anan, id, { quantity: '0.001' }, intent())).toMatchObject({
        refusal: 'order_ended',
      });
      // The first answer again, in this process and in a restarted one.
      expect(await contracts.amend(anan, id, { quantity: '0.004' }, asked)).toEqual(amended);
      await contracts.stop();
      contracts = await open();
      expect(await contracts.amend(anan, id, { quantity: '0.004' }, asked)).toEqual(amended);
      expect(contracts.stateHash('BTC')).toBe(await readStoredBookHash(room.test, 'BTC'));
    });

    it('with another price goes to the end of that price as a new order, and pays with the old one’s hold', async () => {
      const all = '1.00000';
      const placed = await contracts.order(anan, { side: 'buy', type: 'limit', price: '59000', quantity: all });
      await contracts.order(mali, { side: 'buy', type: 'limit', price: '59500', quantity: '0.01' });
      if (!placed.ok) throw new Error();
      // The customer could not hold both at once.
      const amended = await contracts.amend(anan, placed.effect.id, { price: at('59500') }, intent());
      expect(amended).toMatchObject({
        ok: true,
        effect: { price: '59500.00', quantity: '1.00000000', replaces: placed.effect.id, held: '59500.000000' },
      });
      expect(await room.funds(anan, 'USDT')).toBe('40500000000+59500000000');
      expect(await contracts.read(anan, placed.effect.id)).toMatchObject({
        effect: { status: 'cancelled', reason: 'amended', held: '0.000000' },
      });
      await room.fund(nobody + 2_000n, 'BTC', '1');
      await contracts.order(nobody + 2_000n, { side: 'sell', type: 'limit', price: '59500', quantity: '0.01' });
      expect(amended.ok && (await contracts.read(anan, amended.effect.id))).toMatchObject({
        effect: { status: 'open' },
      });
    });

    it('whose new price is refused rests on as it was', async () => {
      await contracts.order(mali, { side: 'sell', type: 'limit', price: '60000', quantity: '0.1' });
      const placed = await contracts.order(anan, {
        side: 'buy',
        type: 'limit',
        price: '59000',
        quantity: '0.01',
        postOnly: true,
      });
      if (!placed.ok) throw new Error();
      const { id } = placed.effect;
      const hash = contracts.stateHash('BTC');
      for (const [price, refusal] of [
        ['60000', 'post_only_would_cross'],
        ['66000.01', 'beyond_collar'],
        ['59000', 'nothing_changes'],
      ] as const)
        expect(await contracts.amend(anan, id, { price: at(price) }, intent())).toMatchObject({ ok: false, refusal });
      room.frozen.add(anan);
      expect(await contracts.amend(anan, id, { price: at('58000') }, intent())).toMatchObject({
        refusal: 'account_frozen',
      });
      room.frozen.delete(anan);
      expect(contracts.stateHash('BTC')).toBe(hash);
      expect(await contracts.open(anan)).toEqual([placed.effect]);
    });

    it('ends the resting orders of a frozen customer and no others, so that an opposite order finds none', async () => {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.01' });
      await contracts.order(anan, { coin: 'ETH', side: 'buy', type: 'limit', price: '100', quantity: '0.1' });
      const other = await contracts.order(mali, { side: 'buy', type: 'limit', price: '40000', quantity: '0.01' });
      await contracts.revokeOfFrozen();
      expect(await contracts.open(anan)).toHaveLength(2);
      barred.add(anan);
      await contracts.revokeOfFrozen();
      expect(await contracts.open(anan)).toEqual([]);
      expect(await room.funds(anan, 'BTC')).toBe('1000000000+0');
      const taker = await contracts.order(mali, { side: 'buy', type: 'limit', price: '60000', quantity: '0.01' });
      expect(taker).toMatchObject({ ok: true, effect: { dealt_quantity: '0.00000000' } });
      expect(other.ok && (await contracts.read(mali, other.effect.id))).toMatchObject({ effect: { status: 'open' } });
      // Orders that are placed after the freeze has ended stay.
      barred.clear();
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '70000', quantity: '0.01' });
      await contracts.revokeOfFrozen();
      expect(await contracts.open(anan)).toHaveLength(1);
    });

    it.runIf(transport === 'local')('those of all coins are revoked in one batch', async () => {
      for (const coin of ['BTC', 'ETH', 'SOL'] as const)
        await contracts.order(anan, { coin, side: 'buy', type: 'limit', price: '100', quantity: '0.1' });
      let batches = 0;
      const count = (): void => {
        batches += 1;
      };
      room.bus.on('funds', count);
      expect(await contracts.revokeAll(anan, null, intent())).toMatchObject({ ok: true });
      room.bus.off('funds', count);
      expect([batches, await contracts.open(anan)]).toEqual([1, []]);
    });

    it('the first answer is repeated unchanged, whatever happened to the order since', async () => {
      const sale = randomUUID();
      const request = { side: 'sell', type: 'limit', price: '60000', quantity: '0.01' } as const;
      const first = await contracts.order(anan, request, sale);
      if (!first.ok) throw new Error();
      expect(first.effect).toMatchObject({ status: 'open', dealt_quantity: '0.00000000' });
      const [purchase, take] = [
        randomUUID(),
        { side: 'buy', type: 'limit', price: '60000', quantity: '0.004' } as const,
      ];
      const taken = await contracts.order(mali, take, purchase);
      const revoke = intent();
      const revoked = await contracts.revoke(anan, first.effect.id, revoke);
      expect(revoked).toMatchObject({ ok: true, effect: { status: 'cancelled', dealt_quantity: '0.00400000' } });
      // Repeats each request here and in a restarted process; the answers must be the same.
      for (const again of ['here', 'after a restart']) {
        if (again !== 'here') {
          await contracts.stop();
          contracts = await open();
        }
        expect(await contracts.order(anan, request, sale)).toEqual(first);
        expect(await contracts.order(mali, take, purchase)).toEqual(taken);
        expect(await contracts.revoke(anan, first.effect.id, revoke)).toEqual(revoked);
      }
    });

    it('shows its fills, even if the clock was set back before them', async () => {
      const sale = await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.03' });
      const take = { side: 'buy', type: 'limit', price: '60000', quantity: '0.01' } as const;
      for (const backMs of [-1_000, 1_000_000, 1_800_000]) {
        room.clock.ms -= backMs;
        await contracts.order(mali, take);
      }
      room.clock.ms += 2_800_000;
      if (!sale.ok) throw new Error();
      const read = await contracts.read(anan, sale.effect.id);
      expect(read).toMatchObject({ ok: true, effect: { status: 'filled' } });
      if (read.ok) expect(read.effect.fills).toHaveLength(3);
    });

    it('of more coins than can be counted is refused, and other orders are not', async () => {
      for (let n = 0; n < 9; n += 1) await room.fund(anan, 'USDT', '100000');
      const [many, few] = await Promise.all([
        contracts.order(anan, { coin: 'DOGE', side: 'buy', type: 'limit', price: '0.00001', quantity: '92500000000' }),
        contracts.order(mali, { coin: 'DOGE', side: 'buy', type: 'limit', price: '0.00001', quantity: '100000' }),
      ]);
      expect(many).toEqual({
        ok: false,
        refusal: 'above_maximum',
        field: 'quantity',
        params: { max: '900000.000000' },
      });
      expect(few).toMatchObject({ ok: true, effect: { status: 'open' } });
    });

    it('the same intent gets the first answer again, and places no order', async () => {
      const id = randomUUID();
      const request = { side: 'sell', type: 'limit', price: '70000', quantity: '0.01' } as const;
      const answers = await Promise.all(Array.from({ length: 8 }, () => contracts.order(anan, request, id)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await contracts.open(anan)).toHaveLength(1);
      expect(await contracts.order(anan, { ...request, quantity: '0.02' }, id)).toMatchObject({
        ok: false,
        refusal: 'idempotency_key_reused',
      });
    });

    it('its owner’s own resting order is cancelled instead of traded with', async () => {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.1' });
      const bought = await contracts.order(anan, { side: 'buy', type: 'limit', price: '60000', quantity: '0.1' });
      expect(bought).toMatchObject({ ok: true, effect: { status: 'open', dealt_quantity: '0.00000000' } });
      const { items } = await contracts.list(anan, { status: 'history', coin: 'BTC', side: null, page: null });
      expect(items).toMatchObject([{ side: 'sell', status: 'cancelled', reason: 'self_trade' }]);
      expect(await room.funds(anan, 'BTC')).toBe('1000000000+0');
    });
  });

  describe('a market order', () => {
    it('takes what is within the band and cancels the rest', async () => {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.1' });
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '61200', quantity: '0.1' });
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '61200.01', quantity: '0.1' });
      expect(await contracts.order(mali, { side: 'buy', type: 'market', quantity: '0.3' })).toMatchObject({
        ok: true,
        effect: { status: 'cancelled', reason: 'unfilled', dealt_quantity: '0.20000000', price: null, tif: 'IOC' },
      });
      expect(await contracts.order(mali, { side: 'buy', type: 'market', quantity: '0.1' })).toMatchObject({
        ok: false,
        refusal: 'beyond_price_band',
      });
    });

    it('spends an amount down to the last lot, and no more', async () => {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.001' });
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60500', quantity: '1' });
      const bought = await contracts.order(mali, { side: 'buy', type: 'market', amount: '100' });
      // The customer spends 60 on 0.001, and 39.93 of the remaining 40 on 66 lots at 0.605.
      expect(bought).toMatchObject({
        ok: true,
        effect: { status: 'filled', amount: '100.000000', quantity: '0.00166000', dealt_amount: '99.930000' },
      });
      expect(await room.funds(mali, 'USDT')).toBe('99900070000+0');
    });

    it('of an amount above the coins in the band is cancelled for the rest, at the last price', async () => {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.001' });
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '61201', quantity: '1' });
      expect(await contracts.order(mali, { side: 'buy', type: 'market', amount: '100' })).toMatchObject({
        ok: true,
        effect: {
          status: 'cancelled',
          reason: 'unfilled',
          amount: '100.000000',
          quantity: '0.00166000',
          dealt_quantity: '0.00100000',
          dealt_amount: '60.000000',
        },
      });
      expect(await room.funds(mali, 'USDT')).toBe('99940000000+0');
    });

    it('of an amount takes what there is, even if the rest would be too many coins to count', async () => {
      room.index.set('DOGE', parsePrice('0.00001') as Price);
      await room.fund(anan, 'DOGE', '100000');
      for (let n = 0; n < 9; n += 1) await room.fund(mali, 'USDT', '100000');
      const sale = { coin: 'DOGE', side: 'sell', type: 'limit', price: '0.00001', quantity: '100000' } as const;
      expect(await contracts.order(anan, sale)).toMatchObject({ ok: true });
      expect(
        await contracts.order(mali, { coin: 'DOGE', side: 'buy', type: 'market', amount: '950000' }),
      ).toMatchObject({
        ok: true,
        effect: {
          status: 'cancelled',
          reason: 'unfilled',
          dealt_quantity: '100000.00000000',
          dealt_amount: '1.000000',
        },
      });
    });

    it('is refused while the index is stale, but a limit order is not', async () => {
      room.index.delete('BTC');
      expect(await contracts.order(mali, { side: 'buy', type: 'market', quantity: '0.1' })).toMatchObject({
        ok: false,
        refusal: 'index_stale',
      });
      expect(
        await contracts.order(mali, { side: 'buy', type: 'limit', price: '50000', quantity: '0.1' }),
      ).toMatchObject({
        ok: true,
      });
    });

    it('that costs more than its owner has changes nothing', async () => {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '5' });
      expect(await contracts.order(mali, { side: 'buy', type: 'market', quantity: '1.66667' })).toMatchObject({
        ok: false,
        refusal: 'exceeds_balance',
        params: { available: '100000.000000' },
      });
      expect(await contracts.order(mali, { side: 'buy', type: 'market', quantity: '1.66666' })).toMatchObject({
        ok: true,
      });
      expect(await room.funds(mali, 'USDT')).toBe('400000+0');
    });
  });

  describe('the matcher', () => {
    it('of many orders at once keeps all, and a restarted one has the identical book', async () => {
      const customers = [anan, mali];
      const orders = Array.from({ length: 400 }, (_, n) => ({
        customer: customers[n % 2] as bigint,
        request: {
          side: n % 3 === 0 ? ('buy' as const) : ('sell' as const),
          type: 'limit' as const,
          price: `${60_000 + ((n * 37) % 50) - 25}`,
          quantity: `0.000${10 + (n % 40)}`,
        },
      }));
      const answers = await Promise.all(orders.map(({ customer, request }) => contracts.order(customer, request)));
      expect(answers.every(({ ok }) => ok)).toBe(true);
      const hash = await readStoredBookHash(room.test, 'BTC');
      await contracts.stop();
      contracts = await open();
      // The matcher reads the book when it begins to serve; otherwise its first command would find a difference.
      expect(await readStoredBookHash(room.test, 'BTC')).toBe(hash);
      const probe = await contracts.order(anan, { side: 'buy', type: 'limit', price: '40000', quantity: '0.001' });
      expect(probe).toMatchObject({ ok: true });
    });

    it.each(COIN_CODES)('what a small customer buys of %s can be sold, to the last unit', async (coin) => {
      room.index.set(coin, at('1'));
      const maker = mali;
      await room.fund(maker, coin, '5');
      const offer = { coin, type: 'limit', price: '1', quantity: '4' } as const;
      const asked = await contracts.order(maker, { ...offer, side: 'sell' });
      const buyer = nobody + 1_000_000n;
      await room.fund(buyer, 'USDT', '10');
      expect(await contracts.order(buyer, { coin, side: 'buy', type: 'market', amount: '1.87654' })).toMatchObject({
        ok: true,
      });
      if (asked.ok) await contracts.revoke(maker, asked.effect.id, intent());
      await contracts.order(maker, { ...offer, side: 'buy' });
      const [all = ''] = (await room.funds(buyer, coin)).split('+');
      const quantity = formatMoney(money(coin, BigInt(all)));
      expect(BigInt(all) % lotUnits(coin)).not.toBe(0n);

      const short = formatMoney(money(coin, BigInt(all) - 1n));
      const sale = { coin, side: 'sell', type: 'market' } as const;
      expect(await contracts.order(buyer, { ...sale, quantity: short })).toMatchObject({ refusal: 'quantity_off_lot' });
      expect(await contracts.order(buyer, { ...sale, quantity })).toMatchObject({
        effect: { status: 'filled', quantity, dealt_quantity: quantity, reason: null },
      });
      expect(await room.funds(buyer, coin)).toBe('0+0');
      expect(contracts.stateHash(coin)).toBe(await readStoredBookHash(room.test, coin));
      expect(await room.violations()).toEqual([]);
    });

    it('sells less than a lot to the house at the index, even if the book is empty', async () => {
      const owner = nobody + 2_000_000n;
      await room.fund(owner, 'BTC', '0.00000998');
      const sold = await contracts.order(owner, { side: 'sell', type: 'market', quantity: '0.00000998' });
      expect(sold).toMatchObject({ effect: { status: 'filled', dealt_amount: '0.598800', dealt_price: '60000.00' } });
      expect(await room.funds(owner, 'USDT')).toBe('597901+0');
      expect((await contracts.fills(owner, null, null, 5)).items).toMatchObject([{ with_house: true }]);
    });

    it('the database rejects a part of a lot that rests, or that a customer buys', async () => {
      const { database } = room.test;
      for (const coin of COIN_CODES) {
        const order = (quantity: bigint, side: string, customer: number) =>
          database.query({
            name: '',
            text: `INSERT INTO contracts.orders (coin, sequence, customer_id, journal, side, type, time_in_force, post_only, price, quantity, maker_bps,
                     taker_bps, accepted_ms, dealt_quantity, dealt_amount, dealt_value, fee, held, is_live, updated_ms, seal)
                   VALUES ('${coin}', 999999999, ${customer}, gen_random_uuid(), '${side}', 'limit', 'GTC', true, 1000000, ${quantity}, 0, 0, 1, 0, 0, 0, 0, 1, true, 1, gen_random_uuid())`,
          });
        const lot = lotUnits(coin);
        for (const [side, customer] of [
          ['sell', 7],
          ['buy', 7],
          ['buy', 0],
        ] as const)
          await expect(order(lot + 1n, side, customer)).rejects.toThrow('whole_lots');
        const trade = (quantity: bigint, side: string, maker: number) =>
          database.query({
            name: '',
            text: `INSERT INTO contracts.trade VALUES ('${coin}', 999999999, 1000000, ${quantity}, 0, '${side}', 1, 2, ${maker}, 8, 0, 0, 1)`,
          });
        await expect(trade(lot - 1n, 'sell', 7)).rejects.toThrow('whole_lots');
        await expect(trade(lot - 1n, 'buy', 0)).rejects.toThrow('whole_lots');
        await expect(trade(lot + 1n, 'sell', 0)).rejects.toThrow('whole_lots');
      }
    });

    it('a rolled back batch leaves the book unchanged', async () => {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.1' });
      const before = await readStoredBookHash(room.test, 'BTC');
      // The database rejects the trade of this batch.
      const client = new pg.Client(room.test.owner);
      await client.connect();
      await client.query(
        `CREATE FUNCTION contracts.break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken for a test'; END $$`,
      );
      await client.query(
        'CREATE TRIGGER broken BEFORE INSERT ON contracts.trade FOR EACH ROW EXECUTE FUNCTION contracts.break()',
      );
      const buy = { side: 'buy', type: 'limit', price: '60000', quantity: '0.1' } as const;
      await expect(contracts.order(mali, buy)).rejects.toThrow('failed');
      expect(room.faults.splice(0).map(String)).toEqual([expect.stringContaining('broken for a test')]);
      await client.query('DROP TRIGGER broken ON contracts.trade; DROP FUNCTION contracts.break()');
      await client.end();
      expect(await readStoredBookHash(room.test, 'BTC')).toBe(before);
      expect(await contracts.order(mali, buy)).toMatchObject({ ok: true, effect: { status: 'filled' } });
    });

    it('writes nothing under an old lease', async () => {
      const client = new pg.Client(room.test.owner);
      await client.connect();
      await client.query(`UPDATE contracts.book SET lease = lease + 1 WHERE coin = 'BTC'`);
      await client.end();
      const order = { side: 'buy', type: 'limit', price: '40000', quantity: '0.001' } as const;
      // The process steps down. Because no other process takes the role, it leads again under a new lease. In between
      // no process serves.
      const id = randomUUID();
      const placed = await vi.waitFor(() => contracts.order(anan, order, id), 120_000);
      expect(placed).toMatchObject({ ok: true });
      expect(await contracts.open(anan)).toHaveLength(1);
      for (const fault of room.faults.splice(0)) expect(fault).toBeInstanceOf(BookLeaseLostError);
    });

    it('notifies owners, the trade list and the book', async () => {
      const heard: [string, unknown][] = [];
      const own = (event: unknown): void => void heard.push(['contract', event]);
      const tape = (event: unknown): void => void heard.push(['trades', event]);
      room.bus.on('contracts', own);
      room.bus.on('trades', tape);
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '60000', quantity: '0.1' });
      await contracts.order(mali, { side: 'buy', type: 'market', quantity: '0.1' });
      room.bus.off('contracts', own);
      room.bus.off('trades', tape);
      expect(heard).toMatchObject([
        ['contract', { owner: anan, data: [{ status: 'open' }] }],
        ['contract', { owner: mali, data: [{ status: 'filled' }] }],
        ['contract', { owner: anan, data: [{ status: 'filled' }] }],
        ['trades', { code: 'BTC', data: [{ price: '60000.00', side: 'buy' }] }],
      ]);
      await new Promise((resolve) => room.bus.once('book', resolve));
    });
  });
});
