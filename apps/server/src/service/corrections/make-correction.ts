import { makeCorrection } from '@sathorn/api';
import { accept, correctionVoters, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findCorrection, insertCorrection, type NewCorrection } from './correction-store.ts';
import { viewCorrectionCase } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { CORRECTION_HOUSE_CODES, isLargeCorrection, prepareCorrection } from './prepare-correction.ts';

const CORRECTION_APPROVAL = 'correction';
const WAITS_MS = 72 * 3_600_000;
/** SQLSTATE of the database's own check: another proposal took the rest of the wrong transfer. */
const NOTHING_LEFT = 'CR002';

/** The exact content that the second person approves. The database compares it with the row. */
const contentOf = (row: Omit<NewCorrection, 'approval' | 'made_by' | 'made_at' | 'expires_at'>) => ({
  correction: row.id,
  customer: String(row.customer_id),
  kind: row.kind,
  asset: row.amount.asset,
  units: String(row.amount.units),
  house: String(row.house),
  transfer: row.transfer === null ? null : String(row.transfer),
  deposit: row.deposit,
  kept: row.kept,
  reason: row.reason,
  words: row.words,
  case_kind: row.case_kind,
  case_id: row.case_id,
});

export function makeCorrectionHandler(module: CorrectionsDependencies): Handler {
  const { database, approvals, audit } = module;
  return handle(makeCorrection, async ({ request, operator, intent, now, language }) => {
    // A repeated request gets the current state of its correction.
    const before = await findCorrection(database, intent.id);
    if (before?.made_by === operator.id)
      return accept(await viewCorrectionCase(module, before, operator, now, language));
    const prepared = await prepareCorrection(module, operator.id, request);
    if (!prepared.ok) return prepared;
    const { amount, house, about } = prepared.effect;
    const made = {
      id: intent.id,
      customer_id: request.customer,
      kind: request.kind,
      amount,
      house: CORRECTION_HOUSE_CODES[house],
      transfer: request.transfer ?? null,
      deposit: request.deposit ?? null,
      kept: request.kept ?? null,
      reason: request.reason,
      words: request.words,
      case_kind: request.case_kind,
      case_id: request.case_id.toLowerCase(),
    };
    const expiresAt = new Date(now.getTime() + WAITS_MS);
    try {
      const proposed = await database.transaction(async (transaction) => {
        const large = await isLargeCorrection(transaction, operator.id, request, amount);
        const opened = await approvals.propose(transaction, operator, {
          kind: CORRECTION_APPROVAL,
          subject: made.id,
          fingerprintOf: contentOf(made),
          roles: correctionVoters(large),
          about,
          reason: request.reason,
          expiresAt,
        });
        if (!opened.ok) return opened;
        const { id: approval } = opened.effect;
        await insertCorrection(transaction, {
          ...made,
          approval,
          made_by: operator.id,
          made_at: now,
          expires_at: expiresAt,
        });
        await audit.append(transaction, {
          operator,
          what: 'correction.proposed',
          on: { kind: 'correction', id: made.id },
          customer: made.customer_id,
          reason: made.reason,
          after: { kind: made.kind, asset: amount.asset, units: String(amount.units), house, approval },
          note: made.words,
        });
        return opened;
      });
      if (!proposed.ok) return proposed;
    } catch (error) {
      if ((error as { code?: unknown }).code === NOTHING_LEFT)
        return refuse('already_corrected', { field: 'transfer' });
      throw error;
    }
    const row = await findCorrection(database, made.id);
    if (!row) throw new Error(`correction ${made.id} is gone`);
    return accept(await viewCorrectionCase(module, row, operator, now, language));
  });
}
