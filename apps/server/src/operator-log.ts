import { pino } from 'pino';
import { systemElapsed } from './clock.ts';
import { openFaultLog } from './fault-log.ts';
import { openLog } from './log.ts';

/** What a process logs for the operator: lines, and faults with where they happened. */
export interface OperatorLog {
  print(line: string): void;
  report(error: unknown, where: string): void;
  /** True when a write failed for lack of disk space within the last seconds. */
  isDiskFull?(): boolean;
}

const FLUSH_MS = 60_000;

export interface ProcessLog extends OperatorLog {
  /** For a process that could not start: logs the error and exits. */
  exitWithError(error: unknown): never;
}

/** This process's log, on standard error. */
export function openProcessLog(): ProcessLog {
  const log = openLog('sathorn', process.env.LOG_LEVEL || 'warn', pino.destination(2));
  const faults = openFaultLog({ log, elapsedMs: systemElapsed });
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

/** An error's message and those of its causes. */
export function messageWithCauses(error: unknown): string {
  const causes = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(': ') || String(error);
}
