import path from 'node:path';
import { type ChainConfig, prepareLocalToken, startLocalChain } from './chain/index.ts';
import type { ChainSettings } from './config.ts';
import type { Connection } from './database/index.ts';
import { startSigner } from './withdrawals/index.ts';

export interface OpenChain {
  readonly config: ChainConfig;
  /** From now on approved withdrawals are paid. */
  sign(database: Connection): void;
  stop(): Promise<void>;
}

/** Blocks on the test chain; the app counts them down. */
const LOCAL_CONFIRMATIONS = 12;

/** The chain that money comes and goes by, the signer's process, and in a demonstration the chain itself. */
export async function openChain(
  settings: ChainSettings,
  dataDir: string,
  print: (line: string) => void,
): Promise<OpenChain> {
  const isLocal = settings.kind === 'local';
  const [local, signer] = await Promise.all([
    isLocal ? startLocalChain({ dataDir, print, port: settings.port, blockMs: settings.blockMs }) : null,
    startSigner({ folder: path.join(dataDir, 'signer'), isLocal }, print),
  ]);
  const stop = async (): Promise<void> => {
    await signer.stop();
    await local?.stop();
  };
  try {
    if (settings.kind === 'rpc') {
      const { kind: _kind, ...config } = settings;
      return openWith({ ...config, hot: signer.hot, isLocal });
    }
    if (local === null || signer.xpub === null) throw new Error('a local chain without keys');
    const { token } = await prepareLocalToken(local.url, signer.hot);
    return openWith({
      code: 'testnet',
      name: 'Sathorn Testnet',
      standard: 'ERC-20',
      chainId: 31_337,
      token,
      confirmations: LOCAL_CONFIRMATIONS,
      explorer: null,
      // The only node there is stands for both.
      rpcUrls: [local.url, local.url],
      xpub: signer.xpub,
      hot: signer.hot,
      firstBlock: 0,
      isLocal,
    });
  } catch (error) {
    await stop();
    throw error;
  }

  function openWith(config: ChainConfig): OpenChain {
    return { config, sign: (database) => signer.sign(database, config), stop };
  }
}
