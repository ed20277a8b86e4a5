import path from 'node:path';
import {
  type ChainConfig,
  hasLocalChain,
  type LocalChain,
  prepareLocalToken,
  startLocalChain,
  TEST_TOKEN,
} from './chain/index.ts';
import type { ChainSettings } from './config.ts';
import type { Connection } from './database/index.ts';
import { type SignerProcess, startSigner } from './withdrawals/index.ts';

export interface OpenChain {
  readonly config: ChainConfig;
  /** Starts paying approved withdrawals. */
  sign(database: Connection, authorisationKey: string): void;
  /** Passes on what the checker said; without its word nothing is paid. */
  readonly walked: SignerProcess['walked'];
  readonly onWaits: SignerProcess['onWaits'];
  stop(): Promise<void>;
}

/** Confirmations on the test chain; the app counts them down. */
const LOCAL_CONFIRMATIONS = 12;

/**
 * Opens the chain for deposits and withdrawals, the signer's process and, in a demo, the chain itself. Null where no
 * local chain can run on this machine: then only bank transfers are possible.
 */
export async function openChain(
  settings: ChainSettings,
  dataDir: string,
  print: (line: string) => void,
): Promise<OpenChain | null> {
  const isLocal = settings.kind === 'local';
  if (isLocal && !hasLocalChain()) {
    print(`there is no local chain for ${process.platform}-${process.arch}: deposits and withdrawals by chain are off`);
    return null;
  }
  const signer = await startSigner({ folder: path.join(dataDir, 'signer'), isLocal }, print);
  let local: LocalChain | null = null;
  const stop = async (): Promise<void> => {
    await signer.stop();
    await local?.stop();
  };
  try {
    if (settings.kind === 'rpc') {
      const { kind: _kind, ...config } = settings;
      return openWith({ ...config, hot: signer.hot, isLocal });
    }
    if (signer.xpub === null) throw new Error('a local chain without keys');
    local = await startLocalChain({
      dataDir,
      print,
      port: settings.port,
      blockMs: settings.blockMs,
      prepare: async (url) => void (await prepareLocalToken(url, signer.hot)),
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
      // The only node is used as both.
      rpcUrls: [local.url, local.url],
      xpub: signer.xpub,
      hot: signer.hot,
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
    const { walked, onWaits } = signer;
    return {
      config,
      sign: (database, authorisationKey) => signer.sign({ database, chain: config, authorisationKey }),
      walked,
      onWaits,
      stop,
    };
  }
}
