import { describe, expect, it } from 'vitest';
import { type AskedMatch, decideMatch } from './decide-match.ts';

const limits = { twoPeopleFrom: 10_000_000n, unattestedMax: 1_000_000n };
const [korn, fah, ploy] = [4n, 5n, 2n];
const none = { byMatcher: 0n, byCustomer: 0n, byDay: 0n };
const asked = (over: Partial<AskedMatch> = {}): AskedMatch => ({
  baht: 500_000n,
  operator: fah,
  importers: [korn],
  isConcerned: false,
  statement: { isProven: true, matched: 0n },
  alone: none,
  ...over,
});

describe('a match is refused', () => {
  it.each<[string, Partial<AskedMatch>, string]>([
    ['for the operator’s own account', { isConcerned: true }, 'conflict_of_interest'],
    ['by the importer of its line', { operator: korn }, 'own_import'],
    ['by whoever imported the line again', { importers: [ploy, fah] }, 'own_import'],
    ['of a small sum by its importer too', { operator: korn, baht: 1n }, 'own_import'],
    [
      'before anybody attested the statement',
      { baht: 1_000_001n, statement: { isProven: false, matched: 0n } },
      'statement_unattested',
    ],
    [
      'where small sums of it add up',
      { baht: 1n, statement: { isProven: false, matched: 1_000_000n } },
      'statement_unattested',
    ],
  ])('%s', (_, over, refusal) => {
    expect(decideMatch(asked(over), limits)).toMatchObject({ ok: false, refusal });
  });
});

describe('a match asks for', () => {
  it.each<[string, Partial<AskedMatch>, string]>([
    ['a proof of the factor, however small', { baht: 1n }, 'step_up'],
    ['the same just below the sum', { baht: 9_999_999n }, 'step_up'],
    ['a second person from the sum on', { baht: 10_000_000n }, 'two_people'],
    ['one when this matcher’s sums reach it', { alone: { ...none, byMatcher: 9_500_000n } }, 'two_people'],
    ['one when this customer’s sums reach it', { alone: { ...none, byCustomer: 9_500_000n } }, 'two_people'],
    ['one when everybody’s sums reach it', { alone: { ...none, byDay: 9_500_000n } }, 'two_people'],
    ['one for a line of no statement', { baht: 1n, statement: null }, 'two_people'],
    ['a proof for a line that the bank reported', { importers: [] }, 'step_up'],
    [
      'a proof for a small sum of an unproven statement',
      { statement: { isProven: false, matched: 500_000n } },
      'step_up',
    ],
  ])('%s', (_, over, proof) => {
    expect(decideMatch(asked(over), limits)).toEqual({ ok: true, effect: proof });
  });
});
