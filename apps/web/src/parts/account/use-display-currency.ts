import { type Currency, listRates } from '@sathorn/api';
import { inDisplayCurrency } from '@sathorn/text';
import { useRead } from '../../client/use-read.ts';

export interface DisplayCurrency {
  readonly unit: string;
  /** Decimals that the currency is written with. */
  readonly decimals: number;
  /** Time of the rate. */
  readonly at: string;
  readonly simulated: boolean;
  /** What an amount of USDT is in it: for showing only. */
  of(usdt: string): string;
}

const WITHOUT_DECIMALS: ReadonlySet<Currency> = new Set(['JPY', 'VND']);

/** A display currency with its rate; undefined until the rate is known, and then amounts are shown in USDT. */
export function useDisplayCurrency(currency: Currency): DisplayCurrency | undefined {
  const { data } = useRead(listRates, {}, { freshForMs: 60_000, everyMs: 60_000 });
  const rate = data?.find(({ code }) => code === currency);
  if (!rate) return undefined;
  return {
    unit: rate.unit,
    decimals: WITHOUT_DECIMALS.has(currency) ? 0 : 2,
    at: rate.at,
    simulated: rate.simulated,
    of: (usdt) => inDisplayCurrency(usdt, rate.rate),
  };
}
