import { createHash } from 'node:crypto';
import { CONTENT_LANGUAGES, type ContentKind, type ContentWords, plainText } from '@sathorn/api';
import type { Brand } from '@sathorn/brand';
import { type Language, localeTagOf } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/database/index.ts';
import { type ContentTexts, parsePublishedContent, wordsInLanguage } from './contents.ts';
import { readRulesPublications } from './contents-store.ts';
import { storeRulesText } from './rules-store.ts';

export const RULES_SUBJECTS = ['options', 'agreement', 'liquidity', 'lockup'] as const;
export type RulesSubject = (typeof RULES_SUBJECTS)[number];
type RulesKind = `rules_${RulesSubject}`;

export const kindOfRules = (of: RulesSubject): RulesKind => `rules_${of}`;
/** Null for a kind of content that is no rules. */
export const rulesOfKind = (kind: ContentKind): RulesSubject | null =>
  RULES_SUBJECTS.find((of) => kindOfRules(of) === kind) ?? null;

/** The shipped sections: each has a title and a text in the catalogue, such as `rules.options.start.title`. */
const SECTIONS = {
  options: ['what', 'start', 'result', 'win', 'tie', 'void', 'sale', 'limits', 'receipt', 'dispute', 'risk'],
  liquidity: ['what', 'days', 'rate', 'rounding', 'example', 'redeem', 'fund', 'receipt', 'changes', 'risk'],
  lockup: ['what', 'days', 'income', 'example', 'end', 'fund', 'receipt', 'risk'],
  agreement: ['parties', 'account', 'security', 'trading', 'money', 'conduct', 'privacy', 'changes', 'risk'],
} as const satisfies Record<RulesSubject, readonly string[]>;

/** The values by which the software and the offer settle, hashed with the text: other values, another text. */
export interface RulesParams {
  /** The smallest stake of all options on offer, with its unit. */
  readonly stakeMin: string;
  /** Seconds from the arrival of an order to its acceptance. */
  readonly acceptSeconds: number;
  /** Seconds without a tick that make an order void. */
  readonly gapSeconds: number;
  readonly disputeDays: number;
  /** The limit of quick redemptions by all customers per day, with its unit. */
  readonly quickMax: string;
  /** Days within which a normal redemption arrives. */
  readonly redemptionDays: number;
  /** The yield account must hold liquidity's income of this many days while subscriptions are open. */
  readonly coverDays: number;
  /** The terms of the lock-ups on offer, in days. */
  readonly lockupDays: readonly number[];
}

/** The values that each of the rules must state. Authors write the names in braces and never type the figures. */
export const RULES_VALUES = {
  options: ['brand', 'min', 'accept', 'gap', 'days'],
  agreement: ['brand', 'days'],
  liquidity: ['brand', 'quick', 'arrival', 'cover'],
  lockup: ['brand', 'terms'],
} as const satisfies Record<RulesSubject, readonly string[]>;
type ValueName = (typeof RULES_VALUES)[RulesSubject][number];
type RulesValues = Readonly<Record<ValueName, string>>;

/** Days between a change and its effect: longer if customers have open balances, and for the agreement. */
export const RULES_NOTICE_DAYS: Readonly<Record<RulesSubject, number>> = {
  options: 1,
  lockup: 1,
  liquidity: 7,
  agreement: 7,
};

const PLACEHOLDER = /\{([a-z]+)\}/g;
const placeholdersIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '');

type Key = Parameters<typeof translate>[1];

function valuesIn(params: RulesParams, brandTitle: string, language: Language): RulesValues {
  const seconds = (n: number): string => translate(language, 'rules.unit.seconds', { n });
  const days = (n: number): string => translate(language, 'rules.unit.days', { n });
  const terms = new Intl.ListFormat(localeTagOf(language), { type: 'disjunction' });
  return {
    brand: brandTitle,
    min: params.stakeMin,
    accept: seconds(params.acceptSeconds),
    gap: seconds(params.gapSeconds),
    days: days(params.disputeDays),
    quick: params.quickMax,
    arrival: days(params.redemptionDays),
    cover: days(params.coverDays),
    terms: params.lockupDays.length === 0 ? '–' : terms.format(params.lockupDays.map(String)),
  };
}

