import { keccak_256 } from '@noble/hashes/sha3';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type ChainConfig, hexQuantityOf, numberOfHex, openRpc, type Rpc, RpcFault } from '../../chain/index.ts';

const GWEI = 10n ** 9n;
/** Nodes accept a replacement that pays a tenth more; this pays a quarter more. */
const [RAISE, RAISE_OF] = [5n, 4n];
/** The highest fee per unit of gas that is paid without a person's decision. */
export const GAS_PRICE_MAX = 500n * GWEI;
/** The node's estimate is increased by this margin. */
const [GAS_MARGIN, GAS_MARGIN_OF] = [6n, 5n];
/** The gas of a transfer of the chain's own coin, which is constant. */
export const COIN_TRANSFER_GAS = 21_000n;
/** Enough for a transfer of a token, if the node gives no estimate because the token refuses the transfer now. */
export const TOKEN_TRANSFER_GAS = 120_000n;

export interface GasFees {
  /** The maximum price of a unit of gas. */
  readonly maxFee: bigint;
  readonly tip: bigint;
}
/** The content of a transaction; nonce and fees are added when it is signed. */
export interface TransactionContent {
  readonly to: string;
  readonly data: string;
  /** An amount of the chain's own coin. */
  readonly value: bigint;
}
export interface SignedTransaction {
  readonly raw: string;
  readonly hash: string;
}

/** Signs and sends transactions. It stores nothing: the caller must store each signed transaction before it is sent. */
export interface ChainSender {
  readonly leader: Rpc;
  accountOf(key: `0x${string}`): PrivateKeyAccount;
  feesNow(): Promise<GasFees>;
  /** The fee that a replacement of an attempt must pay; null if that is above the maximum. */
  raised(maxFee: bigint): Promise<bigint | null>;
  estimate(from: string, act: TransactionContent): Promise<bigint>;
  /** How many transactions of this address are in blocks; with `pending`, also those that wait for a block. */
  countOf(address: string, at?: 'latest' | 'pending'): Promise<number>;
  coinsOf(address: string): Promise<bigint>;
  sign(
    account: PrivateKeyAccount,
    act: TransactionContent,
    nonce: number,
    gas: bigint,
    fees: GasFees,
  ): Promise<SignedTransaction>;
  /**
   * Returns those of the stored attempts that this address signed with this nonce, that do one of these acts, and whose
   * hash matches their text. Others were not written by a signer. They are neither sent nor a reason to sign again.
   */
  ownOf<Attempt extends SignedTransaction>(
    attempts: readonly Attempt[],
    from: string,
    nonce: number,
    acts: readonly TransactionContent[],
  ): Promise<Attempt[]>;
  /** Sends to all nodes. It is no error if a node already has it, or has another attempt. */
  broadcast(raw: string): Promise<void>;
  /** True if a block contains one of these. */
  isInBlock(hashes: readonly string[]): Promise<boolean>;
  isKnown(hash: string): Promise<boolean>;
  /** Does one piece of work among many. Only a node's outage stops the others; other faults stay here. */
  apart(what: string, work: () => Promise<void>): Promise<void>;
  /** Reports each problem once, until some work succeeds. */
  alarm(what: string): void;
  worked(): void;
}

/** The hash under which the chain knows a signed transaction. */
export const hashOfRawTransaction = (raw: string): string =>
  `0x${Buffer.from(keccak_256(Buffer.from(raw.slice(2), 'hex'))).toString('hex')}`;

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
  /** Hashes with their acts that this process signed or has verified; the text of a hash never changes. */
  const owned = new Set<string>();
  const markOf = (hash: string, from: string, nonce: number, { to, data, value }: TransactionContent): string =>
    [hash, from, nonce, to, data, value].join(' ');
  const isOwn = async (
    { raw, hash }: SignedTransaction,
    from: string,
    nonce: number,
    acts: readonly TransactionContent[],
  ): Promise<boolean> => {
    if (hashOfRawTransaction(raw) !== hash) return false;
    if (acts.some((act) => owned.has(markOf(hash, from, nonce, act)))) return true;
    // The library is loaded only if it is needed after a restart, because it takes 18 MB.
    const { parseTransaction, recoverTransactionAddress } = await import('viem');
    try {
      const typed = raw as `0x02${string}`;
      const { chainId, nonce: used = 0, to, data = '0x', value = 0n } = parseTransaction(typed);
      const sender = await recoverTransactionAddress({ serializedTransaction: typed });
      const act = acts.find((one) => to?.toLowerCase() === one.to && data === one.data && value === one.value);
      if (sender.toLowerCase() !== from || chainId !== chain.chainId || used !== nonce || act === undefined)
        return false;
      owned.add(markOf(hash, from, nonce, act));
      return true;
    } catch {
      return false;
    }
  };
  const feesNow = async (): Promise<GasFees> => {
    const [block, tip] = await Promise.all([
      leader.call<{ baseFeePerGas?: string }>('eth_getBlockByNumber', ['latest', false]),
      leader.call<string>('eth_maxPriorityFeePerGas', []).catch(() => hexQuantityOf(GWEI)),
    ]);
    // Twice the base fee remains enough after six full blocks in a row.
    return { maxFee: 2n * BigInt(block.baseFeePerGas ?? '0x0') + BigInt(tip), tip: BigInt(tip) };
  };
  return {
    leader,
    accountOf: (key) => privateKeyToAccount(key),
    feesNow,
    async raised(before) {
      const { maxFee: now } = await feesNow();
      const raised = (before * RAISE) / RAISE_OF;
      if (raised > GAS_PRICE_MAX || now > GAS_PRICE_MAX) return null;
      if (now > raised) return now;
      return raised;
    },
    async estimate(from, { to, data, value }) {
      if (data === '0x') return COIN_TRANSFER_GAS;
      // Estimated on the last block: in the pending state an earlier attempt may already have moved the money.
      const gas = await leader.call<string>('eth_estimateGas', [
        { from, to, data, value: hexQuantityOf(value) },
        'latest',
      ]);
      return (BigInt(gas) * GAS_MARGIN) / GAS_MARGIN_OF;
    },
    countOf: async (address, at = 'latest') =>
      numberOfHex(await leader.call<string>('eth_getTransactionCount', [address, at])),
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
      const hash = hashOfRawTransaction(raw);
      owned.add(markOf(hash, account.address.toLowerCase(), nonce, { to, data, value }));
      return { raw, hash };
    },
    async ownOf(attempts, from, nonce, acts) {
      const own: (typeof attempts)[number][] = [];
      for (const attempt of attempts)
        if (await isOwn(attempt, from, nonce, acts)) own.push(attempt);
        else alarm(`${attempt.hash} was not signed for what it is stored for: it is not sent`);
      return own;
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
      // A returned token may emit thousands of events, so nothing of the receipts is kept but their existence.
      const receipts = await leader.batch<unknown>(
        hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]),
        () => () => undefined,
      );
      return receipts.some((receipt) => receipt !== null);
    },
    isKnown: async (hash) => (await leader.call<unknown>('eth_getTransactionByHash', [hash])) !== null,
    async apart(what, work) {
      try {
        await work();
      } catch (error) {
        if (error instanceof RpcFault) throw error;
        alarm(`${what} can’t go on: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    alarm,
    worked: () => told.clear(),
  };
}
