import { intlTagOf, type Presentation } from './presentation.ts';

// Intl accepts decimal strings and keeps every digit, so no amount ever becomes a JavaScript number.

export interface NumberStyle {
  /** The minimum number of decimals shown. */
  readonly minDecimals?: number;
  /**
   * Further digits are cut off and never rounded up, so that nobody is shown more than there is. By default all digits
   * of the text are shown.
   */
  readonly maxDecimals?: number;
  /** Shows `+` on gains, for changes; balances have no sign. */
  readonly signed?: boolean;
}

/** Formats a decimal string with thousands separators and a real minus sign, without invisible marks. */
export function formatDecimalText(text: string, presentation: Presentation, style: NumberStyle = {}): string {
  return format(text, presentation, {
    minimumFractionDigits: style.minDecimals ?? 0,
    maximumFractionDigits: Math.max(style.minDecimals ?? 0, style.maxDecimals ?? 20),
    signDisplay: style.signed ? 'exceptZero' : 'negative',
  });
}

/** A share as a percentage: `0.0214` is `2.14%`. */
export function formatPercent(text: string, presentation: Presentation, style: NumberStyle = {}): string {
  return format(text, presentation, {
    style: 'percent',
    minimumFractionDigits: style.minDecimals ?? 0,
    maximumFractionDigits: Math.max(style.minDecimals ?? 0, style.maxDecimals ?? 6),
    signDisplay: style.signed ? 'exceptZero' : 'negative',
  });
}

/** A count of things, the only figure that is a JavaScript number. */
export function formatCount(count: number, presentation: Presentation): string {
  return format(String(Math.trunc(count)), presentation, { maximumFractionDigits: 0, signDisplay: 'negative' });
}

/** A short form of a volume: `1.2M`, `12 लाख`, and `0.076` below one. Never use it for an amount that somebody owns. */
export function formatCompact(text: string, presentation: Presentation): string {
  const digits = /^-?0\./.test(text) ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 };
  return format(text, presentation, { notation: 'compact', ...digits, signDisplay: 'negative' });
}

/** Replaces the digits of a finished text by those of the customer's script. */
export function toOwnDigits(text: string, presentation: Presentation): string {
  return text.replace(/[0-9]/g, (digit) => formatCount(Number(digit), presentation));
}

const formatters = new Map<string, Intl.NumberFormat>();

function format(text: string, presentation: Presentation, options: Intl.NumberFormatOptions): string {
  if (!isDecimalText(text)) throw new TypeError(`not a decimal: ${text}`);
  const tag = intlTagOf(presentation);
  const key = `${tag} ${JSON.stringify(options)}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(tag, { roundingMode: 'trunc', ...options });
    formatters.set(key, formatter);
  }
  return formatter
    .formatToParts(text)
    .map((part) => (part.type === 'minusSign' ? '−' : part.type === 'plusSign' ? '+' : part.value))
    .join('')
    .replace(/[\u061c\u200e\u200f]/g, '');
}

/** True for the wire's format, which `Intl` also accepts. */
export function isDecimalText(text: string): text is `${number}` {
  return /^-?[0-9]+(\.[0-9]+)?$/.test(text);
}
