import { type DepositRecord, submitDeposit } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { Semaphore } from '../../platform/semaphore.ts';
import {
  type ChooseItems,
  RpcFault,
  RpcRefusal,
  type TokenTransfer,
  type TransactionReceipt,
  tokenTransfersOf,
} from '../chain/index.ts';
import { attachSlip, createBankOrder } from './bank-orders.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import { readCountedSurplus, readDepositsOfHash, storeSeenDeposits } from './deposit-store.ts';
import type { DepositChain, DepositsModule } from './deposits.ts';
import { seenDepositOf } from './watch-chain.ts';

/** How many transfers of other tokens one submitted transaction may turn into cases. */
const CASES_OF_HASH_MAX = 5;
/** How many other transfers of it are read, to find their owners. */
const OTHERS_MAX = 200;
/** A stranger's transaction may have thousands of events, so only one is read at a time. */
const lookups = new Semaphore(1);

/** Keeps the transfers that a submitted transaction needs: all that may be credited, and some of each other kind. */
function chooseFor(own: string, token: string): ChooseItems<TokenTransfer> {
  return () => {
    const counts = new Map<string, number>();
    return (output) => {
      const [isMine, isOurs] = [output.to === own, output.token === token];
      if (output.units === 0n) return false;
      if (isMine && isOurs && output.units >= DEPOSIT_SETTINGS.chainMin.units) return true;
      const kind = `${isMine} ${isOurs}`;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= (isMine && !isOurs ? CASES_OF_HASH_MAX : OTHERS_MAX);
    };
  };
}

/** Normalises a hash, which people paste with or without 0x, in either case. Undefined if it cannot be one. */
export function normaliseHash(text: string): string | undefined {
  const hex = text.toLowerCase().replace(/^0x/, '');
  return /^[0-9a-f]{64}$/.test(hex) ? `0x${hex}` : undefined;
}

type HashRefusal =
  | 'hash_unknown'
  | 'hash_failed'
  | 'hash_other_token'
  | 'hash_other_address'
  | 'hash_of_another'
  | 'hash_below_minimum'
  | 'chain_unavailable';

/**
 * Looks up a transaction that a customer names. The claim itself proves nothing: the transfer must have gone to the
 * customer's own address, and only the watcher credits it.
 */
async function submitHash(
  module: DepositsModule,
  { config, readers: [leader], addresses }: DepositChain,
  customer: bigint,
  text: string,
  now: Date,
): Promise<Decision<DepositRecord, HashRefusal>> {
  const { database, timeZone, viewOf } = module;
  const field = 'hash';
  const hash = normaliseHash(text);
  if (hash === undefined) return refuse('hash_unknown', { field });
  const known = async () =>
    (await readDepositsOfHash(database, config.code, hash)).find(({ customer_id }) => customer_id === customer);
  const before = await known();
  // A deposit without a block was removed by a reorganisation and may be in another block now.
  if (before && before.block_height !== null) return accept(viewOf(before));
  const own = await addresses.find(customer);
  if (own === null) return refuse('hash_unknown', { field });

  let receipt: TransactionReceipt | null;
  let blockAt = now;
  try {
    [receipt = null] = await lookups.run(() => leader.receipts([hash], chooseFor(own, config.token)));
    if (receipt === null) return before ? accept(viewOf(before)) : refuse('hash_unknown', { field });
    const [block] = await leader.blocks([receipt.height]);
    blockAt = block?.at ?? now;
  } catch (error) {
    if (error instanceof RpcFault || error instanceof RpcRefusal) return refuse('chain_unavailable', { field });
    throw error;
  }
  if (!receipt.isSuccess) return refuse('hash_failed', { field });
  const outputs = tokenTransfersOf(receipt);
  const mine = outputs.filter(({ to }) => to === own);
  const ours = mine.filter(({ token }) => token === config.token);
  if (mine.length > 0) {
    const others = mine.filter(({ token }) => token !== config.token);
    // Only the watcher records smaller transfers: it stores a limited number as cases and sums the rest.
    const listed = ours.filter(({ units }) => units >= DEPOSIT_SETTINGS.chainMin.units);
    if (ours.length > 0 && listed.length === 0)
      return refuse('hash_below_minimum', { field, params: { min: formatMoney(DEPOSIT_SETTINGS.chainMin) } });
    await module.changed(
      await storeSeenDeposits(
        database,
        [...listed, ...others].map((output) => seenDepositOf({ config, timeZone, at: now }, output, customer, blockAt)),
      ),
    );
    if (ours.length === 0) return refuse('hash_other_token', { field });
    const row = (await known()) ?? (await readCountedSurplus(database, config.code, own, receipt.height));
    return row ? accept(viewOf(row)) : refuse('hash_unknown', { field });
  }
  // A contract may have sent the chain's coin. Counting finds that, so it is already a case of its owner.
  const counted = await readCountedSurplus(database, config.code, own, receipt.height);
  if (counted) return accept(viewOf(counted));
  const owners = await addresses.ownersOf(outputs.map(({ to }) => to));
  if (owners.size > 0) return refuse('hash_of_another', { field });
  const isOurToken = outputs.some(({ token }) => token === config.token);
  return refuse(isOurToken || outputs.length === 0 ? 'hash_other_address' : 'hash_other_token', { field });
}

export function submitDepositHandler(module: DepositsModule): Handler {
  return handle(submitDeposit, async ({ customer, request, now }) => {
    const { channel, amount, hash, id, slip } = request;
    const { chain } = module;
    if (chain?.config.code === channel) {
      if (hash === undefined) return refuse('malformed_request', { field: 'hash' });
      return submitHash(module, chain, customer.id, hash, now);
    }
    if (channel !== 'bank' && channel !== 'promptpay') return refuse('channel_unknown', { field: 'channel' });
    if (id !== undefined) return attachSlip(module, customer.id, id, slip ?? '', now);
    if (amount === undefined) return refuse('malformed_request', { field: 'amount' });
    return createBankOrder(module, customer.id, channel, amount, now);
  });
}
