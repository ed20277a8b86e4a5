import { describe, expect, it } from 'vitest';
import { decideForeign, type ForeignCase } from './decide-foreign.ts';

const [payee, cold, stranger] = ['0xaa', '0xcc', '0xdd'];
const out = (output: number, receiver: string, units: bigint, isHouse = false) => ({
  output,
  receiver,
  units,
  isHouse,
});
const named = { isOpen: true, chain: 'testnet', address: payee, units: 5n };
const sent: ForeignCase = {
  chain: 'testnet',
  nonce: 'next',
  outputs: [out(0, stranger, 7n), out(1, cold, 9n, true), out(2, payee, 5n), out(3, payee, 5n)],
  withdrawal: null,
};

describe('a transaction with the house’s money that the signer did not send', () => {
  it.each<[string, Partial<ForeignCase>, string]>([
    ['another’s that moved nothing of the house', { nonce: 'none', outputs: [] }, 'hash_not_of_wallet'],
    ['one after another that is not accounted for', { nonce: 'later' }, 'hash_not_next'],
    ['one of which all is known', { nonce: 'passed', outputs: [] }, 'hash_not_next'],
    ['a withdrawal that is signed or over', { withdrawal: { ...named, isOpen: false } }, 'withdrawal_decided'],
    ['a withdrawal of one unit more', { withdrawal: { ...named, units: 6n } }, 'hash_not_of_withdrawal'],
    ['a withdrawal to another address', { withdrawal: { ...named, address: '0xab' } }, 'hash_not_of_withdrawal'],
    ['a withdrawal on another chain', { withdrawal: { ...named, chain: 'other' } }, 'hash_not_of_withdrawal'],
    [
      'a withdrawal whose payee is the house now',
      { outputs: [out(0, payee, 5n, true)], withdrawal: named },
      'hash_not_of_withdrawal',
    ],
  ])('is refused: %s', (_what, change, refusal) => {
    expect(decideForeign({ ...sent, ...change })).toMatchObject({ refusal });
  });

  const purposes = (change: Partial<ForeignCase>): unknown => {
    const decision = decideForeign({ ...sent, ...change });
    return decision.ok && decision.effect.map(({ purpose }) => purpose);
  };
  it.each<[string, Partial<ForeignCase>, string[]]>([
    ['expenses and moves', {}, ['expense', 'house', 'expense', 'expense']],
    ['one payout at most', { withdrawal: named }, ['expense', 'house', 'payout', 'expense']],
    ['nothing, but its nonce is used', { outputs: [] }, []],
    ['a contract that moved it with an allowance', { nonce: 'none' }, ['expense', 'house', 'expense', 'expense']],
    ['older than the first payout', { nonce: 'passed' }, ['expense', 'house', 'expense', 'expense']],
  ])('is %s', (_what, change, expected) => {
    expect(purposes(change)).toEqual(expected);
  });
});
