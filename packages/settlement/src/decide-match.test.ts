import { money, zero } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { type AskedMatch, decideMatch, decideMatchTerms } from './decide-match.ts';

const thb = (units: bigint) => money('THB', units);
const limits = { twoPeopleFrom: thb(10_000_000n), unattestedMax: thb(1_000_000n) };
const [korn, fah, ploy] = [4n, 5n, 2n];
const none = { byMatcher: zero('THB'), byCustomer: zero('THB'), byDay: zero('THB') };
const asked = (over: Partial<AskedMatch> = {}): AskedMatch => ({
  baht: thb(500_000n),
  ordered: thb(500_000n),
  hasEnded: false,
  hasReference: true,
  isTwin: false,
  operator: fah,
  importers: [korn],
  isConcerned: false,
  statement: { isProven: true, matched: thb(0n) },
  alone: none,
  ...over,
});

describe('a match is refused', () => {
  it.each<[string, Partial<AskedMatch>, string]>([
    ['for the operator’s own account', { isConcerned: true }, 'conflict_of_interest'],
    ['by the importer of its line', { operator: korn }, 'own_import'],
    ['by whoever imported the line again', { importers: [ploy, fah] }, 'own_import'],
    ['of a small sum by its importer too', { operator: korn, baht: thb(1n), ordered: thb(1n) }, 'own_import'],
    [
      'before anybody attested the statement',
      { baht: thb(1_000_001n), ordered: thb(1_000_001n), statement: { isProven: false, matched: thb(0n) } },
      'statement_unattested',
    ],
    [
      'where small sums of it add up',
      { baht: thb(1n), ordered: thb(1n), statement: { isProven: false, matched: thb(1_000_000n) } },
      'statement_unattested',
    ],
  ])('%s', (_, over, refusal) => {
    expect(decideMatch(asked(over), limits)).toMatchObject({ ok: false, refusal });
  });
});

describe('a match requires', () => {
  it.each<[string, Partial<AskedMatch>, string]>([
    ['a proof of the factor, however small', { baht: thb(1n), ordered: thb(1n) }, 'step_up'],
    ['the same just below the sum', { baht: thb(9_999_999n), ordered: thb(9_999_999n) }, 'step_up'],
    ['a second person from the sum on', { baht: thb(10_000_000n), ordered: thb(10_000_000n) }, 'two_people'],
    ['one when this matcher’s sums reach it', { alone: { ...none, byMatcher: thb(9_500_000n) } }, 'two_people'],
    ['one when this customer’s sums reach it', { alone: { ...none, byCustomer: thb(9_500_000n) } }, 'two_people'],
    ['one when everybody’s sums reach it', { alone: { ...none, byDay: thb(9_500_000n) } }, 'two_people'],
    ['one for a line with the number of another', { isTwin: true }, 'two_people'],
    ['one for an order that has ended', { hasEnded: true }, 'two_people'],
    ['one for another amount without the reference', { ordered: thb(500_001n), hasReference: false }, 'two_people'],
    ['a proof for another amount with the reference', { ordered: thb(500_001n) }, 'step_up'],
    ['a proof for the amount without the reference', { hasReference: false }, 'step_up'],
    ['one for a line of no statement', { baht: thb(1n), ordered: thb(1n), statement: null }, 'two_people'],
    ['a proof for a line that the bank reported', { importers: [] }, 'step_up'],
    [
      'a proof for a small sum of an unproven statement',
      { statement: { isProven: false, matched: thb(500_000n) } },
      'step_up',
    ],
  ])('%s', (_, over, proof) => {
    expect(decideMatch(asked(over), limits)).toEqual({ ok: true, effect: proof });
  });
});

describe('a match credits the money that arrived', () => {
  const ordered = 33_416_250n;
  it.each<[string, bigint, boolean, bigint | null, object]>([
    [
      'at the order’s rate',
      100_000n,
      true,
      null,
      { ok: true, effect: { amount: money('USDT', 29_925_560n), rate: ordered } },
    ],
    ['a satang at least', 1n, true, null, { ok: true, effect: { amount: money('USDT', 299n), rate: ordered } }],
    [
      'late, at the rate of the day',
      100_000n,
      false,
      40_000_000n,
      { ok: true, effect: { amount: money('USDT', 25_000_000n), rate: 40_000_000n } },
    ],
    ['late, and at no rate that nobody knows', 100_000n, false, null, { ok: false, refusal: 'rate_unknown' }],
  ])('%s', (_, baht, isInTime, today, expected) => {
    expect(decideMatchTerms({ baht: thb(baht), isInTime, ordered, today })).toMatchObject(expected);
  });
});
