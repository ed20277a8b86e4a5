import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ALLOCATOR } from '../../platform/allocator.ts';
import { type Connection, connectionUrlOf } from '../../platform/database/index.ts';
import { yieldToIndex } from '../../platform/yield-to-index.ts';
import type { Checker, CheckerOptions, CheckerReport } from './checker.ts';
import { hasViolations } from './condition.ts';
import { type CheckerTrust, type PinnedKey, readPinnedKeys, writePinnedKeys } from './pinned-keys.ts';
import { type ScanProgress, scannedSequenceOf } from './scan-progress.ts';

const isUnstopped = (report: CheckerReport | null): boolean => report?.halted === null && hasViolations(report);
const lineOf = ({ violations }: CheckerReport): string =>
  violations.map(({ invariant, says, subjects }) => `${invariant}: ${says}: ${subjects.join(', ')}`).join('; ');

/** Messages of the checker process: a report after each round, and progress during one. */
interface Message {
  readonly report?: CheckerReport;
  readonly progress: ScanProgress;
  /** The published keys, if some of them were seen for the first time. */
  readonly pins?: readonly PinnedKey[];
}

/**
 * After this long without a message the process counts as stuck: one round on a loaded machine, with a margin. Long
 * steps report progress page by page.
 */
const SILENCE_MAX_MS = 120_000;
/** Delay before a checker that ended is restarted. */
const AGAIN_MS = 1_000;
/**
 * The limit grows up to this when a single query takes longer, because a restart with the same limit would never
 * finish.
 */
const SILENCE_GROWS_TO_MS = 3_600_000;

/**
 * Starts the checker as a child process, with a connection of its own role, public keys, and the keys of
 * seals. A child that dies or becomes silent is restarted. It only reads, so it may be killed at any moment, and the
 * next one continues at its cursor.
 */
export function startChecker(
  connection: Connection,
  print: (line: string) => void,
  { silenceMaxMs = SILENCE_MAX_MS, keys, votersFile, memory, onReport, calledOff }: CheckerOptions = {},
): Checker {
  let latest: CheckerReport | null = null;
  let progress: ScanProgress | null = null;
  let isSilent = false;
  let isStopping = false;
  let patienceMs = silenceMaxMs;
  let silence: NodeJS.Timeout | undefined;

  const trustOf = ({ own, file, seals }: NonNullable<CheckerOptions['keys']>): CheckerTrust => ({
    own,
    ...(seals !== undefined && { seals }),
    pinned: readPinnedKeys(file, connection),
  });

  const listen = (child: ChildProcess): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (!isSilent)
        print(
          `MONEY IS UNCHECKED: the checker has not reported for ${Math.round(patienceMs / 1_000)} s; starting it again`,
        );
      isSilent = true;
      patienceMs = Math.min(2 * patienceMs, SILENCE_GROWS_TO_MS);
      // A frozen process does not react to weaker signals.
      child.kill('SIGKILL');
    }, patienceMs).unref();
  };

  /** Keys that could not be written, for lack of space for example. The write is tried again. */
  let unwritten: readonly PinnedKey[] | undefined;
  const keepPins = (pins: readonly PinnedKey[] | undefined): void => {
    if (pins === undefined || keys === undefined) return;
    try {
      writePinnedKeys(keys.file, connection, pins);
      unwritten = undefined;
    } catch (error) {
      if (unwritten === undefined) print(`the keys that the checker trusts can't be written: ${String(error)}`);
      unwritten = pins;
    }
  };

  const launch = (): ChildProcess => {
    const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), [], {
      env: {
        PATH: process.env.PATH,
        ...ALLOCATOR,
        CHECKER_DATABASE_URL: connectionUrlOf(connection),
        ...(memory && { CHECKER_MEMORY: memory }),
        ...(progress && { CHECKER_PROGRESS: JSON.stringify(progress) }),
        ...(votersFile && { CHECKER_VOTERS: votersFile }),
        ...(keys && { CHECKER_TRUST: JSON.stringify(trustOf(keys)) }),
      },
      // The checker works in the background, in small pages, so a small young generation costs nothing.
      execArgv: [...process.execArgv, '--max-semi-space-size=2'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    yieldToIndex(child.pid);
    listen(child);
    child.on('message', (message) => {
      const { report, progress: now, pins } = message as Message;
      progress = now;
      listen(child);
      keepPins(pins ?? unwritten);
      if (report === undefined) return;
      if (isSilent) print('Money is checked again');
      isSilent = false;
      patienceMs = silenceMaxMs;
      if (report.halted !== null && latest?.halted !== report.halted) print(`MONEY IS HALTED: ${report.halted}`);
      if (report.halted === null && latest?.halted) print('Money moves again');
      if (isUnstopped(report) && !isUnstopped(latest))
        print(
          `MONEY IS NOT HALTED though it should be: ledger.halt_money had no effect; stop the platform and restore that function. ${lineOf(report)}`,
        );
      latest = report;
      onReport?.(report, scannedSequenceOf(now));
    });
    child.on('exit', (code, signal) => {
      // Ctrl-C ends the child together with this process, and either may get the signal first.
      setTimeout(() => {
        if (isStopping || calledOff?.aborted) return;
        if (!isSilent) print(`the checker ended with ${code ?? signal}; starting it again`);
        current = launch();
      }, AGAIN_MS).unref();
    });
    return child;
  };
  let current = launch();
  return {
    report: () => latest,
    pid: () => current.pid ?? null,
    look() {
      if (current.connected) current.send({ kind: 'look' }, undefined, undefined, () => undefined);
    },
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
