import { randomUUID } from 'node:crypto';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Database } from '../../../platform/database/index.ts';
import { balanceCallData, type ChainConfig, RpcRefusal, transferCallData } from '../../chain/index.ts';
import {
  COIN_TRANSFER_GAS,
  GAS_PRICE_MAX,
  type GasFees,
  openChainSender,
  type TransactionContent,
} from './chain-sender.ts';
import type { ApprovalCriteria, PayoutGuard } from './payout-guard.ts';
import { openRuns, type SendRun } from './runs.ts';
import { readNextNonce } from './signer-store.ts';
import {
  type NewSending,
  type PendingSending,
  readPendingSendings,
  readReturnableDeposits,
  readSweepableAddresses,
  reserveSending,
  storeSendingAttempt,
} from './sweep-store.ts';

interface SweepDependencies {
  readonly database: Database;
  readonly chain: ChainConfig;
  /** The account of the house's wallet, which pays for gas. */
  readonly account: PrivateKeyAccount;
  readonly depositKey: ((index: number) => `0x${string}`) | null;
  readonly guard: PayoutGuard;
  /** The wallet's next nonce; null if it has sent a transaction that nobody accounted for. */
  readonly freeNonce: () => Promise<number | null>;
  readonly bumpAfterMs: number;
  readonly onFault: (error: unknown) => void;
}

/** The largest number of addresses per period. */
const BATCH_MAX = 500;
/** The largest number of addresses per round, so that payouts need not wait for them. */
const PER_ROUND = 10;
/** Gas transfers and payouts leave the same wallet in sequence, so gas transfers must not fill the queue. */
const GAS_IN_FLIGHT_MAX = 4;
/** How many returns a round checks. */
const RETURNS_MAX = 20;

/** A transfer that must leave a deposit address. */
interface Task {
  readonly kind: 'sweep' | 'return';
  readonly address: string;
  readonly index: number;
  readonly receiver: string;
  /** Null for the chain's own coin. */
  readonly token: string | null;
  readonly units: bigint;
  /** Coins at the address that belong to the customer and may not pay for gas. */
  readonly kept: bigint;
  readonly deposit: string | null;
}

/** The content that two people must have agreed to before a transfer is sent back. */
const agreeableOf = ({ deposit, receiver, units }: Task): ApprovalCriteria => ({
  kinds: ['deposit_recovery'],
  subject: deposit ?? '',
  members: { deposit, plan: 'return', to: receiver, units: String(units) },
});

interface Sweeps {
  round(): Promise<void>;
}

const transferOf = ({ receiver, token, units }: Pick<Task, 'receiver' | 'token' | 'units'>): TransactionContent =>
  token === null
    ? { to: receiver, data: '0x', value: units }
    : { to: token, data: transferCallData(receiver, units), value: 0n };

/**
 * Moves money from deposit addresses. Once per period it sweeps what is worth its gas into the house's wallet; it also
 * returns deposits as people decided. An address without coins for gas gets them from the wallet first. Each
 * transaction is stored with its nonce before it is sent, as payouts are, and an address sends one at a time.
 */
