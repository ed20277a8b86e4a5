import { formatDecimal, money, type Price, parsePrice } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractAmount, contractHold } from './contract-terms.ts';
import { type AmendRequest, decideAmend, type RestingContract } from './decide-amend.ts';

const price = (text: string) => parsePrice(text) as Price;
/** A buy of 0.01 BTC at 60,000 of which 0.004 is filled. */
const order: RestingContract = {
  coin: 'BTC',
  side: 'buy',
  price: price('60000'),
  quantity: 1_000_000n,
  cut: 0n,
  dealt: 400_000n,
  held: 360_000_000n,
  postOnly: false,
};

describe('decideAmend', () => {
  it('a smaller size alone keeps the order and releases what it no longer needs', () => {
    expect(decideAmend(order, { quantity: '0.007' })).toEqual({
      ok: true,
      effect: { do: 'shrink', cut: 300_000n, released: 180_000_000n },
    });
    expect(decideAmend({ ...order, side: 'sell', held: 600_000n }, { quantity: '0.007' })).toMatchObject({
      effect: { cut: 300_000n, released: 300_000n },
    });
    expect(decideAmend(order, { price: price('60000'), quantity: '0.007' })).toMatchObject({
      effect: { do: 'shrink' },
    });
    expect(decideAmend({ ...order, cut: 300_000n, held: 180_000_000n }, { quantity: '0.005' })).toMatchObject({
      effect: { cut: 200_000n, released: 120_000_000n },
    });
  });

  it('a changed price places the open part again', () => {
    const ticket = { coin: 'BTC', side: 'buy', type: 'limit', timeInForce: 'GTC', postOnly: false };
    expect(decideAmend(order, { price: price('59000') })).toMatchObject({
      effect: { do: 'replace', ticket: { ...ticket, price: price('59000'), quantity: { units: 600_000n } } },
    });
    expect(decideAmend({ ...order, postOnly: true }, { price: price('59000'), quantity: '0.005' })).toMatchObject({
      effect: { do: 'replace', ticket: { postOnly: true, quantity: { units: 100_000n } } },
    });
  });

  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const table: [AmendRequest, string, string, Record<string, string>?][] = [
    [{ price: price('0.01') }, 'below_minimum', 'quantity', { min: '1.000000' }],
    [{ quantity: '0.00401' }, 'below_minimum', 'quantity', { min: '1.000000' }],
    [{}, 'nothing_changes', 'quantity'],
    [{ price: price('60000'), quantity: '0.01' }, 'nothing_changes', 'price'],
    [{ quantity: '0.004' }, 'quantity_dealt', 'quantity', { dealt: '0.00400000' }],
    [{ quantity: '0.01001' }, 'quantity_not_less', 'quantity', { max: '0.01000000' }],
    [{ price: price('59000'), quantity: '0.02' }, 'quantity_not_less', 'quantity'],
    [{ quantity: '0.100001' }, 'quantity_off_lot', 'quantity', { lot: '0.00001' }],
    [{ quantity: '-1' }, 'quantity_malformed', 'quantity'],
    [{ quantity: '0' }, 'quantity_malformed', 'quantity'],
    [{ price: price('59000.001'), quantity: 'x' }, 'price_off_tick', 'price', { tick: '0.01' }],
    [{ price: 0n as Price, quantity: 'x' }, 'price_required', 'price'],
  ];
  it.each(table)('%o: %s of %s', (request, refusal, field, params) => {
    const small = refusal === 'below_minimum' ? { ...order, dealt: 400_000n, quantity: 402_000n } : order;
    const given = request.quantity === '0.00401' ? order : small;
    expect(decideAmend(given, request)).toMatchObject({ ok: false, refusal, field, ...(params && { params }) });
  });

  it('never releases more than is held, nor leaves less than the open part may cost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_000_000 }),
        fc.integer({ min: 3, max: 500 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 1_000 })), { maxLength: 6 }),
        fc.integer({ min: 1, max: 500 }),
        (steps, lots, fills, asked) => {
          const limit = (BigInt(steps) * 10_000n) as Price;
          const btc = (count: number) => money('BTC', BigInt(count) * 1_000n);
          let held: bigint = contractHold('buy', limit, btc(lots)).units;
          let dealt = 0;
          for (const [count, better] of fills) {
            if (dealt + count >= lots) break;
            const at = (BigInt(Math.max(1, steps - better)) * 10_000n) as Price;
            held -= contractAmount(at, btc(count), 'down').units;
            dealt += count;
          }
          const resting = {
            ...order,
            price: limit,
            quantity: BigInt(lots) * 1_000n,
            dealt: BigInt(dealt) * 1_000n,
            held,
          };
          const none = { amountMin: money('USDT', 0n), amountMax: money('USDT', 0n) };
          const decision = decideAmend(resting, { quantity: formatDecimal(BigInt(asked), 5) }, none);
          if (!decision.ok || decision.effect.do !== 'shrink') return;
          const { cut, released } = decision.effect;
          const open = resting.quantity - cut - resting.dealt;
          expect(released >= 0n).toBe(true);
          expect(held - released).toBe(contractHold('buy', limit, money('BTC', open)).units);
        },
      ),
    );
  });
});
