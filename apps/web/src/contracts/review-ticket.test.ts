import { describe, expect, test } from 'vitest';
import { type ContractTicket, contractRequestOf, NEW_TICKET } from './contract-ticket.ts';
import { reviewTicket, type TicketMarket } from './review-ticket.ts';

const MARKET: TicketMarket = {
  code: 'BTC',
  isOffered: true,
  buyRefusal: null,
  tick: '0.01',
  lot: '0.00001',
  amountMin: '1.000000',
  amountMax: '1000000.000000',
  band: '0.02',
  index: '100.00',
  isStale: false,
  isSilent: false,
  bids: [
    ['99.00', '1.00000000'],
    ['98.50', '2.00000000'],
  ],
  asks: [
    ['101.00', '1.00000000'],
    ['101.50', '2.00000000'],
    ['103.00', '5.00000000'],
  ],
  isWholeBook: true,
  usdtAvailable: '1000.000000',
  coinAvailable: '2.50000000',
  makerRate: '0.001',
  takerRate: '0.0015',
};
const limit = (part: Partial<ContractTicket> = {}): ContractTicket => ({
  ...NEW_TICKET,
  price: '100',
  size: '1',
  ...part,
});
const market = (part: Partial<ContractTicket> = {}): ContractTicket => ({
  ...NEW_TICKET,
  type: 'market',
  sizedBy: 'quantity',
  size: '1',
  ...part,
});
const faultsOf = (ticket: ContractTicket, part: Partial<TicketMarket> = {}) =>
  Object.values(reviewTicket(ticket, { ...MARKET, ...part }).faults).filter((fault) => fault !== null);

describe('the faults of a ticket', () => {
  test.each<[string, ContractTicket, Partial<TicketMarket>, string[]]>([
    ['a limit order that waits', limit(), {}, []],
    ['a coin that is not offered', limit(), { isOffered: false }, ['not_offered']],
    ['a limit order while the index is stale', limit(), { isStale: true }, []],
    ['a purchase of a coin that is not covered', limit(), { buyRefusal: 'coin_not_covered' }, ['coin_not_covered']],
    ['nor at the market', market(), { buyRefusal: 'coin_not_counted' }, ['coin_not_counted']],
    ['a sale of such a coin', limit({ side: 'sell' }), { buyRefusal: 'coin_not_covered' }, []],
    ['a market order while the index is stale', market(), { isStale: true }, ['price_stale']],
    ['a market order while nothing comes', market(), { isSilent: true }, ['stream_silent']],
    ['a market order on an empty side', market(), { asks: [] }, ['no_liquidity']],
    [
      'a market order with the best price out of the band',
      market(),
      { asks: [['102.01', '1']] },
      ['beyond_price_band'],
    ],
    ['a market order with the best price at the end of the band', market(), { asks: [['102.00', '1']] }, []],
    [
      'a sale with the best price out of the band',
      market({ side: 'sell' }),
      { bids: [['97.99', '1']] },
      ['beyond_price_band'],
    ],
    ['no price', limit({ price: '' }), {}, ['price_missing']],
    ['a price of nothing', limit({ price: '0' }), {}, ['price_missing']],
    ['a price between two ticks', limit({ price: '100.001' }), {}, ['price_off_tick']],
    ['zeros after the tick and after the lot', limit({ price: '100.0000', size: '0.1000000' }), {}, []],
    ['no size', limit({ size: '' }), {}, ['size_missing']],
    ['a size of nothing', limit({ size: '0.00' }), {}, ['size_missing']],
    ['a size between two lots', limit({ size: '0.100001' }), {}, ['off_lot']],
    ['a sale at the market of a part of a lot', market({ side: 'sell', size: '0.100001' }), {}, ['off_lot']],
    ['a sale of all that there is', market({ side: 'sell', size: '0.00000998' }), { coinAvailable: '0.00000998' }, []],
    [
      'such a sale at a limit',
      limit({ side: 'sell', price: '101', size: '0.00000998' }),
      { coinAvailable: '0.00000998' },
      ['off_lot'],
    ],
    ['less than the smallest order', limit({ size: '0.00999' }), {}, ['below_minimum']],
    ['the smallest order', limit({ size: '0.01' }), {}, []],
    ['less than the smallest, by the index', market({ size: '0.00999' }), {}, ['below_minimum']],
    ['less than the smallest amount', market({ sizedBy: 'amount', size: '0.999999' }), {}, ['below_minimum']],
    ['more than the largest', limit({ price: '1000000', size: '1.00001' }), {}, ['above_maximum']],
    ['all that there is', limit({ size: '10' }), {}, []],
    ['a lot more than there is', limit({ size: '10.00001' }), {}, ['exceeds_balance']],
    ['a sale of more than there is', limit({ side: 'sell', price: '101', size: '2.50001' }), {}, ['exceeds_balance']],
    ['a market buy of more than it can pay', market({ size: '2' }), { usdtAvailable: '202.49' }, ['exceeds_balance']],
    ['a market buy of what it can just pay', market({ size: '2' }), { usdtAvailable: '202.50' }, []],
    ['a balance that has not come yet', limit({ size: '10.1' }), { usdtAvailable: undefined }, []],
    ['post-only that would take', limit({ price: '101', isPostOnly: true }), {}, ['post_only_would_cross']],
    ['post-only that waits', limit({ price: '100.99', isPostOnly: true }), {}, []],
    [
      'post-only, forgotten beside an order that does not wait',
      limit({ price: '101', isPostOnly: true, timeInForce: 'IOC' }),
      {},
      [],
    ],
    [
      'fill-or-kill of more than there is',
      limit({ price: '101', size: '1.1', timeInForce: 'FOK' }),
      {},
      ['fok_not_fillable'],
    ],
    [
      'fill-or-kill where deeper levels are not known',
      limit({ price: '200', size: '9', timeInForce: 'FOK' }),
      { isWholeBook: false, usdtAvailable: '2000' },
      [],
    ],
    ['fill-or-kill of what is there', limit({ price: '101', timeInForce: 'FOK' }), {}, []],
  ])('%s', (_, ticket, part, faults) => {
    expect(faultsOf(ticket, part)).toEqual(faults);
  });
});

