/** Days of a time zone as whole numbers: days since 1970-01-01 of the local date. */
export interface LocalDays {
  dayOf(moment: Date): number;
  /** The moment at which this day's clock shows the minutes after midnight. */
  momentOf(day: number, minutes: number): Date;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Income of a day is credited this many minutes after its end. */
export const CREDITED_MINUTES = 30;

export const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Undefined for what is not a date. */
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
  /** What the zone's clock and calendar show, as if they were UTC. */
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
      // The second look corrects a guess on the other side of a change of the clock; in a gap it comes after it.
      for (let look = 0; look < 3; look++) ms += wanted - shown(ms);
      return new Date(ms);
    },
  };
}
