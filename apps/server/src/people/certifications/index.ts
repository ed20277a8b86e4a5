export type { CertificationReason } from '@sathorn/identity';
export { CERTIFICATION_HOURS } from './certification.ts';
export { CERTIFICATION_REFUSAL } from './certification-reviews.ts';
export { readCertifiedAmong } from './certification-store.ts';
export type { CertificationState, Certifications, CertificationsDependencies, Reviewer } from './certifications.ts';
export { readCertificationState, readCertifiedLevel } from './certified-level.ts';
export { openCertifications } from './open-certifications.ts';
