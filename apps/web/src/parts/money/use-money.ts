import {
  formatAsset,
  formatDate,
  formatDecimalText,
  formatMoney,
  type Presentation,
  textDirectionOf,
} from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { useMemo } from 'react';
import { brand } from '#brand';
import { withoutTrailingZeros } from '../market/asset-figure.ts';

/** The formats of amounts and times on these screens. */
export function useMoneyFormats() {
  const { presentation } = useText();
  return useMemo(() => {
    const two = { minDecimals: 2 };
    const isRtl = textDirectionOf(presentation.language) === 'rtl';
    /** Isolates a figure with its unit as left-to-right inside right-to-left sentences. */
    const ltr = (text: string): string => (isRtl ? `\u2066${text}\u2069` : text);
    return {
      ltr,
      /** An amount with its asset, without needless trailing zeros. */
      usdt: (amount: string) => ltr(formatAsset(withoutTrailingZeros(amount), 'USDT', presentation, two)),
      /** Formats an amount in the same way without its asset. */
      plain: (amount: string) => formatDecimalText(withoutTrailingZeros(amount), presentation, two),
      fiat: (amount: string, currency: string, decimals = two) =>
        ltr(
          formatMoney(
            withoutTrailingZeros(amount),
            brand.currencySymbols[currency] ?? currency,
            presentation,
            decimals,
          ),
        ),
      /** Formats the value of one USDT: `1 USDT = ฿33.25`. */
      rate: (rate: string, currency: string) => ltr(rateText(rate, currency, presentation)),
      /** Formats only the time, such as 14:05, if it is today; otherwise also the day. */
      moment: (at: string | number) => formatDate(at, isToday(at) ? 'time' : 'dayTime', presentation),
      second: (at: string | number) =>
        isToday(at) ? formatDate(at, 'seconds', presentation) : formatDate(at, 'dayTime', presentation),
      whole: (at: string | number) => formatDate(at, 'dateTimeSeconds', presentation),
      block: (height: string) => formatDecimalText(height, presentation),
    };
  }, [presentation]);
}

export function rateText(rate: string, currency: string, presentation: Presentation): string {
  const unit = brand.currencySymbols[currency] ?? currency;
  return `${formatAsset('1', 'USDT', presentation)} = ${formatMoney(withoutTrailingZeros(rate), unit, presentation, { minDecimals: 2 })}`;
}

function isToday(at: string | number): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}
