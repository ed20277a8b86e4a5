import type { CompiledMessage } from '@lingui/message-utils/compileMessage';
import { durationText } from './duration.ts';
import { formatMessage } from './format-message.ts';
import { type Language, textDirectionOf } from './language.ts';
import { formatDecimalText, isDecimalText } from './numbers.ts';
import { intlTagOf, type Presentation } from './presentation.ts';

export type CompiledCatalogue = Readonly<Record<string, CompiledMessage>>;

/** Loads an area's catalogue in each language. */
export type CatalogueLoaders = Readonly<Record<Language, () => Promise<{ default: CompiledCatalogue }>>>;

/**
 * Values for a message's placeholders, already formatted, with three exceptions: a plural's count is a number, `wait`
 * is in seconds and shown as a duration, and `min`, `max` and `left` may be decimals of the wire, which get separators.
 */
export type TextParams = Readonly<Record<string, string | number>>;

export interface Texts<Key extends string> {
  /** Returns a key's sentence. Throws for an unknown key or a missing value, because either is a bug. */
  text(key: Key, params?: TextParams): string;
  has(key: string): key is Key;
  readonly presentation: Presentation;
}

/**
 * The sentences of one language from its compiled catalogue. Pure and cheap to create. With `isolates`, values in a
 * right-to-left sentence are isolated, so that `10,000 USDT` keeps its order: for screens, not for SMS.
 */
export function openTexts<Key extends string>(
  catalogue: CompiledCatalogue,
  presentation: Presentation,
  { isolates = false }: { isolates?: boolean } = {},
): Texts<Key> {
  const isIsolating = isolates && textDirectionOf(presentation.language) === 'rtl';
  const tag = intlTagOf(presentation);
  const has = (key: string): key is Key => Object.hasOwn(catalogue, key);
  return {
    presentation,
    has,
    text(key, params = {}) {
      const message = catalogue[key];
      if (message === undefined || !has(key)) throw new Error(`no text for ${key} in ${presentation.language}`);
      for (const name of placeholdersOf(message)) {
        if (params[name] === undefined) throw new Error(`text ${key} needs a value for ${name}`);
      }
      const values = wordedValues(params, presentation);
      if (!isIsolating) return marked(formatMessage(message, values, tag), presentation);
      return marked(formatMessage(message, isolated(values), tag), presentation).replace(
        NUMBER_WITH_UNIT,
        '\u2066$1\u2069',
      );
    },
  };
}

/** Marks the assets that a sentence names itself; those in its values are marked already. */
const marked = (sentence: string, { assetMark }: Presentation): string =>
  assetMark ? sentence.replace(/v?USDT/g, `${assetMark}USDT`) : sentence;

/** Matches a number with its unit, or "VIP" with its number: isolated separately, the two would swap places. */
const NUMBER_WITH_UNIT =
  /([\u2066\u2068]*[+−]?\p{Nd}[\p{Nd}.,٫٬]*\u2069* v?[A-Z]{3,4}\b(?!\u2069)|VIP \u2068+\p{Nd}+\u2069+)/gu;

const LIMITS = ['min', 'max', 'left'] as const;

function wordedValues(params: TextParams, presentation: Presentation): TextParams {
  const values: Record<string, string | number> = { ...params };
  if (params.wait !== undefined) values.wait = durationText(Number(params.wait), presentation);
  for (const name of LIMITS) {
    const limit = params[name];
    if (typeof limit === 'string' && isDecimalText(limit)) values[name] = formatDecimalText(limit, presentation);
  }
  return values;
}

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

function isolated(values: TextParams): TextParams {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}` : value,
    ]),
  );
}

/** The names of all values that a compiled message needs. */
export function placeholdersOf(message: CompiledMessage): Set<string> {
  const names = new Set<string>();
  for (const token of message) {
    if (typeof token === 'string') continue;
    const [name, , choices] = token;
    names.add(name);
    if (typeof choices !== 'object' || choices === null) continue;
    for (const choice of Object.values(choices)) {
      if (Array.isArray(choice)) for (const inner of placeholdersOf(choice)) names.add(inner);
    }
  }
  return names;
}
