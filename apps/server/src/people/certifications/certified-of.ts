import type { Certified } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { stateOf } from './certification.ts';
import { type ApplicationRow, latestOf } from './certification-store.ts';
import type { CertificationState, LevelState } from './certifications.ts';

const levelState = (row: ApplicationRow | null): LevelState => ({ state: stateOf(row), reasons: row?.reasons ?? [] });

export async function certificationOf(queries: Queries, customer: bigint): Promise<CertificationState> {
  const { primary, advanced } = await latestOf(queries, customer);
  return { primary: levelState(primary), advanced: levelState(advanced) };
}

/** The highest verified level. */
export async function certifiedOf(queries: Queries, customer: bigint): Promise<Certified> {
  const { primary, advanced } = await latestOf(queries, customer);
  if (advanced?.state === 'verified') return 'advanced';
  return primary?.state === 'verified' ? 'primary' : 'none';
}
