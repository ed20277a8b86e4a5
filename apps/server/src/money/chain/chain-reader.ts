import type { ChainConfig } from './chain-config.ts';
import { balanceCallData, hexQuantityOf, numberOfHex, TRANSFER_TOPIC, transferEventOf } from './erc20.ts';
import { openRpc, type Rpc } from './rpc.ts';

export interface Block {
  readonly height: number;
  readonly hash: string;
  readonly at: Date;
}

/** A contract's event as a node returns it. */
export interface EventLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly height: number;
  readonly blockHash: string;
  readonly hash: string;
  /** The event's index within its block. */
  readonly index: number;
}

export interface TransactionReceipt {
  readonly hash: string;
  readonly height: number;
  readonly blockHash: string;
  readonly isSuccess: boolean;
  /** The gas cost in the smallest units of the chain's coin. */
  readonly gasPaid: bigint;
  /** The events that `choose` accepted. */
  readonly logs: readonly (EventLog & { readonly output: number })[];
}

/** A transfer with its index among the events of its transaction. */
export interface TokenTransfer {
  readonly hash: string;
  readonly output: number;
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  readonly height: number;
  readonly blockHash: string;
  /** The event's index within its block. */
  readonly index: number;
}

/** A transaction and the amount of the chain's own coin that it moves, which may be 0. */
export interface CoinTransfer {
  readonly hash: string;
  readonly from: string;
  /** Null if it creates a contract. */
  readonly to: string | null;
  readonly nonce: number;
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
  readonly logs: readonly (WireLog & { readonly output: number })[];
}
interface WireBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
}

interface WireTransaction {
  readonly hash?: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly from: string;
  /** Null if the transaction creates a contract. */
  readonly to: string | null;
  readonly nonce: string;
  readonly value: string;
}

const logOf = (log: WireLog): EventLog => ({
  address: log.address.toLowerCase(),
  topics: log.topics,
  data: log.data,
  height: numberOfHex(log.blockNumber),
  blockHash: log.blockHash,
  hash: log.transactionHash,
  index: numberOfHex(log.logIndex),
});
const blockOf = (block: WireBlock | null): Block | null =>
  block && { height: numberOfHex(block.number), hash: block.hash, at: new Date(numberOfHex(block.timestamp) * 1_000) };

/** Small, because blocks with all their transactions are large. */
const BLOCKS_AT_ONCE = 10;
/** How many transfers of a transaction are read unless the caller chooses. Strangers may add thousands to one. */
const TRANSFERS_MAX = 500;

/** Chooses which items of a node's answer are kept. Called again for each try, so its function may count. */
export type ChooseItems<Item> = () => (item: Item) => boolean;

const someTransfers: ChooseItems<TokenTransfer> = () => {
  const seen = new Map<string, number>();
  return ({ hash }) => {
    const before = seen.get(hash) ?? 0;
    seen.set(hash, before + 1);
    return before < TRANSFERS_MAX;
  };
};

function coinTransferOf({
  hash,
  from,
  to,
  nonce,
  value,
  blockNumber,
  blockHash,
}: WireTransaction): Omit<CoinTransfer, 'blockAt'> | null {
  // Other lists of a block, such as withdrawals of validators, have no hashes.
  if (hash === undefined) return null;
  return {
    hash,
    from: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    nonce: numberOfHex(nonce),
    units: BigInt(value),
    height: numberOfHex(blockNumber),
    blockHash,
  };
}

/** Reads the chain from one node. Deposits rest on these answers, and never on a customer's claims. */
export interface ChainReader {
  readonly rpc: Rpc;
  chainId(): Promise<number>;
  head(): Promise<Block>;
  /** Null for a height without a block. */
  blocks(heights: readonly number[]): Promise<(Block | null)[]>;
  /**
   * Transfer events of our token, in the chain's order. Anybody can emit other contracts' events, so they are never
   * read.
   */
  tokenLogs(from: number, to: number, choose?: ChooseItems<EventLog>): Promise<EventLog[]>;
  /** Transactions with the amounts of the chain's own coin that they move, including failed ones. */
  coinTransfers(from: number, to: number, choose?: ChooseItems<Omit<CoinTransfer, 'blockAt'>>): Promise<CoinTransfer[]>;
  /** Null while no block contains the transaction. Without `choose`, a receipt has some hundred transfers at most. */
  receipts(hashes: readonly string[], choose?: ChooseItems<TokenTransfer>): Promise<(TransactionReceipt | null)[]>;
  /** How many transactions an address had sent at a block whose state the node still has. */
  countOf(address: string, height: number): Promise<number>;
  /** True if the address has sent something, or holds coins or our token. */
  isUsed(address: string): Promise<boolean>;
  /** Balances of our token, at the newest block or at one whose state the node still has. */
  balances(addresses: readonly string[], height?: number): Promise<bigint[]>;
  /** Balances of the chain's own coin at a block. The node must still keep the state of that block. */
  coins(addresses: readonly string[], height: number): Promise<bigint[]>;
}

