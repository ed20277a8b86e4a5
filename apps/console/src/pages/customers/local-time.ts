export const DAY_MS = 86_400_000;

/** Formats a time for an input of type datetime-local, in the browser's time zone. */
export const localTime = (ms: number): string => {
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
