import type { AskServer } from '../verify/public-chain.ts';
import { countFindings, type Finding, newFindings, signFindings, type VisitEnd } from './finding.ts';
import { type HeardCoin, judgeBooks } from './judge-books.ts';
import type { MonitorFolder } from './monitor-folder.ts';
import type { ReadLogFile } from './read-log.ts';
import { checkpointOf, visitPlatform } from './visit-platform.ts';

/** Listens to the books of coins until the signal aborts. */
export type Listen = (coins: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, HeardCoin>>;

interface MonitorParts {
  readonly folder: MonitorFolder;
  /** A policy to judge by, instead of the one that is pinned in the folder. */
  readonly policy: string | null;
  readonly readFile: ReadLogFile;
  readonly ask: AskServer;
  readonly listen: Listen;
  readonly now: () => number;
  readonly print: (line: string) => void;
}

export interface MonitorResult {
  /** What was found now, known before or not. */
  readonly found: number;
  /** False if something could not be read. */
  readonly isWhole: boolean;
}

export interface Monitor {
  /** Reads the log's new entries and everything public, once. */
  visit(): Promise<MonitorResult>;
  /** Listens to the order books until the signal aborts, or the server ends the connection. */
  hear(signal: AbortSignal): Promise<MonitorResult>;
}

/** A monitor reads, compares, and signs what it finds. It asks for nothing that changes anything. */
export function openMonitor({ folder, policy, readFile, ask, listen, now, print }: MonitorParts): Monitor {
  const { seed, memory } = folder;
  let file = folder.findings;
  let end: VisitEnd | null = null;
  let coins: readonly string[] = [];
  /** A note is printed once. */
  const said = new Set<string>();

  /** What was found is on the disk before the memory that went past it. */
  function keep(all: readonly Finding[]): void {
    const found = newFindings(file, all);
    const log = checkpointOf(memory.note)?.origin ?? '';
    if (found.length > 0 || end !== null) file = signFindings(file, found, { atMs: now(), log, end }, seed);
    folder.writeFindings(file);
    folder.writeMemory(memory);
    for (const { says } of found) print(`FOUND     ${says}`);
  }

  return {
    async visit() {
      const all: Finding[] = [];
      end = null;
      const report = await visitPlatform({
        readFile,
        ask,
        policy: policy ?? folder.readPolicy(),
        pin: (text) => folder.writePolicy(text),
        memory,
        now,
        find: (findings) => all.push(...findings),
        keep: () => keep(all),
      });
      ({ end, coins } = report);
      keep(all);
      for (const line of report.notes) if (!said.has(line) && said.add(line)) print(`note      ${line}`);
      for (const line of report.unread) print(`NOT READ  ${line}`);
      if (end !== null) print(`read      ${end.size} entries of ${end.log}; findings: ${countFindings(all)}`);
      return { found: all.length, isWhole: report.unread.length === 0 };
    },

    async hear(signal) {
      if (coins.length === 0) return { found: 0, isWhole: true };
      const heard = await listen(coins, signal).catch((error: unknown) => {
        print(`NOT READ  the order books: ${error instanceof Error ? error.message : String(error)}`);
      });
      if (heard === undefined) return { found: 0, isWhole: false };
      const judged = [...heard.values()].map(judgeBooks);
      const all = judged.flatMap(({ findings }) => findings);
      keep(all);
      const sum = (of: 'fills' | 'judged'): number => judged.reduce((count, each) => count + each[of], 0);
      print(
        `heard     ${sum('fills')} fills; ${sum('judged')} were all that changed in the book, and were compared with it`,
      );
      return { found: all.length, isWhole: true };
    },
  };
}
