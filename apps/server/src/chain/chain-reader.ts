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
  /** The gas cost in the smallest units of the chain's coin. */
  readonly gasPaid: bigint;
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

export interface CoinTransfer {
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  readonly height: number;
  readonly blockHash: string;
  readonly blockAt: Date;
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
  readonly gasUsed: string;
  /** Absent on nodes older than the fee market. */
  readonly effectiveGasPrice?: string;
  readonly logs: readonly WireLog[];
}
interface WireBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
}

interface WireTransaction {
  readonly hash: string;
  readonly from: string;
  /** Null if the transaction creates a contract. */
  readonly to: string | null;
  readonly value: string;
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

/** Few, because blocks with all their transactions are large. */
const BLOCKS_AT_ONCE = 10;

/** What one node says about the chain. Only its answers are believed, and never those of a customer. */
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
  /** Transfers of the chain's own coin, including failed ones. */
  coinTransfers(from: number, to: number): Promise<CoinTransfer[]>;
  /** Null while no block has the transaction. */
  receipts(hashes: readonly string[]): Promise<(Receipt | null)[]>;
  /** How many transactions an address had sent at a block whose state the node still has. */
  countOf(address: string, height: number): Promise<number>;
  /** Of our token, at the newest block or one that the node still has the state of. */
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
    async coinTransfers(from, to) {
      const found: CoinTransfer[] = [];
      for (let at = from; at <= to; at += BLOCKS_AT_ONCE) {
        const heights = Array.from({ length: Math.min(BLOCKS_AT_ONCE, to - at + 1) }, (_, n) => at + n);
        const blocks = await rpc.batch<(WireBlock & { readonly transactions: readonly WireTransaction[] }) | null>(
          heights.map((height) => ['eth_getBlockByNumber', [hexOf(height), true]]),
        );
        for (const wire of blocks) {
          const block = blockOf(wire);
          for (const { hash, from: payer, to: payee, value } of wire?.transactions ?? [])
            if (block !== null && payee !== null && value !== '0x0')
              found.push({
                hash,
                from: payer.toLowerCase(),
                to: payee.toLowerCase(),
                units: BigInt(value),
                height: block.height,
                blockHash: block.hash,
                blockAt: block.at,
              });
        }
      }
      return found;
    },
    async receipts(hashes) {
      const found = await rpc.batch<WireReceipt | null>(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]));
      return found.map(
        (receipt) =>
          receipt && {
            hash: receipt.transactionHash,
            height: quantityOf(receipt.blockNumber),
            blockHash: receipt.blockHash,
            isSuccess: quantityOf(receipt.status) === 1,
            gasPaid: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? '0x0'),
            logs: receipt.logs.map(logOf),
          },
      );
    },
    countOf: async (address, height) =>
      quantityOf(await rpc.call<string>('eth_getTransactionCount', [address, hexOf(height)])),
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
