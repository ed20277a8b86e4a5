import { storedChoice } from '../../stored-choice.ts';

/** The time zone of the reader's device. */
export const READERS_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone in which times are shown: the brand's, in which the house's days begin, or the reader's own. */
export const zoneChoice = storedChoice<'brand' | 'reader'>('zone', 'brand', (stored) =>
  stored === 'reader' ? 'reader' : 'brand',
);

/** `Asia/Bangkok` as `Bangkok`. */
export const placeOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
