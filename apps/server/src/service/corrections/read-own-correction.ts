import type { OwnCorrection } from '@sathorn/api';
import type { Queries } from '../../platform/database/index.ts';
import { listOfCase, listOwnRows } from './correction-store.ts';
import { ownOf } from './correction-view.ts';
import type { CorrectionOfCase, CorrectionsDependencies } from './corrections.ts';
import { numberText } from './words.ts';

/** A correction of this customer that two people agreed to; null for another customer's, or before they agreed. */
export async function readOwnCorrection(
  module: Pick<CorrectionsDependencies, 'database' | 'ledger' | 'votesOf' | 'workNameOf'>,
  customer: bigint,
  id: string,
): Promise<OwnCorrection | null> {
  const [row] = await listOwnRows(module.database, customer, null, id, 1);
  return row ? ownOf(module, row) : null;
}

/** The corrections that name a dispute. */
export async function correctionsOfDispute(queries: Queries, dispute: string): Promise<readonly CorrectionOfCase[]> {
  const rows = await listOfCase(queries, 'dispute', dispute);
  return rows.map(({ id, number, customer_id: customer, step }) => ({
    id,
    number: numberText(number),
    customer,
    step,
  }));
}
