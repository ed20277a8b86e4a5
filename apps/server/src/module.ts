import type { Clock } from './clock.ts';
import type { Role } from './config.ts';
import type { Handler, TopicSource } from './edge/index.ts';

/** What `openX(dependencies)` of a module returns; start-roles.ts starts its parts. */
export interface Module<Api = unknown> {
  /** What other modules may ask of it. */
  readonly api: Api;
  readonly handlers: readonly Handler[];
  readonly jobs?: readonly Job[];
  readonly topics?: readonly TopicSource[];
  readonly metrics?: readonly Metric[];
  readonly checks?: readonly Check[];
  /** Called after all jobs have ended. */
  close?(): Promise<void>;
}

/** Work that goes on without a call. */
export interface Job {
  /** The processes that run it: all, those with a role, or the machine's housekeeper. */
  readonly on: 'every process' | 'housekeeper' | Role;
  /** Resolves when the signal has aborted and the work under way is done. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** A number that Prometheus reads. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  read(now: Date): number;
}

/** Shown by `/api/health`. */
export interface Check {
  readonly name: string;
  /** Customers are sent elsewhere while this is false. */
  isReady?(): boolean | Promise<boolean>;
  /** Shown beside `ready` for operators only, without effect on routing. */
  state?(now: Date): string | number;
}

const SWEEP_MS = 600_000;

/** A job that removes expired rows, every ten minutes. */
export function sweepJob(clock: Clock, onFault: (error: unknown) => void, sweep: (now: Date) => Promise<void>): Job {
  return {
    on: 'housekeeper',
    async run(signal) {
      if (signal.aborted) return;
      let sweeping: Promise<void> = Promise.resolve();
      const timer = setInterval(() => {
        sweeping = sweep(clock.now()).catch(onFault);
      }, SWEEP_MS);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      clearInterval(timer);
      await sweeping;
    },
  };
}
