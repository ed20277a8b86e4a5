import { setTimeout as pause } from 'node:timers/promises';
import { keccak_256 } from '@noble/hashes/sha3';
import { privateKeyToAccount } from 'viem/accounts';
import {
  balanceCall,
  type ChainConfig,
  hexOf,
  openRpc,
  quantityOf,
  type Rpc,
  RpcFault,
  RpcRefusal,
  transferCall,
} from '../../chain/index.ts';
import type { Database } from '../../database/index.ts';
import {
  type InFlight,
  keepAttempt,
  type Payable,
  readInFlight,
  readLastNonce,
  readPayable,
  reservePayout,
} from './signer-store.ts';

export interface SignerDependencies {
  readonly database: Database;
  readonly chain: ChainConfig;
  readonly hotKey: `0x${string}`;
  readonly onFault: (error: unknown) => void;
  /** How long an attempt waits for a block before it is replaced with a higher fee. */
  readonly bumpAfterMs?: number;
  readonly everyMs?: number;
}

const BUMP_AFTER_MS = 60_000;
const EVERY_MS = 1_000;
const AFTER_FAULT_MS = 2_000;
/** Payouts in flight at once; a stuck nonce holds up at most these. */
const IN_FLIGHT_MAX = 8;
const GWEI = 10n ** 9n;
/** Nodes accept a replacement that pays at least 10% more; this pays 25% more. */
const [RAISE, RAISE_OF] = [5n, 4n];
/** Maximum fee per unit of gas. Above it an operator must look. */
const FEE_MAX = 500n * GWEI;
/** A token transfer takes about 50,000 gas. The limit is the node's estimate plus a margin. */
const [GAS_MARGIN, GAS_MARGIN_OF] = [6n, 5n];

interface Fees {
  readonly maxFee: bigint;
  readonly tip: bigint;
}

