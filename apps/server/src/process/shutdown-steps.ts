/** A step may take this long, so that one that hangs does not keep the others from running. */
const STEP_MAX_MS = 8_000;

export interface ShutdownSteps {
  add(name: string, end: () => Promise<unknown>): void;
  run(): Promise<void>;
}

/** Stops what was started, in reverse order. A step that throws or hangs is reported, and the others still run. */
export function openShutdownSteps(report: (error: unknown, where: string) => void): ShutdownSteps {
  const steps: [string, () => Promise<unknown>][] = [];
  return {
    add: (name, end) => void steps.push([name, end]),
    async run() {
      for (const [name, end] of steps.reverse()) {
        const patience = AbortSignal.timeout(STEP_MAX_MS);
        const tooLong = new Promise((_resolve, reject) =>
          patience.addEventListener('abort', () =>
            reject(new Error(`${name} did not end within ${STEP_MAX_MS / 1_000} s`)),
          ),
        );
        await Promise.race([end(), tooLong]).catch((error: unknown) => report(error, `stop ${name}`));
      }
    },
  };
}
