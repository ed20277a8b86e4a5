import { intlTagOf, type Presentation } from './presentation.ts';

const STYLES = {
  /** พ.ศ. 2569 */
  year: { year: 'numeric' },
  /** 21 พ.ย. 2569 */
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  /** 21 พ.ย. */
  day: { day: 'numeric', month: 'short' },
  /** ส. 21 พ.ย. */
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  /** 14:05 */
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  /** 14:05:09, where a second decides */
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  /** 21 พ.ย. 2569 14:05 */
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  /** 21 พ.ย. 2569 14:05:09 */
  dateTimeSeconds: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  /** 21 พ.ย. 14:05, for lists of the recent past */
  dayTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  /** พฤศจิกายน 2569 */
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
export type DateStyle = keyof typeof STYLES;

const formatters = new Map<string, Intl.DateTimeFormat>();
/** Far more than one app needs. A server needs one formatter per time zone of its readers. */
const FORMATTERS_MAX = 400;

/** A moment (ISO 8601, or ms since 1970) in the reader's time zone or a given one. */
export function formatDate(
  moment: string | number,
  style: DateStyle,
  presentation: Presentation,
  timeZone?: string,
): string {
  const tag = intlTagOf(presentation);
  const key = `${tag} ${style} ${timeZone ?? ''}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    if (formatters.size >= FORMATTERS_MAX) formatters.clear();
    formatter = new Intl.DateTimeFormat(tag, timeZone === undefined ? STYLES[style] : { ...STYLES[style], timeZone });
    formatters.set(key, formatter);
  }
  return formatter.format(new Date(moment)).replace(/[\u061c\u200e\u200f]/g, '');
}