describe('the cost of a ticket', () => {
  test.each<[string, ContractTicket, object]>([
    [
      'a buy that waits pays as maker, in coins',
      limit(),
      {
        quantity: '1.00000000',
        total: '100.000000',
        fee: '0.00100000',
        feeAsset: 'BTC',
        role: 'maker',
        received: '0.99900000',
        has: null,
      },
    ],
    [
      'a sale that waits pays as maker, in USDT',
      limit({ side: 'sell', price: '105' }),
      { total: '105.000000', fee: '0.105000', feeAsset: 'USDT', role: 'maker', received: '104.895000' },
    ],
    [
      'a buy that takes one level and waits for the rest holds all that its limit would take',
      limit({ price: '101', size: '1.5' }),
      {
        quantity: '1.50000000',
        total: '151.500000',
        fee: '0.00200000',
        role: 'both',
        received: '1.49800000',
        has: null,
      },
    ],
    [
      'a market buy goes up to the end of the band',
      market({ size: '4' }),
      { quantity: '3.00000000', total: '304.000000', average: '101.33', fee: '0.00450000', role: 'taker', has: 'some' },
    ],
    [
      'a market buy by amount',
      market({ sizedBy: 'amount', size: '202.5' }),
      { quantity: '2.00000000', total: '202.500000', average: '101.25', has: 'all' },
    ],
    [
      'a market sale',
      market({ side: 'sell', size: '2' }),
      {
        quantity: '2.00000000',
        total: '197.500000',
        average: '98.75',
        fee: '0.296250',
        received: '197.203750',
        has: 'all',
      },
    ],
    [
      'an order that would find nothing',
      limit({ timeInForce: 'IOC' }),
      { quantity: '0.00000000', total: '0.000000', average: null, has: 'none', role: 'taker' },
    ],
  ])('%s', (_, ticket, preview) => {
    expect(reviewTicket(ticket, MARKET).preview).toMatchObject(preview);
  });

  test('is absent above the largest order', () => {
    const vast = limit({ price: '123456789012345.12', size: '123456789012.12345' });
    expect(reviewTicket(vast, MARKET)).toMatchObject({ faults: { size: 'above_maximum' }, preview: null });
  });

  test('without a book, a market order has no estimate and a limit order only its worst case', () => {
    const blind = { ...MARKET, asks: undefined, bids: undefined };
    expect(reviewTicket(market(), blind).preview).toBeNull();
    expect(reviewTicket(limit(), blind).preview).toMatchObject({
      total: '100.000000',
      fee: '0.00150000',
      feeRate: '0.0015',
      received: '0.99850000',
      has: null,
    });
    expect(reviewTicket(limit({ side: 'sell', timeInForce: 'IOC' }), blind).preview).toMatchObject({
      total: '100.000000',
      fee: '0.150000',
      feeAsset: 'USDT',
      received: '99.850000',
    });
  });

  test.each<[string, ContractTicket, string | null]>([
    ['a buy: the taker’s fee', limit(), '0.99850000'],
    ['a buy that would take cheaper orders: its own limit', limit({ price: '102', size: '2' }), '1.99700000'],
    ['a sale: its own limit and the taker’s fee', limit({ side: 'sell', price: '98', size: '1' }), '97.853000'],
    ['fill-or-kill', limit({ price: '101', timeInForce: 'FOK' }), '0.99850000'],
    ['an order that may be filled in part', limit({ price: '101', timeInForce: 'IOC' }), null],
    ['a market order', market(), null],
  ])('what a whole fill brings at least: %s', (_, ticket, least) => {
    expect(reviewTicket(ticket, MARKET).preview?.receivedMin).toBe(least);
  });

  test.each<[string, ContractTicket, string]>([
    ['a buy at a limit', limit({ price: '3' }), '333.33333000'],
    ['a buy without a price', limit({ price: '' }), '0'],
    ['a sale', limit({ side: 'sell' }), '2.50000000'],
    ['a market buy by amount', market({ sizedBy: 'amount' }), '1000.000000'],
    ['a market buy by quantity: what the book has in the band', market(), '3.00000000'],
  ])('the slider takes its share of all: %s', (_, ticket, max) => {
    expect(reviewTicket(ticket, MARKET).sizeMax).toBe(max);
  });

  test.each<[string, ContractTicket, string | undefined]>([
    ['at a limit', limit({ price: '3' }), '333333.33333000'],
    ['without a price', limit({ price: '' }), undefined],
    ['at the market, by the index', market({ side: 'sell' }), '10000.00000000'],
    ['by amount', market({ sizedBy: 'amount' }), '1000000.000000'],
  ])('and do not exceed the largest order: %s', (_, ticket, cap) => {
    const { sizeCap } = reviewTicket(ticket, MARKET);
    expect(sizeCap).toBe(cap);
    if (sizeCap === undefined) return;
    const rich = { ...MARKET, usdtAvailable: '9000000.000000', coinAvailable: '9000000.00000000' };
    expect(reviewTicket({ ...ticket, size: sizeCap }, rich).faults.size).toBeNull();
  });
});

test('the request has only the fields that its kind of order has', () => {
  expect(contractRequestOf('BTC', limit({ isPostOnly: true }))).toEqual({
    code: 'BTC',
    side: 'buy',
    type: 'limit',
    price: '100',
    quantity: '1',
    tif: 'GTC',
    post_only: 'true',
  });
  expect(contractRequestOf('BTC', limit({ isPostOnly: true, timeInForce: 'FOK' }))).not.toHaveProperty('post_only');
  expect(contractRequestOf('BTC', market({ sizedBy: 'amount', size: '50' }))).toEqual({
    code: 'BTC',
    side: 'buy',
    type: 'market',
    amount: '50',
  });
  expect(contractRequestOf('BTC', market({ side: 'sell', sizedBy: 'amount' }))).toEqual({
    code: 'BTC',
    side: 'sell',
    type: 'market',
    quantity: '1',
  });
});
