import { setTimeout as pause } from 'node:timers/promises';
import { subtract } from '@sathorn/money';
import { chainWaitsFor, type PayoutStop, type PayoutWait } from '@sathorn/settlement';
import type { Database } from '../../../platform/database/index.ts';
import {
  balanceCallData,
  type ChainConfig,
  numberOfHex,
  RpcFault,
  RpcRefusal,
  transferCallData,
} from '../../chain/index.ts';
import {
  COIN_TRANSFER_GAS,
  GAS_PRICE_MAX,
  type GasFees,
  hashOfRawTransaction,
  openChainSender,
  TOKEN_TRANSFER_GAS,
  type TransactionContent,
} from './chain-sender.ts';
import type { PayoutGuard } from './payout-guard.ts';
import {
  type ApprovedPayout,
  type ForeignTransaction,
  type InFlightPayout,
  isRestorationReconciled,
  type PayoutPlace,
  readApprovedPayouts,
  readAuthorisedPayouts,
  readFinalTransactions,
  readForeignTransactions,
  readInFlightPayouts,
  readNextNonce,
  reservePayout,
  storePayoutAttempt,
} from './signer-store.ts';
import { openSweeps } from './sweeps.ts';

interface SignerDependencies {
  readonly database: Database;
  readonly chain: ChainConfig;
  readonly hotKey: `0x${string}`;
  /** Returns the key of a deposit address by its index; null in a process that does not have these keys. */
  readonly depositKey?: ((index: number) => `0x${string}`) | null;
  /** Decides what may be paid now. */
  readonly guard: PayoutGuard;
  /** Called with the reasons for which payouts wait, and the one that stops all of them, whenever they change. */
  readonly onWaits?: (waits: readonly WaitingPayout[], stop: PayoutStop | null) => void;
  readonly onFault: (error: unknown) => void;
  /** How long an attempt waits for a block before it is replaced with a higher fee. */
  readonly bumpAfterMs?: number;
  readonly everyMs?: number;
}

/** An approved payout that is not signed, with the reason why it waits. */
export interface WaitingPayout {
  readonly id: string;
  readonly waitsFor: PayoutWait;
}

const BUMP_AFTER_MS = 60_000;
const EVERY_MS = 2_000;
/** Final transactions are checked again until they are this deep. */
const WATCHED_BLOCKS = 256;
const LOOK_BACK_EVERY_MS = 30_000;
const AFTER_FAULT_MS = 2_000;
/** The largest number of payouts in flight; a stuck nonce blocks at most these. */
const IN_FLIGHT_MAX = 8;
/** How many payouts a round checks. */
const LOOKED_AT_MAX = 200;
/** A payout that the token refuses is tried again after this time. */
const REFUSED_AGAIN_MS = 30_000;
const FOREIGN_EVERY_MS = 15_000;

export interface PayoutSigner {
  /** Sends again what no block contains, raises fees of late ones, and begins approved payouts and sweeps. */
  round(): Promise<void>;
  /** Runs every half minute: sends final transactions again that a deep reorganisation removed. */
  lookBack(): Promise<void>;
}

/**
 * Pays approved withdrawals. Each gets one nonce, stored in the database together with its signed transaction before
 * anything is sent. Later attempts reuse the nonce, and the chain accepts only one of them. So if this process dies at
 * any moment, the next one sends the same payout again, and nothing is paid twice or lost.
 */
