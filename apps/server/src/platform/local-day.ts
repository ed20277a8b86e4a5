/** A time zone's days as whole numbers: days from 1970-01-01 to the local date. */
export interface LocalDays {
  dayOf(moment: Date): number;
  /** The moment at which the local clock shows this many minutes after midnight of the day. */
  momentOf(day: number, minutes: number): Date;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** How many minutes after its end a day's income is credited. */
export const INCOME_CREDITED_MINUTES = 30;

export const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Undefined if the text is not a date. */
export function dayOfText(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) || dateText(ms / DAY_MS) !== text ? undefined : ms / DAY_MS;
}

export function localDays(timeZone: string): LocalDays {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  /** The zone's local date and time as if it were UTC, in ms. */
  const shown = (ms: number): number => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  return {
    dayOf: (moment) => Math.floor(shown(moment.getTime()) / DAY_MS),
    momentOf(day, minutes) {
      const wanted = day * DAY_MS + minutes * MINUTE_MS;
      let ms = wanted;
      // Repeats the correction, because the first guess may fall on the other side of a clock change. A time that a
      // clock change skips becomes one after the change.
      for (let look = 0; look < 3; look++) ms += wanted - shown(ms);
      return new Date(ms);
    },
  };
}
