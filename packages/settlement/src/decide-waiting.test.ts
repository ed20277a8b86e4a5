import { type Money, type Price, parseMoney, parsePrice } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractAmount } from './contract-terms.ts';
import {
  capOf,
  decideWaiting,
  firstTickDue,
  isDue,
  readWaitingTicket,
  type TriggerTick,
  triggeredOrder,
  type WaitingPlacement,
  type WaitingRequest,
  type WaitingTicket,
  waitingHold,
} from './decide-waiting.ts';

const price = (text: string) => parsePrice(text) as Price;
const usdt = (text: string) => parseMoney('USDT', text) as Money<'USDT'>;
const stopSale: WaitingRequest = {
  coin: 'BTC',
  side: 'sell',
  type: 'market',
  trigger: 'stop',
  triggerPrice: price('58000'),
  quantity: '0.01',
};
const ticketOf = (change: Partial<WaitingRequest> = {}): WaitingTicket => {
  const read = readWaitingTicket({ ...stopSale, ...change });
  if (!read.ok) throw new Error(read.refusal);
  return read.effect;
};
const tick = (sequence: number, text: string, atMs = sequence * 1_000): TriggerTick => ({
  sequence: BigInt(sequence),
  atMs,
  price: price(text),
});

describe('a trigger', () => {
  it.each([
    ['sell', 'stop', '58000', true],
    ['sell', 'stop', '58000.01', false],
    ['sell', 'take_profit', '58000', true],
    ['sell', 'take_profit', '57999.99', false],
    ['buy', 'stop', '58000', true],
    ['buy', 'stop', '57999.99', false],
    ['buy', 'take_profit', '58000', true],
    ['buy', 'take_profit', '58000.01', false],
  ] as const)('of a %s with %s at 58000: the index %s triggers: %s', (side, trigger, at, isTriggered) => {
    const order = { side, trigger, triggerPrice: price('58000'), armedMs: 0 };
    expect(isDue(order, tick(1, at))).toBe(isTriggered);
  });

  it('is the first tick that reaches it later than the order was armed, not one of the same moment', () => {
    const order = { ...ticketOf(), armedMs: 2_000 };
    const ticks = [tick(1, '57000'), tick(2, '57000'), tick(3, '58000.01'), tick(4, '58000'), tick(5, '50000')];
    expect(firstTickDue(order, ticks)?.sequence).toBe(4n);
    expect(firstTickDue({ ...order, armedMs: 5_000 }, ticks)).toBeUndefined();
  });
});

describe('readWaitingTicket', () => {
  const table: [Partial<WaitingRequest>, string, string][] = [
    [{ quantity: '0.010001' }, 'quantity_off_lot', 'quantity'],
    [{ quantity: undefined }, 'quantity_required', 'quantity'],
    [{ price: price('58000') }, 'price_not_allowed', 'price'],
    [{ triggerPrice: price('58000.001'), price: price('1') }, 'price_off_tick', 'trigger_price'],
    [{ triggerPrice: 0n as Price, price: price('1') }, 'trigger_price_required', 'trigger_price'],
  ];
  it.each(table)('%o: %s of %s', (change, refusal, field) => {
    expect(readWaitingTicket({ ...stopSale, ...change })).toMatchObject({ ok: false, refusal, field });
  });
});

