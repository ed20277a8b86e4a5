import { normaliseNumber } from './normalise-number.ts';

export const DOCUMENT_TYPES = ['id_card', 'driver_licence', 'passport'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DOCUMENT_SIDES = ['front', 'back', 'selfie'] as const;
export type DocumentSide = (typeof DOCUMENT_SIDES)[number];

/**
 * A passport needs only its main page; other documents also need the back. The selfie shows the person holding today's
 * date.
 */
export const SIDES_OF_DOCUMENT: Readonly<Record<DocumentType, readonly DocumentSide[]>> = {
  id_card: ['front', 'back', 'selfie'],
  driver_licence: ['front', 'back', 'selfie'],
  passport: ['front', 'selfie'],
};

/** Age of majority in Thailand. */
const AGE_MIN = 20;
const AGE_MAX = 120;

/** Normalises a document number for comparison: upper case, without the characters that group its digits. */
export const normaliseDocumentNumber = (typed: string): string => normaliseNumber(typed).toUpperCase();

const WEIGHTED = 12;
export const ID_CARD_DIGITS = 13;

/**
 * The 13th digit of a Thai identity card is a checksum: the weights are 13 down to 2, and the sum modulo 11 is
 * subtracted from 11.
 */
export function isThaiId(digits: string): boolean {
  if (!/^[1-8][0-9]{12}$/.test(digits)) return false;
  let sum = 0;
  for (let n = 0; n < WEIGHTED; n += 1) sum += Number(digits[n]) * (ID_CARD_DIGITS - n);
  return (11 - (sum % 11)) % 10 === Number(digits[WEIGHTED]);
}

type NumberFault = 'id_number_short' | 'id_number_checksum' | 'number_malformed';

/** Returns what is wrong with a document's number, or null. */
export function faultOfNumber(type: DocumentType, digits: string): NumberFault | null {
  switch (type) {
    case 'id_card':
      if (!/^[0-9]+$/.test(digits)) return 'number_malformed';
      if (digits.length < ID_CARD_DIGITS) return 'id_number_short';
      return isThaiId(digits) ? null : 'id_number_checksum';
    case 'driver_licence':
      return /^(?=.*[0-9])[A-Z0-9]{6,15}$/.test(digits) ? null : 'number_malformed';
    case 'passport':
      return /^(?=.*[0-9])[A-Z0-9]{6,9}$/.test(digits) ? null : 'number_malformed';
  }
}

/** False for dates that do not exist, such as `2026-02-29`. */
export function isCalendarDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/** Age in whole years on a day. Both dates have the form `2026-11-23`. */
export function ageOn(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

type BirthFault = 'birth_date_malformed' | 'under_age';

export function faultOfBirth(birthDate: string, today: string): BirthFault | null {
  if (!isCalendarDay(birthDate) || birthDate > today || ageOn(birthDate, today) > AGE_MAX)
    return 'birth_date_malformed';
  return ageOn(birthDate, today) < AGE_MIN ? 'under_age' : null;
}

/** No document is valid for longer. Thai cards are for eight years, passports for ten, some licences for twenty. */
const VALID_YEARS_MAX = 20;

type ExpiryFault = 'expiry_malformed' | 'document_expired';

/** Replaces the date for a document that does not expire. */
export const FOR_LIFE_EXPIRY = 'for_life';

/** Thailand issues identity cards for life to old people, and used to issue such licences. Passports always expire. */
export const mayBeForLife = (type: DocumentType): boolean => type !== 'passport';

/** `expires` is a day or `FOR_LIFE_EXPIRY`. */
export function faultOfExpiry(type: DocumentType, expires: string, today: string): ExpiryFault | null {
  if (expires === FOR_LIFE_EXPIRY) return mayBeForLife(type) ? null : 'expiry_malformed';
  if (!isCalendarDay(expires) || ageOn(today, expires) >= VALID_YEARS_MAX + 1) return 'expiry_malformed';
  return expires < today ? 'document_expired' : null;
}

/** Groups the number as Thai identity cards print it: 1 2345 67890 12 3. */
export function idCardGroups(digits: string): string {
  return [digits.slice(0, 1), digits.slice(1, 5), digits.slice(5, 10), digits.slice(10, 12), digits.slice(12)]
    .filter(Boolean)
    .join(' ');
}

/** A reviewer asks for corrections for these reasons; `FINAL_REASONS` reject for good. */
const REDO_REASONS = [
  'picture_blurry',
  'picture_cut_off',
  'picture_glare',
  'side_missing',
  'wrong_document',
  'document_expired',
  'expiry_differs',
  'name_differs',
  'number_differs',
  'birth_date_differs',
  'not_an_original',
  'selfie_differs',
  'private_field_open',
] as const;
export const FINAL_REASONS = ['document_forged', 'under_age', 'country_not_served', 'duplicate_person'] as const;
const CERTIFICATION_REASONS = [...REDO_REASONS, ...FINAL_REASONS] as const;
export type RedoReason = (typeof REDO_REASONS)[number];
export type FinalCertificationReason = (typeof FINAL_REASONS)[number];
export type CertificationReason = (typeof CERTIFICATION_REASONS)[number];
