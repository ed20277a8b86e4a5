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

/** A block: the key of its last row, its rows, and the digest over the digests of them. */
type KeptBlock = readonly [upto: string, rows: number, digest: string];
type KeptRow = readonly [key: string, digest: string, since: number];

export interface KeptTable {
  /** The columns and their order; with another one the table is read anew. */
  readonly shape: string;
  /** Remembered rows by partition. Earlier versions wrote the name `ways` into the file, so it stays. */
  readonly ways: Readonly<Record<string, { readonly blocks: readonly KeptBlock[]; readonly open: readonly KeptRow[] }>>;
}

export interface KeptFinding {
  readonly invariant: string;
  readonly subject: string;
  readonly says: string;
  readonly at: string;
}

export interface KeptHalt {
  readonly at: string;
  readonly reason: string;
}

/**
 * What the checker remembers between its starts. It is a file, because whoever owns the database could change it there.
 */
export interface KeptMemory {
  readonly v: 1;
  readonly tables: Readonly<Record<string, KeptTable>>;
  readonly findings: readonly KeptFinding[];
  readonly halts: readonly KeptHalt[];
  /** Written by a restore, which alone may go back in time: the row that it made in `proofs.restoration`. */
  readonly restored?: { readonly transfers: string; readonly endsAt: string };
}

export const NO_MEMORY: KeptMemory = { v: 1, tables: {}, findings: [], halts: [] };
export const MEMORY_FOLDER = 'checker';

/** A data folder may be used with several databases. */
export const memoryFile = (dataDir: string, connection: Pick<Connection, 'host' | 'port' | 'database'>): string =>
  path.join(dataDir, MEMORY_FOLDER, `${nameOfDatabase(connection).replaceAll(/[^\w.-]+/g, '_')}.json`);

/** Null if there is none yet. Throws if it is damaged. */
export function readMemory(file: string): KeptMemory | null {
  if (!existsSync(file)) return null;
  let kept: KeptMemory | null = null;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as KeptMemory;
  } catch {
    // Worded below.
  }
  if (kept?.v !== 1)
    throw new Error(
      `${file} is damaged: put it back from a backup, or move it away to begin anew from today's database`,
    );
  return kept;
}

/** After a restore: lets the checker go back to that moment, once. Nothing to do where there was no memory yet. */
export function markRestored(file: string, restored: NonNullable<KeptMemory['restored']>): void {
  const kept = readMemory(file);
  if (kept !== null) writeMemory(file, { ...kept, restored });
}

export function writeMemory(file: string, memory: KeptMemory): void {
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