describe('decideWaiting', () => {
  const good: WaitingPlacement = {
    ticket: ticketOf(),
    index: price('60000'),
    waitingOrders: 0,
    available: 1_000_000n,
  };

  it('holds what the order may cost: the coins, the amount, the limit, or the cap of a market buy', () => {
    expect(decideWaiting(good)).toEqual({ ok: true, effect: parseMoney('BTC', '0.01') });
    const buy = { side: 'buy', triggerPrice: price('62000') } as const;
    const byQuantity = ticketOf(buy);
    expect(capOf(byQuantity)).toBe(price('63240'));
    expect(waitingHold(byQuantity)).toEqual(usdt('632.4'));
    expect(waitingHold(ticketOf({ ...buy, quantity: undefined, amount: usdt('50') }))).toEqual(usdt('50'));
    expect(waitingHold(ticketOf({ ...buy, type: 'limit', price: price('62100') }))).toEqual(usdt('621'));
    expect(decideWaiting({ ...good, ticket: byQuantity, available: usdt('632.4').units }).ok).toBe(true);
  });

  const limit = { type: 'limit', price: price('52199.99') } as const;
  const big = ticketOf({ quantity: '18' });
  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const table: [Partial<WaitingPlacement>, string, string | undefined, Record<string, string>?][] = [
    [{ available: 999_999n }, 'exceeds_balance', 'quantity', { available: '0.00999999' }],
    [{ available: 0n, waitingOrders: 200 }, 'too_many_orders', undefined, { max: '200' }],
    [{ ticket: big, waitingOrders: 200 }, 'above_maximum', 'quantity', { max: '1000000.000000' }],
    [{ ticket: ticketOf({ quantity: '0.00001' }), waitingOrders: 200 }, 'below_minimum', 'quantity'],
    [{ ticket: ticketOf(limit), waitingOrders: 200 }, 'beyond_collar', 'price', { min: '52200.00', max: '87000.00' }],
    [{ ticket: ticketOf(limit), index: price('58000') }, 'stop_would_trigger', 'trigger_price', { index: '58000.00' }],
    [{ ticket: ticketOf(limit), index: null }, 'index_stale', undefined],
  ];
  it.each(table)('%o: %s of %s', (change, refusal, field, params) => {
    expect(decideWaiting({ ...good, ...change })).toMatchObject({
      ok: false,
      refusal,
      ...(field && { field }),
      ...(params && { params }),
    });
  });

  it('names an index that is finer than the book’s price step', () => {
    const ticket = ticketOf({ coin: 'BNB', triggerPrice: price('600'), quantity: '1' });
    expect(decideWaiting({ ...good, ticket, index: price('599.999') })).toMatchObject({
      refusal: 'stop_would_trigger',
      params: { index: '599.999' },
    });
  });

  it.each([
    ['buy', 'stop', '60000'],
    ['buy', 'take_profit', '60000'],
    ['sell', 'stop', '60000'],
    ['sell', 'take_profit', '60000'],
  ] as const)('refuses a %s with %s whose price is already reached', (side, trigger, at) => {
    const ticket = ticketOf({ side, trigger, triggerPrice: price(at) });
    expect(decideWaiting({ ...good, ticket })).toMatchObject({ refusal: 'stop_would_trigger' });
  });
});

describe('triggeredOrder', () => {
  it('trades a market sale within the band around the tick, and a limit order at its limit', () => {
    expect(triggeredOrder(ticketOf(), tick(1, '57000'))).toMatchObject({ limit: price('55860') });
    const ticket = ticketOf({ type: 'limit', price: price('57900') });
    expect(triggeredOrder(ticket, tick(1, '57000'))).toMatchObject({ limit: price('57900') });
  });

  it('never lets a buy cost more than it holds, however far the index jumped', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 9_000_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 0, max: 500 }),
        fc.constantFrom('stop' as const, 'take_profit' as const),
        (steps, lots, jump, trigger) => {
          const triggerPrice = (BigInt(steps) * 10_000n) as Price;
          const quantity = `${Math.floor(lots / 100_000)}.${String(lots % 100_000).padStart(5, '0')}`;
          const limits = { amountMin: usdt('0'), amountMax: usdt('100000000000') };
          const read = readWaitingTicket({ ...stopSale, side: 'buy', trigger, triggerPrice, quantity }, limits);
          if (!read.ok) throw new Error(read.refusal);
          const by = 1_000n + BigInt(trigger === 'stop' ? jump : -jump);
          const at = { ...tick(1, '1'), price: ((triggerPrice * by) / 1_000n) as Price };
          const { limit, size } = triggeredOrder(read.effect, at);
          const cost = contractAmount(limit, size as Money<'BTC'>, 'up').units;
          expect(cost <= waitingHold(read.effect).units).toBe(true);
        },
      ),
    );
  });
});
