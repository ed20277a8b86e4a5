import type { Clock } from './clock.ts';
import type { Handler, PlainPage, PublicFiles, TopicSource } from './edge/index.ts';
import type { ServerRole } from './roles.ts';

/** The result of a module's `openX(dependencies)`; `start-roles.ts` starts its jobs. */
export interface Module<Api = unknown> {
  /** The interface for other modules. */
  readonly api: Api;
  readonly handlers: readonly Handler[];
  readonly jobs?: readonly Job[];
  readonly topics?: readonly TopicSource[];
  readonly pages?: readonly PlainPage[];
  readonly files?: readonly PublicFiles[];
  readonly metrics?: readonly Metric[];
  readonly checks?: readonly HealthCheck[];
  /** Called after all jobs have ended. */
  close?(): Promise<void>;
}

/** Work that runs without a call. */
export interface Job {
  /** The processes that run it: all, those with a role, or the one that does the machine's housekeeping. */
  readonly on: 'every process' | 'housekeeper' | ServerRole;
  /** Resolves when the signal has aborted and the current work is done. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** A number exported to Prometheus. */
interface Metric {
  readonly name: string;
  readonly help: string;
  read(now: Date): number;
}

/** Shown by `/api/health`. */
export interface HealthCheck {
  readonly name: string;
  /** While this is false, load balancers send customers elsewhere. */
  isReady?(): boolean | Promise<boolean>;
  /** A figure about the module's state. Only operators see it; whether the server is ready does not depend on it. */
  state?(now: Date): string | number;
}

const SWEEP_MS = 600_000;

/** A job of the housekeeper that repeats the work every `everyMs`, one run at a time. */
export function everyJob(everyMs: number, onFault: (error: unknown) => void, work: () => Promise<void>): Job {
  return {
    on: 'housekeeper',
    async run(signal) {
      if (signal.aborted) return;
      let working: Promise<void> | null = null;
      const timer = setInterval(() => {
        working ??= work()
          .catch(onFault)
          .finally(() => {
            working = null;
          });
      }, everyMs);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      clearInterval(timer);
      await working;
    },
  };
}

/** A job that removes expired rows every ten minutes. */
export const sweepJob = (clock: Clock, onFault: (error: unknown) => void, sweep: (now: Date) => Promise<void>): Job =>
  everyJob(SWEEP_MS, onFault, () => sweep(clock.now()));

/** The checks of all modules, for the console's dashboard. */
export function readHealthOf(modules: readonly Module[], now: Date) {
  return Promise.all(
    modules
      .flatMap(({ checks = [] }) => checks)
      .map(async ({ name, isReady, state }) => {
        const isGood = (await isReady?.()) ?? true;
        return { name, state: String(state?.(now) ?? (isGood ? 'ready' : 'not_ready')), is_good: isGood };
      }),
  );
}