/** Formats plain text: numbered headings, with a blank line between sections. */
export function fillRules({ title, body }: ContentWords, values: Readonly<Record<string, string>>): string {
  const fill = (text: string): string => text.replaceAll(PLACEHOLDER, (whole, name: string) => values[name] ?? whole);
  const sections: string[] = [];
  let headings = 0;
  for (const block of body) {
    const text = fill(plainText([block]));
    if (block.kind === 'heading') {
      headings += 1;
      sections.push(`${headings}. ${text}`);
    } else if (headings === 0) sections.push(text);
    else sections[sections.length - 1] += `\n${text}`;
  }
  return [fill(title), ...sections].join('\n\n');
}

/** The text that the software ships, with the names of its values in braces. */
export function shippedRules(of: RulesSubject, language: Language): ContentWords {
  const names = Object.fromEntries(RULES_VALUES[of].map((name) => [name, `{${name}}`]));
  const say = (key: string): string => translate(language, `rules.${of}.${key}` as Key, names);
  return {
    title: say('title'),
    summary: '',
    body: SECTIONS[of].flatMap((section) => [
      { kind: 'heading' as const, inlines: [{ text: say(`${section}.title`) }] },
      { kind: 'paragraph' as const, inlines: [{ text: say(`${section}.text`) }] },
    ]),
  };
}

const FIGURE = /\p{Nd}[\p{Nd}.,:/٫٬٪%％×÷]*/gu;
const LATIN = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '๐๑๒๓๔๕๖๗๘๙', '０１２３４５６７８９'];
const figuresOf = (text: string): string[] =>
  (text.match(FIGURE) ?? []).map((figure) =>
    figure
      .replaceAll(/\p{Nd}/gu, (digit) => {
        const set = LATIN.find((digits) => digits.includes(digit));
        return set ? String([...set].indexOf(digit)) : digit;
      })
      .replaceAll(/[.,:/٫٬]+$/gu, '')
      .replaceAll(/[٪％]/gu, '%'),
  );
const saidIn = ({ title, body }: ContentWords): string => `${title}\n${plainText(body)}`;

/** Figures that every shipped translation may use: worked examples, clock times, the smallest unit. */
const shippedFigures = (of: RulesSubject): ReadonlySet<string> =>
  new Set(CONTENT_LANGUAGES.flatMap((language) => figuresOf(saidIn(shippedRules(of, language)))));

/**
 * Finds what contradicts the terms, now or after a change: a value that is missing or unknown, and a figure that is
 * typed instead of computed.
 */
export function faultsOfRules(
  of: RulesSubject,
  words: ContentWords,
): { readonly missing: string[]; readonly unknown: string[]; readonly figures: string[] } {
  const said = saidIn(words);
  const named = new Set(placeholdersIn(said));
  const wanted: readonly string[] = RULES_VALUES[of];
  const allowed = shippedFigures(of);
  return {
    missing: wanted.filter((name) => !named.has(name)),
    unknown: [...named].filter((name) => !wanted.includes(name)),
    figures: [...new Set(figuresOf(said))].filter((figure) => !allowed.has(figure)),
  };
}

export interface UpcomingRules {
  readonly from: Date;
  content(language: Language): string;
}

export interface Rules {
  /** The current text: plain, with numbered headings and a blank line between sections. */
  content(of: RulesSubject, language: Language): string;
  /** SHA-256 in hex of the binding English text in force now. Receipts contain it. */
  hash(of: RulesSubject): string;
  /** The next text that is approved for a later time. */
  upcoming(of: RulesSubject): UpcomingRules | null;
  values(language: Language): RulesValues;
  /** Reads the published texts and the offer again. Stores every text under its hash before it takes effect. */
  refresh(): Promise<void>;
}

