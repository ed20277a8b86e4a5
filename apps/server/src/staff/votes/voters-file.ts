import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { VoterRegistration } from '@sathorn/proof';
import { type Connection, nameOfDatabase } from '../../platform/database/index.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** The keys that a reader of votes trusts from the start. None of them comes from the database. */
export interface PinnedVoters {
  /** Votes on approvals that were decided before this time have no signatures. */
  readonly since: string;
  /** True if keys of the demo count. */
  readonly isDemo: boolean;
  readonly voters: readonly VoterRegistration[];
}

type Kept = Readonly<Record<string, PinnedVoters>>;

/** The files of the signer and of the checker, which are outside the database. */
export const signerVotersFile = (dataDir: string): string => path.join(dataDir, 'signer', 'voters.json');
export const checkerVotersFile = (dataDir: string): string => path.join(dataDir, 'checker-voters.json');

function readAll(file: string): Kept {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : {};
}

/** Null until a key is pinned; no vote counts before that. */
export function readPinnedVoters(file: string, database: Connection): PinnedVoters | null {
  return readAll(file)[nameOfDatabase(database)] ?? null;
}

function write(file: string, database: Connection, pinned: PinnedVoters): void {
  makeFolder(path.dirname(file), 0o700);
  const beside = `${file}.${process.pid}`;
  const all = { ...readAll(file), [nameOfDatabase(database)]: pinned };
  writeFileSync(beside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}

/** Adds pinned keys. A key that is already in the file stays as it was first written. */
export function pinVoters(
  file: string,
  database: Connection,
  voters: readonly VoterRegistration[],
  { isDemo, now }: { readonly isDemo: boolean; readonly now: Date },
): void {
  const before = readPinnedVoters(file, database);
  const added = voters.filter(({ key }) => before?.voters.every((known) => known.key !== key) ?? true);
  if (before !== null && added.length === 0) return;
  write(file, database, {
    since: before?.since ?? now.toISOString(),
    isDemo: before?.isDemo ?? isDemo,
    voters: [...(before?.voters ?? []), ...added],
  });
}
