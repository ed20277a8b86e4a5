import { gzipSync } from 'node:zlib';
import type { CompiledMessage } from '@lingui/message-utils/compileMessage';
import {
  CALLS,
  COMMON_REFUSALS,
  DECISION_REFUSALS,
  FIELD_FAULTS,
  KEY_REFUSALS,
  OPERATOR_REFUSALS,
  ORDERED_REFUSALS,
} from '@sathorn/api';
import { describe, expect, test } from 'vitest';
import { compileCatalogue, listCatalogueAreas, readCatalogue, readCatalogueArea } from './catalogue-files.ts';
import { LANGUAGES, type Language } from './language.ts';
import { placeholdersOf } from './texts.ts';

const AREAS = listCatalogueAreas();
const OTHERS = LANGUAGES.filter((language) => language !== 'th');
/** The areas that every page of the web app loads sooner or later. */
const WEB_AREAS = ['account', 'faults', 'shell', 'trade'];
const WEB_SIZE_MAX = 10_240;

/** The statuses of the specification's error catalogue, and the other statuses that the edge sends. */
const HTTP_STATUSES = [400, 401, 402, 403, 404, 405, 406, 413, 415, 429, 500, 501, 502, 503, 504];

/** Latin words that are names. Any other Latin word in a text of another language is a forgotten translation. */
const NAMES = new Set(
  [
    'Sathorn vUSDT Bitcoin Ethereum Solana Cardano Dogecoin TRON PromptPay JPEG WebP Ed25519 tick Android iOS Chrome Safari',
    'Firefox Google Authenticator Windows Linux macOS iPhone iPad SHA256 WebSocket npm start ok drand npx sathorn verify',
    // Terms that traders use untranslated in every language.
    'Maker Taker Post only bp',
    // What authors of programs look for.
    'nonce',
    // Tax programs.
    'Koinly CoinTracking',
  ]
    .join(' ')
    .split(' '),
);

function literalsOf(message: CompiledMessage): string {
  return message
    .map((token) => {
      if (typeof token === 'string') return token;
      const choices = token[2];
      if (typeof choices !== 'object' || choices === null) return ' ';
      return Object.values(choices)
        .map((choice) => (Array.isArray(choice) ? literalsOf(choice) : ' '))
        .join(' ');
    })
    .join('');
}

function englishIn(message: CompiledMessage): string[] {
  const text = literalsOf(message)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\b[a-z]+:\/\/\S+|\S+@\S+|\/[a-z/_-]+/gi, ' ');
  return (text.match(/[A-Za-z][A-Za-z0-9]+/g) ?? []).filter(
    (word) => !/^[A-Z0-9]{2,6}$/.test(word) && !NAMES.has(word),
  );
}

describe.each(AREAS)('the area %s', (area) => {
  const thai = compileCatalogue(readCatalogueArea(area, 'th'));

  test.each(OTHERS)('has the same keys in %s as in Thai', (language) => {
    expect(Object.keys(readCatalogueArea(area, language)).sort()).toEqual(Object.keys(thai).sort());
  });

  test.each(LANGUAGES)('has no empty and no untrimmed message in %s', (language) => {
    const bad = Object.entries(readCatalogueArea(area, language)).filter(
      ([, text]) => text === '' || text !== text.trim(),
    );
    expect(bad).toEqual([]);
  });

  test.each(OTHERS)('gives each message the same placeholders in %s as in Thai', (language) => {
    const differing = Object.entries(compileCatalogue(readCatalogueArea(area, language)))
      .filter(([key, message]) => names(message) !== names(thai[key] ?? []))
      .map(([key]) => key);
    expect(differing).toEqual([]);
  });

  test.each(LANGUAGES)('counts with every plural form of %s', (language) => {
    const categories = new Intl.PluralRules(intlLanguage(language)).resolvedOptions().pluralCategories;
    const lacking = Object.entries(compileCatalogue(readCatalogueArea(area, language)))
      .filter(([, message]) => pluralsOf(message).some((forms) => categories.some((form) => !forms.includes(form))))
      .map(([key]) => key);
    expect(lacking).toEqual([]);
  });

  test.each(LANGUAGES.filter((language) => language !== 'en'))('leaves no English in %s', (language) => {
    const left = Object.entries(compileCatalogue(readCatalogueArea(area, language)))
      .map(([key, message]) => [key, ...englishIn(message)])
      .filter(([, ...words]) => words.length > 0);
    expect(left).toEqual([]);
  });
});

test('the check for English notices a forgotten translation', () => {
  expect(englishIn(['Please try again'])).toEqual(['Please', 'try', 'again']);
  expect(englishIn(['ซื้อ USDT ด้วย PromptPay'])).toEqual([]);
});

