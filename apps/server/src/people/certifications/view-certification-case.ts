import type { CertificationCase } from '@sathorn/api';
import { CERTIFICATION_HOURS } from './certification.ts';
import { PICTURE_VIEWS_PER_HOUR } from './certification-reviews.ts';
import type { ApplicationRow } from './certification-store.ts';
import type { CertificationReviews, CertificationsModule, Reviewer } from './certifications.ts';

const HOUR_MS = 3_600_000;

/** Additional dependencies of the console's handlers. */
export interface ReviewModule extends CertificationsModule {
  readonly reviews: CertificationReviews;
}

async function staffOf(module: CertificationsModule, operator: bigint | null) {
  return operator === null ? null : { id: String(operator), work_name: await module.staffName(operator) };
}

export async function viewCertificationItem(module: CertificationsModule, row: ApplicationRow) {
  return {
    id: row.id,
    customer: { id: String(row.customer), username: await module.usernameOf(row.customer) },
    level: row.level,
    type: row.document_type,
    status: row.state,
    submitted_at: row.submitted_at.toISOString(),
    promised_at: new Date(row.submitted_at.getTime() + CERTIFICATION_HOURS * HOUR_MS).toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: await staffOf(module, row.decided_by),
    reasons: [...row.reasons],
    version: row.version,
  };
}

/** Null if no case has this id. */
export async function viewCertificationCase(
  module: ReviewModule,
  reviewer: Reviewer,
  id: string,
  now: Date,
): Promise<CertificationCase | null> {
  const review = await module.reviews.read(id, now);
  if (review === null) return null;
  const { application, person, checks, attempts, sides } = review;
  return {
    ...(await viewCertificationItem(module, application)),
    fields: { name: person.name, number: person.number, birth_date: person.birthDate, expires: person.expires },
    checks: checks.map(({ code, isPassed }) => ({ code, ok: isPassed })),
    pictures: [...sides],
    sides: [...application.sides],
    attempts: await Promise.all(
      attempts.map(async (attempt) => ({
        id: attempt.id,
        level: attempt.level,
        status: attempt.state,
        submitted_at: attempt.submittedAt.toISOString(),
        decided_at: attempt.decidedAt?.toISOString() ?? null,
        decided_by: await staffOf(module, attempt.decidedBy),
        reasons: [...attempt.reasons],
      })),
    ),
    views: { left: await module.reviews.viewsLeft(reviewer, now), max: PICTURE_VIEWS_PER_HOUR },
  };
}
