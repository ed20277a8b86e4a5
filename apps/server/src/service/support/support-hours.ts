/** Whole hours of a day in the brand's zone; `to` may be 24. */
interface SupportHours {
  readonly from: number;
  readonly to: number;
}

const STEP_MS = 15 * 60_000;

/** When customer service answers again; null while it does. Zones differ from UTC by multiples of 15 minutes. */
export function supportOpensAt(now: Date, { from, to }: SupportHours, timeZone: string): Date | null {
  const clock = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone });
  const isOpen = (at: number) => {
    const hour = Number(clock.format(at));
    return hour >= from && hour < to;
  };
  if (isOpen(now.getTime())) return null;
  let at = Math.ceil(now.getTime() / STEP_MS) * STEP_MS;
  while (!isOpen(at)) at += STEP_MS;
  return new Date(at);
}
