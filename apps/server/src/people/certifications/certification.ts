import type { CertificationView } from '@sathorn/api';
import { type DocumentType, FINAL_REASONS, FOR_LIFE_EXPIRY, isSameName } from '@sathorn/identity';
import type { Sealer } from '../../platform/sealing.ts';
import type { ApplicationPictureRow, ApplicationRow } from './certification-store.ts';

/** How soon we promise to review a certification. */
export const CERTIFICATION_HOURS = 24;

/** The fields that are encrypted. */
export interface CertifiedPerson {
  readonly name: string;
  /** Normalised for comparison: upper case, no spaces. */
  readonly number: string;
  /** A date such as 1990-12-31. */
  readonly birthDate: string;
  /** The document's expiry date, or `for_life`; null for primary certification, which doesn't ask for it. */
  readonly expires: string | null;
}

export function applicationSealContext(row: Pick<ApplicationRow, 'id' | 'level' | 'submitted_at'>): string[] {
  return ['certification', row.id, row.level, row.submitted_at.toISOString()];
}

export function unsealPerson(sealer: Sealer, row: ApplicationRow): CertifiedPerson {
  return JSON.parse(sealer.open(row.customer, applicationSealContext(row), row.sealed).toString()) as CertifiedPerson;
}

export const documentDigestOf = (sealer: Sealer, type: DocumentType, number: string): Buffer =>
  sealer.digest('document', type, number);

const SHOWN = 4;
export const maskedDocument = (number: string): string =>
  `${'•'.repeat(Math.max(0, number.length - SHOWN))}${number.slice(-SHOWN)}`;

const STATES = { review: 'review', sent_back: 'rejected', verified: 'verified', refused: 'rejected' } as const;

/** Translates an application's state to the specification's terms. */
export const certificationStateOf = (row: ApplicationRow | null): CertificationView['state'] =>
  row ? STATES[row.state] : 'none';

export function certificationViewOf(
  row: ApplicationRow | null,
  pictures: readonly ApplicationPictureRow[],
  sealer: Sealer,
  staffName: string | null,
): CertificationView {
  const person = row && unsealPerson(sealer, row);
  const finals: readonly string[] = FINAL_REASONS;
  return {
    state: certificationStateOf(row),
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

export interface AutomaticCheck {
  readonly code: 'same_name' | 'same_number' | 'same_birth_date' | 'not_expired' | 'no_other_account';
  readonly isPassed: boolean;
}

/** Automatic checks shown to the reviewer, who decides. */
export function automaticChecksOf(
  person: CertifiedPerson,
  primary: CertifiedPerson | null,
  { othersWithNumber, today }: { readonly othersWithNumber: number; readonly today: string },
): AutomaticCheck[] {
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
      : [{ code: 'not_expired', isPassed: person.expires === FOR_LIFE_EXPIRY || person.expires >= today } as const]),
    { code: 'no_other_account', isPassed: othersWithNumber === 0 },
  ];
}
