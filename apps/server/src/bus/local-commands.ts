import { CommandFault, type Commands, type Wire } from './commands.ts';

type Handler = (command: Wire) => Promise<Wire>;

/** Within one process: a call. */
export function localCommands(): Commands {
  const handlers = new Map<string, Handler>();
  const underWay = new Map<string, Set<Promise<Wire>>>();

  return {
    async request(subject, _id, command) {
      const handler = handlers.get(subject);
      if (handler === undefined) throw new CommandFault(`nobody serves ${subject}`);
      const work = handler(command);
      const works = underWay.get(subject);
      works?.add(work);
      try {
        return await work;
      } finally {
        works?.delete(work);
      }
    },

    async serve(subject, signal, handler) {
      if (handlers.has(subject)) throw new Error(`${subject} is served already`);
      handlers.set(subject, handler);
      const works = new Set<Promise<Wire>>();
      underWay.set(subject, works);
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      handlers.delete(subject);
      await Promise.allSettled(works);
    },

    close: async () => undefined,
  };
}
