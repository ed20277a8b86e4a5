import type { Rate } from '@sathorn/money';
import { statement } from '../../platform/database/index.ts';
import {
  type OfferFields,
  type OfferKind,
  storedRateOf,
  storedUnitsOf,
  storedUsdtOf,
} from '../../staff/offer/index.ts';
import { type ChannelTerms, FIRST_CHANNEL_TERMS } from './withdrawal-settings.ts';

/** The terms in force. */
export function channelTermsOf(fields: OfferFields | null): ChannelTerms {
  if (fields === null) return FIRST_CHANNEL_TERMS;
  return {
    chainFee: { fixed: storedUsdtOf(fields.chain_fixed), rate: storedRateOf(fields.chain_rate) as Rate },
    bankFee: { fixed: storedUsdtOf(fields.bank_fixed), rate: storedRateOf(fields.bank_rate) as Rate },
    min: storedUsdtOf(fields.min),
    max: storedUsdtOf(fields.max),
    spreadBps: storedRateOf(fields.spread) / 10_000n,
  };
}

/** Fees and limits of withdrawals, by channel and certification. Earlier requests keep theirs. */
export const withdrawalOfferKind: OfferKind = {
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
    const rises = (a: string, b: string): boolean => storedUnitsOf(b) >= storedUnitsOf(a);
    from.demand(rises(fields.min, fields.max), 'max');
    // The smallest withdrawal must be worth more than its fee.
    from.demand(
      storedUnitsOf(fields.chain_fixed) < storedUnitsOf(fields.min) &&
        storedUnitsOf(fields.bank_fixed) < storedUnitsOf(fields.min),
      'min',
    );
    from.demand(rises(fields.daily_none, fields.daily_primary), 'daily_primary');
    from.demand(rises(fields.daily_primary, fields.daily_advanced), 'daily_advanced');
    return fields;
  },
};

const INSERT_THRESHOLD = statement(
  'withdrawals.insert_threshold',
  'INSERT INTO withdrawals.threshold (one_person_from, two_people_from, approval) VALUES ($1, $2, $3)',
);

/** The total of a day from which one person, or two, must approve. Earlier requests keep their terms. */
export const thresholdOfferKind: OfferKind = {
  name: 'threshold',
  page: 'brand',
  subjects: ['withdrawals'],
  read(_subject, from) {
    const fields = {
      one_person_from: from.usdt('one_person_from', 1n),
      two_people_from: from.usdt('two_people_from', 1n),
    };
    from.demand(storedUnitsOf(fields.two_people_from) > storedUnitsOf(fields.one_person_from), 'two_people_from');
    return fields;
  },
  async apply(transaction, { after, approval }) {
    const values = [storedUnitsOf(after.one_person_from), storedUnitsOf(after.two_people_from), approval];
    await transaction.query(INSERT_THRESHOLD, values);
  },
  // Nobody is notified: the limits are published with each channel, and existing requests don't change.
  audience: async () => [],
};
