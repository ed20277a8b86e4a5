import { COIN_CODES, lotUnits, type Money, money, price, rateFromBasisPoints, zero } from '@sathorn/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractHold } from './contract-terms.ts';
import { type ContractFill, type FillMove, settleFill } from './settle-fill.ts';

const bps = (parts: number) => rateFromBasisPoints(BigInt(parts));
const btc = (units: bigint) => money('BTC', units);
const usdt = (units: bigint) => money('USDT', units);

/** The taker buys 0.001 BTC from a resting sale of 0.002 at 60,000 USDT. */
const BUY: ContractFill = {
  takerSide: 'buy',
  price: price(60_000_000_000n),
  quantity: btc(100_000n),
  makerRate: bps(10),
  takerRate: bps(15),
  makerHeld: btc(200_000n),
  isMakerFilled: false,
};
const SELL: ContractFill = { ...BUY, takerSide: 'sell', makerHeld: usdt(120_000_000n) };
/** 0.00001 BTC at 0.01 USDT is worth less than one unit. */
const DUST: ContractFill = { ...SELL, price: price(10_000n), quantity: btc(1_000n), makerHeld: usdt(1n) };

const textOf = ({ from, to, amount, purpose }: FillMove): string =>
  `${purpose}: ${amount.units} ${amount.asset}, ${from} to ${to}`;

describe('a fill', () => {
  it.each<[string, ContractFill, string[], Money]>([
    [
      'pays the maker of a sale, and each fee from what is received',
      BUY,
      [
        'trade: 60000000 USDT, taker to maker',
        'fee: 60000 USDT, maker to fees',
        'trade: 100000 BTC, maker_in_orders to taker',
        'fee: 150 BTC, taker to fees',
      ],
      btc(100_000n),
    ],
    [
      'pays the maker of a buy in coins',
      SELL,
      [
        'trade: 100000 BTC, taker to maker',
        'fee: 100 BTC, maker to fees',
        'trade: 60000000 USDT, maker_in_orders to taker',
        'fee: 90000 USDT, taker to fees',
      ],
      usdt(60_000_000n),
    ],
    [
      'gives a filled maker back what is left of its hold',
      { ...SELL, isMakerFilled: true, makerHeld: usdt(60_000_001n) },
      [
        'trade: 100000 BTC, taker to maker',
        'fee: 100 BTC, maker to fees',
        'trade: 60000000 USDT, maker_in_orders to taker',
        'fee: 90000 USDT, taker to fees',
        'release: 1 USDT, maker_in_orders to maker',
      ],
      zero('USDT'),
    ],
    [
      'rounds fees up, but never above what was received',
      { ...BUY, quantity: btc(1_000n), makerRate: bps(1), takerRate: bps(10_000) },
      [
        'trade: 600000 USDT, taker to maker',
        'fee: 60 USDT, maker to fees',
        'trade: 1000 BTC, maker_in_orders to taker',
        'fee: 1000 BTC, taker to fees',
      ],
      btc(199_000n),
    ],
    [
      'moves no amount that rounds to zero, and takes no fee at a rate of zero',
      { ...DUST, makerRate: bps(0), isMakerFilled: true },
      ['trade: 1000 BTC, taker to maker', 'release: 1 USDT, maker_in_orders to maker'],
      zero('USDT'),
    ],
  ])('%s', (_what, fill, moves, makerHeld) => {
    const settled = settleFill(fill);
    expect(settled.moves.map(textOf)).toEqual(moves);
    expect(settled.makerHeld).toEqual(makerHeld);
  });

  it('is always covered by the hold, and the last fill uses it up, however the fills split the order', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 20 });
    const coin = fc.constantFrom(...COIN_CODES);
    const side = fc.constantFrom('buy' as const, 'sell' as const);
    const limit = fc.bigInt(1n, 10n ** 12n);
    const rate = fc.integer({ min: 0, max: 10_000 }).map(bps);
    fc.assert(
      fc.property(coin, side, limit, cuts, rate, rate, (code, takerSide, limitUnits, parts, makerRate, takerRate) => {
        const quantities = parts.map((part) => money(code, BigInt(part) * lotUnits(code)));
        const whole = money(
          code,
          quantities.reduce((sum, { units }) => sum + units, 0n),
        );
        const at = price(limitUnits);
        const hold = contractHold(takerSide === 'buy' ? 'sell' : 'buy', at, whole);
        let makerHeld = hold;
        let left = 0n;
        quantities.forEach((quantity, n) => {
          const isMakerFilled = n === quantities.length - 1;
          const fill = settleFill({ takerSide, price: at, quantity, makerRate, takerRate, makerHeld, isMakerFilled });
          for (const { from, to, amount } of fill.moves) {
            expect(amount.units > 0n && from !== to).toBe(true);
            if (from === 'maker_in_orders') left += amount.units;
          }
          makerHeld = fill.makerHeld;
          expect(makerHeld.units >= 0n && makerHeld.units + left === hold.units).toBe(true);
        });
        expect(makerHeld).toEqual(zero(hold.asset));
      }),
    );
  });

  it('never charges a side more than it received', () => {
    for (const takerSide of ['buy', 'sell'] as const) {
      const { amount, makerFee, takerFee } = settleFill({
        ...BUY,
        takerSide,
        makerHeld: takerSide === 'buy' ? BUY.makerHeld : SELL.makerHeld,
        makerRate: bps(10_000),
        takerRate: bps(10_000),
      });
      expect(takerSide === 'buy' ? [makerFee, takerFee] : [takerFee, makerFee]).toEqual([amount, BUY.quantity]);
    }
  });
});
