import { type Language, localeTagOf } from './language.ts';

/** A customer's formats of numbers and dates. Digits are Latin unless the customer chooses others. */
export interface Presentation {
  readonly language: Language;
  readonly digits?: DigitChoice;
  /** Thai dates use the Buddhist year unless this says otherwise; other languages are always Gregorian. */
  readonly calendar?: Calendar;
  /** Placed before each asset's code on a practice platform. The wire has the code without it. */
  readonly assetMark?: typeof PRACTICE_MARK;
}

/** For *virtual*: USDT that is play money is written vUSDT. */
export const PRACTICE_MARK = 'v';

export const DIGIT_CHOICES = ['latin', 'native'] as const;
export type DigitChoice = (typeof DIGIT_CHOICES)[number];
export const CALENDARS = ['buddhist', 'gregorian'] as const;
export type Calendar = (typeof CALENDARS)[number];

const NATIVE_DIGITS: Partial<Record<Language, string>> = { th: 'thai', ar: 'arab', hi: 'deva' };

/** True if the language has its own digits in daily use, so that the customer has a choice. */
export function hasNativeDigits(language: Language): boolean {
  return NATIVE_DIGITS[language] !== undefined;
}

/**
 * The locale for `Intl`, with explicit digits and calendar, because browsers differ in their defaults for `ar` and
 * `th`.
 */
export function intlTagOf({ language, digits = 'latin', calendar = 'buddhist' }: Presentation): string {
  const numbering = digits === 'native' ? (NATIVE_DIGITS[language] ?? 'latn') : 'latn';
  const year = language === 'th' && calendar === 'buddhist' ? 'buddhist' : 'gregory';
  return `${localeTagOf(language)}-u-ca-${year}-nu-${numbering}`;
}

/** The separator between two figures. In Arabic a middle dot would look like the digit zero. */
export function figureSeparator({ language }: Presentation): string {
  return language === 'ar' ? '، ' : ' · ';
}
