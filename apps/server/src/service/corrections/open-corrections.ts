import { setTimeout as pause } from 'node:timers/promises';
import type { OwnCorrection } from '@sathorn/api';
import type { Queries } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { approveCorrectionHandler } from './approve-correction.ts';
import { type CorrectionRow, closeEnded, countCorrections, listOfCase, listOwnRows } from './correction-store.ts';
import { ownOf } from './correction-view.ts';
import { handInKeptHandler } from './hand-in-kept.ts';
import { listCorrectionCasesHandler } from './list-correction-cases.ts';
import { listCorrectionsHandler } from './list-corrections.ts';
import { listKeptTextsHandler } from './list-kept-texts.ts';
import { listOwnCorrectionsHandler } from './list-own-corrections.ts';
import { makeCorrectionHandler } from './make-correction.ts';
import { previewCorrectionHandler } from './preview-correction.ts';
import { readCorrectionHandler } from './read-correction.ts';
import { rejectCorrectionHandler } from './reject-correction.ts';
import type { CorrectionsRoom } from './room.ts';
import { stopCorrectionHandler } from './stop-correction.ts';
import { takeDue, takeKind } from './take-due.ts';
import { tellOwners } from './tell-owner.ts';
import { numberText } from './words.ts';

const LOOK_EVERY_MS = 5_000;
/** The promise for a second person's look. */
const PROMISED_MS = 24 * 3_600_000;

export interface CorrectionOfCase {
  readonly id: string;
  readonly number: string;
  readonly customer: bigint;
  readonly step: CorrectionRow['step'];
}
export interface Corrections {
  /** What two people agreed to about this customer; null for another customer's, or before they agreed. */
  readOwn(customer: bigint, id: string): Promise<OwnCorrection | null>;
  /** Corrections that name this dispute. */
  ofDispute(queries: Queries, dispute: string): Promise<readonly CorrectionOfCase[]>;
  queue(now: Date): Promise<{
    readonly waiting: number;
    readonly overdue: number;
    readonly oldestAt: Date | null;
    readonly dueAt: Date | null;
  }>;
  /** One round of the job, for tests that control when it runs. */
  round(now: Date): Promise<void>;
}

export function openCorrections(room: CorrectionsRoom): Module<Corrections> {
  const { database, clock, onFault } = room;
  const take = takeKind(room);
  const told = new Set<string>();
  const tell = (now: Date) => tellOwners(room, told, now);
  const round = async (now: Date): Promise<void> => {
    await closeEnded(database);
    await takeDue(room, take, now);
    await tell(now);
  };
  return {
    api: {
      async readOwn(customer, id) {
        const [row] = await listOwnRows(database, customer, null, id, 1);
        return row ? ownOf(room, row) : null;
      },
      ofDispute: async (queries, dispute) =>
        (await listOfCase(queries, 'dispute', dispute)).map(({ id, number, customer_id: customer, step }) => ({
          id,
          number: numberText(number),
          customer,
          step,
        })),
      async queue(now) {
        const { waiting, oldest } = await countCorrections(database);
        const dueAt = oldest && new Date(oldest.getTime() + PROMISED_MS);
        return { waiting, overdue: dueAt && dueAt < now ? 1 : 0, oldestAt: oldest, dueAt };
      },
      round,
    },
    handlers: [
      listCorrectionsHandler(room),
      listCorrectionCasesHandler(room),
      readCorrectionHandler(room),
      previewCorrectionHandler(room),
      makeCorrectionHandler(room),
      approveCorrectionHandler(room, tell),
      rejectCorrectionHandler(room),
      stopCorrectionHandler(room, tell),
      listOwnCorrectionsHandler(room),
      handInKeptHandler(room),
      listKeptTextsHandler(room),
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
