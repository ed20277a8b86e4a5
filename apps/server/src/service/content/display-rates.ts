import { CURRENCIES, type Currency } from '@sathorn/api';
import { parseRate } from '@sathorn/money';
import type { Database } from '../../platform/database/index.ts';
import { listRateRows, upsertRate } from './rate-store.ts';

/** Currency codes for display; the specification's BAHT is THB. */
const UNITS: Readonly<Record<Currency, string>> = {
  BAHT: 'THB',
  USD: 'USD',
  CNY: 'CNY',
  JPY: 'JPY',
  AED: 'AED',
  INR: 'INR',
  VND: 'VND',
};

/** The demo's rates, which are invented; they are marked as simulated wherever they are shown. */
const SIMULATED_AT = '2026-11-01T00:00:00.000Z';
const SIMULATED: Readonly<Record<Currency, string>> = {
  BAHT: '33.25',
  USD: '1',
  CNY: '7.12',
  JPY: '151.4',
  AED: '3.6725',
  INR: '88.1',
  VND: '26350',
};

interface DisplayRate {
  readonly code: Currency;
  readonly unit: string;
  readonly rate: string;
  readonly at: string;
  readonly simulated: boolean;
}

/** The source of live rates: how much of each currency one USDT is worth, as of `at`. Throws if it is unavailable. */
export interface RateSource {
  fetchRates(): Promise<readonly { readonly code: Currency; readonly rate: string; readonly at: Date }[]>;
}

export interface DisplayRates {
  /** In a live deployment these are the last known rates, each with its time; a currency without one is omitted. */
  list(code?: Currency): Promise<DisplayRate[]>;
  /** Queries the source. Rates in an unexpected format are ignored. */
  refresh(): Promise<void>;
}

export function openSimulatedRates(): DisplayRates {
  const rates = CURRENCIES.map((code) => ({
    code,
    unit: UNITS[code],
    rate: SIMULATED[code],
    at: SIMULATED_AT,
    simulated: true,
  }));
  return {
    list: async (code) => rates.filter((rate) => code === undefined || rate.code === code),
    refresh: async () => undefined,
  };
}

export function openLiveRates(database: Database, source: RateSource | null): DisplayRates {
  return {
    async list(code) {
      const rows = await listRateRows(database);
      return rows
        .filter((row) => code === undefined || row.code === code)
        .map((row) => ({
          code: row.code,
          unit: UNITS[row.code],
          rate: row.rate,
          at: row.at.toISOString(),
          simulated: false,
        }));
    },
    async refresh() {
      for (const fetched of (await source?.fetchRates()) ?? []) {
        const rate = parseRate(fetched.rate);
        if (rate !== undefined && rate > 0n && CURRENCIES.includes(fetched.code)) await upsertRate(database, fetched);
      }
    },
  };
}
