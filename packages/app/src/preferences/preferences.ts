import {
  type Calendar,
  type DigitChoice,
  isLanguage,
  type Language,
  localeTagOf,
  presentationText,
  textDirectionOf,
} from '@sathorn/text';
import { create } from 'zustand';
import { brand } from '#brand';
import { ASSET_STYLE } from '../practice.ts';
import { storageKeyOf } from '../storage-key-of.ts';

export type Theme = 'system' | 'light' | 'dark';
/** The colour of rising prices and of buying. */
type RiseColour = 'red' | 'green';

interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  /** Null until the customer chooses; then the language decides. */
  readonly riseColour: RiseColour | null;
  /** A trading page has already asked the customer to choose the colour. */
  readonly isRiseOffered: boolean;
  readonly digits: DigitChoice;
  readonly calendar: Calendar;
  readonly hideBalances: boolean;
  /** Codes of the coins that the customer has marked. */
  readonly favourites: readonly string[];
}

const INITIAL: Preferences = {
  language: brand.locale,
  theme: 'system',
  riseColour: null,
  isRiseOffered: false,
  digits: 'latin',
  calendar: 'buddhist',
  hideBalances: false,
  favourites: [],
};

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

// `public/first-paint.js` reads the same local storage entry.
const STORED_AS = storageKeyOf('preferences');

/** Reads the preferences stored on this device. Unknown or unreadable values count as absent. */
export function readPreferences(stored: string | null): Preferences {
  try {
    const kept = { ...INITIAL, ...(JSON.parse(stored ?? '{}') as { state?: Partial<Preferences> }).state };
    return isLanguage(kept.language) && Array.isArray(kept.favourites) ? kept : INITIAL;
  } catch {
    return INITIAL;
  }
}

function storedPreferences(): Preferences {
  try {
    return readPreferences(localStorage.getItem(STORED_AS));
  } catch {
    // Private windows may refuse storage.
    return INITIAL;
  }
}

export const usePreferences = create<Preferences>(storedPreferences);

export function setPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
  try {
    localStorage.setItem(STORED_AS, JSON.stringify({ state: usePreferences.getState(), version: 0 }));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/**
 * The format preferences that are sent to the server for its sentences. Reads that depend on them are repeated when
 * they change.
 */
export function presentationOf({ digits, calendar }: Pick<Preferences, 'digits' | 'calendar'>): string {
  return presentationText({ digits, calendar, timeZone: TIME_ZONE, ...ASSET_STYLE });
}

/** Red means rising by default, as in Thailand, China and Japan; en, ar and hi start with green. */
export function riseColourOf({ riseColour, language }: Pick<Preferences, 'riseColour' | 'language'>): RiseColour {
  return riseColour ?? (language === 'en' || language === 'ar' || language === 'hi' ? 'green' : 'red');
}

const darkSystem = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined;

export function themeOf(theme: Theme, isSystemDark = darkSystem?.matches ?? false): 'light' | 'dark' {
  return theme === 'system' ? (isSystemDark ? 'dark' : 'light') : theme;
}

/** Sets the document's attributes that style sheets and screen readers use. */
export function applyPreferences(preferences: Preferences): void {
  const root = document.documentElement;
  root.lang = localeTagOf(preferences.language);
  root.dir = textDirectionOf(preferences.language);
  root.dataset.theme = themeOf(preferences.theme);
  root.dataset.rise = riseColourOf(preferences);
}

/** Keeps the document up to date with the preferences and the system's theme. */
export function followPreferences(): void {
  applyPreferences(usePreferences.getState());
  usePreferences.subscribe(applyPreferences);
  darkSystem?.addEventListener('change', () => applyPreferences(usePreferences.getState()));
  // Takes over choices from another tab. Otherwise this tab's next choice would undo them, because it stores all
  // preferences.
  addEventListener('storage', ({ key }) => {
    if (key === STORED_AS) usePreferences.setState(storedPreferences());
  });
}
