import type { Sealer } from '../../platform/sealing.ts';
import type { CertificationsDependencies } from './open-certifications.ts';

/** What the handlers of this room share. */
export type CertificationsRoom = Omit<CertificationsDependencies, 'secrets' | 'onFault'> & {
  readonly sealer: Sealer;
  readonly onFault: (error: unknown) => void;
};
