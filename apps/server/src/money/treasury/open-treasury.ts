import { setTimeout as pause } from 'node:timers/promises';
import type { Module } from '../../platform/module.ts';
import { changeTreasuryOwnersHandler } from './change-treasury-owners.ts';
import { nameOwners } from './name-owners.ts';
import { openTreasuryRunHandler } from './open-treasury-run.ts';
import { custodyOf, readCustodyHandler } from './read-custody.ts';
import { readTreasuryHandler } from './read-treasury.ts';
import { readTreasurySetupHandler } from './read-treasury-setup.ts';
import { signTreasuryRunHandler } from './sign-treasury-run.ts';
import type { Treasury, TreasuryDependencies } from './treasury.ts';
import { endStaleRuns } from './treasury-store.ts';
import { withdrawTreasuryRunHandler } from './withdraw-treasury-run.ts';

const EVERY_MS = 5_000;

export function openTreasury(
  dependencies: TreasuryDependencies & { readonly onFault: (error: unknown) => void },
): Module<Treasury> {
  const { database, clock, onFault } = dependencies;
  return {
    api: { custody: () => custodyOf(dependencies) },
    handlers: [
      ...readCustodyHandler(dependencies),
      ...readTreasuryHandler(dependencies),
      readTreasurySetupHandler(dependencies),
      openTreasuryRunHandler(dependencies),
      changeTreasuryOwnersHandler(dependencies),
      signTreasuryRunHandler(dependencies),
      withdrawTreasuryRunHandler(dependencies),
    ],
    jobs: [
      {
        on: 'settler',
        run: (signal) =>
          database.runAsLeader('treasury', signal, async (its) => {
            while (!its.aborted) {
              await endStaleRuns(database, clock.now()).catch(onFault);
              await nameOwners(dependencies).catch(onFault);
              await pause(EVERY_MS, undefined, { signal: its }).catch(() => undefined);
            }
          }),
      },
    ],
  };
}
