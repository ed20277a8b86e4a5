import { keccak_256 } from '@noble/hashes/sha3';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type ChainConfig, hexOf, openRpc, quantityOf, type Rpc, RpcFault } from '../../chain/index.ts';

const GWEI = 10n ** 9n;
/** Nodes take a replacement that pays a tenth more; this is a quarter. */
const [RAISE, RAISE_OF] = [5n, 4n];
/** The highest fee per unit of gas that is paid without a person's decision. */
export const FEE_MAX = 500n * GWEI;
/** The node's estimate is increased by this margin. */
const [GAS_MARGIN, GAS_MARGIN_OF] = [6n, 5n];
/** The gas of a transfer of the chain's own coin, which is constant. */
export const COIN_GAS = 21_000n;

export interface Fees {
  /** The maximum price of a unit of gas. */
  readonly maxFee: bigint;
  readonly tip: bigint;
}
/** The content of a transaction; nonce and fees are added when it is signed. */
export interface Act {
  readonly to: string;
  readonly data: string;
  /** An amount of the chain's own coin. */
  readonly value: bigint;
}
export interface Signed {
  readonly raw: string;
  readonly hash: string;
}

/** Signs and sends. It stores nothing: the caller stores each signed transaction before it is sent. */
export interface ChainSender {
  readonly leader: Rpc;
  accountOf(key: `0x${string}`): PrivateKeyAccount;
  feesNow(): Promise<Fees>;
  /** The fee that a replacement of an attempt must pay; null if that is above the maximum. */
  raised(maxFee: bigint): Promise<bigint | null>;
  estimate(from: string, act: Act): Promise<bigint>;
  /** How many transactions of this address are in blocks. */
  countOf(address: string): Promise<number>;
  coinsOf(address: string): Promise<bigint>;
  sign(account: PrivateKeyAccount, act: Act, nonce: number, gas: bigint, fees: Fees): Promise<Signed>;
  /** Sends to all nodes. A node that already has it, or has another attempt, is not an error. */
  broadcast(raw: string): Promise<void>;
  /** True when a block has one of these. */
  isInBlock(hashes: readonly string[]): Promise<boolean>;
  isKnown(hash: string): Promise<boolean>;
  /** Reports each problem once, until something succeeds. */
  alarm(what: string): void;
  worked(): void;
}

export function openChainSender(
  chain: ChainConfig,
  subject: 'payouts' | 'sweeps',
  onFault: (error: unknown) => void,
): ChainSender {
  const nodes: readonly Rpc[] = [...new Set(chain.rpcUrls)].map((url) => openRpc(url));
  const [leader] = nodes;
  if (!leader) throw new Error('a chain without nodes');
  const told = new Set<string>();
  const alarm = (what: string): void => {
    if (!told.has(what)) onFault(new Error(`alarm: ${subject} on ${chain.code}: ${what}`));
    told.add(what);
  };
  const feesNow = async (): Promise<Fees> => {
    const [block, tip] = await Promise.all([
      leader.call<{ baseFeePerGas?: string }>('eth_getBlockByNumber', ['latest', false]),
      leader.call<string>('eth_maxPriorityFeePerGas', []).catch(() => hexOf(GWEI)),
    ]);
    // Twice the base fee is enough for six full blocks in a row.
    return { maxFee: 2n * BigInt(block.baseFeePerGas ?? '0x0') + BigInt(tip), tip: BigInt(tip) };
  };
  return {
    leader,
    accountOf: (key) => privateKeyToAccount(key),
    feesNow,
    async raised(before) {
      const { maxFee: now } = await feesNow();
      const raised = (before * RAISE) / RAISE_OF;
      if (raised > FEE_MAX || now > FEE_MAX) return null;
      if (now > raised) return now;
      return raised;
    },
    async estimate(from, { to, data, value }) {
      if (data === '0x') return COIN_GAS;
      // Estimated on the last block: in the pending state an earlier attempt may already have moved the money.
      const gas = await leader.call<string>('eth_estimateGas', [{ from, to, data, value: hexOf(value) }, 'latest']);
      return (BigInt(gas) * GAS_MARGIN) / GAS_MARGIN_OF;
    },
    countOf: async (address) => quantityOf(await leader.call<string>('eth_getTransactionCount', [address, 'latest'])),
    coinsOf: async (address) => BigInt(await leader.call<string>('eth_getBalance', [address, 'latest'])),
    async sign(account, { to, data, value }, nonce, gas, { maxFee, tip }) {
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId: chain.chainId,
        nonce,
        to: to as `0x${string}`,
        data: data as `0x${string}`,
        value,
        gas,
        maxFeePerGas: maxFee,
        maxPriorityFeePerGas: tip,
      });
      return { raw, hash: `0x${Buffer.from(keccak_256(Buffer.from(raw.slice(2), 'hex'))).toString('hex')}` };
    },
    async broadcast(raw) {
      const answers = await Promise.allSettled(nodes.map((node) => node.call('eth_sendRawTransaction', [raw])));
      for (const answer of answers)
        if (
          answer.status === 'rejected' &&
          !(answer.reason instanceof RpcFault) &&
          !/already known|already imported|nonce too low|underpriced/i.test(String(answer.reason))
        )
          alarm(`a node refuses a transaction: ${answer.reason}`);
    },
    async isInBlock(hashes) {
      const receipts = await leader.batch<unknown>(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]));
      return receipts.some((receipt) => receipt !== null);
    },
    isKnown: async (hash) => (await leader.call<unknown>('eth_getTransactionByHash', [hash])) !== null,
    alarm,
    worked: () => told.clear(),
  };
}
