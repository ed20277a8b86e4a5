import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Ticks of `/proc` are hundredths of a second on every Linux. */
const TICK_MS = 10;

interface ProcessStat {
  readonly parent: number;
  readonly cpuMs: number;
  readonly isPostgres: boolean;
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name in front may contain spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // The process's own CPU time and that of its ended children.
    const ticks = [fields[11], fields[12], fields[13], fields[14]].reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), cpuMs: ticks * TICK_MS, isPostgres: text.includes('(postgres)') };
  } catch {
    return undefined;
  }
}

/** Returns a process and its descendants with each one's resource use. Empty on systems without `/proc`. */
export function processesOf(root: number): Map<number, ProcessStat> {
  const all = new Map<number, ProcessStat>();
  let names: string[] = [];
  try {
    names = readdirSync('/proc');
  } catch {
    return all;
  }
  for (const name of names) {
    const stat = /^[0-9]+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat) all.set(Number(name), stat);
  }
  const isOurs = (pid: number): boolean => pid === root || (all.has(pid) && isOurs(all.get(pid)?.parent ?? 0));
  return new Map([...all].filter(([pid]) => isOurs(pid)));
}

/** CPU time used so far by a process and its descendants, and the database's part of it. */
export function cpuUseOf(root: number): { readonly all: number; readonly database: number } {
  let [all, database] = [0, 0];
  for (const { cpuMs, isPostgres } of processesOf(root).values()) {
    all += cpuMs;
    if (isPostgres) database += cpuMs;
  }
  return { all, database };
}

/** Returns the CPU time of this process alone, without its children's. Zero on systems without `/proc`. */
export function ownCpuMsOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}

export const cpuMsOf = (root: number): number => cpuUseOf(root).all;

/** Returns the memory of a process and its descendants in bytes. Shared memory counts once. */
export function memoryBytesOf(root: number): number {
  let sum = 0;
  for (const pid of processesOf(root).keys()) {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    sum += Number(/^Pss:\s+([0-9]+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
  }
  return sum;
}

/** Resets this process's peak memory, which may come from an earlier bench. */
export const resetPeakMemory = (): void => writeFileSync('/proc/self/clear_refs', '5');

/** Returns the most memory in bytes that this process has used at once since the reset. */
export const peakMemorySinceReset = (): number =>
  Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024;
