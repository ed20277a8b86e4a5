import { brand } from '#brand';
import { openStoredChoice } from '../../stored-choice.ts';

/** The time zone of the reader's device; the brand's if the browser does not know it. */
export const READER_TIME_ZONE = ((): string => {
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // Some browsers name a zone that they then reject as unknown.
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone ?? brand.timeZone;
  } catch {
    return brand.timeZone;
  }
})();

/** The zone of displayed times: the brand's, in which the house's days begin, or the reader's own. */
export const timeZoneChoice = openStoredChoice<'brand' | 'reader'>('zone', 'brand', (stored) =>
  stored === 'reader' ? 'reader' : 'brand',
);

/** Returns the place of a zone: `Bangkok` for `Asia/Bangkok`. */
export const placeOfTimeZone = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
