import { readLoggedHeads, reportCheckpoint } from '@sathorn/api';
import { inclusionPath, toHex } from '@sathorn/proof';
import { accept } from '@sathorn/settlement';
import {
  isSameRoot,
  readCheckpoint,
  readNote,
  readTilePath,
  readWitnessPolicy,
  rootFromTiles,
  verifyNote,
} from '@sathorn/transparency';
import type { Queries } from '../../platform/database/index.ts';
import { allowOnAnyClock, handle, type PublicFile, type PublicFiles } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import {
  type Published,
  readAccountLeaves,
  readLogFile,
  readLoggedHeadsOf,
  readLogSize,
  readPublished,
  tilesOf,
} from './log-store.ts';

export interface PublicLogDependencies {
  /** For public reads, of which only so many run at a time. */
  readonly reads: Queries;
  readonly alarm: (error: Error) => void;
}

/** A checkpoint is read from the database at most once in this time, whoever asks. */
const FRESH_MS = 1_000;

/** The public log as everybody reads it, in the files of C2SP `tlog-tiles`. */
export function openPublicLog({ reads, alarm }: PublicLogDependencies): Module<null> {
  let published: { readonly asked: Promise<Published | null>; readonly atMs: number } | null = null;
  const newest = (): Promise<Published | null> => {
    const nowMs = performance.now();
    if (published === null || nowMs - published.atMs > FRESH_MS)
      published = { asked: readPublished(reads), atMs: nowMs };
    return published.asked;
  };
  const textOf = (text: string | undefined): PublicFile | null =>
    text === undefined ? null : { bytes: Buffer.from(text), isImmutable: false };

  const files: PublicFiles = {
    prefix: '/log/',
    async read(name) {
      if (name === 'checkpoint') return textOf((await newest())?.note);
      if (name === 'policy') return textOf((await newest())?.policy);
      const place = readTilePath(name);
      const bytes = place && (await readLogFile(reads, place));
      return bytes ? { bytes: Buffer.from(bytes), isImmutable: true } : null;
    },
  };

  /** Null if the platform never signed it; else whether its history begins with it. */
  async function isInHistory(text: string): Promise<boolean | null> {
    const now = await newest();
    const policy = now && readWitnessPolicy(now.policy);
    const note = readNote(text);
    const checkpoint = typeof note === 'string' ? undefined : readCheckpoint(note.text);
    if (!policy || 'fault' in policy || typeof note === 'string' || checkpoint === undefined) return null;
    const keys = policy.logs.map(({ key }) => key).filter(({ name }) => name === checkpoint.origin);
    if (typeof (await verifyNote(note, keys)) === 'string') return null;
    const size = await readLogSize(reads);
    if (checkpoint.size > size) return false;
    return isSameRoot(checkpoint.root, await rootFromTiles(checkpoint.size, tilesOf(reads), size));
  }

  return {
    api: null,
    files: [files],
    handlers: allowOnAnyClock(
      handle(reportCheckpoint, async ({ request: { note } }) => {
        const found = await isInHistory(note);
        if (found === false) alarm(new Error(`the public log has two histories: a customer's app has\n${note}`));
        return accept({ is_in_history: found });
      }),
      handle(readLoggedHeads, async ({ customer }) => {
        const heads = await readLoggedHeadsOf(reads, customer.id);
        const leaves = new Map<bigint, Promise<readonly Uint8Array[]>>();
        for (const { entry } of heads) leaves.set(entry, leaves.get(entry) ?? readAccountLeaves(reads, entry));
        return accept(
          await Promise.all(
            heads.map(async ({ account, asset, n, entry, position }) => ({
              account,
              asset,
              n: String(n),
              entry: String(entry),
              position: String(position),
              path: inclusionPath((await leaves.get(entry)) ?? [], position).map(toHex),
            })),
          ),
        );
      }),
    ),
  };
}
