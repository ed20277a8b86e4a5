import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CheckerReport } from '../checker/checker/index.ts';
import { ALLOCATOR } from '../platform/allocator.ts';
import { writeGapEvent } from '../platform/bus/index.ts';
import { yieldToIndex } from '../platform/yield-to-index.ts';
import type { LogInput } from '../service/log/run-log.ts';
import type { OperatorLog } from './operator-log.ts';
import type { RolesInput } from './start-roles.ts';
import type { WatcherInput } from './start-watcher.ts';

/** What a process gets to do its work. */
export type RoleCharge = RolesInput | WatcherInput | LogInput;

/** Messages to a process that runs roles. */
export type MessageToRole =
  /** `lingerMs`: how long the process continues after its parent has ended. */
  | { readonly kind: 'start'; readonly charge: RoleCharge; readonly lingerMs: number }
  /** The parent has prepared the house's accounts, so the process may begin its work. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'live'; readonly text: string }
  | { readonly kind: 'checked'; readonly report: CheckerReport }
  | { readonly kind: 'stop_selling' }
  | { readonly kind: 'stop' };

/** Messages from such a process. */
export type MessageFromRole =
  | { readonly kind: 'started'; readonly url: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'live'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface RoleProcess {
  /** The edge's address; empty without one. */
  readonly url: string;
  /** Resolves when the process has received a tick. */
  readonly ready: Promise<void>;
  /** Sends live events as text. They are lost while the process is frozen or restarting, which then emits `gap`. */
  send(text: string): void;
  sendReport(report: CheckerReport): void;
  /** Stops selling options. */
  stopSelling(): void;
  pid(): number | null;
  stop(): Promise<void>;
  /** Disconnects; the process continues for its `lingerMs`. */
  leave(): Promise<void>;
}

interface RoleProcessOptions {
  /** The process's name in the log. */
  readonly name: string;
  /** The processes of watcher and log load little; any other can run every role. */
  readonly kind?: 'watcher' | 'log' | 'rooms';
  /** The process is forked at once and loads its code while it waits for the charge. */
  readonly charge: RoleCharge | Promise<RoleCharge>;
  /** Until this resolves, the process opens its modules but starts no work. */
  readonly beginAfter?: Promise<unknown>;
  readonly lingerMs?: number;
  /** Called with live events from the process, as text. */
  readonly onLive?: (text: string) => void;
  /** True if it runs with a lower priority than this process. */
  readonly isYielding?: boolean;
}

const AGAIN_MS = 500;
const AGAIN_MAX_MS = 10_000;
const STOP_MAX_MS = 7_000;

/**
 * Runs some roles in a child process with its own event loop and memory, and restarts it when it ends. Its environment
 * contains no secret; it receives what it needs over the channel.
 */
export async function startRoleProcess(
  {
    name,
    kind = 'rooms',
    charge,
    beginAfter = Promise.resolve(),
    lingerMs = 0,
    onLive,
    isYielding = false,
  }: RoleProcessOptions,
  { print }: Pick<OperatorLog, 'print'>,
): Promise<RoleProcess> {
  let child: ChildProcess | null = null;
  let checked: CheckerReport | null = null;
  let isStopping = false;
  let againMs = AGAIN_MS;
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });

  const post = (message: MessageToRole): void => {
    // Ignores errors: a child that has just ended receives nothing, and its successor reads the current state.
    if (child?.connected) child.send(message, undefined, undefined, () => undefined);
  };

  // True while the child's channel is full: a frozen child's events are dropped, and it gets a `gap` later.
  let isFull = false;
  let hasMissed = false;
  const send = (text: string): void => {
    const to = child;
    if (!to?.connected) return;
    if (isFull) {
      hasMissed = true;
      return;
    }
    isFull = !to.send({ kind: 'live', text } satisfies MessageToRole, undefined, undefined, () => {
      if (!isFull || child !== to) return;
      isFull = false;
      if (hasMissed) post({ kind: 'live', text: writeGapEvent() });
      hasMissed = false;
    });
  };

  /** Resolves with the child's address once it serves. */
  const launch = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const { DATABASE_URL: _owner, ...env } = process.env;
      const launched = fork(fileURLToPath(new URL('./role-main.ts', import.meta.url)), [kind], {
        env: { ...ALLOCATOR, ...env },
        ...(kind !== 'rooms' && { execArgv: [...process.execArgv, '--max-semi-space-size=1'] }),
        serialization: 'advanced',
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      // Attackers who load this process must not delay the index.
      if (isYielding) yieldToIndex(launched.pid);
      child = launched;
      isFull = false;
      hasMissed = false;
      const give = async (): Promise<void> => {
        const given = await charge;
        if (child === launched) post({ kind: 'start', charge: given, lingerMs });
        await beginAfter;
        if (child === launched) post({ kind: 'begin' });
      };
      give().catch((error: unknown) => {
        launched.kill('SIGKILL');
        reject(error);
      });
      if (checked) post({ kind: 'checked', report: checked });
      launched.on('error', reject);
      launched.on('message', (received) => {
        const message = received as MessageFromRole;
        if (message.kind === 'started') {
          againMs = AGAIN_MS;
          resolve(message.url);
        } else if (message.kind === 'ready') onReady();
        else if (message.kind === 'live') onLive?.(message.text);
        else reject(new Error(message.message));
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
    print(`alarm: ${name} ${why}; starting it again`);
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
    sendReport(report) {
      checked = report;
      post({ kind: 'checked', report });
    },
    stopSelling: () => post({ kind: 'stop_selling' }),
    pid: () => child?.pid ?? null,
    async stop() {
      isStopping = true;
      const last = child;
      if (last === null) return;
      const ended = new Promise((resolve) => last.once('exit', resolve));
      post({ kind: 'stop' });
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
