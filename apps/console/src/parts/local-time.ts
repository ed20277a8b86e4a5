/** Formats a moment, in milliseconds, for a `datetime-local` field in this time zone: `2026-11-27T09:00`. */
export function toLocalInput(ms: number, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(ms);
  return shown.replace(' ', 'T');
}

/**
 * Parses the local time of a `datetime-local` field in this time zone, or the day of a `date` field, which begins at
 * midnight. Returns null if it is not a valid time.
 */
export function fromLocalInput(local: string, timeZone: string): Date | null {
  const minute = local.length === 10 ? `${local}T00:00` : local;
  const asUtc = Date.parse(`${minute}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(minute) || Number.isNaN(asUtc)) return null;
  let moment = asUtc;
  // The first pass may use the offset of the wrong side of a daylight-saving change; the second corrects it.
  for (let turn = 0; turn < 2; turn += 1) moment += asUtc - Date.parse(`${toLocalInput(moment, timeZone)}Z`);
  return new Date(moment);
}
