import { describe, expect, it } from 'vitest';
import { decideForeign, type ForeignCase, type ForeignOutput, splitFoundWithdrawal } from './decide-foreign.ts';

const [payee, cold, stranger] = ['0xaa', '0xcc', '0xdd'];
const out = (output: number, receiver: string, units: bigint, more: Partial<ForeignOutput> = {}): ForeignOutput => ({
  output,
  receiver,
  units,
  isHouse: false,
  withdrawals: [],
  owners: [],
  ...more,
});
const [ann, ben] = [
  { payee: 'p1', customer: 1n },
  { payee: 'p2', customer: 2n },
];
const [toCold, spent, toOne] = [
  out(1, cold, 9n, { isHouse: true }),
  out(0, stranger, 7n),
  out(2, payee, 5n, { withdrawals: ['w1'] }),
];
const toTwo = (output: number) => out(output, payee, 5n, { withdrawals: ['w1', 'w2'] });
const toWallet = (...owners: (typeof ann)[]) => out(0, payee, 44n, { owners });
const sent: ForeignCase = {
  nonce: 'new',
  outputs: [spent, toCold, toOne],
  isRestored: false,
  withdrawal: null,
  customer: null,
};

describe('a transaction with the house’s money that the signer did not send', () => {
  it.each<[string, Partial<ForeignCase>, string]>([
    ['another’s that moved nothing of the house', { nonce: 'none', outputs: [] }, 'hash_not_of_wallet'],
    ['one of which all is known', { nonce: 'known', outputs: [] }, 'hash_explained'],
    ['a withdrawal with another receiver or amount', { withdrawal: 'w9' }, 'hash_not_of_withdrawal'],
    ['a withdrawal that nothing paid', { outputs: [spent], withdrawal: 'w1' }, 'hash_not_of_withdrawal'],
    [
      'a withdrawal whose payee is the house now',
      { outputs: [out(0, payee, 5n, { isHouse: true, withdrawals: ['w1'] })], withdrawal: 'w1' },
      'hash_not_of_withdrawal',
    ],
    ['one of two withdrawals', { outputs: [toTwo(0)] }, 'hash_ambiguous'],
    ['one of two owners', { isRestored: true, outputs: [toWallet(ann, ben)] }, 'hash_ambiguous'],
    ['somebody without this wallet', { outputs: [toWallet(ann)], customer: 3n }, 'hash_not_of_customer'],
    [
      'an owner where it paid an open withdrawal',
      { outputs: [{ ...toOne, owners: [ann] }], customer: 1n },
      'hash_not_of_customer',
    ],
  ])('is refused: %s', (_what, change, refusal) => {
    expect(decideForeign({ ...sent, ...change })).toMatchObject({ refusal });
  });

  const purposes = (change: Partial<ForeignCase>): unknown => {
    const decision = decideForeign({ ...sent, ...change });
    return (
      decision.ok &&
      decision.effect.map(({ purpose, withdrawal, owner }) =>
        [purpose, withdrawal, owner?.customer].filter((one) => one != null).join(' '),
      )
    );
  };
  it.each<[string, Partial<ForeignCase>, string[]]>([
    ['expenses, moves, and the payout of the one open withdrawal', {}, ['expense', 'house', 'payout w1']],
    ['the payout, whoever has saved the wallet', { outputs: [{ ...toOne, owners: [ben] }] }, ['payout w1']],
    ['the payout of the chosen one', { outputs: [toTwo(0)], withdrawal: 'w2' }, ['payout w2']],
    ['the payouts of both', { outputs: [toTwo(0), toTwo(1)], withdrawal: 'w2' }, ['payout w2', 'payout w1']],
    ['one payout at most for each withdrawal', { outputs: [toOne, { ...toOne, output: 3 }] }, ['payout w1', 'expense']],
    ['nothing, but its nonce is used', { outputs: [] }, []],
    ['a contract that moved it with an allowance', { nonce: 'none', outputs: [spent] }, ['expense']],
    ['one that took the place of another', { nonce: 'known', outputs: [spent] }, ['expense']],
    ['an expense, though somebody has saved the wallet', { outputs: [toWallet(ann)] }, ['expense']],
    ['a withdrawal of the owner whom a person names', { outputs: [toWallet(ann, ben)], customer: 2n }, ['found 2']],
    [
      'after a restoration, a withdrawal of the wallet’s owner',
      { isRestored: true, outputs: [toWallet(ann, ann)] },
      ['found 1'],
    ],
    [
      'after a restoration, of the chosen owner',
      { isRestored: true, outputs: [toWallet(ann, ben)], customer: 2n },
      ['found 2'],
    ],
    [
      'after a restoration, of an owner each',
      { isRestored: true, outputs: [toWallet(ben), toWallet(ben, ann)], customer: 1n },
      ['found 2', 'found 1'],
    ],
    ['after a restoration, of nobody', { isRestored: true, outputs: [spent] }, ['expense']],
  ])('is %s', (_what, change, expected) => {
    expect(purposes(change)).toEqual(expected);
  });
});

describe('a found withdrawal', () => {
  it.each<[bigint, bigint, bigint, bigint]>([
    [44n, 100n, 44n, 0n],
    [44n, 44n, 44n, 0n],
    [44n, 43n, 43n, 1n],
    [44n, 0n, 0n, 44n],
    [44n, -5n, 0n, 44n],
  ])('takes %d of %d: %d, and claims %d', (units, available, taken, shortfall) => {
    expect(splitFoundWithdrawal({ units, available })).toEqual({ taken, shortfall });
  });
});
