import { type Currency, listRates } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { formatDate, inDisplayCurrency } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { brand } from '#brand';

export interface DisplayCurrency {
  readonly unit: string;
  /** The currency's usual number of decimals. */
  readonly decimals: number;
  /** The time of the rate. */
  readonly at: string;
  readonly simulated: boolean;
  /** Converts an amount of USDT to the currency, for display only. */
  of(usdt: string): string;
}

const WITHOUT_DECIMALS: ReadonlySet<Currency> = new Set(['JPY', 'VND']);

/**
 * Returns a display currency with its rate; undefined until the rate is loaded. If the rate cannot be loaded, or a live
 * deployment has none, amounts are shown in USDT.
 */
export function useDisplayCurrency(currency: Currency | undefined): {
  display: DisplayCurrency | undefined;
  isFailed: boolean;
} {
  const { data, isError } = useRead(listRates, {}, { freshForMs: 60_000, everyMs: 60_000 });
  const rate = data?.find(({ code }) => code === currency);
  const display = rate && {
    unit: brand.currencySymbols[rate.unit] ?? rate.unit,
    decimals: WITHOUT_DECIMALS.has(rate.code) ? 0 : 2,
    at: rate.at,
    simulated: rate.simulated,
    of: (usdt: string) => inDisplayCurrency(usdt, rate.rate),
  };
  return { display, isFailed: isError || (data !== undefined && currency !== undefined && !rate) };
}

/** Shows the time of the rate, and whether it is simulated. */
export function RateTime({ of: { at, simulated } }: { of: DisplayCurrency }) {
  const { t, presentation } = useText();
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const time = formatDate(at, isToday ? 'time' : 'day', presentation);
  return t(simulated ? 'home.rate_simulated' : 'home.rate_at', { time });
}
