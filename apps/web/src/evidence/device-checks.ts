/** What is checked against this device's own memory and the public chain, besides the receipt by itself. */
export const DEVICE_CHECKS = ['terms_as_bought', 'ticks_as_seen', 'chain_public'] as const;
export type DeviceCheckName = (typeof DEVICE_CHECKS)[number];
