import { describe, expect, it } from 'vitest';
import { decideRunOpening, decideRunSigning, type RunOpening, type RunSigning } from './decide-run.ts';

const line = (id: string, receiver = `0x${id}`, units = 5n) => ({ id, receiver, units });
const OPENING: RunOpening = {
  hasTreasury: true,
  isBusy: false,
  wanted: ['a', 'b'],
  found: [line('a'), line('b')],
  topUp: 10n,
  held: 20n,
  hotHeld: 90n,
  hotMax: 100n,
};
const SIGNING: RunSigning = {
  step: 'open',
  hasLapsed: false,
  isNext: true,
  isSameHash: true,
  isOwner: true,
  hasSigned: false,
  hasExamined: false,
};
const many = Array.from({ length: 100 }, (_, n) => line(String(n), `0x${n}`, 0n));

describe('a payment run', () => {
  it('is opened with its sum', () => {
    expect(decideRunOpening(OPENING)).toEqual({ ok: true, effect: 20n });
    expect(decideRunOpening({ ...OPENING, wanted: [], found: [] })).toEqual({ ok: true, effect: 10n });
    expect(decideRunOpening({ ...OPENING, topUp: 0n, hotHeld: 200n })).toEqual({ ok: true, effect: 10n });
  });

  it.each([
    ['treasury_missing', { hasTreasury: false }],
    ['run_open', { isBusy: true }],
    ['run_empty', { wanted: [], found: [], topUp: 0n }],
    ['run_too_long', { wanted: many.map(({ id }) => id), found: many }],
    ['run_line_unknown', { found: [line('a')] }],
    ['run_lines_equal', { found: [line('a', '0xc'), line('b', '0xc')] }],
    ['top_up_too_high', { hotHeld: 91n }],
    ['treasury_short', { held: 19n }],
  ] as const)('is not opened: %s', (refusal, change) => {
    expect(decideRunOpening({ ...OPENING, ...change })).toMatchObject({ ok: false, refusal });
  });

  it('is signed by an owner', () => {
    expect(decideRunSigning(SIGNING)).toEqual({ ok: true, effect: null });
  });

  it.each([
    ['run_unknown', { step: null }],
    ['run_closed', { step: 'signed' }],
    ['run_closed', { isNext: false }],
    ['run_lapsed', { hasLapsed: true }],
    ['not_owner', { isOwner: false }],
    ['already_signed', { hasSigned: true }],
    ['examined_by_you', { hasExamined: true }],
    ['run_hash_differs', { isSameHash: false }],
  ] as const)('is not signed: %s', (refusal, change) => {
    expect(decideRunSigning({ ...SIGNING, ...change })).toMatchObject({ ok: false, refusal });
  });
});
