import { FREQUENT, MINUTELY } from './invariants.ts';
import { SCANS } from './scans.ts';

/** Everything that the checker verifies, each invariant once. */
export function listInvariants(): { readonly id: string; readonly says: string }[] {
  const all = [...FREQUENT, ...MINUTELY, ...SCANS.flatMap(({ invariants }) => invariants)];
  return [...new Map(all.map(({ id, says }) => [`${id} ${says}`, { id, says }])).values()];
}
