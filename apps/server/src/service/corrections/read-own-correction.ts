import type { OwnCorrection } from '@sathorn/api';
import type { Queries } from '../../platform/database/index.ts';
import { listCorrectionsOfCase, listOwnCorrectionRows } from './correction-store.ts';
import { viewOwnCorrection } from './correction-view.ts';
import { correctionNumberText } from './correction-words.ts';
import type { CorrectionOfCase, CorrectionsDependencies } from './corrections.ts';

/** A correction of this customer that two people agreed to; null for another customer's, or before they agreed. */
export async function readOwnCorrection(
  module: Pick<CorrectionsDependencies, 'database' | 'ledger' | 'votesOf' | 'workNameOf'>,
  customer: bigint,
  id: string,
): Promise<OwnCorrection | null> {
  const [row] = await listOwnCorrectionRows(module.database, customer, null, id, 1);
  return row ? viewOwnCorrection(module, row) : null;
}

/** The corrections that name a dispute. */
export async function correctionsOfDispute(queries: Queries, dispute: string): Promise<readonly CorrectionOfCase[]> {
  const rows = await listCorrectionsOfCase(queries, 'dispute', dispute);
  return rows.map(({ id, number, customer_id: customer, step }) => ({
    id,
    number: correctionNumberText(number),
    customer,
    step,
  }));
}
