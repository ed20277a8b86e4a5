import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const MEMORY = '/dev/shm';
const MEMORY_MIN = 10e9;
const ENDING_MS = 10_000;
/** Caches that programs intentionally keep in the temporary folder. */
const CACHES = /^(node-compile-cache|v8-compile-cache|playwright-transform-cache|\.org\.chromium)/;

/** The temporary folder of one run. Every process of the run inherits it, so that leftovers can be found. */
interface RunFolder {
  readonly path: string;
  /** Ends and removes the run's leftover processes and files, and returns a line for each. */
  clear(): Promise<string[]>;
}

/**
 * Finds processes whose environment or, as for databases and chains, whose command line names the folder. Works only on
 * Linux.
 */
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
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      const isOurs = command.includes(`${folder}/`) || environment.includes(`TMPDIR=${folder}`);
      if (isOurs && command !== '') found.push({ pid: Number(name), command: command.slice(0, 500) });
    } catch {
      // The process has ended meanwhile, or belongs to another user.
    }
  }
  return found;
}

/** Chooses a file system in memory if Linux has one with enough room, because a run creates some hundred databases. */
function placeForFiles(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) > MEMORY_MIN ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

export function openRunFolder(): RunFolder {
  const folder = mkdtempSync(path.join(placeForFiles(), 'sathorn-run-'));
  // If run by root, the database's own user must be able to enter the folder.
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
        // The folder is busy if a killed test has mounted a disk there.
      }
      return [
        ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
        ...files.map((name) => `folder or file ${name}`),
      ];
    },
  };
}
