/** Formats a time in this time zone for a `datetime-local` field: `2026-11-27T09:00`. */
export function toLocal(iso: string, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(iso),
  );
  return shown.replace(' ', 'T');
}

/** Parses the local time of a `datetime-local` field in this time zone; null if it is not a valid time. */
export function fromLocal(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) || Number.isNaN(asUtc)) return null;
  let moment = asUtc;
  // The first pass may use the offset of the wrong side of a daylight-saving change; the second corrects it.
  for (let turn = 0; turn < 2; turn += 1)
    moment += asUtc - Date.parse(`${toLocal(new Date(moment).toISOString(), timeZone)}Z`);
  return new Date(moment).toISOString();
}