export function openSweeps(dependencies: SweepDependencies): Sweeps {
  const { database, chain, account, depositKey, guard, freeNonce, bumpAfterMs, onFault } = dependencies;
  const sender = openChainSender(chain, 'sweeps', onFault);
  const { alarm } = sender;
  let nextMs = Number.NEGATIVE_INFINITY;
  const batch = new Map<string, Task>();
  let returnsAfter: string | null = null;

  const accountAt = (index: number | null, address: string): PrivateKeyAccount | null => {
    if (index === null) return account;
    if (depositKey === null) return null;
    const found = sender.accountOf(depositKey(index));
    if (found.address.toLowerCase() === address) return found;
    alarm(`the keys of deposit addresses are not those of ${address}`);
    return null;
  };

  const send = async (
    from: PrivateKeyAccount,
    sending: Omit<NewSending, 'id' | 'chain' | 'hash' | 'raw' | 'maxFee'>,
    act: TransactionContent,
    gas: bigint,
    fees: GasFees,
  ): Promise<void> => {
    const signed = await sender.sign(from, act, sending.nonce, gas, fees);
    // From here on the transaction counts as sent, whatever happens.
    await reserveSending(database, {
      id: randomUUID(),
      chain: chain.code,
      maxFee: fees.maxFee,
      ...sending,
      ...signed,
    });
    await sender.broadcast(signed.raw);
  };

  const sendGas = async (receiver: string, units: bigint): Promise<void> => {
    const nonce = await freeNonce();
    if (nonce === null) return;
    const fees = await sender.feesNow();
    if ((await sender.coinsOf(chain.hot)) < units + COIN_TRANSFER_GAS * fees.maxFee)
      return alarm('the wallet can’t pay for gas; sweeps wait');
    const gas = {
      kind: 'gas',
      sender: chain.hot,
      receiver,
      nonce,
      token: null,
      units,
      deposit: null,
      run: null,
    } as const;
    await send(account, gas, transferOf(gas), COIN_TRANSFER_GAS, fees);
  };

  /** True if the address can pay the gas. If it cannot, gas is sent to it. */
  const canPay = async (address: string, needed: bigint, open: readonly PendingSending[]): Promise<boolean> => {
    const coins = await sender.coinsOf(address);
    if (coins >= needed) return true;
    const gas = open.filter(({ kind }) => kind === 'gas');
    if (gas.length < GAS_IN_FLIGHT_MAX && !gas.some(({ receiver }) => receiver === address))
      await sendGas(address, needed - coins);
    return false;
  };

  const follow = async (sending: PendingSending, open: readonly PendingSending[]): Promise<void> => {
    const { id, nonce, index } = sending;
    // If none of the attempts is its own, the signer never decided to send this: somebody else wrote the row.
    const act = sending.run === null ? transferOf(sending) : await runs.actOf(sending.run);
    if (act === null) return;
    const attempts = await sender.ownOf(sending.attempts, sending.sender, nonce, [act]);
    const newest = attempts.at(-1);
    if (!newest || (await sender.isInBlock(attempts.map(({ hash }) => hash)))) return;
    if (Date.now() - newest.at.getTime() < bumpAfterMs) {
      if (!(await sender.isKnown(newest.hash))) await sender.broadcast(newest.raw);
      return;
    }
    const [from, maxFee] = [accountAt(index, sending.sender), await sender.raised(newest.maxFee)];
    if (from === null) return;
    if (maxFee === null) {
      alarm(`${sending.kind} ${id} waits although it pays ${newest.maxFee} for a unit of gas`);
      return sender.broadcast(newest.raw);
    }
    const gas = await sender.estimate(sending.sender, act);
    // A higher fee needs more coins at the address. Until they arrive, a block may still include the older attempt.
    if (index !== null && !(await canPay(sending.sender, gas * maxFee + act.value, open)))
      return sender.broadcast(newest.raw);
    const signed = await sender.sign(from, act, nonce, gas, { maxFee, tip: maxFee });
    await storeSendingAttempt(database, { id, attempt: sending.attempts.length + 1, maxFee, ...signed });
    await sender.broadcast(signed.raw);
  };

  /** Returns true if nothing more can be done for the task in this period. */
  const begin = async (task: Task, open: readonly PendingSending[]): Promise<boolean> => {
    const { kind, address, index, receiver, token, kept, deposit } = task;
    let { units } = task;
    if (open.some((one) => one.sender === address)) return false;
    const from = accountAt(index, address);
    if (from === null) return true;
    if (token !== null) {
      const held = await sender.leader.call<string>('eth_call', [
        { to: token, data: balanceCallData(address) },
        'latest',
      ]);
      if (BigInt(held === '0x' ? 0 : held) < units) {
        alarm(`${address} holds less than what is credited there`);
        return true;
      }
    }
    const [nonce, count] = [await readNextNonce(database, chain.code, address), await sender.countOf(address)];
    if (count > nonce) {
      alarm(`${address} has sent ${count} transactions and the database knows ${nonce}`);
      return true;
    }
    // A reorganisation removed the address's last transaction, which must be sent again first.
    if (count < nonce) return false;
    let gas: bigint;
    try {
      gas = await sender.estimate(address, transferOf(task));
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      alarm(`the token refuses what is to leave ${address}: ${error.message}`);
      return true;
    }
    const fees = await sender.feesNow();
    if (fees.maxFee > GAS_PRICE_MAX) {
      alarm(`gas costs ${fees.maxFee}; sweeps wait`);
      return true;
    }
    if (token === null) {
      units -= gas * fees.maxFee;
      if (units <= 0n) {
        alarm(`what is to go back from ${address} is worth less than its gas`);
        return true;
      }
    }
    if (!(await canPay(address, kept + gas * fees.maxFee + (token === null ? units : 0n), open))) return false;
    const sending = { kind, sender: address, receiver, nonce, token, units, deposit, run: null };
    await send(from, sending, transferOf(sending), gas, fees);
    sender.worked();
    return true;
  };

  const sendRun: SendRun = async (run, act, gas) => {
    const { treasury } = chain;
    const nonce = await freeNonce();
    if (nonce === null || treasury === null) return;
    const fees = await sender.feesNow();
    if (fees.maxFee > GAS_PRICE_MAX || (await sender.coinsOf(chain.hot)) < gas * fees.maxFee)
      return alarm('gas is too dear, or the wallet has too few coins for it; payment runs wait');
    const sending = {
      kind: 'run',
      sender: chain.hot,
      receiver: treasury.safe,
      token: null,
      units: 0n,
      deposit: null,
    } as const;
    await send(account, { ...sending, nonce, run }, act, gas, fees);
    sender.worked();
  };
  const runs = openRuns({ database, chain, guard, sender, send: sendRun });
  const hotUnits = async (): Promise<bigint> =>
    BigInt(
      await sender.leader.call<string>('eth_call', [{ to: chain.token, data: balanceCallData(chain.hot) }, 'latest']),
    );
  /** What this period's sweeps to the hot wallet will add to it. */
  let expected = 0n;
  /** The hot wallet up to its ceiling, and the treasury for everything above. */
  const sweepReceiverOf = async (units: bigint): Promise<string> => {
    const { treasury, hot } = chain;
    if (treasury === null) return hot;
    if ((await hotUnits()) + expected + units > treasury.hotMax) return treasury.safe;
    expected += units;
    return hot;
  };
  /** Moves what the hot wallet holds above its ceiling to the treasury, down to three quarters of it. */
  const sendSurplus = async (open: readonly PendingSending[]): Promise<void> => {
    const { treasury, hot, token } = chain;
    if (treasury === null || open.some(({ kind }) => kind === 'surplus')) return;
    const held = await hotUnits();
    if (held <= treasury.hotMax) return;
    const nonce = await freeNonce();
    const fees = await sender.feesNow();
    if (nonce === null || fees.maxFee > GAS_PRICE_MAX) return;
    const units = held - (treasury.hotMax * 3n) / 4n;
    const surplus = {
      kind: 'surplus',
      sender: hot,
      receiver: treasury.safe,
      token,
      units,
      deposit: null,
      run: null,
    } as const;
    const act = transferOf(surplus);
    await send(account, { ...surplus, nonce }, act, await sender.estimate(hot, act), fees);
  };

  return {
    async round() {
      const open = await readPendingSendings(database, chain.code);
      for (const sending of open) await sender.apart(`${sending.kind} ${sending.id}`, () => follow(sending, open));
      // Sweeps wait too, although they only reach the house's own wallet: a finding stops all signing.
      if (!guard.isClear()) return;
      await runs.round();
      await sender.apart('what the wallet holds above its ceiling', () => sendSurplus(open));
      if (depositKey === null) return;
      if (Date.now() >= nextMs) {
        nextMs = Date.now() + chain.sweepEveryMs;
        batch.clear();
        expected = 0n;
        for (const { address, index, units, kept } of await readSweepableAddresses(
          database,
          chain.code,
          chain.token,
          chain.sweepMin,
          BATCH_MAX,
        ))
          batch.set(address, {
            kind: 'sweep',
            address,
            index,
            receiver: await sweepReceiverOf(units),
            token: chain.token,
            units,
            kept,
            deposit: null,
          });
      }
      const page = await readReturnableDeposits(database, chain.code, returnsAfter, RETURNS_MAX);
      // Continues after this page, so that returns that the token refuses do not hide the others.
      returnsAfter = page.length < RETURNS_MAX ? null : (page.at(-1)?.deposit ?? null);
      for (const one of page) {
        const task: Task = { kind: 'return', ...one };
        await sender.apart(`return ${one.deposit}`, async () => {
          if ((await guard.admitReturn(agreeableOf(task))) === null)
            await begin(task, await readPendingSendings(database, chain.code));
        });
      }
      let tried = 0;
      for (const [address, task] of batch) {
        if (tried >= PER_ROUND) break;
        tried += 1;
        batch.delete(address);
        // A task that waits for its gas is tried again after the others.
        await sender.apart(`sweep of ${address}`, async () => {
          if (!(await begin(task, await readPendingSendings(database, chain.code)))) batch.set(address, task);
        });
      }
    },
  };
}