interface Version {
  readonly from: Date;
  readonly texts: ContentTexts;
  readonly hash: string;
}

interface RulesDependencies {
  readonly database: Queries;
  readonly brand: Pick<Brand, 'title' | 'locale'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly params: () => RulesParams | Promise<RulesParams>;
}

/** The rules before the values that they state are known. */
export interface RulesWithoutParams extends Omit<Rules, 'refresh'> {
  /** Like `refresh` of the rules, with the values that they now state. */
  refresh(params: RulesParams | Promise<RulesParams>): Promise<void>;
}

export function openRules(
  { params, ...dependencies }: RulesDependencies,
  texts: RulesWithoutParams = openRulesWithoutParams(dependencies),
): Rules {
  return { ...texts, refresh: async () => texts.refresh(params()) };
}

/** Opens the texts before the products, which name them in receipts. The products' figures follow with `refresh`. */
export function openRulesWithoutParams({
  database,
  brand,
  clock,
}: Omit<RulesDependencies, 'params'>): RulesWithoutParams {
  let values: Partial<Record<Language, RulesValues>> = {};
  /** Newest first. The last one is shipped and has always been in force. */
  let versions: Partial<Record<RulesSubject, readonly Version[]>> = {};
  const kept = new Set<string>();

  const valuesOf = (language: Language): RulesValues => {
    const known = values[language];
    if (!known) throw new Error('the rules were not read yet');
    return known;
  };
  const word = ({ texts }: Pick<Version, 'texts'>, language: Language): string => {
    const words = wordsInLanguage(texts, language, brand.locale);
    if (!words) throw new Error('rules without a text');
    return fillRules(words, valuesOf(language));
  };
  const inForce = (of: RulesSubject): Version => {
    const now = clock.now();
    const version = versions[of]?.find(({ from }) => from <= now);
    if (!version) throw new Error(`no rules of ${of} are in force`);
    return version;
  };

  return {
    content: (of, language) => word(inForce(of), language),
    hash: (of) => inForce(of).hash,
    upcoming(of) {
      const now = clock.now();
      const all = versions[of] ?? [];
      // A text that a newer publication replaces before its time never takes effect.
      const coming = all.filter((one) => one.from > now && all.find(({ from }) => from <= one.from) === one);
      const next = coming.sort((a, b) => a.from.getTime() - b.from.getTime())[0];
      return next ? { from: next.from, content: (language) => word(next, language) } : null;
    },
    values: valuesOf,
    async refresh(params) {
      const [given, rows] = await Promise.all([params, readRulesPublications(database)]);
      const next = Object.fromEntries(
        CONTENT_LANGUAGES.map((language) => [language, valuesIn(given, brand.title, language)]),
      ) as Record<Language, RulesValues>;
      const read: Partial<Record<RulesSubject, readonly Version[]>> = {};
      for (const of of RULES_SUBJECTS) {
        const shipped = Object.fromEntries(CONTENT_LANGUAGES.map((language) => [language, shippedRules(of, language)]));
        const published = rows
          .filter(({ kind }) => kind === kindOfRules(of))
          .map(({ from_at: from, content }) => ({ from, texts: parsePublishedContent(content).texts }));
        const all: Version[] = [];
        for (const { from, texts } of [...published, { from: new Date(0), texts: shipped as ContentTexts }]) {
          const english = texts.en ?? wordsInLanguage(texts, 'en', brand.locale);
          if (!english) continue;
          const text = fillRules(english, next.en);
          const hash = createHash('sha256').update(text).digest('hex');
          if (!kept.has(hash)) await storeRulesText(database, hash, of, text);
          kept.add(hash);
          all.push({ from, texts, hash });
        }
        read[of] = all;
      }
      values = next;
      versions = read;
    },
  };
}
