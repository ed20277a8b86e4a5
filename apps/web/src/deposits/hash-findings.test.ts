import { submitDeposit } from '@sathorn/api';
import { expect, test } from 'vitest';
import { hashFindings, isHash, pastedHash } from './hash-findings.ts';

test.each([
  ['hash_unknown', ['no', 'not_looked_at', 'not_looked_at', 'not_looked_at']],
  ['hash_failed', ['yes', 'no', 'not_looked_at', 'not_looked_at']],
  ['hash_other_token', ['yes', 'yes', 'no', 'not_looked_at']],
  ['hash_other_address', ['yes', 'yes', 'yes', 'no']],
  ['hash_of_another', ['yes', 'yes', 'yes', 'no']],
])('%s is shown as one question answered with no', (refusal, findings) => {
  expect(hashFindings(refusal)?.map(({ finding }) => finding)).toEqual(findings);
});

test('every refusal of the call that is about a hash has its findings, and no other', () => {
  for (const refusal of submitDeposit.refusals) {
    expect(hashFindings(refusal) !== null, refusal).toBe(refusal.startsWith('hash_'));
  }
});

test('a hash is at least 60 letters and digits, whatever came along when it was pasted', () => {
  const hash = `0x${'8beaf74b'.repeat(8)}`;
  expect(isHash(pastedHash(` ${hash.slice(0, 30)}\n${hash.slice(30)} `))).toBe(true);
  expect(isHash(hash.slice(0, 59))).toBe(false);
  expect(isHash(`${hash.slice(0, 64)}-`)).toBe(false);
});
