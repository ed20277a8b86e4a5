import { expect, it } from 'vitest';
import type { CheckerReport } from './checker.ts';
import { clearedSequenceOf } from './condition.ts';

const NOW = new Date('2026-11-28T12:00:00Z');
const CLEAR: CheckerReport = {
  checked: '2026-11-28T11:59:55Z',
  violations: [],
  acknowledged: 0,
  halted: null,
  walked: '9007199254740993',
  passed: null,
  remembered: null,
};
const FOUND = { invariant: 'OP5', says: 'every vote is signed', subjects: ['withdrawal 1'] };

it.each<[string, CheckerReport | null, bigint | null]>([
  ['a report without a finding', CLEAR, 9_007_199_254_740_993n],
  ['no report', null, null],
  ['a report that is a minute old', { ...CLEAR, checked: '2026-11-28T11:58:59Z' }, null],
  ['a finding', { ...CLEAR, violations: [FOUND] }, null],
  ['a finding that does not halt money', { ...CLEAR, violations: [{ ...FOUND, isHalting: false }] }, null],
  ['halted money', { ...CLEAR, halted: 'OP5' }, null],
  ['the first round', { ...CLEAR, walked: null }, null],
])('%s clears what it should', (_what, report, cleared) => expect(clearedSequenceOf(report, NOW)).toBe(cleared));
