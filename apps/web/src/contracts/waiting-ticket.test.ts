import { expect, test } from 'vitest';
import { NEW_WAITING, pairRequestOf, reviewWaiting, type WaitingDraft, waitingRequestOf } from './waiting-ticket.ts';

const draft = (part: Partial<WaitingDraft>): WaitingDraft => ({
  ...NEW_WAITING,
  triggerPrice: '59000',
  quantity: '0.01',
  ...part,
});

test.each<[Partial<WaitingDraft>, unknown]>([
  [{}, { held: { amount: '0.01000000', asset: 'BTC' }, cap: null, isComplete: true, isReached: false }],
  [{ triggerPrice: '60000' }, { isReached: true }],
  [{ triggerPrice: '' }, { held: null, isComplete: false }],
  [{ quantity: '' }, { held: null }],
  [
    { side: 'buy', triggerPrice: '61000' },
    { held: { amount: '622.200000', asset: 'USDT' }, cap: '62220.00' },
  ],
  [{ type: 'limit' }, { held: null, isComplete: false }],
  [
    { type: 'limit', price: '58000' },
    { held: { asset: 'BTC' }, isComplete: true },
  ],
  [{ kind: 'take_profit', triggerPrice: '61000' }, { isReached: false }],
  [{ kind: 'pair', takePrice: '61000' }, { held: { amount: '0.01000000' } }],
  // The dearer of both is held.
  [
    { kind: 'pair', side: 'buy', triggerPrice: '61000', takePrice: '59000', type: 'limit', price: '61500' },
    { held: { amount: '615.000000', asset: 'USDT' } },
  ],
  [{ kind: 'pair', takePrice: '' }, { held: null }],
])('%o is reviewed', (part, review) => {
  expect(reviewWaiting(draft(part), 'BTC', '60000', 2)).toMatchObject(review as object);
});

test('asks for what was typed, and for nothing else', () => {
  expect(waitingRequestOf('BTC', draft({ price: '1', takePrice: '2' }))).toEqual({
    code: 'BTC',
    side: 'sell',
    trigger: 'stop',
    trigger_price: '59000',
    type: 'market',
    quantity: '0.01',
  });
  expect(waitingRequestOf('BTC', draft({ kind: 'take_profit', type: 'limit', price: '1' }))).toMatchObject({
    trigger: 'take_profit',
    price: '1',
  });
  expect(pairRequestOf('BTC', draft({ kind: 'pair', takePrice: '61000' }))).toEqual({
    code: 'BTC',
    side: 'sell',
    quantity: '0.01',
    price: '61000',
    trigger_price: '59000',
  });
  expect(pairRequestOf('BTC', draft({ takePrice: '61000', type: 'limit', price: '58500' }))).toMatchObject({
    stop_price: '58500',
  });
});
