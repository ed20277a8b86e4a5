import { type Money, parseMoney, parseRate, type Rate, zero } from '@sathorn/money';
import type { ProposedTerms } from './earning.ts';
import { LIQUIDITY_PRODUCT } from './earning-terms.ts';

const usdt = (text: string): Money<'USDT'> => parseMoney('USDT', text) ?? zero('USDT');
const rate = (text: string): Rate => parseRate(text) ?? (0n as Rate);

const lockup = (days: number, dailyRate: string, min: string, max: string, quota: string): ProposedTerms => ({
  product: days,
  isOffered: true,
  dailyRate: rate(dailyRate),
  min: usdt(min),
  max: usdt(max),
  quota: usdt(quota),
});

/** The products that a demo offers. */
export const DEMO_TERMS: readonly ProposedTerms[] = [
  {
    product: LIQUIDITY_PRODUCT,
    isOffered: true,
    min: usdt('10'),
    stages: [
      { from: 0n, rate: rate('0.05') },
      { from: usdt('1000').units, rate: rate('0.036') },
      { from: usdt('10000').units, rate: rate('0.02') },
    ],
  },
  lockup(7, '0.0001', '10', '50000', '500000'),
  lockup(15, '0.00012', '10', '50000', '400000'),
  lockup(30, '0.00015', '50', '50000', '300000'),
  lockup(60, '0.00018', '50', '50000', '200000'),
  lockup(90, '0.0002', '100', '20000', '100000'),
];
