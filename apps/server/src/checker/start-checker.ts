import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Connection, urlOf } from '../database/index.ts';
import type { Progress } from './progress.ts';
import type { Violation } from './run-invariants.ts';

export interface Report {
  readonly checked: string;
  readonly violations: readonly Violation[];
  /** Why no money moves; null while it does. It stays so when what broke is mended: starting again is a person's deed. */
  readonly halted: string | null;
  /** When it last came to the end of all history; null before. */
  readonly passed: string | null;
}

/** What the process says: after each round, and on its way through one. */
interface Message {
  readonly report?: Report;
  readonly progress: Progress;
}

export interface Checker {
  /** The latest round, or null before the first. */
  report(): Report | null;
  /** Process id of the checker now; changes when it was started again. */
  pid(): number | null;
  stop(): Promise<void>;
}

/** A round on a loaded machine, and some more: what takes long in it is told piece by piece. */
const SILENCE_MAX_MS = 120_000;
/** Until one that ended is started again. */
const AGAIN_MS = 1_000;
/** Where one question alone takes longer than that, to begin anew each time would never get an answer. */
const SILENCE_GROWS_TO_MS = 3_600_000;

/**
 * Starts the checker as a child, with a connection of its own role and nothing else of ours. One that dies, or says nothing, is started
 * again: it only reads, so it may be ended at any moment, and the next one goes on where it was.
 */
export function startChecker(
  connection: Connection,
  say: (line: string) => void,
  silenceMaxMs = SILENCE_MAX_MS,
  calledOff?: AbortSignal,
): Checker {
  let latest: Report | null = null;
  let progress: Progress | null = null;
  let isSilent = false;
  let isStopping = false;
  let patienceMs = silenceMaxMs;
  let silence: NodeJS.Timeout | undefined;

  const listen = (child: ChildProcess): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (!isSilent)
        say(
          `MONEY IS UNCHECKED: the checker has said nothing for ${Math.round(patienceMs / 1_000)} s; starting it again`,
        );
      isSilent = true;
      patienceMs = Math.min(2 * patienceMs, SILENCE_GROWS_TO_MS);
      // One that is frozen hears nothing softer.
      child.kill('SIGKILL');
    }, patienceMs).unref();
  };

  const launch = (): ChildProcess => {
    const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), [], {
      env: {
        PATH: process.env.PATH,
        CHECKER_DATABASE_URL: urlOf(connection),
        ...(progress && { CHECKER_PROGRESS: JSON.stringify(progress) }),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    listen(child);
    child.on('message', (message) => {
      const { report, progress: now } = message as Message;
      progress = now;
      listen(child);
      if (report === undefined) return;
      if (isSilent) say('Money is checked again');
      isSilent = false;
      patienceMs = silenceMaxMs;
      if (report.halted !== null && latest?.halted !== report.halted) say(`MONEY IS HALTED: ${report.halted}`);
      if (report.halted === null && latest?.halted) say('Money moves again');
      latest = report;
    });
    child.on('exit', (code, signal) => {
      // Ctrl-C ends it together with us: which of the two hears of it first is chance.
      setTimeout(() => {
        if (isStopping || calledOff?.aborted) return;
        if (!isSilent) say(`the checker ended with ${code ?? signal}; starting it again`);
        current = launch();
      }, AGAIN_MS).unref();
    });
    return child;
  };
  let current = launch();
  return {
    report: () => latest,
    pid: () => current.pid ?? null,
    stop: async () => {
      isStopping = true;
      clearTimeout(silence);
      if (current.exitCode !== null || current.signalCode !== null) return;
      const ended = new Promise((resolve) => current.once('exit', resolve));
      current.kill('SIGTERM');
      await ended;
    },
  };
}
