export type { CertificationReason } from '@sathorn/identity';
export { PROMISED_HOURS as CERTIFICATION_HOURS } from './certification.ts';
export {
  type CertificationState,
  type Certifications,
  type CertificationsDependencies,
  openCertifications,
  type Reviewer,
} from './open-certifications.ts';
export { REFUSAL_KIND as CERTIFICATION_REFUSAL } from './reviews.ts';
