import { expect, test } from 'vitest';
import { orderedFields } from './ordered.ts';

test('a device signs neither passwords nor codes, and an empty field counts as missing', () => {
  const fields = { channel: 'bank', amount: '20', note: '', paypass: '493027', otp: '123456' };
  expect(orderedFields(fields)).toEqual({ channel: 'bank', amount: '20' });
});