export function openPayoutSigner({
  database,
  chain,
  hotKey,
  depositKey = null,
  guard,
  onWaits = () => undefined,
  onFault,
  bumpAfterMs = BUMP_AFTER_MS,
}: SignerDependencies): PayoutSigner {
  const sender = openChainSender(chain, 'payouts', onFault);
  const { leader, alarm } = sender;
  const account = sender.accountOf(hotKey);
  if (account.address.toLowerCase() !== chain.hot) throw new Error('the signer has another key than the wallet');
  /** Foreign transactions whose votes and sender were verified. */
  const accounted = new Set<string>();
  const isAccounted = async ({ hash, nonce, what }: ForeignTransaction): Promise<boolean> => {
    if (accounted.has(hash)) return true;
    const members = { chain: chain.code, hash, nonce: String(nonce) };
    if (what !== 'gas' && !(await guard.isAgreed({ kinds: ['payout_foreign'], subject: hash, members }))) return false;
    const sent = await leader.call<{ from: string; nonce: string; input: string } | null>('eth_getTransactionByHash', [
      hash,
    ]);
    if (sent?.from.toLowerCase() !== chain.hot || numberOfHex(sent.nonce) !== nonce) return false;
    // A transaction without call data moved no tokens.
    if (what === 'gas' && sent.input !== '0x') return false;
    accounted.add(hash);
    return true;
  };
  /** The next nonce; null if the wallet sent a transaction that nobody accounted for, which may be a payout. */
  const freeNonce = async (): Promise<number | null> => {
    for (const foreign of await readForeignTransactions(database, chain.code, chain.hot))
      if (!(await isAccounted(foreign))) {
        alarm(`stand still, because two people's votes about ${foreign.hash} are not verified`);
        return null;
      }
    const nonce = await readNextNonce(database, chain.code, chain.hot);
    // A transaction that waits for a block counts too: it may be a payout that this database does not know.
    const count = Math.max(await sender.countOf(chain.hot), await sender.countOf(chain.hot, 'pending'));
    if (count <= nonce) return nonce;
    alarm(
      `stand still, because the wallet has sent ${count} transactions and the database knows ${nonce}; two people must account for the transaction with nonce ${nonce} in the console`,
    );
    return null;
  };
  const sweeps = openSweeps({ database, chain, account, depositKey, guard, freeNonce, bumpAfterMs, onFault });

  const actOf = ({ address, units }: ApprovedPayout): TransactionContent => ({
    to: chain.token,
    data: transferCallData(address, units),
    value: 0n,
  });

  const EMPTY: TransactionContent = { to: chain.hot, data: '0x', value: 0n };
  /** Sends an empty transaction to our own wallet with the nonce of a payout that two people declared lost. */
  const useUp = async (
    { id, nonce, attempts }: InFlightPayout,
    newest: { readonly maxFee: bigint } | undefined,
  ): Promise<void> => {
    if (!newest) return;
    const maxFee = await sender.raised(newest.maxFee);
    if (maxFee === null) return alarm(`payout ${id} can’t be cancelled: it pays ${newest.maxFee} for a unit of gas`);
    const signed = await sender.sign(account, EMPTY, nonce, COIN_TRANSFER_GAS, {
      maxFee,
      tip: maxFee,
    });
    await storePayoutAttempt(database, { id, attempt: attempts.length + 1, maxFee, isEmpty: true, ...signed });
    await sender.broadcast(signed.raw);
  };

  const follow = async (payout: InFlightPayout): Promise<void> => {
    // If none of the attempts is its own, the signer never decided to pay this: somebody else wrote the row.
    const attempts = await sender.ownOf(payout.attempts, chain.hot, payout.nonce, [actOf(payout), EMPTY]);
    const newest = attempts.at(-1);
    if (!newest || (await sender.isInBlock(attempts.map(({ hash }) => hash)))) return;
    if (payout.isLost && !newest.isEmpty) return useUp(payout, newest);
    // Sends the newest attempt first; a node that has forgotten the older ones gets them too.
    if (Date.now() - newest.at.getTime() < bumpAfterMs) {
      if (!(await sender.isKnown(newest.hash))) await sender.broadcast(newest.raw);
      return;
    }
    if (payout.isLost) return useUp(payout, newest);
    const maxFee = await sender.raised(newest.maxFee);
    if (maxFee === null) {
      alarm(`payout ${payout.id} waits although it pays ${newest.maxFee} for a unit of gas`);
      return sender.broadcast(newest.raw);
    }
    const act = actOf(payout);
    // A payout that the token now refuses must still get into a block and fail there, because its nonce comes first.
    const gas = (await gasOf(payout, act)) ?? TOKEN_TRANSFER_GAS;
    const signed = await sender.sign(account, act, payout.nonce, gas, { maxFee, tip: maxFee });
    await storePayoutAttempt(database, {
      id: payout.id,
      attempt: payout.attempts.length + 1,
      maxFee,
      isEmpty: false,
      ...signed,
    });
    await sender.broadcast(signed.raw);
  };

  /** Units of the token that the wallet can spend beyond the payouts in flight. */
  const spendable = async (inFlight: readonly InFlightPayout[]): Promise<bigint> => {
    const held = await leader.call<string>('eth_call', [
      { to: chain.token, data: balanceCallData(chain.hot) },
      'latest',
    ]);
    const unmined = inFlight.filter(({ step }) => step !== 'confirming').reduce((sum, { units }) => sum + units, 0n);
    return BigInt(held) - unmined;
  };

  /** When a payout that the token refused may be tried again. */
  const refusedUntil = new Map<string, number>();
  const gasOf = async ({ id }: ApprovedPayout, act: TransactionContent): Promise<bigint | null> => {
    if ((refusedUntil.get(id) ?? 0) > performance.now()) return null;
    try {
      const gas = await sender.estimate(chain.hot, act);
      refusedUntil.delete(id);
      return gas;
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      alarm(`the token refuses payout ${id}: ${error.message}`);
      refusedUntil.set(id, performance.now() + REFUSED_AGAIN_MS);
      return null;
    }
  };

  interface Ready {
    readonly act: TransactionContent;
    readonly nonce: number;
    readonly gas: bigint;
    readonly fees: GasFees;
  }
  /** Checks a payout on the chain before it is signed: returns why it waits, or everything that signing needs. */
  const prepare = async (payout: ApprovedPayout, left: bigint): Promise<PayoutWait | Ready> => {
    const { units } = payout;
    const act = actOf(payout);
    const nonce = await freeNonce();
    const gas = nonce !== null && units <= left ? await gasOf(payout, act) : null;
    const fees = await sender.feesNow();
    const coins = await sender.coinsOf(chain.hot);
    const hasGas = fees.maxFee <= GAS_PRICE_MAX && coins >= (gas ?? 0n) * fees.maxFee;
    const waits = chainWaitsFor({ units, hasForeign: nonce === null, hasGas, left, isRefused: gas === null });
    if (waits === 'gas') alarm('gas is too dear, or the wallet has too few coins for it; payouts wait');
    if (waits === 'wallet_short') alarm(`the wallet holds less than the ${units} units of payout ${payout.id}`);
    if (waits !== null || nonce === null || gas === null) return waits ?? 'token_refuses';
    return { act, nonce, gas, fees };
  };

  const begin = async ({ id }: ApprovedPayout, { act, nonce, gas, fees }: Ready): Promise<void> => {
    const signed = await sender.sign(account, act, nonce, gas, fees);
    // From here on the payout counts as sent, whatever happens.
    await reservePayout(database, { id, chain: chain.code, wallet: chain.hot, nonce, maxFee: fees.maxFee, ...signed });
    await sender.broadcast(signed.raw);
    sender.worked();
  };

  /** The reasons found on all pages of this pass. */
  const waiting = new Map<string, PayoutWait>();
  let told = '';
  /** The check runs even with nothing to pay, so that people are told before the next payout waits. */
  let isForeign = false;
  let foreignLookMs = Number.NEGATIVE_INFINITY;
  const tellWaits = (): void => {
    const waits = [...waiting].map(([id, waitsFor]): WaitingPayout => ({ id, waitsFor }));
    const reasons = new Set(waiting.values());
    const stop = reasons.has('restoration')
      ? 'restoration'
      : isForeign || reasons.has('foreign_transaction')
        ? 'foreign_transaction'
        : reasons.has('gas')
          ? 'gas'
          : null;
    const now = JSON.stringify([waits, stop]);
    if (now !== told) onWaits(waits, stop);
    told = now;
  };

  /** Where the next page begins, and which payouts were checked since the first page. */
  let place: PayoutPlace | null = null;
  let looked = new Set<string>();

  /** Checks payouts even before the books are reconciled, so that people see what waits, but then follows none. */
  const payouts = async (mayFollow: boolean): Promise<void> => {
    const inFlight = await readInFlightPayouts(database, chain.code);
    const page = await readApprovedPayouts(database, chain.code, place, LOOKED_AT_MAX);
    const promised = await readAuthorisedPayouts(
      database,
      page.map(({ id }) => id),
    );
    for (const payout of inFlight)
      if (mayFollow && payout.step !== 'confirming') await sender.apart(`payout ${payout.id}`, () => follow(payout));
    let free = IN_FLIGHT_MAX - inFlight.filter(({ step }) => step !== 'confirming').length;
    let left: bigint | null = null;
    for (const { id } of page) {
      const row = promised.get(id);
      if (row === undefined) continue;
      await sender.apart(`payout ${id}`, async () => {
        // The signer knows its own wallet and token, whatever the database says.
        const isHouse = row.isHouse || row.address === chain.hot || row.address === chain.token;
        // Pays what was authorised, whatever else the database says.
        const payout = { id, address: row.address, units: subtract(row.amount, row.fee).units };
        let waits = await guard.admit({ ...row, isHouse }, false);
        if (waits === null && free > 0) {
          left ??= await spendable(inFlight);
          const ready = await prepare(payout, left);
          // Charges the budget last, so that a payout that steps aside is not charged.
          waits = typeof ready === 'string' ? ready : await guard.admit({ ...row, isHouse }, true);
          if (waits === null && typeof ready !== 'string') {
            free -= 1;
            left -= payout.units;
            await begin(payout, ready);
          }
        }
        if (waits === null) waiting.delete(id);
        else waiting.set(id, waits);
      });
      looked.add(id);
    }
    // Each round checks one page, so waiting payouts never hide the ones behind them.
    const last = page.at(-1);
    place = page.length < LOOKED_AT_MAX || last === undefined ? null : last;
    if (place === null) {
      for (const id of waiting.keys()) if (!looked.has(id)) waiting.delete(id);
      looked = new Set();
    }
    if (isForeign || performance.now() >= foreignLookMs) {
      isForeign = (await freeNonce()) === null;
      foreignLookMs = performance.now() + FOREIGN_EVERY_MS;
    }
    for (const id of refusedUntil.keys()) if (!waiting.has(id)) refusedUntil.delete(id);
    tellWaits();
  };

  let lookBackMs = Number.NEGATIVE_INFINITY;
  /**
   * After a deep reorganisation a booked transaction may be in no block. It is still valid and can take effect only
   * once, so it is sent again; a new one with another nonce could pay twice.
   */
  const lookBack = async (): Promise<void> => {
    if (performance.now() < lookBackMs || !(await isRestorationReconciled(database))) return;
    const head = numberOfHex(await leader.call<string>('eth_blockNumber', []));
    for (const { hash, raw } of await readFinalTransactions(database, chain.code, head - WATCHED_BLOCKS)) {
      if (await sender.isInBlock([hash])) continue;
      if (hashOfRawTransaction(raw) !== hash) {
        alarm(`${hash} is not the hash of its text: it is not sent`);
        continue;
      }
      alarm(`no block has ${hash} any more, which was final: it is sent again`);
      await sender.broadcast(raw);
    }
    lookBackMs = performance.now() + LOOK_BACK_EVERY_MS;
  };

  return {
    async round() {
      // Read each time, because the database refuses what is signed while the books are not reconciled.
      const isOpen = await isRestorationReconciled(database);
      await payouts(isOpen);
      if (isOpen) await sweeps.round();
    },
    lookBack,
  };
}

export async function runPayoutSigner(dependencies: SignerDependencies, signal: AbortSignal): Promise<void> {
  const { database, chain, onFault, everyMs = EVERY_MS } = dependencies;
  await database.runAsLeader(`signer:${chain.code}`, signal, async (its) => {
    const signer = openPayoutSigner(dependencies);
    let isOut = false;
    while (!its.aborted) {
      let waitMs = everyMs;
      try {
        await signer.round();
        await signer.lookBack();
        isOut = false;
      } catch (error) {
        if (!(error instanceof RpcFault) || !isOut) onFault(error);
        isOut = error instanceof RpcFault;
        waitMs = AFTER_FAULT_MS;
      }
      await pause(waitMs, undefined, { signal: its }).catch(() => undefined);
    }
  });
}
