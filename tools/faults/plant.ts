/** One fault in a rule about money, as a careless change could make it. */
export interface PlantedFault {
  /** The server's module, package or part that has the rule. */
  readonly module: string;
  /** The file, from the root. */
  readonly where: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly put: string;
  /** The test files nearest to the rule, from the root. */
  readonly tests: readonly string[];
  /** The consequence of the fault, as one sentence. */
  readonly says: string;
}

/** Returns the file with the fault in it. Throws if the rule has moved, so that the list stays up to date. */
export function plantFault({ where, find, put, says }: PlantedFault, text: string): string {
  const [before = '', after, ...more] = text.split(find);
  if (find === '' || find === put) throw new Error(`${where}: “${says}” changes nothing`);
  if (after === undefined) throw new Error(`${where}: the rule of “${says}” is gone; find where it is now`);
  if (more.length > 0) throw new Error(`${where}: the rule of “${says}” occurs ${more.length + 1} times`);
  return before + put + after;
}

/** Returns the faults whose module, file or sentence contains the words; all faults if there are no words. */
export const chooseFaults = (faults: readonly PlantedFault[], words: string): readonly PlantedFault[] =>
  faults.filter(({ module, where, says }) => `${module} ${where} ${says}`.toLowerCase().includes(words.toLowerCase()));

export type FaultLane = 'pure' | 'server' | 'faults';
/** The lane in which the project's runner finds a test file. */
export const laneOf = (file: string): FaultLane =>
  file.endsWith('.faults.test.ts') ? 'faults' : file.startsWith('apps/server/') ? 'server' : 'pure';

/** Returns one line per module: how many faults were planted and how many a test caught. */
export function faultTable(results: readonly { readonly module: string; readonly isCaught: boolean }[]): string[] {
  const modules = [...new Set(results.map(({ module }) => module))];
  const lineOf = (name: string, of: typeof results): string =>
    `${name.padEnd(14)} ${String(of.length).padStart(3)} planted ${String(of.filter(({ isCaught }) => isCaught).length).padStart(3)} caught`;
  return [
    ...modules.map((name) =>
      lineOf(
        name,
        results.filter(({ module }) => module === name),
      ),
    ),
    lineOf('all', results),
  ];
}
