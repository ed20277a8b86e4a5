import type { CertificationCase } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Reviewer } from './certifications.ts';
import { type ReviewModule, viewCertificationCase } from './view-certification-case.ts';

/** Answers with the case in its state after a decision. */
export async function viewDecidedCase(
  module: ReviewModule,
  reviewer: Reviewer,
  id: string,
  now: Date,
): Promise<Decision<CertificationCase, 'certification_unknown'>> {
  const seen = await viewCertificationCase(module, reviewer, id, now);
  return seen === null ? refuse('certification_unknown', { field: 'id' }) : accept(seen);
}
