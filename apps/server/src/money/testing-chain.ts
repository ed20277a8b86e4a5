import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import {
  type ChainConfig,
  type ChainReader,
  hexQuantityOf,
  openChainReader,
  prepareLocalToken,
  startLocalChain,
  transferCallData,
} from './chain/index.ts';

/** One of the node's built-in accounts, whose keys are public. */
const FAUCET = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const PAYER = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
/** The seed from which the addresses are derived; none of them holds real money. */
export const TEST_SEED = Buffer.alloc(32, 7);
export const TEST_XPUB =
  'xpub6DSwDWBPjdopcHjga5am3iJpVY4Doi7xqydtQWimdyWcM7s7op1GcgCKoy5AVZKn5knFtREQjZmP46Rz48nVB21fg4y8gnqj7yUdvHE7AuE';

export interface TestChain {
  readonly config: ChainConfig;
  readonly reader: ChainReader;
  readonly url: string;
  pid(): number | null;
  rpc<Result>(method: string, ...params: unknown[]): Promise<Result>;
  mine(blocks?: number): Promise<void>;
  /** Sends test money without mining a block. */
  send(to: string, units: bigint): Promise<string>;
  sendMany(to: readonly string[], units: readonly bigint[]): Promise<string>;
  /** A transaction that an outside sender signed, which can be sent again after a reorganisation. */
  signed(to: string, units: bigint): Promise<string>;
  deploy(artifact: 'lying-token' | 'event-flood'): Promise<string>;
  call(to: string, data: string): Promise<string>;
  close(): Promise<void>;
}

const artifact = (name: string): string =>
  (JSON.parse(readFileSync(new URL(`./chain/contracts/${name}.json`, import.meta.url), 'utf8')) as { bytecode: string })
    .bytecode;

/** A chain for one test. Blocks are mined by hand unless `blockMs` is set. */
export async function openTestChain(
  wanted: Partial<ChainConfig> & { readonly blockMs?: number; readonly keepsHistory?: boolean } = {},
): Promise<TestChain> {
  const { blockMs = 0, keepsHistory = true, ...overrides } = wanted;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sathorn-chain-'));
  const local = await startLocalChain({ dataDir, print: () => undefined, blockMs, keepsHistory });
  const hot = overrides.hot ?? `0x${'ab'.repeat(20)}`;
  const { token } = await prepareLocalToken(local.url, hot);
  const config: ChainConfig = {
    code: 'testnet',
    name: 'Sathorn Testnet',
    standard: 'ERC-20',
    chainId: 31_337,
    token,
    confirmations: 3,
    explorer: null,
    rpcUrls: [local.url, local.url],
    xpub: TEST_XPUB,
    hot,
    treasury: null,
    firstBlock: 0,
    sweepMin: 10_000_000n,
    sweepEveryMs: 0,
    isLocal: true,
    ...overrides,
  };
  const reader = openChainReader(config, local.url);
  const rpc = <Result>(method: string, ...params: unknown[]): Promise<Result> =>
    reader.rpc.call<Result>(method, params);
  const mine = async (blocks = 1): Promise<void> => {
    await rpc('anvil_mine', hexQuantityOf(blocks));
  };
  const fromFaucet = (to: string | null, data: string): Promise<string> =>
    rpc('eth_sendTransaction', { from: FAUCET, ...(to && { to }), data, gas: hexQuantityOf(20_000_000) });
  const many = (to: readonly string[], units: readonly bigint[]): string => {
    const word = (value: bigint | string): string =>
      (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
    const list = (items: readonly (bigint | string)[]): string => word(BigInt(items.length)) + items.map(word).join('');
    // The encoded call transferMany(address[],uint256[]).
    return `0xb7fc6612${word(64n)}${word(BigInt(96 + 32 * to.length))}${list(to)}${list(units)}`;
  };
  return {
    config,
    reader,
    url: local.url,
    pid: local.pid,
    rpc,
    mine,
    send: (to, units) => fromFaucet(token, transferCallData(to, units)),
    sendMany: (to, units) => fromFaucet(token, many(to, units)),
    async signed(to, units) {
      const nonce = Number(await rpc<string>('eth_getTransactionCount', PAYER.address, 'pending'));
      return PAYER.signTransaction({
        type: 'eip1559',
        chainId: config.chainId,
        nonce,
        to: token as `0x${string}`,
        data: transferCallData(to, units) as `0x${string}`,
        gas: 100_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 10n ** 9n,
      });
    },
    async deploy(name) {
      const hash = await fromFaucet(null, artifact(name));
      await mine();
      const receipt = await rpc<{ contractAddress: string }>('eth_getTransactionReceipt', hash);
      return receipt.contractAddress;
    },
    call: fromFaucet,
    async close() {
      await local.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const PAYER_ADDRESS = PAYER.address;
