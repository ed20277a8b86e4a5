import { parseMoney, parseRate, type Rate } from '@sathorn/money';
import type { ProposedTerms } from './earning.ts';
import { LIQUIDITY } from './terms.ts';

const units = (text: string): bigint => parseMoney('USDT', text)?.units ?? 0n;
const rate = (text: string): Rate => parseRate(text) ?? (0n as Rate);

const lockup = (days: number, dailyRate: string, min: string, max: string, quota: string): ProposedTerms => ({
  product: days,
  isOffered: true,
  dailyRate: rate(dailyRate),
  min: units(min),
  max: units(max),
  quota: units(quota),
});

/** The products that a demo offers. */
export const DEMO_TERMS: readonly ProposedTerms[] = [
  {
    product: LIQUIDITY,
    isOffered: true,
    min: units('10'),
    stages: [
      { from: 0n, rate: rate('0.05') },
      { from: units('1000'), rate: rate('0.036') },
      { from: units('10000'), rate: rate('0.02') },
    ],
  },
  lockup(7, '0.0001', '10', '50000', '500000'),
  lockup(15, '0.00012', '10', '50000', '400000'),
  lockup(30, '0.00015', '50', '50000', '300000'),
  lockup(60, '0.00018', '50', '50000', '200000'),
  lockup(90, '0.0002', '100', '20000', '100000'),
];
