import { superviseServer } from '../demo/brands/index.ts';
import { practiceEnvironmentOf } from '../demo/practice/index.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import { readSecret } from '../platform/secrets.ts';
import type { Config } from './config.ts';

/** The public key of this platform's tickets, in base64. The practice platform verifies them with it. */
function ticketKeyOf({ dataDir }: Config): string {
  const { publicKeyHex } = ed25519Signer(readSecret(dataDir, 'practiceKey'));
  return Buffer.from(publicKeyHex, 'hex').toString('base64');
}

/**
 * Runs a demonstration's practice platform beside it, once it is ready itself. For a practice platform that runs by
 * itself, prints what it has to be told. Returns how to stop what was started.
 */
export async function startPractice(
  config: Config,
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<() => Promise<void>> {
  const { practiceUrl: url, runsPractice, dataDir, baseUrl } = config;
  if (url === null) return async () => undefined;
  const [key, of] = [ticketKeyOf(config), new URL(baseUrl).origin];
  if (!runsPractice) {
    print(`The practice platform at ${url} needs PRACTICE_OF=${of} PRACTICE_KEY=${key}`);
    return async () => undefined;
  }
  const port = config.port + 1;
  const seed = config.simSeed ?? readSecret(dataDir, 'simSeed').toString('hex');
  const server = superviseServer('practice', practiceEnvironmentOf(env, { dataDir, port, url, of, key, seed }), print);
  return () => server.stop('SIGTERM');
}
