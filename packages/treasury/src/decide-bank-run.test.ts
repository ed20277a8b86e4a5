import { describe, expect, it } from 'vitest';
import {
  type BankRunOpening,
  type BankRunSigning,
  decideBankRunOpening,
  decideBankRunSigning,
} from './decide-bank-run.ts';

const both = new Set(['a', 'b']);
const OPENING: BankRunOpening = { isHeld: false, isBusy: false, wanted: ['a', 'b'], payable: both, cleared: both };
const SIGNING: BankRunSigning = {
  step: 'open',
  hasLapsed: false,
  hasSigned: false,
  hasExamined: false,
  isSameHash: true,
  isHeld: false,
  isCleared: true,
};
const many = Array.from({ length: 101 }, (_, n) => String(n));

describe('a run of the bank’s file', () => {
  it('is opened, and signed by somebody else', () => {
    expect(decideBankRunOpening(OPENING)).toEqual({ ok: true, effect: null });
    expect(decideBankRunOpening({ ...OPENING, wanted: ['b'] })).toEqual({ ok: true, effect: null });
    expect(decideBankRunSigning(SIGNING)).toEqual({ ok: true, effect: null });
  });

  it.each([
    ['after_restoration', { isHeld: true }],
    ['run_open', { isBusy: true }],
    ['run_empty', { wanted: [] }],
    ['run_too_long', { wanted: many, payable: new Set(many), cleared: new Set(many) }],
    ['run_line_unknown', { payable: new Set(['a']) }],
    ['payments_unchecked', { cleared: new Set(['a']) }],
  ] as const)('is not opened: %s', (refusal, change) => {
    expect(decideBankRunOpening({ ...OPENING, ...change })).toMatchObject({ ok: false, refusal });
  });

  it.each([
    ['run_unknown', { step: null }],
    ['run_closed', { step: 'signed' }],
    ['run_lapsed', { hasLapsed: true }],
    ['already_signed', { hasSigned: true }],
    ['examined_by_you', { hasExamined: true }],
    ['run_hash_differs', { isSameHash: false }],
    ['after_restoration', { isHeld: true }],
    ['payments_unchecked', { isCleared: false }],
  ] as const)('is not signed: %s', (refusal, change) => {
    expect(decideBankRunSigning({ ...SIGNING, ...change })).toMatchObject({ ok: false, refusal });
  });
});
