import { readTilePath } from '@sathorn/transparency';
import type { Queries } from '../../platform/database/index.ts';
import type { PublicFile } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { logCalls } from './calls.ts';
import { type Published, readLogFile, readPublished } from './log-store.ts';

export interface LogDependencies {
  /** For public reads, of which only so many run at a time. */
  readonly reads: Queries;
  readonly alarm: (error: Error) => void;
}

/** The newest checkpoint is read from the database at most once in this time, however many ask. */
const FRESH_MS = 1_000;

/** The public log as everybody reads it, in the files of C2SP `tlog-tiles`. */
export function openLog({ reads, alarm }: LogDependencies): Module<null> {
  let latest: { readonly published: Promise<Published | null>; readonly atMs: number } | null = null;
  const newest = (): Promise<Published | null> => {
    const nowMs = performance.now();
    if (latest === null || nowMs - latest.atMs > FRESH_MS) latest = { published: readPublished(reads), atMs: nowMs };
    return latest.published;
  };
  const textFile = (text: string): PublicFile => ({ bytes: Buffer.from(text), isImmutable: false });

  return {
    api: null,
    files: [
      {
        prefix: '/log/',
        async read(name) {
          // Each app asks for the policy first. A browser logs a 404 as an error, and to have no log is none.
          if (name === 'policy') return textFile((await newest())?.policy ?? '');
          if (name === 'checkpoint') {
            const published = await newest();
            return published && textFile(published.note);
          }
          const place = readTilePath(name);
          const bytes = place && (await readLogFile(reads, place));
          return bytes ? { bytes: Buffer.from(bytes), isImmutable: true } : null;
        },
      },
    ],
    handlers: logCalls(reads, alarm),
  };
}
