import type { CertifiedLevel } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { certificationStateOf } from './certification.ts';
import { type ApplicationRow, readLatestApplications } from './certification-store.ts';
import type { CertificationLevelState, CertificationState } from './certifications.ts';

const levelState = (row: ApplicationRow | null): CertificationLevelState => ({
  state: certificationStateOf(row),
  reasons: row?.reasons ?? [],
});

export async function readCertificationState(queries: Queries, customer: bigint): Promise<CertificationState> {
  const { primary, advanced } = await readLatestApplications(queries, customer);
  return { primary: levelState(primary), advanced: levelState(advanced) };
}

/** The highest verified level. */
export async function readCertifiedLevel(queries: Queries, customer: bigint): Promise<CertifiedLevel> {
  const { primary, advanced } = await readLatestApplications(queries, customer);
  if (advanced?.state === 'verified') return 'advanced';
  return primary?.state === 'verified' ? 'primary' : 'none';
}
