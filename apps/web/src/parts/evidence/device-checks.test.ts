import { RECEIPT_CHECKS } from '@sathorn/proof';
import { expect, it } from 'vitest';
import { DEVICE_CHECKS, OWN_RECEIPT_CHECKS } from './device-checks.ts';

it('the space reserved for the checks fits all of them', () => {
  expect(OWN_RECEIPT_CHECKS).toEqual([...RECEIPT_CHECKS, ...DEVICE_CHECKS]);
});