test('no middle dot is beside a figure in Arabic, because it looks like the Arabic zero', () => {
  const beside = Object.entries(readCatalogue('ar', AREAS)).filter(([, text]) => /[0-9}]\s*·|·\s*[0-9{]/.test(text));
  expect(beside).toEqual([]);
});

/** Sentences that express the term differently in at least one language. */
const TERM_AVOIDED = new Set(['pin.again', 'consents.options.risk2']);

test.each([
  ['อัตราจ่าย', { en: 'ayout', zh: '赔付率', jp: 'ペイアウト', ar: 'دفع', hi: 'पेआउट' }],
  ['รหัสชำระเงิน', { en: 'ayment password', zh: '支付密码', jp: '取引暗証番号', ar: 'رمز الدفع', hi: 'पेमेंट PIN' }],
  ['ขั้นต้น', { en: 'rimary', zh: '初级', jp: '一次', ar: 'أساسي', hi: 'बेसिक' }],
  ['ขั้นสูง', { en: 'dvanced', zh: '高级', jp: '二次', ar: 'متقد', hi: 'एडवांस्ड' }],
])('%s has one name in each language', (thai, names) => {
  const keys = Object.entries(readCatalogue('th', AREAS)).flatMap(([key, text]) =>
    text.includes(thai) && !TERM_AVOIDED.has(key) ? [key] : [],
  );
  expect(keys.length).toBeGreaterThan(3);
  const other = Object.entries(names).flatMap(([language, name]) => {
    const texts = readCatalogue(language as Language, AREAS);
    return keys.filter((key) => !texts[key]?.includes(name)).map((key) => `${language} ${key}`);
  });
  expect(other).toEqual([]);
});

test('a key belongs to one area', () => {
  expect(() => readCatalogue('th', AREAS)).not.toThrow();
  expect(() => readCatalogue('th', ['refusals', 'refusals'])).toThrow('another area');
});

describe.each(LANGUAGES)('in %s', (language) => {
  const catalogue = readCatalogue(language, AREAS);

  test('every refusal of every call has a text', () => {
    const codes = new Set<string>([
      ...COMMON_REFUSALS,
      ...OPERATOR_REFUSALS,
      ...DECISION_REFUSALS,
      ...ORDERED_REFUSALS,
      ...KEY_REFUSALS,
      ...Object.values(CALLS).flatMap((call) => call.refusals),
    ]);
    expect([...codes].filter((code) => catalogue[`refusal.${code}`] === undefined)).toEqual([]);
  });

  test('every fault of a field has a text', () => {
    expect(FIELD_FAULTS.filter((fault) => catalogue[`field.${fault}`] === undefined)).toEqual([]);
  });

  test('every HTTP status and transport error has a text', () => {
    const keys = [
      ...HTTP_STATUSES.map((status) => `http.${status}`),
      'REQUEST_ERROR',
      'NO_RESPONDING',
      'UNKNOWN_ERROR',
    ];
    expect(keys.filter((key) => catalogue[key] === undefined)).toEqual([]);
  });

  test('a browser loads at most 10 kB of texts', () => {
    const compiled = JSON.stringify(compileCatalogue(readCatalogue(language, WEB_AREAS)));
    expect(gzipSync(compiled, { level: 9 }).byteLength).toBeLessThanOrEqual(WEB_SIZE_MAX);
  });
});

test('the specification’s English sentences are unchanged', () => {
  const english = readCatalogue('en', AREAS);
  expect(english).toMatchObject({
    'field.credentials_required': 'Please enter your username and password first!',
    'field.agreement_required': 'Please make sure to read the agreement and try again!',
    'field.password_format': 'login password must be 6-12 characters or numbers',
    'field.passwords_differ': 'The two passwords entered are inconsistent!',
    'http.400': 'Bad Request',
    'http.504': 'Gateway Timeout',
    REQUEST_ERROR: 'An error occurred while sending the request',
    NO_RESPONDING: 'The server is not responding.',
    'said.transaction_failed': 'Transaction failed!',
    'said.transaction_done': 'Successful transaction!',
    'said.cancel_failed': 'Cancellation failed, please try again!',
    'said.cancel_done': 'Cancellation succeeded!',
    'throttle.loading': 'loading...',
    'throttle.too_many': 'too many requests',
  });
});

function names(message: CompiledMessage): string {
  return [...placeholdersOf(message)].sort().join(' ');
}

function pluralsOf(message: CompiledMessage): string[][] {
  return message.flatMap((token) => {
    if (typeof token === 'string') return [];
    const [, type, choices] = token;
    if (typeof choices !== 'object' || choices === null) return [];
    const inner = Object.values(choices).flatMap((choice) => (Array.isArray(choice) ? pluralsOf(choice) : []));
    return type === 'plural' ? [Object.keys(choices), ...inner] : inner;
  });
}

function intlLanguage(language: Language): string {
  return language === 'jp' ? 'ja' : language;
}
