import { openDatabase } from '../../database/index.ts';
import { releaseMemory } from '../../release-memory.ts';
import { runSigner } from './run-signer.ts';
import { readSignerKeys, type SignerKeys } from './signer-keys.ts';
import type { FromSigner, ToSigner } from './signer-process.ts';

/** The signer's process. It reads approved payouts and signs them. The key never leaves it. */
const ending = new AbortController();
let keys: SignerKeys | null = null;
let working: Promise<unknown> = Promise.resolve();
void releaseMemory(ending.signal);

const tell = (message: FromSigner): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};
const onFault = (error: unknown): void =>
  tell({ kind: 'fault', message: error instanceof Error ? error.message : String(error) });

// Ctrl-C in the terminal reaches this process too. It ignores the signal and stops when its parent says so.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(1));

async function stop(): Promise<void> {
  ending.abort();
  await working;
  process.exit(0);
}

process.on('message', (message) => {
  const said = message as ToSigner;
  if (said.kind === 'keys') {
    keys = readSignerKeys(said.folder, said.isLocal);
    tell({ kind: 'wallet', hot: keys.hot, xpub: keys.xpub });
  } else if (said.kind === 'stop') {
    void stop();
  } else if (keys !== null) {
    const { hotKey, xpub } = keys;
    // Keys of another xpub would send from addresses that belong to nobody.
    const depositKey = xpub === said.chain.xpub ? keys.depositKey : null;
    if (depositKey === null)
      onFault(new Error('it has no keys of deposit addresses: nothing is swept or sent back from there'));
    const database = openDatabase(said.database, { connections: 2, onFault });
    working = runSigner({ database, chain: said.chain, hotKey, depositKey, onFault }, ending.signal)
      .catch(onFault)
      .then(() => database.close());
  }
});
