import type { OptionReceipt, SignedOptionTerms } from '@sathorn/proof';
import { expect, test } from 'vitest';
import { newKeysOf } from './new-keys.ts';

const signedBy = (key: string) => ({ body: '', hash: '', key, signature: '' });
const receipt = {
  terms: { tree: signedBy('receipt') },
  ticks: { before_start: signedBy('index'), start: signedBy('index'), end: signedBy('index'), after_end: null },
} as unknown as OptionReceipt;
const terms = { acceptedMs: 10_000, durationMs: 5_000 } as SignedOptionTerms;

test('keys among the first seen, or seen before they signed, are not new', () => {
  expect(newKeysOf(receipt, terms, {})).toEqual({});
  expect(newKeysOf(receipt, terms, { receipt: 20_000, index: 20_000 })).toEqual({});
  expect(newKeysOf(receipt, terms, { older: 1, receipt: 9_000, index: 15_000 })).toEqual({});
});

test('reports a key that appeared only after it had signed, with its check', () => {
  expect(newKeysOf(receipt, terms, { index: 1, receipt: 20_000 })).toEqual({ terms_signed: 20_000 });
  expect(newKeysOf(receipt, terms, { receipt: 1, index: 20_000 })).toEqual({ ticks_signed: 20_000 });
});
