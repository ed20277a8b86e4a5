import { setTimeout as pause } from 'node:timers/promises';
import { uuidOfName } from '../../ledger/index.ts';
import { type ChainReader, RpcFault, type TransactionReceipt, tokenTransfersOf, walletsOf } from '../chain/index.ts';
import { advanceWithdrawal } from './advance-withdrawal.ts';
import { lapseBankRuns } from './bank-runs/bank-run-store.ts';
import { bookForeignTransfers, endHaltWithAlarm } from './book-foreign-transfers.ts';
import { endForeignRuns } from './end-foreign-runs.ts';
import { readLostApproval, storeLostPayout } from './lost-store.ts';
import { askForPayoutReleases } from './payout-waits.ts';
import { readFinalReceipt, storeGasPaid, trackSendings } from './track-sendings.ts';
import { closeUnsignedApproval } from './withdrawal-case.ts';
import { LOST_KIND, RETURN_KIND, SENT_KIND } from './withdrawal-kinds.ts';
import {
  hasDueWithdrawalWork,
  markBlockLeft,
  markFoundInBlock,
  netAmountOf,
  readDueWithdrawals,
  readPayoutsOnTheirWay,
  readSentPayouts,
  type SentPayoutRow,
  storeShownHash,
  type WithdrawalRow,
} from './withdrawal-store.ts';
import type { WithdrawalChain, WithdrawalsModule } from './withdrawals.ts';

/** After this long without a block an operator must check. The signer keeps raising the nonce's fee. */
const UNKNOWN_AFTER_MS = 10 * 60_000;

/** The receipt of the attempt that the chain accepted. */
const receiptOf = (receipts: readonly (TransactionReceipt | null)[]): TransactionReceipt | null =>
  receipts.find((one) => one !== null) ?? null;

/** One node's verdict on a payout that is in a block. */
type Verdict = 'paid' | 'reverted' | 'wait' | 'gone' | 'wrong';

async function verdictOf(
  reader: ChainReader,
  { config }: WithdrawalChain,
  { hash, block_hash, block_height, address, ...row }: WithdrawalRow,
): Promise<Verdict> {
  if (hash === null || block_height === null) return 'wait';
  const [[receipt], [block], head] = await Promise.all([
    reader.receipts([hash]),
    reader.blocks([Number(block_height)]),
    reader.head(),
  ]);
  if (!receipt || receipt.blockHash !== block_hash || block?.hash !== block_hash) return 'gone';
  if (head.height - Number(block_height) + 1 < config.confirmations) return 'wait';
  if (!receipt.isSuccess) return 'reverted';
  const wallets = walletsOf(config);
  const paid = tokenTransfersOf(receipt).filter(
    ({ token, from, to, units }) =>
      token === config.token && wallets.includes(from) && to === address && units === netAmountOf(row).units,
  );
  return paid.length === 1 ? 'paid' : 'wrong';
}

/** Tracks sent payouts until they are final. It never sends, and never concludes that a payout was not sent. */
export async function trackPayouts(module: WithdrawalsModule, chain: WithdrawalChain, now: Date): Promise<void> {
  const { database, onFault } = module;
  for await (const row of readPayoutsOnTheirWay(database, chain.config.code))
    await apart(onFault, row, () => trackPayout(module, chain, row, now));
}

/** Does one piece of work among many. Only a node's outage stops the others; other faults stay here. */
async function apart(
  onFault: (error: unknown) => void,
  { order_number: order }: Pick<WithdrawalRow, 'order_number'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof RpcFault) throw error;
    const why = error instanceof Error ? error.message : String(error);
    onFault(new Error(`withdrawal ${order} can’t go on: ${why}`, { cause: error }));
  }
}

