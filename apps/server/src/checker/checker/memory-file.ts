import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type Connection, nameOfDatabase } from '../../platform/database/index.ts';

/** A block: the key of its last row, its number of rows, and a digest over the digests of the rows. */
type KeptBlock = readonly [upto: string, rows: number, digest: string];
type KeptRow = readonly [key: string, digest: string, since: number];

export interface KeptTable {
  /** The columns and their order. If they change, the table is read from the start. */
  readonly shape: string;
  /** Remembered rows by partition. Earlier versions wrote the name `ways` into the file, so it stays. */
  readonly ways: Readonly<Record<string, { readonly blocks: readonly KeptBlock[]; readonly open: readonly KeptRow[] }>>;
}

interface KeptFinding {
  readonly invariant: string;
  readonly subject: string;
  readonly says: string;
  readonly at: string;
}

interface KeptHalt {
  readonly at: string;
  readonly reason: string;
}

/** The checker's memory between its starts. In the database, its owner could change it. */
export interface KeptMemory {
  readonly v: 1;
  readonly tables: Readonly<Record<string, KeptTable>>;
  readonly findings: readonly KeptFinding[];
  readonly halts: readonly KeptHalt[];
  /**
   * A restore writes this, because only a restore may go back in time: the row that it inserted into
   * `proofs.restoration`.
   */
  readonly restored?: { readonly transfers: string; readonly endsAt: string };
}

export const EMPTY_MEMORY: KeptMemory = { v: 1, tables: {}, findings: [], halts: [] };
const MEMORY_FOLDER = 'checker';

/** The file's name includes the database, because one data folder may be used with several. */
export const memoryFileOf = (dataDir: string, connection: Pick<Connection, 'host' | 'port' | 'database'>): string =>
  path.join(dataDir, MEMORY_FOLDER, `${nameOfDatabase(connection).replaceAll(/[^\w.-]+/g, '_')}.json`);

/** Null if there is no file yet. Throws if it is damaged. */
export function readMemoryFile(file: string): KeptMemory | null {
  if (!existsSync(file)) return null;
  let kept: KeptMemory | null = null;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as KeptMemory;
  } catch {
    // The error below explains it.
  }
  if (kept?.v !== 1)
    throw new Error(
      `${file} is damaged: put it back from a backup, or move it away to begin anew from today's database`,
    );
  return kept;
}

/** Allows the checker to go back to the restored moment, once. Does nothing if there is no file yet. */
export function markMemoryRestored(file: string, restored: NonNullable<KeptMemory['restored']>): void {
  const kept = readMemoryFile(file);
  if (kept !== null) writeMemoryFile(file, { ...kept, restored });
}

export function writeMemoryFile(file: string, memory: KeptMemory): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  const handle = openSync(beside, 'w', 0o600);
  try {
    writeFileSync(handle, `${JSON.stringify(memory)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, file);
}
