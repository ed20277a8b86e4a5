import type { CertificationView } from '@sathorn/api';
import { type DocumentType, FINAL_REASONS, FOR_LIFE, isSameName } from '@sathorn/identity';
import type { Sealer } from '../../platform/sealing.ts';
import type { ApplicationRow, PictureRow } from './certification-store.ts';

/** How soon we promise to review a certification. */
export const PROMISED_HOURS = 24;

/** The fields that are encrypted. */
export interface Person {
  readonly name: string;
  /** Normalised for comparison: upper case, no spaces. */
  readonly number: string;
  /** A date such as 1990-12-31. */
  readonly birthDate: string;
  /** The document's expiry date, or `for_life`; null for primary certification, which doesn't ask for it. */
  readonly expires: string | null;
}

export function boundTo(row: Pick<ApplicationRow, 'id' | 'level' | 'submitted_at'>): string[] {
  return ['certification', row.id, row.level, row.submitted_at.toISOString()];
}

export function openPerson(sealer: Sealer, row: ApplicationRow): Person {
  return JSON.parse(sealer.open(row.customer, boundTo(row), row.sealed).toString()) as Person;
}

export const digestOf = (sealer: Sealer, type: DocumentType, number: string): Buffer =>
  sealer.digest('document', type, number);

const SHOWN = 4;
export const maskedDocument = (number: string): string =>
  `${'•'.repeat(Math.max(0, number.length - SHOWN))}${number.slice(-SHOWN)}`;

const STATES = { review: 'review', sent_back: 'rejected', verified: 'verified', refused: 'rejected' } as const;

/** Translates an application's state to the specification's terms. */
export const stateOf = (row: ApplicationRow | null): CertificationView['state'] => (row ? STATES[row.state] : 'none');

export function viewOf(
  row: ApplicationRow | null,
  pictures: readonly PictureRow[],
  sealer: Sealer,
  staffName: string | null,
): CertificationView {
  const person = row && openPerson(sealer, row);
  const finals: readonly string[] = FINAL_REASONS;
  return {
    state: stateOf(row),
    reasons: [...(row?.reasons ?? [])],
    sides: [...(row?.sides ?? [])],
    is_final: row?.state === 'refused' || row?.reasons.some((reason) => finals.includes(reason)) === true,
    type: row?.document_type ?? null,
    name: person?.name ?? null,
    number: person ? maskedDocument(person.number) : null,
    birth_date: person?.birthDate ?? null,
    pictures: pictures.map(({ side, file }) => ({ side, id: file })),
    submitted_at: row?.submitted_at.toISOString() ?? null,
    decided_at: row?.decided_at?.toISOString() ?? null,
    decided_by: staffName,
  };
}

export interface Check {
  readonly code: 'same_name' | 'same_number' | 'same_birth_date' | 'not_expired' | 'no_other_account';
  readonly isPassed: boolean;
}

/** Automatic checks shown to the reviewer, who decides. */
export function checksOf(
  person: Person,
  primary: Person | null,
  { othersWithNumber, today }: { readonly othersWithNumber: number; readonly today: string },
): Check[] {
  return [
    ...(primary === null
      ? []
      : ([
          { code: 'same_name', isPassed: isSameName(person.name, primary.name) },
          { code: 'same_number', isPassed: person.number === primary.number },
          { code: 'same_birth_date', isPassed: person.birthDate === primary.birthDate },
        ] as const)),
    ...(person.expires === null
      ? []
      : [{ code: 'not_expired', isPassed: person.expires === FOR_LIFE || person.expires >= today } as const]),
    { code: 'no_other_account', isPassed: othersWithNumber === 0 },
  ];
}
