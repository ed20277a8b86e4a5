import type { OpenedDispute } from '../../exchange/options/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { insertTradeDispute } from './case-store.ts';

/** Opens the case of a dispute about an option, in the transaction that marks its order. */
export const openDisputeCase = (transaction: Queries, dispute: OpenedDispute): Promise<void> => {
  const { id, customer, order, statement, language, openedAt, deadline } = dispute;
  return insertTradeDispute(transaction, {
    id,
    customer,
    order_id: order,
    statement,
    language,
    opened_at: openedAt,
    deadline,
  });
};
