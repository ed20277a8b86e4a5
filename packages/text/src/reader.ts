import type { Language } from './language.ts';
import { CALENDARS, DIGIT_CHOICES, PRACTICE_MARK, type Presentation } from './presentation.ts';

/** The recipient of a sentence that the server words: their format preferences and time zone. */
export interface Reader extends Presentation {
  /** An IANA name; absent for the brand's time zone. */
  readonly timeZone?: string;
}

/** A header of every call by the app: `digits=native;calendar=gregorian;zone=Asia/Tokyo`, and `mark=v` on a
 * practice platform. */
export const PRESENTATION_HEADER = 'presentation';

/** The value of that header. */
export function presentationText({ digits, calendar, timeZone, assetMark }: Omit<Reader, 'language'>): string {
  return Object.entries({ digits, calendar, zone: timeZone, mark: assetMark })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

const TEXT_MAX = 120;

/** Parses a request's reader. A missing or unknown setting counts as not chosen. */
export function readerOf(language: Language, text: string | undefined): Reader {
  if (text === undefined || text.length > TEXT_MAX) return { language };
  const said = new Map(
    text.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim().toLowerCase(), value.trim()] as const;
    }),
  );
  const digits = DIGIT_CHOICES.find((known) => known === said.get('digits'));
  const calendar = CALENDARS.find((known) => known === said.get('calendar'));
  const timeZone = zoneOf(said.get('zone'));
  return {
    language,
    ...(digits && { digits }),
    ...(calendar && { calendar }),
    ...(timeZone && { timeZone }),
    ...(said.get('mark') === PRACTICE_MARK && { assetMark: PRACTICE_MARK }),
  };
}

const zones = new Map<string, string | undefined>();
/** More than the number of time zones. The limit keeps invented names from filling the memory. */
const ZONES_MAX = 1_000;

/** Uses the canonical name, so that all spellings of a zone share one formatter. */
function zoneOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^[A-Za-z0-9_+\-/:]{1,40}$/.test(text)) return undefined;
  if (!zones.has(text)) {
    if (zones.size >= ZONES_MAX) zones.clear();
    zones.set(text, nameOfZone(text));
  }
  return zones.get(text);
}

function nameOfZone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
