import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Connection, urlOf } from '../database/index.ts';
import type { Violation } from './find-violations.ts';

export interface Report {
  readonly checked: string;
  readonly violations: readonly Violation[];
  /** Why no money moves; null while it does. It stays so when what broke is mended: starting again is a person's deed. */
  readonly halted: string | null;
}

export interface Checker {
  /** The latest round, or null before the first. */
  report(): Report | null;
  stop(): Promise<void>;
}

/** A round of all history on a loaded machine, and some more. */
const SILENCE_MAX_MS = 120_000;

/**
 * Starts the checker as a child, with a connection of its own role and nothing else of ours; starts it again when it dies. One that hangs, or
 * that has no database, is told of: to end it would only make it read all of history from the beginning.
 */
export function startChecker(
  connection: Connection,
  say: (line: string) => void,
  silenceMaxMs = SILENCE_MAX_MS,
): Checker {
  let latest: Report | null = null;
  let isSilent = false;
  const silence = setTimeout(() => {
    isSilent = true;
    say(`MONEY IS UNCHECKED: the checker has said nothing for ${Math.round(silenceMaxMs / 1_000)} s`);
  }, silenceMaxMs).unref();
  let isStopping = false;
  const launch = () => {
    const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), [], {
      env: { PATH: process.env.PATH, CHECKER_DATABASE_URL: urlOf(connection) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => {
      const report = message as Report;
      if (isSilent) say('Money is checked again');
      isSilent = false;
      silence.refresh();
      if (report.halted !== null && latest?.halted !== report.halted) say(`MONEY IS HALTED: ${report.halted}`);
      if (report.halted === null && latest?.halted) say('Money moves again');
      latest = report;
    });
    child.on('exit', (code) => {
      if (isStopping) return;
      say(`the checker ended with ${code}; starting it again`);
      setTimeout(() => {
        if (!isStopping) current = launch();
      }, 1_000).unref();
    });
    return child;
  };
  let current = launch();
  return {
    report: () => latest,
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
