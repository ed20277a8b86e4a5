import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal, parseDecimal } from './decimal.ts';

const scales = fc.integer({ min: 0, max: 18 });
/** All units that the format can express: up to eighteen digits before the point, far beyond 2^53 and 2^63. */
const amounts = scales.chain((scale) =>
  fc.record({ scale: fc.constant(scale), units: fc.bigInt(0n, 10n ** BigInt(18 + scale) - 1n) }),
);
const near = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.constantFrom(...Array.from('0.-+eE,_ \n٣３n')))
    .map(([place, more]) => text.slice(0, place) + more + text.slice(place));

describe('a decimal text', () => {
  it('A10 restores exactly the written text', () => {
    fc.assert(
      fc.property(amounts, ({ scale, units }) => {
        expect(parseDecimal(formatDecimal(units, scale), scale)).toBe(units);
        expect(formatDecimal(-units - 1n, scale)).toBe(`-${formatDecimal(units + 1n, scale)}`);
      }),
    );
  });

  it('is the same without trailing zeros', () => {
    fc.assert(
      fc.property(amounts, ({ scale, units }) => {
        const text = formatDecimal(units, scale);
        const short = scale === 0 ? text : text.replace(/\.?0+$/, '');
        expect(parseDecimal(short, scale)).toBe(units);
      }),
    );
  });

  it('has no other spelling: an inserted character is a digit or is refused', () => {
    fc.assert(
      fc.property(
        amounts.chain(({ scale, units }) =>
          fc.record({ scale: fc.constant(scale), text: near(formatDecimal(units, scale)) }),
        ),
        ({ scale, text }) => {
          const units = parseDecimal(text, scale);
          if (units === undefined) return;
          const [whole = '', fraction = ''] = text.split('.');
          expect(formatDecimal(units, scale)).toBe(scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is refused if it is finer than the scale, and never rounded', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom('0', '1', '9'), ({ scale, units }, digit) => {
        const text = formatDecimal(units, scale);
        expect(parseDecimal(scale === 0 ? `${text}.${digit}` : text + digit, scale)).toBeUndefined();
      }),
    );
  });
});
