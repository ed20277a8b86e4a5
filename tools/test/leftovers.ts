import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ENDING_MS = 10_000;
/** Caches that programs keep in the temporary folder on purpose. */
const CACHES = /^(node-compile-cache|v8-compile-cache|playwright-transform-cache|\.org\.chromium)/;

/** The temporary folder of one run, which every process of the run inherits, so that what it leaves behind is found. */
export interface RunFolder {
  readonly path: string;
  /** Ends and removes what the run has left, and returns a line for each. */
  clear(): Promise<string[]>;
}

/** Processes whose environment names the folder. Linux alone shows it; elsewhere there are none to see. */
function processesOf(folder: string): { pid: number; command: string }[] {
  const found: { pid: number; command: string }[] = [];
  let names: string[] = [];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return found;
  }
  for (const name of names) {
    if (Number(name) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`TMPDIR=${folder}`)) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      if (command !== '') found.push({ pid: Number(name), command: command.slice(0, 160) });
    } catch {
      // It has ended meanwhile, or belongs to another user.
    }
  }
  return found;
}

export function openRunFolder(): RunFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'sathorn-run-'));
  // Run by root, the database's user has to enter it.
  chmodSync(folder, 0o755);
  return {
    path: folder,
    async clear() {
      const begin = performance.now();
      while (processesOf(folder).length > 0 && performance.now() - begin < ENDING_MS) await setTimeout(200);
      const processes = processesOf(folder);
      for (const { pid } of processes) process.kill(pid, 'SIGKILL');
      const files = readdirSync(folder).filter((name) => !CACHES.test(name));
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // A disk that a killed test has mounted there is busy.
      }
      return [
        ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
        ...files.map((name) => `folder or file ${name}`),
      ];
    },
  };
}
