import { pino } from 'pino';
import { CommandFault } from './bus/index.ts';
import { systemElapsed } from './clock.ts';
import { isConnectionFault } from './database/index.ts';
import { openLog } from './log.ts';

/** How a process speaks to the operator. */
export interface Voice {
  say(line: string): void;
  report(error: unknown, where: string): void;
}

const AWAY_EVERY_MS = 5_000;

export interface ProcessVoice extends Voice {
  /** Ends the process: it could not start. */
  giveUp(error: unknown): never;
}

/** The log of this process, on the standard error. */
export function processVoice(): ProcessVoice {
  const log = openLog('sathorn', process.env.LOG_LEVEL || 'warn', pino.destination(2));
  let lastAwayMs = Number.NEGATIVE_INFINITY;
  const say = (line: string): void => console.error(line);
  return {
    say,
    report(error, where) {
      if (!isConnectionFault(error) && !(error instanceof CommandFault))
        return log.error({ err: error, where }, 'a fault');
      // While the database or a matcher is unavailable everything that needs it says so; once is enough.
      const nowMs = systemElapsed();
      if (nowMs - lastAwayMs < AWAY_EVERY_MS) return;
      lastAwayMs = nowMs;
      log.error({ reason: error instanceof Error ? error.message : String(error) }, 'the database or the bus is away');
    },
    giveUp(error) {
      say(`Sathorn could not start: ${wholeMessage(error)}`);
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
