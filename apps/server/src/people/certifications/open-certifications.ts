import type { FinalCertificationReason } from '@sathorn/identity';
import type { Module } from '../../platform/module.ts';
import { openSealer } from '../../platform/sealing.ts';
import { approveCertificationHandler } from './approve-certification.ts';
import { reviewCalls } from './calls.ts';
import { unsealPerson } from './certification.ts';
import { openCertificationReviews } from './certification-reviews.ts';
import { readCertifiedAmong, readLatestApplications, readVerifiedSince } from './certification-store.ts';
import type { Certifications, CertificationsDependencies, CertificationsModule } from './certifications.ts';
import { readCertificationState, readCertifiedLevel } from './certified-level.ts';
import { certifyCustomerHandler } from './certify-customer.ts';
import { listCertificationsHandler } from './list-certifications.ts';
import { readCertificationHandler } from './read-certification.ts';
import { readCertificationCaseHandler } from './read-certification-case.ts';
import { sendBackCertificationHandler } from './send-back-certification.ts';
import type { ReviewModule } from './view-certification-case.ts';

interface Refusal {
  readonly id: string;
  readonly version: string;
  readonly reason: FinalCertificationReason;
  readonly customer: string;
}

export function openCertifications(dependencies: CertificationsDependencies): Module<Certifications> {
  const { database } = dependencies;
  const sealer = openSealer(dependencies.secrets.identityKey, 'certifications');
  const module: CertificationsModule = { ...dependencies, sealer, onFault: dependencies.onFault ?? (() => undefined) };
  const api: Certifications = {
    stateOf: readCertificationState,
    certifiedOf: readCertifiedLevel,
    certifiedAmong: readCertifiedAmong,
    verifiedSince: (since) => readVerifiedSince(database, since),
    certifiedNames: async (customer) => {
      const { primary, advanced } = await readLatestApplications(database, customer);
      return [primary, advanced].flatMap((row) => (row?.state === 'verified' ? [unsealPerson(sealer, row).name] : []));
    },
    reviews: openCertificationReviews(module),
    refusalKind: {
      apply: async (transaction, { content }, operator) => {
        const { customer: _whose, version, ...wanted } = JSON.parse(content) as Refusal;
        const now = module.clock.now();
        const done = await api.reviews.refuse(transaction, operator, { ...wanted, version: Number(version) }, now);
        // Notifies before the commit: a notice about a decision that is rolled back does no harm.
        if (done.ok) await api.reviews.tellRefused(done.effect.customer, now);
        return done.ok;
      },
      customerOf: ({ content }) => BigInt((JSON.parse(content) as Refusal).customer),
    },
  };
  const reviewModule: ReviewModule = { ...module, reviews: api.reviews };
  return {
    api,
    handlers: [
      readCertificationHandler(module),
      certifyCustomerHandler(module),
      listCertificationsHandler(reviewModule),
      ...reviewCalls(reviewModule),
      readCertificationCaseHandler(reviewModule),
      approveCertificationHandler(reviewModule),
      sendBackCertificationHandler(reviewModule),
    ],
  };
}
