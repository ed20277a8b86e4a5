/** The Buddhist era is this many years ahead of the common era. */
export const BUDDHIST_ERA_AHEAD_YEARS = 543;
/** A year from this one on can only be Buddhist: no document is from 1857, and none expires in 2400. */
const BUDDHIST_FROM = 2400;

/** Converts `2560-05-05` to `2017-05-05`, also at the beginning of a time. Returns any other text unchanged. */
export function toCommonEra(text: string): string {
  return text.replace(/^[0-9]{4}(?=-)/, (year) =>
    Number(year) < BUDDHIST_FROM ? year : String(Number(year) - BUDDHIST_ERA_AHEAD_YEARS),
  );
}
