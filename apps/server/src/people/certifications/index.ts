export type { CertificationReason } from '@sathorn/identity';
export { PROMISED_HOURS as CERTIFICATION_HOURS } from './certification.ts';
export { certifiedAmong } from './certification-store.ts';
export type { CertificationState, Certifications, CertificationsDependencies, Reviewer } from './certifications.ts';
export { certificationOf, certifiedOf } from './certified-of.ts';
export { openCertifications } from './open-certifications.ts';
export { REFUSAL_KIND as CERTIFICATION_REFUSAL } from './reviews.ts';
