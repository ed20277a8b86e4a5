import { type Money, parseMoney, parsePrice } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { type ContractRequest, readContractTicket } from './contract-ticket.ts';

const usdt = (text: string) => parseMoney('USDT', text) as Money<'USDT'>;
const price = (text: string) => parsePrice(text);
const limit: ContractRequest = { coin: 'BTC', side: 'buy', type: 'limit', price: price('60000'), quantity: '0.01' };
const market: ContractRequest = { coin: 'BTC', side: 'buy', type: 'market', quantity: '0.01' };

describe('readContractTicket', () => {
  it('reads a limit order, GTC unless it says otherwise', () => {
    expect(readContractTicket(limit)).toEqual({
      ok: true,
      effect: {
        coin: 'BTC',
        side: 'buy',
        type: 'limit',
        price: price('60000'),
        quantity: parseMoney('BTC', '0.01'),
        timeInForce: 'GTC',
        postOnly: false,
      },
    });
  });

  it('reads a market order by quantity, and a buy by amount', () => {
    expect(readContractTicket({ ...market, timeInForce: 'FOK' })).toMatchObject({
      effect: { timeInForce: 'FOK', size: parseMoney('BTC', '0.01') },
    });
    expect(readContractTicket({ ...market, quantity: undefined, amount: usdt('25.5') })).toMatchObject({
      effect: { timeInForce: 'IOC', size: usdt('25.5') },
    });
  });

  it('compares values with the price step and the lot, not the digits', () => {
    const doge = { ...limit, coin: 'DOGE', price: price('0.160000'), quantity: '100.0' } as const;
    expect(readContractTicket(doge)).toMatchObject({
      effect: { price: price('0.16'), quantity: parseMoney('DOGE', '100') },
    });
  });

  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const table: [ContractRequest, string, string, Record<string, string>?][] = [
    [{ ...limit, quantity: '17' }, 'above_maximum', 'quantity', { max: '1000000.000000' }],
    [{ ...limit, quantity: '0.00001' }, 'below_minimum', 'quantity', { min: '1.000000' }],
    [{ ...limit, quantity: '0.000001' }, 'quantity_off_lot', 'quantity', { lot: '0.00001' }],
    [{ ...limit, side: 'sell', quantity: '0.000001' }, 'quantity_off_lot', 'quantity', { lot: '0.00001' }],
    [{ ...market, quantity: '0.000001' }, 'quantity_off_lot', 'quantity', { lot: '0.00001' }],
    [{ ...limit, quantity: '1e-2' }, 'quantity_malformed', 'quantity'],
    [{ ...limit, quantity: '0' }, 'quantity_malformed', 'quantity'],
    [{ ...limit, quantity: undefined }, 'quantity_required', 'quantity'],
    [{ ...market, quantity: undefined, amount: usdt('0.999999') }, 'below_minimum', 'amount', { min: '1.000000' }],
    [{ ...market, quantity: undefined, amount: usdt('1000001') }, 'above_maximum', 'amount', { max: '1000000.000000' }],
    [{ ...limit, quantity: undefined, amount: usdt('10') }, 'amount_not_allowed', 'amount'],
    [{ ...market, amount: usdt('10') }, 'amount_not_allowed', 'amount'],
    [{ ...market, side: 'sell', quantity: undefined, amount: usdt('10') }, 'amount_not_allowed', 'amount'],
    [{ ...market, quantity: undefined, amount: usdt('9'), timeInForce: 'FOK' }, 'amount_not_allowed', 'amount'],
    [{ ...market, timeInForce: 'GTC', quantity: 'x' }, 'time_in_force_not_allowed', 'tif'],
    [{ ...market, postOnly: true, quantity: 'x' }, 'time_in_force_not_allowed', 'post_only'],
    [{ ...limit, postOnly: true, timeInForce: 'IOC', quantity: 'x' }, 'time_in_force_not_allowed', 'post_only'],
    [
      { ...limit, price: price('60000.001'), postOnly: true, timeInForce: 'FOK' },
      'price_off_tick',
      'price',
      { tick: '0.01' },
    ],
    [{ ...limit, price: undefined, quantity: 'x' }, 'price_required', 'price'],
    [{ ...limit, price: price('0'), quantity: 'x' }, 'price_required', 'price'],
    [{ ...market, price: price('60000'), timeInForce: 'GTC' }, 'price_not_allowed', 'price'],
  ];
  it.each(table)('%# refuses', (request, refusal, field, params) => {
    const decision = readContractTicket(request);
    expect(decision).toEqual({ ok: false, refusal, field, ...(params && { params }) });
  });

  // Amounts in other assets (threats.md A8). The schema parses the other money fields with their own assets.
  it.each([
    '',
    '-1',
    '-0',
    '+5',
    ' 5 ',
    '5e3',
    'NaN',
    'Infinity',
    '0x10',
    '١٢',
    '５',
    '๕',
    '1,000',
    '.5',
    '5.',
    '01',
    '1\n',
    '0.000000001',
    '9'.repeat(40),
  ])('buys no quantity %j', (quantity) => {
    for (const request of [limit, market])
      expect(readContractTicket({ ...request, quantity })).toMatchObject({ refusal: 'quantity_malformed' });
  });

  it('names the price step and the lot of each coin', () => {
    expect(readContractTicket({ ...limit, coin: 'DOGE', price: price('0.123456'), quantity: '10' })).toMatchObject({
      refusal: 'price_off_tick',
      params: { tick: '0.00001' },
    });
    expect(readContractTicket({ ...limit, coin: 'DOGE', price: price('0.12345'), quantity: '10.5' })).toMatchObject({
      refusal: 'quantity_off_lot',
      params: { lot: '1' },
    });
  });
});
