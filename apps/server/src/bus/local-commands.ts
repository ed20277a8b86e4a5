import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFault, type Commands, type Wire } from './commands.ts';

const TIMEOUT_MS = 5_000;
const THROWN_AGAIN_MS = 250;

type Handler = (command: Wire) => Promise<Wire>;

export interface LocalCommandsOptions {
  readonly onFault?: (error: unknown) => void;
  /** What a request waits for its answer. */
  readonly timeoutMs?: number;
}

/** Within one process: a call, and another when it throws. */
export function localCommands({ onFault, timeoutMs = TIMEOUT_MS }: LocalCommandsOptions = {}): Commands {
  const handlers = new Map<string, { handler: Handler; works: Set<Promise<Wire>> }>();

  const carryOut = async (subject: string, command: Wire, patience: AbortSignal): Promise<Wire> => {
    for (;;) {
      const served = handlers.get(subject);
      if (served === undefined) throw new CommandFault(`${subject}: nobody serves it`);
      const work = served.handler(command);
      served.works.add(work);
      try {
        return await work;
      } catch (error) {
        onFault?.(error);
      } finally {
        served.works.delete(work);
      }
      await sleep(THROWN_AGAIN_MS, undefined, { signal: patience });
    }
  };

  return {
    async request(subject, _id, command) {
      const patience = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          reject(new CommandFault(`${subject}: no answer in time`));
          patience.abort();
        }, timeoutMs);
      });
      const answer = carryOut(subject, command, patience.signal);
      answer.catch(() => undefined); // Nobody listens to it after the time-out.
      return Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
    },

    async serve(subject, signal, handler) {
      if (handlers.has(subject)) throw new Error(`${subject} is served already`);
      const works = new Set<Promise<Wire>>();
      await new Promise<void>((resolve) => {
        // At once: what is asked for after the signal is not begun, and who comes next may come.
        const end = (): void => {
          handlers.delete(subject);
          resolve();
        };
        if (signal.aborted) return resolve();
        handlers.set(subject, { handler, works });
        signal.addEventListener('abort', end, { once: true });
      });
      await Promise.allSettled(works);
    },

    close: async () => undefined,
  };
}
