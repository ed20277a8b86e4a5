import type { ChainConfig } from '../../chain/index.ts';
import type { Database } from '../../database/index.ts';

export interface SignerDependencies {
  readonly database: Database;
  readonly chain: ChainConfig;
  readonly hotKey: `0x${string}`;
  readonly onFault: (error: unknown) => void;
}

export async function runSigner(_dependencies: SignerDependencies, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
