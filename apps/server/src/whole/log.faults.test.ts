import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogReader } from './testing-log-reader.ts';
import { newDataDir, type ServerProcess, startServerProcess } from './testing-server.ts';

/** More by hand: a hundred rounds take half an hour. */
const ROUNDS = Number(process.env.LOG_ROUNDS ?? 4);
const ROUND_MAX_MS = 75_000;

describe('the public log while processes die', () => {
  let dataDir: string;
  let server: ServerProcess;
  beforeEach(async () => {
    dataDir = newDataDir('log');
    server = await startServerProcess({ DATA_DIR: dataDir, CHAIN: 'off', PUBLIC_LOG: '1' });
    server.start();
    await server.untilReady();
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Ids of this platform's processes with these words in their command. */
  function pidsOf(words: RegExp): number[] {
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
    const own = new Set([server.pid()]);
    for (let grown = 0; grown !== own.size; ) {
      grown = own.size;
      for (const [, pid, parent] of processes) if (own.has(Number(parent))) own.add(Number(pid));
    }
    const isWanted = ([, pid, , args = '']: string[]): boolean => own.has(Number(pid)) && words.test(args);
    return processes.filter(isWanted).map(([, pid]) => Number(pid));
  }

  it('never signs a second history, whichever of them is killed', { timeout: ROUNDS * ROUND_MAX_MS }, async () => {
    const reader = new LogReader(server.url);
    let { size } = (await reader.untilAbove(0)).checkpoint;
    const kill = (...pids: readonly number[]): void => {
      for (const pid of pids) process.kill(pid, 'SIGKILL');
    };
    const victims: readonly (() => void)[] = [
      () => kill(...pidsOf(/role-main\.ts log/)),
      () => kill(...pidsOf(/witness\/main\.ts.*witness-1/)),
      () => kill(...pidsOf(/postgres -D/)),
      () => kill(server.pid() ?? 0),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      victims[round % victims.length]?.();
      // Each visit verifies that the log goes on from the one before.
      ({ size } = (await reader.untilAbove(size + 1)).checkpoint);
    }
    expect(server.output()).not.toMatch(/has stopped for good/);
  });
});