export interface Signer {
  /** Sends unmined payouts again, raises their fees when they wait too long, and starts approved ones. */
  round(): Promise<void>;
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
  onFault,
  bumpAfterMs = BUMP_AFTER_MS,
}: SignerDependencies): Signer {
  const account = privateKeyToAccount(hotKey);
  const nodes: readonly Rpc[] = [...new Set(chain.rpcUrls)].map((url) => openRpc(url));
  const [leader] = nodes;
  if (!leader) throw new Error('a chain without nodes');
  if (account.address.toLowerCase() !== chain.hot) throw new Error('the signer has another key than the wallet');
  let told = '';
  const alarm = (what: string): void => {
    if (told !== what) onFault(new Error(`alarm: payouts on ${chain.code}: ${what}`));
    told = what;
  };

  const feesNow = async (): Promise<Fees> => {
    const [block, tip] = await Promise.all([
      leader.call<{ baseFeePerGas?: string }>('eth_getBlockByNumber', ['latest', false]),
      leader.call<string>('eth_maxPriorityFeePerGas', []).catch(() => hexOf(GWEI)),
    ]);
    // Twice the base fee suffices for six full blocks in a row.
    return { maxFee: 2n * BigInt(block.baseFeePerGas ?? '0x0') + BigInt(tip), tip: BigInt(tip) };
  };

  const sign = async ({ address, units }: Payable, nonce: number, gas: bigint, { maxFee, tip }: Fees) => {
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      nonce,
      to: chain.token as `0x${string}`,
      data: transferCall(address, units) as `0x${string}`,
      gas,
      maxFeePerGas: maxFee,
      maxPriorityFeePerGas: tip,
    });
    const hash = `0x${Buffer.from(keccak_256(Buffer.from(raw.slice(2), 'hex'))).toString('hex')}`;
    return { raw, hash };
  };

  /** Sends to all nodes. A node that already has this attempt, or another one, is not an error. */
  const broadcast = async (raw: string): Promise<void> => {
    const answers = await Promise.allSettled(nodes.map((node) => node.call('eth_sendRawTransaction', [raw])));
    for (const answer of answers)
      if (
        answer.status === 'rejected' &&
        !(answer.reason instanceof RpcFault) &&
        !/already known|already imported|nonce too low|underpriced/i.test(String(answer.reason))
      )
        alarm(`a node refuses a payout: ${answer.reason}`);
  };

  const estimate = async ({ address, units }: Payable): Promise<bigint> => {
    const data = transferCall(address, units);
    const gas = await leader.call<string>('eth_estimateGas', [{ from: chain.hot, to: chain.token, data }]);
    return (BigInt(gas) * GAS_MARGIN) / GAS_MARGIN_OF;
  };

  const follow = async (payout: InFlight): Promise<void> => {
    const { attempts } = payout;
    const newest = attempts.at(-1);
    if (!newest) return;
    const receipts = await leader.batch<unknown>(attempts.map(({ hash }) => ['eth_getTransactionReceipt', [hash]]));
    if (receipts.some((receipt) => receipt !== null)) return;
    // Sends the newest attempt first; a node that has forgotten the others gets them too.
    if (Date.now() - newest.at.getTime() < bumpAfterMs) {
      const known = await leader.call<unknown>('eth_getTransactionByHash', [newest.hash]);
      if (known === null) await broadcast(newest.raw);
      return;
    }
    const now = await feesNow();
    const raised = (newest.maxFee * RAISE) / RAISE_OF;
    const isRaised = raised >= now.maxFee;
    const maxFee = isRaised ? raised : now.maxFee;
    if (maxFee > FEE_MAX) {
      alarm(`payout ${payout.id} waits although it pays ${newest.maxFee} for a unit of gas`);
      return broadcast(newest.raw);
    }
    const signed = await sign(payout, payout.nonce, await estimate(payout), { maxFee, tip: maxFee });
    await keepAttempt(database, { id: payout.id, attempt: attempts.length + 1, maxFee, ...signed });
    await broadcast(signed.raw);
  };

  /** Units of the token that the wallet can spend beyond what is in flight. */
  const spendable = async (inFlight: readonly InFlight[]): Promise<bigint> => {
    const held = await leader.call<string>('eth_call', [{ to: chain.token, data: balanceCall(chain.hot) }, 'latest']);
    const unmined = inFlight.filter(({ step }) => step !== 'confirming').reduce((sum, { units }) => sum + units, 0n);
    return BigInt(held) - unmined;
  };

  const begin = async (payout: Payable, last: number | null): Promise<void> => {
    const count = quantityOf(await leader.call<string>('eth_getTransactionCount', [chain.hot, 'latest']));
    const nonce = last === null ? count : last + 1;
    // The key was used elsewhere, or the database was restored from an older state, so it is unknown what was paid.
    if (count > nonce) return alarm(`the wallet has sent ${count} transactions and the database knows ${nonce}`);
    let gas: bigint;
    try {
      gas = await estimate(payout);
    } catch (error) {
      if (error instanceof RpcRefusal) return alarm(`the token refuses payout ${payout.id}: ${error.message}`);
      throw error;
    }
    const fees = await feesNow();
    if (fees.maxFee > FEE_MAX) return alarm(`gas costs ${fees.maxFee}; payouts wait`);
    const coins = BigInt(await leader.call<string>('eth_getBalance', [chain.hot, 'latest']));
    if (coins < gas * fees.maxFee) return alarm('the wallet can’t pay for gas; payouts wait');
    const signed = await sign(payout, nonce, gas, fees);
    // From here on the payout counts as sent, whatever happens.
    await reservePayout(database, { id: payout.id, chain: chain.code, nonce, maxFee: fees.maxFee, ...signed });
    await broadcast(signed.raw);
    told = '';
  };

  return {
    async round() {
      const inFlight = await readInFlight(database, chain.code);
      for (const payout of inFlight) if (payout.step !== 'confirming') await follow(payout);
      const waiting = inFlight.filter(({ step }) => step !== 'confirming').length;
      const payables = await readPayable(database, chain.code, IN_FLIGHT_MAX - waiting);
      if (payables.length === 0) return;
      let left = await spendable(inFlight);
      for (const payout of payables) {
        if (payout.units > left) {
          alarm(`the wallet is short of ${payout.units - left} units; payouts wait`);
          return;
        }
        await begin(payout, await readLastNonce(database, chain.code));
        left -= payout.units;
      }
    },
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
