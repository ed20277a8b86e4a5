import { setTimeout as pause } from 'node:timers/promises';
import type { PayoutWait } from '@sathorn/settlement';
import { balanceCall, type ChainConfig, quantityOf, RpcFault, RpcRefusal, transferCall } from '../../chain/index.ts';
import type { Database } from '../../database/index.ts';
import { type Act, COIN_GAS, FEE_MAX, hashOfRaw, openChainSender } from './chain-sender.ts';
import type { PayoutGuard } from './payout-guard.ts';
import {
  type InFlight,
  keepAttempt,
  type Payable,
  readFinal,
  readInFlight,
  readLastNonce,
  readPayable,
  readPromised,
  reservePayout,
} from './signer-store.ts';
import { openSweeps } from './sweeps.ts';

export interface SignerDependencies {
  readonly database: Database;
  readonly chain: ChainConfig;
  readonly hotKey: `0x${string}`;
  /** Returns the key of a deposit address by its index; null in a process that does not have these keys. */
  readonly depositKey?: ((index: number) => `0x${string}`) | null;
  /** Decides what may be paid now. */
  readonly guard: PayoutGuard;
  /** Told what each payout waits for, whenever that changes. */
  readonly onWaits?: (waits: readonly Waiting[]) => void;
  readonly onFault: (error: unknown) => void;
  /** How long an attempt waits for a block before it is replaced with a higher fee. */
  readonly bumpAfterMs?: number;
  readonly everyMs?: number;
}

/** A payout that is approved and not signed, and what it waits for. */
export interface Waiting {
  readonly id: string;
  readonly waitsFor: PayoutWait;
}

const BUMP_AFTER_MS = 60_000;
const EVERY_MS = 1_000;
/** Final transactions are looked at again until they are this deep. */
const WATCHED_BLOCKS = 256;
const LOOK_BACK_EVERY_MS = 30_000;
const AFTER_FAULT_MS = 2_000;
/** Payouts in flight at once; a stuck nonce holds up at most these. */
const IN_FLIGHT_MAX = 8;
/** Payouts that are looked at in a round: those that wait must not hide the others. */
const LOOKED_AT_MAX = 200;

export interface Signer {
  /** Sends again what no block has, pays more where it waits for long, and begins what is approved or to be swept. */
  round(): Promise<void>;
  /** Every half minute: sends final transactions again that a deep reorganisation took back. */
  lookBack(): Promise<void>;
}

/**
 * Pays approved withdrawals. Each gets one nonce, stored in the database together with its signed transaction before
 * anything is sent. Later attempts reuse the nonce, and the chain accepts only one of them. So if this process dies at
 * any moment, the next one sends the same payout again, and nothing is paid twice or forgotten.
 */
