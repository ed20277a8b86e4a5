import type { OptionReceipt } from '@sathorn/api';
import type { Money } from '@sathorn/money';
import { readOptionTerms } from '@sathorn/proof';
import { type AccountKey, HOUSE_OWNER, type Ledger, type TransferView } from '../../ledger/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { OptionMarket } from '../market/index.ts';
import { type OptionRow, readTermsTree } from './option-store.ts';
import { orderSaltOf, proveTerms, rebuildSignedTree } from './sign-terms.ts';

interface ReceiptDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly market: OptionMarket;
  readonly accountSalt: Buffer;
}

/** Names the side and the account but not the customer, whom the terms contain only as a commitment. */
function sideOf({ owner, name }: AccountKey): string {
  return `${owner === HOUSE_OWNER ? 'house' : 'customer'}:${name}`;
}

function transferOf(transfer: TransferView): OptionReceipt['transfers'][number] {
  return {
    seq: transfer.sequence.toString(),
    kind: transfer.kind,
    from: sideOf(transfer.debit),
    to: sideOf(transfer.credit),
    asset: transfer.debit.asset,
    amount: transfer.units.toString(),
    resolves: transfer.resolves?.toString() ?? null,
  };
}

async function ticksOf(order: OptionRow, market: OptionMarket): Promise<OptionReceipt['ticks']> {
  const [accepted, end] = [Number(order.accepted_ms), Number(order.ends_ms)];
  // An order that is void because it has no start tick has no end tick; the first tick after the gap proves the gap.
  const hasEnd = order.status !== 'holding' && order.reason !== 'no_start_tick';
  if (order.status === 'sold' && order.end_sequence !== null)
    return {
      before_start: await market.lastTickAtOrBefore(order.coin, accepted),
      start: await market.firstTickAfter(order.coin, accepted),
      end: await market.textOf(order.coin, order.end_sequence),
      after_end: null,
    };
  return {
    before_start: await market.lastTickAtOrBefore(order.coin, accepted),
    start: await market.firstTickAfter(order.coin, accepted),
    end: hasEnd ? await market.lastTickAtOrBefore(order.coin, end) : null,
    after_end: hasEnd ? await market.firstTickAfter(order.coin, end) : null,
  };
}

async function promiseOf(order: OptionRow, market: OptionMarket): Promise<OptionReceipt['promise']> {
  const promise = await market.promiseOf(order.coin, order.terms_tree, Number(order.accepted_ms));
  return promise && { ...promise, path: [...promise.path], links: [...promise.links] };
}

const unitsOf = (amount: Money | null): string => (amount?.units ?? 0n).toString();

/**
 * Builds the receipt from stored data on each request, because the tick after the end may not have existed at the
 * settlement.
 */
export async function buildReceipt(order: OptionRow, dependencies: ReceiptDependencies): Promise<OptionReceipt> {
  const { database, ledger, market, accountSalt } = dependencies;
  const tree = await readTermsTree(database, order.terms_tree);
  if (tree === undefined) throw new Error(`order ${order.id} has no signed terms`);
  const ofHolds = await ledger.transfersOfHolds([order.stake_hold, order.promised_hold]);
  const returned = order.voiding === null ? undefined : await ledger.transferAt(order.voiding);
  const transfers = returned === undefined ? ofHolds : [...ofHolds, returned];
  const terms = proveTerms({ signed: rebuildSignedTree(tree), index: order.terms_index });
  return {
    v: 'receipt/1',
    terms: { ...terms, path: [...terms.path] },
    account: { salt: orderSaltOf(order.id, accountSalt), customer: order.customer_id.toString() },
    ticks: await ticksOf(order, market),
    result: {
      status: order.status,
      reason: order.reason,
      profit: unitsOf(order.profit),
      fee: unitsOf(order.fee),
      credited: unitsOf(order.credited),
    },
    transfers: transfers.map(transferOf),
    ...(readOptionTerms(terms.body)?.latestMs !== undefined && {
      promise: await promiseOf(order, market),
    }),
  };
}
