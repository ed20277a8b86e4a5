import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gapText } from './bus/index.ts';
import type { Report } from './checker/index.ts';
import type { Charge } from './start-roles.ts';
import type { Voice } from './voice.ts';

/** To a role's process. */
export type ToRole =
  /** `lingers`: what it does for so long when the process above it is gone. */
  | { readonly kind: 'start'; readonly charge: Charge; readonly lingerMs: number }
  | { readonly kind: 'live'; readonly text: string }
  | { readonly kind: 'checked'; readonly report: Report }
  | { readonly kind: 'stop_selling' }
  | { readonly kind: 'stop' };

/** From a role's process. */
export type FromRole =
  | { readonly kind: 'started'; readonly url: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'live'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface RoleProcess {
  /** Of the edge; empty without one. */
  readonly url: string;
  /** When it has seen a tick. */
  readonly ready: Promise<void>;
  /**
   * Live events, as text. They are lost while the process stands still, or is started again; it says `gap` to its
   * readers then.
   */
  send(text: string): void;
  tellChecked(report: Report): void;
  /** Options are not sold any more. */
  stopSelling(): void;
  pid(): number | null;
  stop(): Promise<void>;
  /** Lets it go on alone for as long as it lingers. */
  leave(): Promise<void>;
}

export interface RoleProcessOptions {
  /** As the log calls it. */
  readonly name: string;
  readonly charge: Charge;
  readonly lingerMs?: number;
  /** Called with its live events, as text. */
  readonly onLive?: (text: string) => void;
}

const AGAIN_MS = 500;
const AGAIN_MAX_MS = 10_000;
const STOP_MAX_MS = 7_000;

/**
 * Some roles as a child: its event loop and its memory are its own. One that ends is started again. Its environment
 * holds no secret; what it needs comes over the channel.
 */
export async function startRoleProcess(
  { name, charge, lingerMs = 0, onLive }: RoleProcessOptions,
  { say }: Pick<Voice, 'say'>,
): Promise<RoleProcess> {
  let child: ChildProcess | null = null;
  let checked: Report | null = null;
  let isStopping = false;
  let againMs = AGAIN_MS;
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });

  const tell = (message: ToRole): void => {
    // A child that has just ended takes nothing any more; the next one reads what it missed.
    if (child?.connected) child.send(message, undefined, undefined, () => undefined);
  };

  // A child that stands still takes nothing: what it misses is dropped instead of kept here, and it is told so.
  let isFull = false;
  let hasMissed = false;
  const send = (text: string): void => {
    const to = child;
    if (!to?.connected) return;
    if (isFull) {
      hasMissed = true;
      return;
    }
    isFull = !to.send({ kind: 'live', text } satisfies ToRole, undefined, undefined, () => {
      if (!isFull || child !== to) return;
      isFull = false;
      if (hasMissed) tell({ kind: 'live', text: gapText() });
      hasMissed = false;
    });
  };

  /** Resolves with its address once it works. */
  const launch = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const { DATABASE_URL: _owner, ...env } = process.env;
      const launched = fork(fileURLToPath(new URL('./role-main.ts', import.meta.url)), [], {
        env,
        serialization: 'advanced',
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      child = launched;
      isFull = false;
      hasMissed = false;
      tell({ kind: 'start', charge, lingerMs });
      if (checked) tell({ kind: 'checked', report: checked });
      launched.on('error', reject);
      launched.on('message', (message) => {
        const said = message as FromRole;
        if (said.kind === 'started') {
          againMs = AGAIN_MS;
          resolve(said.url);
        } else if (said.kind === 'ready') onReady();
        else if (said.kind === 'live') onLive?.(said.text);
        else reject(new Error(said.message));
      });
      launched.once('exit', (code, signal) => {
        reject(new Error(`${name} ended with ${code ?? signal}`));
        if (child === launched) child = null;
      });
    });

  const keep = (): void => {
    child?.once('exit', (code, signal) => {
      if (!isStopping) again(`ended with ${code ?? signal}`);
    });
  };
  const again = (why: string): void => {
    say(`alarm: ${name} ${why}; starting it again`);
    setTimeout(() => {
      if (isStopping) return;
      launch().then(keep, (error: unknown) => {
        if (!isStopping) again(error instanceof Error ? `could not start: ${error.message}` : 'could not start');
      });
    }, againMs).unref();
    againMs = Math.min(2 * againMs, AGAIN_MAX_MS);
  };

  const url = await launch();
  keep();
  return {
    url,
    ready,
    send,
    tellChecked(report) {
      checked = report;
      tell({ kind: 'checked', report });
    },
    stopSelling: () => tell({ kind: 'stop_selling' }),
    pid: () => child?.pid ?? null,
    async stop() {
      isStopping = true;
      const last = child;
      if (last === null) return;
      const ended = new Promise((resolve) => last.once('exit', resolve));
      tell({ kind: 'stop' });
      const patience = setTimeout(() => last.kill('SIGKILL'), STOP_MAX_MS);
      await ended;
      clearTimeout(patience);
    },
    async leave() {
      isStopping = true;
      child?.disconnect();
      child?.unref();
    },
  };
}
