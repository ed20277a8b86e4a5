import { type DestinationStream, pino } from 'pino';
import { systemElapsedMs } from '../platform/clock.ts';
import { openLog } from '../platform/log.ts';
import { openFaultLog } from './fault-log.ts';

/** A process's log for the operator: lines, and faults with the place where they happened. */
export interface OperatorLog {
  print(line: string): void;
  report(error: unknown, where: string): void;
  /** True if a write failed for lack of disk space within the last seconds. */
  isDiskFull?(): boolean;
}

const FLUSH_MS = 60_000;

interface ProcessLog extends OperatorLog {
  /** Logs the error and exits, for a process that could not start. */
  exitWithError(error: unknown): never;
}

/** This process's log, on standard error. */
export function openProcessLog(): ProcessLog {
  const level = process.env.LOG_LEVEL || 'warn';
  const log = openLog(
    'sathorn',
    level,
    process.stderr.isTTY ? openSentenceStream(level === 'debug') : pino.destination(2),
  );
  const faults = openFaultLog({ log, elapsedMs: systemElapsedMs });
  setInterval(faults.flush, FLUSH_MS).unref();
  const print = (line: string): void => console.error(line);
  return {
    print,
    ...faults,
    exitWithError(error) {
      print(`The server could not start: ${messageWithCauses(error)}`);
      if (log.isLevelEnabled('debug')) log.debug({ err: error }, 'start');
      process.exit(1);
    },
  };
}

/** A log for a person at the terminal: time, level and sentence. Programs that read the log get JSON. */
export function openSentenceStream(
  withStack: boolean,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): DestinationStream {
  return {
    write(line) {
      const said = JSON.parse(line) as {
        level: number;
        time: number;
        msg?: string;
        where?: string;
        reason?: string;
        count?: number;
        err?: { message?: string; stack?: string };
      };
      const { level, time, msg, where, reason, count, err } = said;
      const at = new Date(time).toTimeString().slice(0, 8);
      const sentence = [...new Set([msg, reason, err?.message])].filter((part) => part !== undefined && part !== '');
      const times = count === undefined ? '' : ` (${count} times)`;
      const place = where === undefined || where === '' ? '' : `  [${where}]`;
      write(`${at} ${pino.levels.labels[level] ?? level} ${sentence.join(': ')}${times}${place}\n`);
      if (withStack && err?.stack) write(`${err.stack}\n`);
    },
  };
}

/** An error's message and those of its causes. */
export function messageWithCauses(error: unknown): string {
  const causes = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(': ') || String(error);
}
