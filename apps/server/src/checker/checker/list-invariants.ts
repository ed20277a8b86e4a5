import { FREQUENT_INVARIANTS, MINUTELY_INVARIANTS } from './invariants.ts';
import { CHECKER_SCANS } from './scans.ts';

/** Everything that the checker verifies, each invariant once. */
export function listInvariants(): { readonly id: string; readonly says: string }[] {
  const all = [
    ...FREQUENT_INVARIANTS,
    ...MINUTELY_INVARIANTS,
    ...CHECKER_SCANS.flatMap(({ invariants }) => invariants),
  ];
  return [...new Map(all.map(({ id, says }) => [`${id} ${says}`, { id, says }])).values()];
}