async function trackPayout(
  module: WithdrawalsModule,
  chain: WithdrawalChain,
  row: WithdrawalRow,
  now: Date,
): Promise<void> {
  const { database, ledger, changed, refusalKey: key, onFault } = module;
  const { readers } = chain;
  const [leader] = readers;
  const attempts = await readSentPayouts(database, [row.id]);
  const newest = attempts.at(-1);
  if (newest === undefined) return;
  if (row.hash === null) await closeUnsignedApproval(module, row.id);
  const receipt = receiptOf(await leader.receipts(attempts.map(({ hash }) => hash)));
  const isUsedUp = attempts.some(({ is_empty, hash }) => is_empty && (receipt === null || receipt.hash === hash));
  if (isUsedUp) {
    await returnLost(module, chain, row, attempts, now);
    return;
  }
  if (receipt === null) {
    const isLate = now.getTime() - (attempts[0]?.at ?? now).getTime() > UNKNOWN_AFTER_MS;
    const isMoved = await markBlockLeft(database, row.id, isLate ? 'sent_unknown' : 'sending');
    if (isMoved && isLate)
      onFault(new Error(`alarm: withdrawal ${row.order_number} was sent and no block has it; a person must look`));
    if ((await storeShownHash(database, row.id, newest.hash)) || isMoved) await changed([row.id]);
    return;
  }
  if (receipt.blockHash !== row.block_hash || receipt.hash !== row.hash) {
    await markFoundInBlock(database, row.id, receipt);
    await changed([row.id]);
    return;
  }
  const verdicts = await Promise.all(readers.map((reader) => verdictOf(reader, chain, row)));
  const [verdict] = verdicts;
  if (verdicts.some((one) => one !== verdict)) return;
  if (verdict === 'paid')
    await ledger.post(SENT_KIND, { id: row.id, at: now }, { id: uuidOfName(`sent ${row.id}`), digest: SENT_KIND.name });
  else if (verdict === 'reverted' && newest.is_run) return;
  else if (verdict === 'reverted' && key !== null)
    // The nonce is spent on a failed transaction, so no attempt has paid and none can.
    await ledger.post(
      RETURN_KIND,
      { id: row.id, at: now, key },
      { id: uuidOfName(`refused ${row.id}`), digest: RETURN_KIND.name },
    );
  else if (verdict === 'wrong')
    onFault(new Error(`alarm: withdrawal ${row.order_number} is in a block and did not pay what it should`));
  // The gas of a run is stored with its sending, and that of somebody else's transaction is not ours.
  if (!newest.is_run && (verdict === 'paid' || verdict === 'reverted'))
    await storeGasPaid(database, chain.config.code, chain.config.hot, receipt);
  // The payout has one more confirmation.
  await changed([row.id]);
}

/**
 * Returns the money of a payout that two people declared lost, after which the signer sends nothing more with its
 * nonce. It does so only when all nodes show, at the configured depth, that another transaction used the nonce. Then no
 * block can include the payout.
 */
async function returnLost(
  { database, ledger, changed }: WithdrawalsModule,
  { config, readers }: WithdrawalChain,
  row: WithdrawalRow,
  attempts: readonly SentPayoutRow[],
  now: Date,
): Promise<void> {
  const approval = await readLostApproval(database, row.id);
  const [first] = attempts;
  if (approval === null || first === undefined || first.is_run) return;
  let proof: { readonly hash: string | null; readonly height: number } | null = null;
  for (const { hash, is_empty } of attempts) {
    const receipt = is_empty ? await readFinalReceipt(readers, hash, config.confirmations) : null;
    if (receipt === null) continue;
    proof = { hash, height: receipt.height };
    await storeGasPaid(database, config.code, config.hot, receipt);
  }
  proof ??= await foreignProof(readers, config, Number(first.nonce), attempts);
  if (proof === null) return;
  await storeLostPayout(database, { id: row.id, approval, ...proof });
  await ledger.post(
    LOST_KIND,
    { id: row.id, at: now, reason: 'chain_lost' },
    { id: uuidOfName(`lost ${row.id}`), digest: LOST_KIND.name },
  );
  await changed([row.id]);
}

/**
 * Proves that an unknown transaction used the nonce: at the required depth the wallet's transaction count is beyond the
 * nonce, and no node has a transaction of ours with it.
 */
async function foreignProof(
  readers: WithdrawalChain['readers'],
  { hot, confirmations }: WithdrawalChain['config'],
  nonce: number,
  attempts: readonly SentPayoutRow[],
): Promise<{ readonly hash: null; readonly height: number } | null> {
  const heights: number[] = [];
  for (const reader of readers) {
    const receipts = await reader.receipts(attempts.map(({ hash }) => hash));
    if (receipts.some((one) => one !== null)) return null;
    const height = (await reader.head()).height - confirmations + 1;
    if (height < 0 || (await reader.countOf(hot, height)) <= nonce) return null;
    heights.push(height);
  }
  return { hash: null, height: Math.min(...heights) };
}

/** Books what the chain says of everything that was sent, and of what left without the signer. */
export async function trackChain(module: WithdrawalsModule, chain: WithdrawalChain, now: Date): Promise<void> {
  await bookForeignTransfers(module, now);
  await endForeignRuns(module, chain);
  await trackPayouts(module, chain, now);
  await trackSendings(module, chain, now);
}

const EVERY_MS = 1_000;

/** Advances withdrawals that need no operator and tracks sent ones, until the signal aborts. */
export async function runWithdrawalTracking(module: WithdrawalsModule, signal: AbortSignal): Promise<void> {
  const { database, clock, chain, onFault } = module;
  let isOut = false;
  while (!signal.aborted) {
    try {
      const now = clock.now();
      if (chain) await endHaltWithAlarm(module);
      const isBusy = await hasDueWithdrawalWork(database, now);
      if (isBusy) await lapseBankRuns(database, now);
      if (isBusy)
        for await (const row of readDueWithdrawals(database, now))
          await apart(onFault, row, () => advanceWithdrawal(module, row.id, now));
      if (isBusy && chain) {
        await trackChain(module, chain, now);
        await askForPayoutReleases(module);
      }
      isOut = false;
    } catch (error) {
      if (!(error instanceof RpcFault) || !isOut) onFault(error);
      isOut = error instanceof RpcFault;
    }
    await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
