import type { Clock } from '../../platform/clock.ts';
import { everyJob, type Module } from '../../platform/module.ts';
import { liabilityCalls } from './calls.ts';
import { type LiabilitiesDependencies, takeLiabilities } from './take-liabilities.ts';

const LOOK_MS = 15_000;

/** What the platform owes its customers, signed as a sum tree at regular times. */
export function openLiabilities(
  module: LiabilitiesDependencies & { readonly clock: Clock; readonly onFault: (error: unknown) => void },
): Module<null> {
  return {
    api: null,
    jobs: [everyJob(LOOK_MS, module.onFault, () => takeLiabilities(module, module.clock.now()))],
    handlers: liabilityCalls(module.database),
  };
}
