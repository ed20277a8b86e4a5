import os from 'node:os';

const BELOW_OURS = 5;
const LOWEST = 19;

/**
 * Gives a child process a lower priority than this one, which publishes the index and needs its turn each second.
 * Lowering needs no privilege. It is relative to ours, so it also works where the platform itself was started with
 * `nice`.
 */
export function yieldToIndex(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, Math.min(os.getPriority() + BELOW_OURS, LOWEST));
  } catch {
    // The child has ended, or the system has no priorities; nothing depends on them.
  }
}
