import { intlTagOf, type Presentation } from './presentation.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A wait in words, in the largest unit that is precise enough; rounded up, so that nobody comes back too early. */
export function durationText(seconds: number, presentation: Presentation): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 2 * MINUTE) return unitText(whole, 'second', presentation);
  if (whole < 2 * HOUR) return unitText(Math.ceil(whole / MINUTE), 'minute', presentation);
  if (whole < 2 * DAY) return unitText(Math.ceil(whole / HOUR), 'hour', presentation);
  return unitText(Math.ceil(whole / DAY), 'day', presentation);
}

/** Says how long ago something was, in the largest whole unit, short: "40 min. ago". */
export function agoText(seconds: number, presentation: Presentation): string {
  const format = new Intl.RelativeTimeFormat(intlTagOf(presentation), { numeric: 'auto', style: 'short' });
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return format.format(-whole, 'second');
  if (whole < HOUR) return format.format(-Math.floor(whole / MINUTE), 'minute');
  if (whole < DAY) return format.format(-Math.floor(whole / HOUR), 'hour');
  return format.format(-Math.floor(whole / DAY), 'day');
}

function unitText(count: number, unit: 'second' | 'minute' | 'hour' | 'day', presentation: Presentation): string {
  return new Intl.NumberFormat(intlTagOf(presentation), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
