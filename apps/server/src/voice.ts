import { pino } from 'pino';
import { systemElapsed } from './clock.ts';
import { openFaultLog } from './fault-log.ts';
import { openLog } from './log.ts';

/** How a process speaks to the operator. */
export interface Voice {
  say(line: string): void;
  report(error: unknown, where: string): void;
  /** Whether a write has just found no room. */
  isDiskFull?(): boolean;
}

const FLUSH_MS = 60_000;

export interface ProcessVoice extends Voice {
  /** Ends the process: it could not start. */
  giveUp(error: unknown): never;
}

/** The log of this process, on the standard error. */
export function processVoice(): ProcessVoice {
  const log = openLog('sathorn', process.env.LOG_LEVEL || 'warn', pino.destination(2));
  const faults = openFaultLog({ log, elapsedMs: systemElapsed });
  setInterval(faults.flush, FLUSH_MS).unref();
  const say = (line: string): void => console.error(line);
  return {
    say,
    ...faults,
    giveUp(error) {
      say(`The server could not start: ${wholeMessage(error)}`);
      if (log.isLevelEnabled('debug')) log.debug({ err: error }, 'start');
      process.exit(1);
    },
  };
}

/** An error's message and those of its causes. */
export function wholeMessage(error: unknown): string {
  const causes = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(': ') || String(error);
}