export function openChainReader(config: Pick<ChainConfig, 'token'>, rpc: Rpc): ChainReader;
export function openChainReader(config: Pick<ChainConfig, 'token'>, rpcUrl: string): ChainReader;
export function openChainReader({ token }: Pick<ChainConfig, 'token'>, given: Rpc | string): ChainReader {
  const rpc = typeof given === 'string' ? openRpc(given) : given;
  return {
    rpc,
    chainId: async () => numberOfHex(await rpc.call<string>('eth_chainId', [])),
    async head() {
      const block = blockOf(await rpc.call<WireBlock | null>('eth_getBlockByNumber', ['latest', false]));
      if (block === null) throw new Error('a chain without blocks');
      return block;
    },
    blocks: async (heights) =>
      (
        await rpc.batch<WireBlock | null>(
          heights.map((height) => ['eth_getBlockByNumber', [hexQuantityOf(height), false]]),
        )
      ).map(blockOf),
    async tokenLogs(from, to, choose = () => () => true) {
      const filter = {
        address: token,
        topics: [TRANSFER_TOPIC],
        fromBlock: hexQuantityOf(from),
        toBlock: hexQuantityOf(to),
      };
      const logs = await rpc.call<WireLog[]>('eth_getLogs', [filter], () => {
        const isWanted = choose();
        return (item) => {
          const log = item as WireLog;
          return log.removed !== true && isWanted(logOf(log)) ? log : undefined;
        };
      });
      return logs.map(logOf);
    },
    async coinTransfers(from, to, choose = () => () => true) {
      const found: CoinTransfer[] = [];
      for (let at = from; at <= to; at += BLOCKS_AT_ONCE) {
        const heights = Array.from({ length: Math.min(BLOCKS_AT_ONCE, to - at + 1) }, (_, n) => at + n);
        const blocks = await rpc.batch<(WireBlock & { readonly transactions: readonly WireTransaction[] }) | null>(
          heights.map((height) => ['eth_getBlockByNumber', [hexQuantityOf(height), true]]),
          () => {
            const isWanted = choose();
            return (item) => {
              const transfer = coinTransferOf(item as WireTransaction);
              return transfer !== null && isWanted(transfer) ? item : undefined;
            };
          },
        );
        for (const wire of blocks) {
          const block = blockOf(wire);
          for (const transaction of wire?.transactions ?? []) {
            const transfer = coinTransferOf(transaction);
            if (block !== null && transfer !== null) found.push({ ...transfer, blockAt: block.at });
          }
        }
      }
      return found;
    },
    async receipts(hashes, choose = someTransfers) {
      const found = await rpc.batch<WireReceipt | null>(
        hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]),
        () => {
          const isWanted = choose();
          return (item, output) => {
            const log = item as WireLog;
            const [transfer] = tokenTransfersOf({ isSuccess: true, logs: [{ ...logOf(log), output }] });
            return transfer !== undefined && isWanted(transfer) ? { ...log, output } : undefined;
          };
        },
      );
      return found.map(
        (receipt) =>
          receipt && {
            hash: receipt.transactionHash,
            height: numberOfHex(receipt.blockNumber),
            blockHash: receipt.blockHash,
            isSuccess: numberOfHex(receipt.status) === 1,
            gasPaid: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? '0x0'),
            logs: receipt.logs.map((log) => ({ ...logOf(log), output: log.output })),
          },
      );
    },
    countOf: async (address, height) =>
      numberOfHex(await rpc.call<string>('eth_getTransactionCount', [address, hexQuantityOf(height)])),
    async isUsed(address) {
      const said = await rpc.batch<string>([
        ['eth_getTransactionCount', [address, 'latest']],
        ['eth_getBalance', [address, 'latest']],
        ['eth_call', [{ to: token, data: balanceCallData(address) }, 'latest']],
      ]);
      return said.some((quantity) => quantity !== '0x' && BigInt(quantity) > 0n);
    },
    async balances(addresses, height) {
      const at = height === undefined ? 'latest' : hexQuantityOf(height);
      const results = await rpc.batch<string>(
        addresses.map((address) => ['eth_call', [{ to: token, data: balanceCallData(address) }, at]]),
      );
      return results.map((result) => (result === '0x' ? 0n : BigInt(result)));
    },
    coins: async (addresses, height) =>
      (await rpc.batch<string>(addresses.map((address) => ['eth_getBalance', [address, hexQuantityOf(height)]]))).map(
        BigInt,
      ),
  };
}

/** The transfers of a successful transaction, of all tokens, each with its place among the transaction's events. */
export function tokenTransfersOf({ isSuccess, logs }: Pick<TransactionReceipt, 'isSuccess' | 'logs'>): TokenTransfer[] {
  if (!isSuccess) return [];
  return logs.flatMap((log) => {
    const transfer = transferEventOf(log);
    const { hash, output, address: token, height, blockHash, index } = log;
    return transfer === undefined ? [] : { hash, output, token, ...transfer, height, blockHash, index };
  });
}
