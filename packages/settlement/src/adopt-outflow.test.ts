import { describe, expect, it } from 'vitest';
import { adoptAs, type OutflowCase, takeFound } from './adopt-outflow.ts';

const outflow = { receiver: `0x${'a'.repeat(40)}`, units: 44_000_000n };
const [one, other] = [{ id: 'w1' }, { id: 'w2' }];
const [ann, ben] = [{ customer: 1n }, { customer: 2n }];
const plain: OutflowCase<typeof one, typeof ann> = {
  outflows: [outflow],
  withdrawals: [],
  payees: [],
  withdrawal: null,
  customer: null,
};

describe('what an outflow that nobody signed was', () => {
  it.each<[string, Partial<typeof plain>, object]>([
    ['of nobody', {}, { ok: true, effect: { what: 'foreign' } }],
    [
      'the payout of the one open withdrawal, whoever has saved the wallet',
      { withdrawals: [one], payees: [ben] },
      { ok: true, effect: { what: 'payout', withdrawal: one } },
    ],
    [
      'of one of two withdrawals: people choose',
      { withdrawals: [one, other] },
      { ok: false, refusal: 'hash_ambiguous' },
    ],
    [
      'of the chosen one',
      { withdrawals: [one, other], withdrawal: 'w2' },
      { ok: true, effect: { what: 'payout', withdrawal: other } },
    ],
    [
      'not of a withdrawal with another receiver or amount',
      { withdrawal: 'w9', withdrawals: [one] },
      { ok: false, refusal: 'withdrawal_unknown' },
    ],
    ['a withdrawal of the wallet’s owner', { payees: [ann] }, { ok: true, effect: { what: 'found', payee: ann } }],
    ['of one of two owners: people choose', { payees: [ann, ben] }, { ok: false, refusal: 'hash_ambiguous' }],
    ['of the chosen owner', { payees: [ann, ben], customer: 2n }, { ok: true, effect: { what: 'found', payee: ben } }],
    [
      'not of somebody without this wallet',
      { payees: [ann], customer: 3n },
      { ok: false, refusal: 'withdrawal_unknown' },
    ],
    [
      'no payout where one transaction took several amounts',
      { outflows: [outflow, outflow], withdrawals: [one], payees: [ann] },
      { ok: true, effect: { what: 'foreign' } },
    ],
    ['of nobody where nothing left', { outflows: [] }, { ok: true, effect: { what: 'foreign' } }],
  ])('%s', (_name, change, decision) => {
    expect(adoptAs({ ...plain, ...change })).toMatchObject(decision);
  });

  it.each<[bigint, bigint, bigint, bigint]>([
    [44n, 100n, 44n, 0n],
    [44n, 44n, 44n, 0n],
    [44n, 43n, 43n, 1n],
    [44n, 0n, 0n, 44n],
    [44n, -5n, 0n, 44n],
  ])('takes %d of %d: %d, and claims %d', (units, available, taken, shortfall) => {
    expect(takeFound({ units, available })).toEqual({ taken, shortfall });
  });
});
