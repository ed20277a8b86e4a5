import { describe, expect, it } from 'vitest';
import {
  chainWaitsFor,
  countsAsSpent,
  type PayoutCase,
  type PayoutOnChain,
  type PayoutWait,
  payoutWaitsFor,
} from './decide-payout.ts';

const usdt = (whole: number): bigint => BigInt(whole) * 1_000_000n;
const payout: PayoutCase = {
  units: usdt(900),
  isReconciled: true,
  people: 0,
  taken: 100n,
  isHouse: false,
  authorisation: 'valid',
  votes: 0,
  word: { sequence: 100n, isClear: true },
  before: { hour: 0n, day: 0n, newAddress: null },
  limits: { hour: usdt(10_000), day: usdt(30_000), newAddress: usdt(1_000) },
};

describe('why a payout waits', () => {
  it.each<[string, Partial<PayoutCase>, PayoutWait | null]>([
    ['nothing', {}, null],
    [
      'a restoration, before all else, whoever voted',
      { isReconciled: false, authorisation: 'wrong', votes: 9 },
      'restoration',
    ],
    ['a wrong authorisation, whoever voted', { authorisation: 'wrong', votes: 9 }, 'authorisation'],
    ['one from before without votes', { authorisation: 'from_before' }, 'authorisation'],
    ['one from before with one vote', { authorisation: 'from_before', votes: 1 }, 'authorisation'],
    ['one from before with two votes', { authorisation: 'from_before', votes: 2 }, null],
    ['a finding', { word: { sequence: 100n, isClear: false } }, 'finding'],
    ['an address of the house, whoever voted', { isHouse: true, votes: 2 }, 'house_address'],
    ['a finding, whoever voted', { word: { sequence: 100n, isClear: false }, votes: 2 }, 'finding'],
    ['a checker that says nothing', { word: null, votes: 2 }, 'checker'],
    ['a checker that is not there yet', { word: { sequence: 99n, isClear: true }, votes: 2 }, 'checker'],
    ['a vote', { people: 1 }, 'votes'],
    ['a second vote', { people: 2, votes: 1 }, 'votes'],
    ['a vote that was cast', { people: 1, votes: 1 }, null],
    ['the hour, to the unit', { before: { hour: usdt(9_100), day: 0n, newAddress: null } }, null],
    ['one unit above the hour', { before: { hour: usdt(9_100) + 1n, day: 0n, newAddress: null } }, 'budget'],
    ['one unit above the day', { before: { hour: 0n, day: usdt(29_100) + 1n, newAddress: null } }, 'budget'],
    ['a new address, to the unit', { before: { hour: 0n, day: 0n, newAddress: usdt(100) } }, null],
    ['one unit above a new address', { before: { hour: 0n, day: 0n, newAddress: usdt(100) + 1n } }, 'budget'],
    [
      'a new address with one vote',
      { votes: 1, people: 1, before: { hour: 0n, day: 0n, newAddress: usdt(100) + 1n } },
      null,
    ],
    ['the budget with one vote', { votes: 1, before: { hour: usdt(9_999), day: 0n, newAddress: null } }, 'budget'],
    ['the budget with two votes', { votes: 2, before: { hour: usdt(9_999), day: 0n, newAddress: 1n } }, null],
  ])('%s', (_name, change, waits) => {
    expect(payoutWaitsFor({ ...payout, ...change })).toBe(waits);
  });

  it.each<[string, Partial<PayoutOnChain>, PayoutWait | null]>([
    ['nothing, when it takes the wallet’s last unit', { left: usdt(900) }, null],
    ['a wallet that is a unit short', { left: usdt(900) - 1n }, 'wallet_short'],
    ['a token that refuses it', { isRefused: true }, 'token_refuses'],
    ['gas', { hasGas: false }, 'gas'],
    ['a foreign transaction, before all else', { hasForeign: true, hasGas: false, left: 0n }, 'foreign_transaction'],
  ])('on the chain: %s', (_name, change, waits) => {
    const onChain = { units: usdt(900), hasForeign: false, hasGas: true, left: usdt(1_000), isRefused: false };
    expect(chainWaitsFor({ ...onChain, ...change })).toBe(waits);
  });

  it('counts against the budget unless two people voted', () => {
    expect([0, 1, 2].map((votes) => countsAsSpent({ votes }))).toEqual([true, true, false]);
  });
});
