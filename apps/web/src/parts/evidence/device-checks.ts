import type { ReceiptCheckName } from '@sathorn/proof';

/** Checks against this device's own memory and the public chain, in addition to those of the receipt itself. */
export const DEVICE_CHECKS = ['terms_as_bought', 'ticks_as_seen', 'chain_public'] as const;
export type DeviceCheckName = (typeof DEVICE_CHECKS)[number];

/** The checks of a customer's own receipt, in display order. Named here, because the proof code loads later. */
export const OWN_RECEIPT_CHECKS = [
  'terms_signed',
  'terms_in_force',
  'terms_before_prices',
  'ticks_signed',
  'start_is_first',
  'end_is_last',
  'sold_in_time',
  'prices_follow',
  'outcome_follows',
  'transfers_match',
  ...DEVICE_CHECKS,
] as const satisfies readonly (ReceiptCheckName | DeviceCheckName)[];
