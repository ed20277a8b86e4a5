import { setTimeout as pause } from 'node:timers/promises';
import type { Module } from '../../platform/module.ts';
import { approveCorrectionHandler } from './approve-correction.ts';
import { closeEndedCorrections, countCorrections } from './correction-store.ts';
import type { Corrections, CorrectionsDependencies } from './corrections.ts';
import { handInKeptReceiptsHandler } from './hand-in-kept.ts';
import { listCorrectionCasesHandler } from './list-correction-cases.ts';
import { listCorrectionsHandler } from './list-corrections.ts';
import { listKeptTextsHandler } from './list-kept-texts.ts';
import { listOwnCorrectionsHandler } from './list-own-corrections.ts';
import { makeCorrectionHandler } from './make-correction.ts';
import { notifyCorrectedCustomers } from './notify-corrected-customers.ts';
import { previewCorrectionHandler } from './preview-correction.ts';
import { readCorrectionHandler } from './read-correction.ts';
import { rejectCorrectionHandler } from './reject-correction.ts';
import { stopCorrectionHandler } from './stop-correction.ts';
import { takeDebitKind, takeDueDebits } from './take-due-debits.ts';

const LOOK_EVERY_MS = 5_000;
/** The promised time for the second person's review. */
const PROMISED_MS = 24 * 3_600_000;

export function openCorrections(module: CorrectionsDependencies): Module<Corrections> {
  const { database, clock, onFault } = module;
  const take = takeDebitKind(module);
  const told = new Set<string>();
  const tell = (now: Date) => notifyCorrectedCustomers(module, told, now);
  const round = async (now: Date): Promise<void> => {
    await closeEndedCorrections(database);
    await takeDueDebits(module, take, now);
    await tell(now);
  };
  return {
    api: {
      async queue(now) {
        const { waiting, oldest } = await countCorrections(database);
        const dueAt = oldest && new Date(oldest.getTime() + PROMISED_MS);
        return { waiting, overdue: dueAt && dueAt < now ? 1 : 0, oldestAt: oldest, dueAt };
      },
      round,
    },
    handlers: [
      listCorrectionsHandler(module),
      listCorrectionCasesHandler(module),
      readCorrectionHandler(module),
      previewCorrectionHandler(module),
      makeCorrectionHandler(module),
      approveCorrectionHandler(module, tell),
      rejectCorrectionHandler(module),
      stopCorrectionHandler(module, tell),
      listOwnCorrectionsHandler(module),
      handInKeptReceiptsHandler(module),
      listKeptTextsHandler(module),
    ],
    jobs: [
      {
        on: 'settler',
        run: (signal) =>
          database.runAsLeader('corrections', signal, async (its) => {
            while (!its.aborted) {
              await round(clock.now()).catch(onFault);
              await pause(LOOK_EVERY_MS, undefined, { signal: its }).catch(() => undefined);
            }
          }),
      },
    ],
  };
}
