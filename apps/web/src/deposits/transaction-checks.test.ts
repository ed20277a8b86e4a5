import { submitDeposit } from '@sathorn/api';
import { normaliseAddress } from '@sathorn/identity';
import { expect, test } from 'vitest';
import { isTransactionHash, transactionChecksOf } from './transaction-checks.ts';

test('a refusal answers one check with no, and leaves the checks that depend on it open', () => {
  for (const refusal of submitDeposit.refusals) {
    const findings = transactionChecksOf(refusal)?.map(({ finding }) => finding);
    if (findings)
      expect(
        findings.filter((finding) => finding === 'no'),
        refusal,
      ).toHaveLength(1);
  }
  expect(transactionChecksOf('hash_failed')?.map(({ finding }) => finding)).toEqual([
    'yes',
    'no',
    'not_looked_at',
    'not_looked_at',
  ]);
  expect(transactionChecksOf('hash_of_another')?.at(-1)).toEqual({ question: 'address', finding: 'no' });
});

test('exactly the refusals about a hash have findings', () => {
  for (const refusal of submitDeposit.refusals) {
    // Such a transfer passes all four checks, so only the server's sentence is shown.
    if (refusal === 'hash_below_minimum') expect(transactionChecksOf(refusal)).toBeNull();
    else expect(transactionChecksOf(refusal) !== null, refusal).toBe(refusal.startsWith('hash_'));
  }
});

test('S5.11 a hash is at least 60 letters and digits after cleaning pasted text', () => {
  const hash = `0x${'8beaf74b'.repeat(8)}`;
  expect(isTransactionHash(normaliseAddress(` ${hash.slice(0, 30)}\n${hash.slice(30)} `))).toBe(true);
  expect(isTransactionHash(hash.slice(0, 59))).toBe(false);
  expect(isTransactionHash(`${hash.slice(0, 64)}-`)).toBe(false);
});
