import path from 'node:path';
import {
  type ChainConfig,
  type HouseWallets,
  hasLocalChain,
  type LocalChain,
  openRpc,
  prepareLocalToken,
  startLocalChain,
  TEST_TOKEN,
  type TreasuryPlace,
} from '../money/chain/index.ts';
import { assertOfficialSafe, OFFICIAL_SAFE } from '../money/treasury/official-contracts.ts';
import { type PasskeyPoint, prepareLocalTreasury } from '../money/treasury/treasury-contracts.ts';
import { assertHasWallet, hasKeyFile, type SignerProcess, startSigner } from '../money/withdrawals/index.ts';
import type { Connection } from '../platform/database/index.ts';
import type { ChainSettings } from './config.ts';

interface OpenChain {
  readonly config: ChainConfig;
  /** Starts paying approved withdrawals. */
  sign(database: Connection, authorisationKey: string): void;
  /** Passes on the checker's message; without one nothing is paid. */
  readonly scanned: SignerProcess['scanned'];
  readonly onWaits: SignerProcess['onWaits'];
  stop(): Promise<void>;
}

const NO_SIGNER: Omit<OpenChain, 'config'> = {
  sign: () => undefined,
  scanned: () => undefined,
  onWaits: () => undefined,
  stop: async () => undefined,
};
/** Confirmations on the test chain; the app counts them down. */
const LOCAL_CONFIRMATIONS = 12;

interface OpenChainOptions {
  readonly dataDir: string;
  readonly print: (line: string) => void;
  /** True if this machine pays. Another machine needs no key, and uses the wallet that the database knows. */
  readonly isSigning: boolean;
  /** The demo's owners of the treasury; empty in live mode. */
  readonly demoOwners: readonly { readonly workName: string; readonly point: PasskeyPoint }[];
  /** The wallets that the database knows. A folder with a key does not wait for them. */
  readonly wallets: Promise<HouseWallets>;
}

/** The treasury of a real chain, with the code of its contracts compared; null without one. */
async function liveTreasuryOf({
  treasurySafe: safe,
  hotMax,
  rpcUrls,
}: Extract<ChainSettings, { kind: 'rpc' }>): Promise<TreasuryPlace | null> {
  if (safe === null) return null;
  await assertOfficialSafe(rpcUrls, safe);
  return { safe, multiSend: OFFICIAL_SAFE.multiSendCallOnly.address, hotMax, demoOwners: [] };
}

/**
 * Opens the chain for deposits and withdrawals, the signer's process and, in a demo, the chain itself. Null if no local
 * chain can run on this machine; then only bank transfers are possible.
 */
export async function openChain(
  settings: ChainSettings,
  { dataDir, print, isSigning, wallets, demoOwners }: OpenChainOptions,
): Promise<OpenChain | null> {
  const isLocal = settings.kind === 'local';
  if (isLocal && !hasLocalChain()) {
    print(`there is no local chain for ${process.platform}-${process.arch}: deposits and withdrawals by chain are off`);
    return null;
  }
  const folder = path.join(dataDir, 'signer');
  if (!hasKeyFile(folder)) {
    if (settings.kind === 'rpc' && !isSigning) {
      const { kind: _kind, hotMax: _hotMax, treasurySafe: _safe, ...config } = settings;
      const wallet = (await wallets).wallets.find(({ chain }) => chain === config.code);
      if (wallet === undefined)
        throw new Error("no wallet of the house is known yet: start the machine with the role 'checker' first");
      return {
        config: { ...config, hot: wallet.address, treasury: await liveTreasuryOf(settings), isLocal },
        ...NO_SIGNER,
      };
    }
    assertHasWallet(folder, await wallets, null);
  }
  const signer = await startSigner({ folder, isLocal }, print);
  let local: LocalChain | null = null;
  const stop = async (): Promise<void> => {
    await signer.stop();
    await local?.stop();
  };
  try {
    if (settings.kind === 'rpc') {
      const { kind: _kind, hotMax: _hotMax, treasurySafe: _safe, ...config } = settings;
      return openWith({ ...config, hot: signer.hot, treasury: await liveTreasuryOf(settings), isLocal });
    }
    if (signer.xpub === null) throw new Error('a local chain without keys');
    let treasury: TreasuryPlace | null = null;
    const prepare = async (url: string): Promise<void> => {
      await prepareLocalToken(url, signer.hot);
      const points = demoOwners.map(({ point }) => point);
      const { safe, owners, contracts } = await prepareLocalTreasury(openRpc(url), points);
      treasury = {
        safe,
        multiSend: contracts['multi-send-call-only'],
        hotMax: settings.hotMax,
        demoOwners: demoOwners.map(({ workName }, n) => ({ workName, address: owners[n] ?? '' })),
      };
    };
    local = await startLocalChain({
      dataDir,
      print,
      port: settings.port,
      blockMs: settings.blockMs,
      prepare,
    });
    const token = TEST_TOKEN;
    return openWith({
      code: 'testnet',
      name: 'Sathorn Testnet',
      standard: 'ERC-20',
      chainId: 31_337,
      token,
      confirmations: LOCAL_CONFIRMATIONS,
      explorer: null,
      // Two nodes are required, so the only one is listed twice.
      rpcUrls: [local.url, local.url],
      xpub: signer.xpub,
      hot: signer.hot,
      treasury,
      firstBlock: 0,
      sweepMin: settings.sweepMin,
      sweepEveryMs: settings.sweepEveryMs,
      isLocal,
    });
  } catch (error) {
    await stop();
    throw error;
  }

  function openWith(config: ChainConfig): OpenChain {
    const { scanned, onWaits } = signer;
    return {
      config,
      sign: (database, authorisationKey) => signer.sign({ database, chain: config, authorisationKey }),
      scanned,
      onWaits,
      stop,
    };
  }
}
