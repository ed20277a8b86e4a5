import { readDepositSlip } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { findDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';

/** A slip shows a person's name and account, so each view is logged where the customer can see it. */
export function readDepositSlipHandler({ database, audit, readPicture }: DepositsModule): Handler {
  return handle(readDepositSlip, async ({ request: { id }, operator }) => {
    const row = await findDeposit(database, id);
    if (!row) return refuse('deposit_unknown', { field: 'id' });
    const bytes = row.slip === null ? null : await readPicture(row.customer_id, row.slip);
    if (bytes === null) return refuse('slip_unknown');
    await database.transaction((transaction) =>
      audit.append(transaction, {
        operator,
        what: 'deposit.slip_viewed',
        on: { kind: 'deposit', id: row.id },
        customer: row.customer_id,
      }),
    );
    return accept({ data_url: `data:image/webp;base64,${bytes.toString('base64')}` });
  });
}
