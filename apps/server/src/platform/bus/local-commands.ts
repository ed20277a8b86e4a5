import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandBus, CommandFault, type WireValue } from './commands.ts';

const TIMEOUT_MS = 5_000;
const THROWN_AGAIN_MS = 250;

type Handler = (command: WireValue) => Promise<WireValue>;

interface LocalCommandsOptions {
  readonly onFault?: (error: unknown) => void;
  /** How long a request waits for its answer. */
  readonly timeoutMs?: number;
}

/** Commands within one process: calls, repeated when they throw. */
export function openLocalCommands({ onFault, timeoutMs = TIMEOUT_MS }: LocalCommandsOptions = {}): CommandBus {
  const handlers = new Map<string, { handler: Handler; works: Set<Promise<WireValue>> }>();

  /** Retries until `isLate`, when the caller has stopped waiting for the answer. */
  const carryOut = async (subject: string, command: WireValue, isLate: () => boolean): Promise<WireValue> => {
    for (;;) {
      const served = handlers.get(subject);
      if (served === undefined) throw new CommandFault(`${subject}: no process is serving it`);
      const work = served.handler(command);
      served.works.add(work);
      try {
        return await work;
      } catch (error) {
        onFault?.(error);
      } finally {
        served.works.delete(work);
      }
      await sleep(THROWN_AGAIN_MS);
      if (isLate()) throw new CommandFault(`${subject}: no answer in time`);
    }
  };

  return {
    request: (subject, _id, command) =>
      new Promise((resolve, reject) => {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          reject(new CommandFault(`${subject}: no answer in time`));
        }, timeoutMs);
        carryOut(subject, command, () => isLate)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),

    async serve(subject, signal, handler) {
      if (handlers.has(subject)) throw new Error(`${subject} is served already`);
      const works = new Set<Promise<WireValue>>();
      await new Promise<void>((resolve) => {
        // Takes effect at once: no command starts after the signal, so the next process may serve the subject.
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
