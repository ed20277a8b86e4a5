import { brand } from '#brand';
import { storedChoice } from '../../stored-choice.ts';

/** The time zone of the reader's device; the brand's if the browser does not know it. */
export const READERS_ZONE = ((): string => {
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // Some browsers name an unknown zone that they then refuse.
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone ?? brand.timeZone;
  } catch {
    return brand.timeZone;
  }
})();

/** The zone in which times are shown: the brand's, in which the house's days begin, or the reader's own. */
export const zoneChoice = storedChoice<'brand' | 'reader'>('zone', 'brand', (stored) =>
  stored === 'reader' ? 'reader' : 'brand',
);

/** `Asia/Bangkok` as `Bangkok`. */
export const placeOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
