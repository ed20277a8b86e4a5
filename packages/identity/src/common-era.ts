/** The years between the Buddhist era and ours. */
export const BUDDHIST_AHEAD = 543;
/** From this year on a year can only be Buddhist: no document is of 1857 and none expires in 2400. */
const BUDDHIST_FROM = 2400;

/** `2017-05-05` for `2560-05-05`, and the same for a time that begins with a day; any other text as it is. */
export function inCommonEra(text: string): string {
  return text.replace(/^[0-9]{4}(?=-)/, (year) =>
    Number(year) < BUDDHIST_FROM ? year : String(Number(year) - BUDDHIST_AHEAD),
  );
}
