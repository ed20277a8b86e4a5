/** A moment as a clock in this time zone shows it, in the form of a browser's field: `2026-11-27T09:00`. */
export function toLocal(iso: string, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(iso),
  );
  return shown.replace(' ', 'T');
}

/** The moment at which a clock in this time zone shows that; null for what is no time. */
export function fromLocal(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) || Number.isNaN(asUtc)) return null;
  let moment = asUtc;
  // The second turn settles times beside a change of the clock.
  for (let turn = 0; turn < 2; turn += 1)
    moment += asUtc - Date.parse(`${toLocal(new Date(moment).toISOString(), timeZone)}Z`);
  return new Date(moment).toISOString();
}