export function openSigner({
  database,
  chain,
  hotKey,
  depositKey = null,
  guard,
  onWaits = () => undefined,
  onFault,
  bumpAfterMs = BUMP_AFTER_MS,
}: SignerDependencies): Signer {
  const sender = openChainSender(chain, 'payouts', onFault);
  const { leader, alarm } = sender;
  const account = sender.accountOf(hotKey);
  if (account.address.toLowerCase() !== chain.hot) throw new Error('the signer has another key than the wallet');
  const sweeps = openSweeps({ database, chain, account, depositKey, guard, bumpAfterMs, onFault });

  const actOf = ({ address, units }: Payable): Act => ({
    to: chain.token,
    data: transferCall(address, units),
    value: 0n,
  });

  const EMPTY: Act = { to: chain.hot, data: '0x', value: 0n };
  /** Sends an empty transaction to our own wallet with the nonce of a payout that two people declared lost. */
  const useUp = async (
    { id, nonce, attempts }: InFlight,
    newest: { readonly maxFee: bigint } | undefined,
  ): Promise<void> => {
    if (!newest) return;
    const maxFee = await sender.raised(newest.maxFee);
    if (maxFee === null) return alarm(`payout ${id} can’t be cancelled: it pays ${newest.maxFee} for a unit of gas`);
    const signed = await sender.sign(account, EMPTY, nonce, COIN_GAS, {
      maxFee,
      tip: maxFee,
    });
    await keepAttempt(database, { id, attempt: attempts.length + 1, maxFee, isEmpty: true, ...signed });
    await sender.broadcast(signed.raw);
  };

  const follow = async (payout: InFlight): Promise<void> => {
    // Without an attempt of its own the signer has never decided to pay this: somebody else began it.
    const attempts = await sender.ownOf(payout.attempts, chain.hot, payout.nonce, [actOf(payout), EMPTY]);
    const newest = attempts.at(-1);
    if (!newest || (await sender.isInBlock(attempts.map(({ hash }) => hash)))) return;
    if (payout.isLost && !newest.isEmpty) return useUp(payout, newest);
    // The newest one goes out first; a node that has forgotten the others gets them too.
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
    const gas = await sender.estimate(chain.hot, act);
    const signed = await sender.sign(account, act, payout.nonce, gas, { maxFee, tip: maxFee });
    await keepAttempt(database, {
      id: payout.id,
      attempt: payout.attempts.length + 1,
      maxFee,
      isEmpty: false,
      ...signed,
    });
    await sender.broadcast(signed.raw);
  };

  /** Units of the token that the wallet can spend beyond what is in flight. */
  const spendable = async (inFlight: readonly InFlight[]): Promise<bigint> => {
    const held = await leader.call<string>('eth_call', [{ to: chain.token, data: balanceCall(chain.hot) }, 'latest']);
    const unmined = inFlight.filter(({ step }) => step !== 'confirming').reduce((sum, { units }) => sum + units, 0n);
    return BigInt(held) - unmined;
  };

  const begin = async (payout: Payable, last: number | null): Promise<void> => {
    const count = await sender.countOf(chain.hot);
    const nonce = last === null ? count : last + 1;
    // The key was used elsewhere, or the database was restored from an older state, so it is unknown what was paid.
    if (count > nonce) return alarm(`the wallet has sent ${count} transactions and the database knows ${nonce}`);
    const act = actOf(payout);
    let gas: bigint;
    try {
      gas = await sender.estimate(chain.hot, act);
    } catch (error) {
      if (error instanceof RpcRefusal) return alarm(`the token refuses payout ${payout.id}: ${error.message}`);
      throw error;
    }
    const fees = await sender.feesNow();
    if (fees.maxFee > FEE_MAX) return alarm(`gas costs ${fees.maxFee}; payouts wait`);
    if ((await sender.coinsOf(chain.hot)) < gas * fees.maxFee)
      return alarm('the wallet can’t pay for gas; payouts wait');
    const signed = await sender.sign(account, act, nonce, gas, fees);
    // From here on it counts as sent, whatever happens.
    await reservePayout(database, { id: payout.id, chain: chain.code, nonce, maxFee: fees.maxFee, ...signed });
    await sender.broadcast(signed.raw);
    sender.worked();
  };

  let told = '';
  const tellWaits = (waits: readonly Waiting[]): void => {
    const now = JSON.stringify(waits);
    if (now !== told) onWaits(waits);
    told = now;
  };

  const payouts = async (): Promise<void> => {
    const inFlight = await readInFlight(database, chain.code);
    const payables = await readPayable(database, chain.code, LOOKED_AT_MAX);
    const promised = await readPromised(
      database,
      payables.map(({ id }) => id),
    );
    for (const payout of inFlight) if (payout.step !== 'confirming') await follow(payout);
    let free = IN_FLIGHT_MAX - inFlight.filter(({ step }) => step !== 'confirming').length;
    const waits: Waiting[] = [];
    const admitted: Payable[] = [];
    for (const { id } of payables) {
      const row = promised.get(id);
      if (row === undefined) continue;
      // The signer knows today's wallet and token by itself, whatever the database says.
      const isHouse = row.isHouse || row.address === chain.hot || row.address === chain.token;
      const waitsFor = await guard.admit({ ...row, isHouse }, free > 0);
      if (waitsFor !== null) waits.push({ id, waitsFor });
      else if (free > 0) {
        free -= 1;
        // Paid is what was authorised, whatever else the database says.
        admitted.push({ id, address: row.address, units: row.amount - row.fee });
      }
    }
    tellWaits(waits);
    if (admitted.length === 0) return;
    let left = await spendable(inFlight);
    for (const payout of admitted) {
      if (payout.units > left) {
        alarm(`the wallet is short of ${payout.units - left} units; payouts wait`);
        return;
      }
      await begin(payout, await readLastNonce(database, chain.code));
      left -= payout.units;
    }
  };

  let lookBackMs = Number.NEGATIVE_INFINITY;
  /**
   * After a deep reorganisation no block may have a transaction that is booked. It is still valid and can have only one
   * effect, so it is sent again; a new one with another nonce could pay twice.
   */
  const lookBack = async (): Promise<void> => {
    if (performance.now() < lookBackMs) return;
    const head = quantityOf(await leader.call<string>('eth_blockNumber', []));
    for (const { hash, raw } of await readFinal(database, chain.code, head - WATCHED_BLOCKS)) {
      if (await sender.isInBlock([hash])) continue;
      if (hashOfRaw(raw) !== hash) {
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
      await payouts();
      await sweeps.round();
    },
    lookBack,
  };
}

export async function runSigner(dependencies: SignerDependencies, signal: AbortSignal): Promise<void> {
  const { database, chain, onFault, everyMs = EVERY_MS } = dependencies;
  await database.runAsLeader(`signer:${chain.code}`, signal, async (its) => {
    const signer = openSigner(dependencies);
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
