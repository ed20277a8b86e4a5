import type { Rate } from '@sathorn/money';
import { type Fields, type OfferKind, partsOf, unitsOf } from '../offer/index.ts';
import { type ChannelTerms, FIRST_CHANNEL_TERMS } from './withdrawal-settings.ts';

/** The terms in force. */
export function channelTermsOf(fields: Fields | null): ChannelTerms {
  if (fields === null) return FIRST_CHANNEL_TERMS;
  return {
    chainFee: { fixed: unitsOf(fields.chain_fixed), rate: partsOf(fields.chain_rate) as Rate },
    bankFee: { fixed: unitsOf(fields.bank_fixed), rate: partsOf(fields.bank_rate) as Rate },
    min: unitsOf(fields.min),
    max: unitsOf(fields.max),
    spreadBps: partsOf(fields.spread) / 10_000n,
  };
}

/** Fees and limits of withdrawals, by channel and certification. Earlier requests keep theirs. */
export const withdrawalOffer: OfferKind = {
  name: 'withdrawal',
  page: 'products',
  subjects: ['all'],
  read(_subject, from) {
    const fields = {
      chain_fixed: from.usdt('chain_fixed'),
      chain_rate: from.rate('chain_rate', '0.05'),
      bank_fixed: from.usdt('bank_fixed'),
      bank_rate: from.rate('bank_rate', '0.05'),
      spread: from.rate('spread', '0.05', 4),
      min: from.usdt('min', 1n),
      max: from.usdt('max', 1n),
      daily_none: from.usdt('daily_none', 1n),
      daily_primary: from.usdt('daily_primary', 1n),
      daily_advanced: from.usdt('daily_advanced', 1n),
    };
    const rises = (a: string, b: string): boolean => unitsOf(b) >= unitsOf(a);
    from.demand(rises(fields.min, fields.max), 'max');
    // The smallest withdrawal must be worth more than its fee.
    from.demand(
      unitsOf(fields.chain_fixed) < unitsOf(fields.min) && unitsOf(fields.bank_fixed) < unitsOf(fields.min),
      'min',
    );
    from.demand(rises(fields.daily_none, fields.daily_primary), 'daily_primary');
    from.demand(rises(fields.daily_primary, fields.daily_advanced), 'daily_advanced');
    return fields;
  },
};
