/** Nothing that ends may keep the rest from ending. */
const STEP_MAX_MS = 8_000;

export interface Endings {
  add(name: string, end: () => Promise<unknown>): void;
  run(): Promise<void>;
}

/**
 * Ends what was started, the last first. A step that throws or hangs is reported, and the others are taken all the
 * same.
 */
export function openEndings(report: (error: unknown, where: string) => void): Endings {
  const steps: [string, () => Promise<unknown>][] = [];
  return {
    add: (name, end) => void steps.push([name, end]),
    async run() {
      for (const [name, end] of steps.reverse()) {
        const patience = AbortSignal.timeout(STEP_MAX_MS);
        const tooLong = new Promise((_resolve, reject) =>
          patience.addEventListener('abort', () => reject(new Error('does not end'))),
        );
        await Promise.race([end(), tooLong]).catch((error: unknown) => report(error, `stop ${name}`));
      }
    },
  };
}
