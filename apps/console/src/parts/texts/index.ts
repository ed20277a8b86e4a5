import { usePreferences } from '@sathorn/app/preferences';
import { useSyncExternalStore } from 'react';
import { brand } from '#brand';
import type texts from './texts.json';
import en from './texts.json?en';
import { READER_TIME_ZONE, timeZoneChoice } from './time-zone.ts';

// The console has only English and Thai, so its sentences are here and not in the catalogues of six languages.
export type TextKey = keyof typeof texts;
type Sentences = Readonly<Record<TextKey, string>>;

export type TextParams = Readonly<Record<string, string | number>>;
export interface Texts {
  readonly language: 'en' | 'th';
  t(key: TextKey, params?: TextParams): string;
  /** Returns the sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
  code(prefix: string, code: string): string;
  /** The zone in which times are shown and typed. */
  readonly timeZone: string;
  time(iso: string): string;
  dateTime(iso: string): string;
  /** Formats a calendar day of the brand, such as `2026-12-01`. */
  date(day: string): string;
  amount(decimal: string): string;
}

export function fillParams(text: string, params: TextParams = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

const isKey = (key: string): key is TextKey => key in en;

const signed = (decimal: string, fraction: string | undefined): string => {
  const whole = decimal.replace('-', '').split('.')[0] ?? '';
  const sign = decimal.startsWith('-') ? '−' : '';
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`;
};

/** Adds thousands separators and omits trailing zeros after the second decimal. The value stays exact. */
export function groupedDecimal(decimal: string): string {
  return signed(decimal, decimal.split('.')[1]?.replace(/0+$/, '').padEnd(2, '0'));
}

/** Does the same with two decimals, rounded towards zero; exact if it would otherwise show as zero. */
export function groupedShortDecimal(decimal: string): string {
  const cut = decimal.split('.')[1]?.slice(0, 2).padEnd(2, '0');
  const isSeen = /[1-9]/.test(decimal.split('.')[0] ?? '') || cut !== '00';
  return isSeen ? signed(decimal, cut) : groupedDecimal(decimal);
}

function textsIn(language: 'en' | 'th', sentences: Sentences, timeZone: string): Texts {
  const locale = language === 'th' ? 'th-TH-u-ca-gregory' : 'en-GB';
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const dateTime = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
  const say = (key: TextKey, params?: TextParams): string => fillParams(sentences[key], params);
  return {
    language,
    t: say,
    code: (prefix, code) => (isKey(`${prefix}.${code}`) ? say(`${prefix}.${code}` as TextKey) : code),
    timeZone,
    time: (iso) => time.format(new Date(iso)),
    dateTime: (iso) => dateTime.format(new Date(iso)),
    date: (day) => date.format(new Date(day)),
    amount: groupedDecimal,
  };
}

interface InZones {
  readonly brand: Texts;
  readonly reader: Texts;
}

function inZones(language: 'en' | 'th', sentences: Sentences): InZones {
  const brands = textsIn(language, sentences, brand.timeZone);
  return {
    brand: brands,
    reader: READER_TIME_ZONE === brand.timeZone ? brands : textsIn(language, sentences, READER_TIME_ZONE),
  };
}
const ENGLISH = inZones('en', en);
let thai: InZones | undefined;
const listeners = new Set<() => void>();

/** Loads the Thai sentences, which English operators never need. */
export async function loadTexts(language: string): Promise<void> {
  if (language !== 'th' || thai) return;
  thai = inZones('th', (await import('./texts.json?th')).default);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the chosen language's sentences, in English until the Thai ones have loaded; times in the chosen zone. */
export function useTexts(): Texts {
  const language = usePreferences((preferences) => preferences.language);
  const loaded = useSyncExternalStore(subscribe, () => thai);
  return ((language === 'th' && loaded) || ENGLISH)[timeZoneChoice.use()];
}
