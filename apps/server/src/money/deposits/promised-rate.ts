import { isSealedId, sealedId } from '../../platform/sealed-id.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { DepositRow } from './deposit-store.ts';

type Promised = Pick<DepositRow, 'customer_id' | 'channel' | 'baht' | 'rate' | 'rate_until'>;
type Keyed = Pick<Sealer, 'digest'>;

const saidBy = ({ customer_id, channel, baht, rate, rate_until }: Promised): readonly string[] =>
  [customer_id, channel, baht?.units ?? '', rate ?? '', rate_until?.getTime() ?? ''].map(String);

/** An order's rate is honoured as it stands in the table, so its id proves that this server wrote it. */
export const promisedOrderId = (sealer: Keyed, order: Promised): string => sealedId(sealer, ...saidBy(order));
export const isPromised = (sealer: Keyed, order: Promised & Pick<DepositRow, 'id'>): boolean =>
  isSealedId(sealer, order.id, ...saidBy(order));
