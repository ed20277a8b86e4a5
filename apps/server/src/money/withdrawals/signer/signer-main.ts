import path from 'node:path';
import type { PayoutStop } from '@sathorn/settlement';
import { openDatabase } from '../../../platform/database/index.ts';
import { releaseMemory } from '../../../platform/release-memory.ts';
import { readPinnedVoters, verifiedApprovals } from '../../../staff/votes/index.ts';
import { openPayoutBudget } from './payout-budget.ts';
import { type CheckerVerdict, openPayoutGuard, pinAuthorisationKey } from './payout-guard.ts';
import { runPayoutSigner, type WaitingPayout } from './run-signer.ts';
import { readSignerKeys, type SignerKeys } from './signer-keys.ts';
import type { MessageFromSigner, MessageToSigner } from './signer-process.ts';

/** The signer's process. It reads approved payouts and signs them. The key never leaves it. */
const ending = new AbortController();
let keys: SignerKeys | null = null;
let folder = '';
/** The checker's last message. After a minute without one nothing is paid. */
let word: (CheckerVerdict & { readonly heardMs: number }) | null = null;
const SILENCE_MAX_MS = 60_000;
let working: Promise<unknown> = Promise.resolve();
void releaseMemory(ending.signal);

const tell = (message: MessageFromSigner): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};
const onFault = (error: unknown): void =>
  tell({ kind: 'fault', message: error instanceof Error ? error.message : String(error) });

const told = new Set<string>();
const tellOnce = (what: string): void => {
  if (!told.has(what)) onFault(new Error(what));
  told.add(what);
};

// Ctrl-C in the terminal reaches this process too. It ignores the signal and stops when its parent says so.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(1));

async function stop(): Promise<void> {
  ending.abort();
  await working;
  process.exit(0);
}

function begin(
  { database: connection, chain, authorisationKey }: Extract<MessageToSigner, { kind: 'sign' }>,
  own: SignerKeys,
): void {
  const { hotKey, xpub } = own;
  // The keys of another xpub would not match customers' deposit addresses.
  const depositKey = xpub === chain.xpub ? own.depositKey : null;
  if (depositKey === null)
    onFault(new Error('it has no keys of deposit addresses: nothing is swept or sent back from there'));
  const database = openDatabase(connection, { connections: 2, onFault });
  try {
    const guard = openPayoutGuard({
      trust: pinAuthorisationKey(folder, authorisationKey),
      budget: openPayoutBudget(folder),
      // Reads the votes each time, because the owner adds keys while this process runs.
      approvedBy: (agreeable) =>
        verifiedApprovals(database, readPinnedVoters(path.join(folder, 'voters.json'), connection), agreeable),
      word: () => (word !== null && performance.now() - word.heardMs < SILENCE_MAX_MS ? word : null),
      alarm: (what) => tellOnce(`alarm: ${what}`),
    });
    const onWaits = (waits: readonly WaitingPayout[], stop: PayoutStop | null): void =>
      tell({ kind: 'waits', waits, stop });
    working = runPayoutSigner({ database, chain, hotKey, depositKey, guard, onWaits, onFault }, ending.signal)
      .catch(onFault)
      .then(() => database.close());
  } catch (error) {
    // One of its own files is damaged, or belongs to another server: it pays nothing until a person has checked.
    onFault(error);
    working = database.close();
  }
}

process.on('message', (message) => {
  const said = message as MessageToSigner;
  if (said.kind === 'keys') {
    folder = said.folder;
    keys = readSignerKeys(said.folder, said.isLocal);
    tell({ kind: 'wallet', hot: keys.hot, xpub: keys.xpub });
  } else if (said.kind === 'scanned') {
    word = { sequence: said.sequence, isClear: said.isClear, heardMs: performance.now() };
  } else if (said.kind === 'stop') {
    void stop();
  } else if (keys !== null) {
    begin(said, keys);
  }
});
