import type { ChainConfig } from './chain-config.ts';
import { balanceCall, hexOf, quantityOf, TRANSFER, topicOf, transferOf } from './erc20.ts';
import { openRpc, type Rpc } from './rpc.ts';

export interface Block {
  readonly height: number;
  readonly hash: string;
  readonly at: Date;
}

/** A contract's event as a node returns it. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly height: number;
  readonly blockHash: string;
  readonly hash: string;
  /** The event's index within its block. */
  readonly index: number;
}

export interface Receipt {
  readonly hash: string;
  readonly height: number;
  readonly blockHash: string;
  readonly isSuccess: boolean;
  readonly logs: readonly Log[];
}

/** A transfer with its index among the events of its transaction. */
export interface Output {
  readonly hash: string;
  readonly output: number;
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  readonly height: number;
  readonly blockHash: string;
}

interface WireLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}
interface WireReceipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly status: string;
  readonly logs: readonly WireLog[];
}
interface WireBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
}

const logOf = (log: WireLog): Log => ({
  address: log.address.toLowerCase(),
  topics: log.topics,
  data: log.data,
  height: quantityOf(log.blockNumber),
  blockHash: log.blockHash,
  hash: log.transactionHash,
  index: quantityOf(log.logIndex),
});
const blockOf = (block: WireBlock | null): Block | null =>
  block && { height: quantityOf(block.number), hash: block.hash, at: new Date(quantityOf(block.timestamp) * 1_000) };

/** One node's view of the chain. Deposits rest on nodes' answers only, never on what a customer claims. */
export interface ChainReader {
  readonly rpc: Rpc;
  chainId(): Promise<number>;
  head(): Promise<Block>;
  /** Null for a height without a block. */
  blocks(heights: readonly number[]): Promise<(Block | null)[]>;
  /** Transfer events of our token. */
  tokenLogs(from: number, to: number): Promise<Log[]>;
  /** Transfers to these addresses, of any token. */
  logsTo(addresses: readonly string[], from: number, to: number): Promise<Log[]>;
  /** Null for a transaction that is in no block. */
  receipts(hashes: readonly string[]): Promise<(Receipt | null)[]>;
  /** Balances of our token, at `height` or at the newest block. A node keeps only the state of recent blocks. */
  balances(addresses: readonly string[], height?: number): Promise<bigint[]>;
}

export function openChainReader(config: Pick<ChainConfig, 'token'>, rpc: Rpc): ChainReader;
export function openChainReader(config: Pick<ChainConfig, 'token'>, rpcUrl: string): ChainReader;
export function openChainReader({ token }: Pick<ChainConfig, 'token'>, given: Rpc | string): ChainReader {
  const rpc = typeof given === 'string' ? openRpc(given) : given;
  const readLogs = async (filter: Record<string, unknown>, from: number, to: number): Promise<Log[]> => {
    const logs = await rpc.call<WireLog[]>('eth_getLogs', [{ ...filter, fromBlock: hexOf(from), toBlock: hexOf(to) }]);
    return logs.filter(({ removed }) => removed !== true).map(logOf);
  };
  return {
    rpc,
    chainId: async () => quantityOf(await rpc.call<string>('eth_chainId', [])),
    async head() {
      const block = blockOf(await rpc.call<WireBlock | null>('eth_getBlockByNumber', ['latest', false]));
      if (block === null) throw new Error('a chain without blocks');
      return block;
    },
    blocks: async (heights) =>
      (
        await rpc.batch<WireBlock | null>(heights.map((height) => ['eth_getBlockByNumber', [hexOf(height), false]]))
      ).map(blockOf),
    tokenLogs: (from, to) => readLogs({ address: token, topics: [TRANSFER] }, from, to),
    logsTo: (addresses, from, to) => readLogs({ topics: [TRANSFER, null, addresses.map(topicOf)] }, from, to),
    async receipts(hashes) {
      const found = await rpc.batch<WireReceipt | null>(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]));
      return found.map(
        (receipt) =>
          receipt && {
            hash: receipt.transactionHash,
            height: quantityOf(receipt.blockNumber),
            blockHash: receipt.blockHash,
            isSuccess: quantityOf(receipt.status) === 1,
            logs: receipt.logs.map(logOf),
          },
      );
    },
    async balances(addresses, height) {
      const at = height === undefined ? 'latest' : hexOf(height);
      const results = await rpc.batch<string>(
        addresses.map((address) => ['eth_call', [{ to: token, data: balanceCall(address) }, at]]),
      );
      return results.map((result) => (result === '0x' ? 0n : BigInt(result)));
    },
  };
}

/** The transfers of a successful transaction, of all tokens, each with its event index. */
export function outputsOf({ isSuccess, logs, hash, height, blockHash }: Receipt): Output[] {
  if (!isSuccess) return [];
  return logs.flatMap((log, output) => {
    const transfer = transferOf(log);
    return transfer === undefined ? [] : { hash, output, token: log.address, ...transfer, height, blockHash };
  });
}
