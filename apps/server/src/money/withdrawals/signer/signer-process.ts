import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PayoutStop } from '@sathorn/settlement';
import { ALLOCATOR } from '../../../platform/allocator.ts';
import type { Connection } from '../../../platform/database/index.ts';
import type { ChainConfig } from '../../chain/index.ts';
import type { WaitingPayout } from './run-signer.ts';

/** Messages to the signer. */
export type MessageToSigner =
  | { readonly kind: 'keys'; readonly folder: string; readonly isLocal: boolean }
  | {
      readonly kind: 'sign';
      readonly database: Connection;
      readonly chain: ChainConfig;
      /** The public key that verifies authorisations, in hex. */
      readonly authorisationKey: string;
    }
  /** The checker has scanned up to this sequence of the ledger. */
  | { readonly kind: 'scanned'; readonly sequence: bigint; readonly isClear: boolean }
  | { readonly kind: 'stop' };
/** Messages from the signer. None contains a key. */
export type MessageFromSigner =
  | { readonly kind: 'wallet'; readonly hot: string; readonly xpub: string | null }
  | { readonly kind: 'waits'; readonly waits: readonly WaitingPayout[]; readonly stop: PayoutStop | null }
  | { readonly kind: 'fault'; readonly message: string };

export interface SignerProcess {
  readonly hot: string;
  readonly xpub: string | null;
  /** Starts paying approved withdrawals. */
  sign(charge: Omit<Extract<MessageToSigner, { kind: 'sign' }>, 'kind'>): void;
  /** Passes on the checker's message. */
  scanned(sequence: bigint, isClear: boolean): void;
  /** Calls the listener whenever the reasons for which payouts wait change. */
  onWaits(listener: (waits: readonly WaitingPayout[], stop: PayoutStop | null) => void): void;
  pid(): number | null;
  stop(): Promise<void>;
}

const AGAIN_MS = 500;
const STOP_MAX_MS = 5_000;

/**
 * Runs the signer as its own process, the only one that opens the key file. If it dies it is restarted, and continues
 * from the database.
 */
export async function startSigner(
  { folder, isLocal }: { readonly folder: string; readonly isLocal: boolean },
  print: (line: string) => void,
): Promise<SignerProcess> {
  let child: ChildProcess | null = null;
  let charge: Extract<MessageToSigner, { kind: 'sign' }> | null = null;
  let isStopping = false;
  let hear: (waits: readonly WaitingPayout[], stop: PayoutStop | null) => void = () => undefined;

  const launch = (): Promise<Extract<MessageFromSigner, { kind: 'wallet' }>> =>
    new Promise((resolve, reject) => {
      const { DATABASE_URL: _owner, ...env } = process.env;
      const launched = fork(fileURLToPath(new URL('./signer-main.ts', import.meta.url)), [], {
        env: { ...ALLOCATOR, ...env },
        execArgv: [...process.execArgv, '--max-semi-space-size=1'],
        serialization: 'advanced',
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      child = launched;
      launched.send({ kind: 'keys', folder, isLocal } satisfies MessageToSigner);
      if (charge) launched.send(charge);
      launched.on('error', reject);
      launched.on('message', (message) => {
        const said = message as MessageFromSigner;
        if (said.kind === 'wallet') resolve(said);
        else if (said.kind === 'waits') hear(said.waits, said.stop);
        else print(`alarm: the signer: ${said.message}`);
      });
      launched.once('exit', (code, signal) => {
        reject(new Error(`the signer ended with ${code ?? signal}`));
        if (child === launched) child = null;
        if (isStopping) return;
        print(`alarm: the signer ended with ${code ?? signal}; starting it again`);
        setTimeout(() => {
          if (!isStopping) launch().catch((error: Error) => print(error.message));
        }, AGAIN_MS).unref();
      });
    });

  const wallet = await launch();
  return {
    hot: wallet.hot,
    xpub: wallet.xpub,
    sign(given) {
      charge = { kind: 'sign', ...given };
      child?.send(charge);
    },
    scanned(sequence, isClear) {
      if (child?.connected)
        child.send(
          { kind: 'scanned', sequence, isClear } satisfies MessageToSigner,
          undefined,
          undefined,
          () => undefined,
        );
    },
    onWaits(listener) {
      hear = listener;
    },
    pid: () => child?.pid ?? null,
    async stop() {
      isStopping = true;
      const last = child;
      if (last === null) return;
      const ended = once(last, 'exit');
      if (last.connected) last.send({ kind: 'stop' } satisfies MessageToSigner);
      const patience = setTimeout(() => last.kill('SIGKILL'), STOP_MAX_MS);
      await ended;
      clearTimeout(patience);
    },
  };
}
