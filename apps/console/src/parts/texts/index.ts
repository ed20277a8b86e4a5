import { usePreferences } from '@sathorn/app/preferences';
import { useSyncExternalStore } from 'react';
import { brand } from '#brand';
import en from './en.json';

// The console speaks English and Thai only, so its sentences are here and not in the catalogues of six languages.
export type TextKey = keyof typeof en;
type Sentences = Readonly<Record<TextKey, string>>;

export type Params = Readonly<Record<string, string | number>>;
export interface Texts {
  readonly language: 'en' | 'th';
  t(key: TextKey, params?: Params): string;
  /** The sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
  code(prefix: string, code: string): string;
  time(iso: string): string;
  dateTime(iso: string): string;
  /** A calendar day of the brand, such as `2026-12-01`. */
  date(day: string): string;
  amount(decimal: string): string;
}

export function fill(text: string, params: Params = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

const isKey = (key: string): key is TextKey => key in en;

/** Adds thousands separators and keeps every decimal, because operators compare amounts digit by digit. */
export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.replace('-', '').split('.');
  const sign = decimal.startsWith('-') ? '−' : '';
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`;
}

function textsIn(language: 'en' | 'th', sentences: Sentences): Texts {
  const locale = language === 'th' ? 'th-TH-u-ca-gregory' : 'en-GB';
  const zone = { timeZone: brand.timeZone };
  const time = new Intl.DateTimeFormat(locale, { ...zone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const dateTime = new Intl.DateTimeFormat(locale, {
    ...zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
  const say = (key: TextKey, params?: Params): string => fill(sentences[key], params);
  return {
    language,
    t: say,
    code: (prefix, code) => (isKey(`${prefix}.${code}`) ? say(`${prefix}.${code}` as TextKey) : code),
    time: (iso) => time.format(new Date(iso)),
    dateTime: (iso) => dateTime.format(new Date(iso)),
    date: (day) => date.format(new Date(day)),
    amount: grouped,
  };
}
const ENGLISH = textsIn('en', en);
let thai: Texts | undefined;
const listeners = new Set<() => void>();

/** Loads the Thai sentences, which English operators never need. */
export async function loadTexts(language: string): Promise<void> {
  if (language !== 'th' || thai) return;
  thai = textsIn('th', (await import('./th.json')).default);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The sentences of the chosen language; English until the Thai ones are loaded. */
export function useTexts(): Texts {
  const language = usePreferences((preferences) => preferences.language);
  const loaded = useSyncExternalStore(subscribe, () => thai);
  return (language === 'th' && loaded) || ENGLISH;
}
