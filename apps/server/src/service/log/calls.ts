import { readLoggedHeads, reportCheckpoint } from '@sathorn/api';
import { inclusionPath, toHex } from '@sathorn/proof';
import { accept } from '@sathorn/settlement';
import {
  isSameRoot,
  readCheckpoint,
  readNote,
  readWitnessPolicy,
  rootFromTiles,
  verifyNote,
} from '@sathorn/transparency';
import type { Queries } from '../../platform/database/index.ts';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import {
  readAccountLeaves,
  readEntryText,
  readLoggedHeadsOf,
  readLogSize,
  readPublished,
  tilesOf,
} from './log-store.ts';

/** Null if no key of the log signed it; else whether the log begins with its tree. */
async function isInHistory(queries: Queries, text: string): Promise<boolean | null> {
  const published = await readPublished(queries);
  const policy = published && readWitnessPolicy(published.policy);
  const note = readNote(text);
  const checkpoint = typeof note === 'string' ? undefined : readCheckpoint(note.text);
  if (!policy || 'fault' in policy || typeof note === 'string' || checkpoint === undefined) return null;
  const keys = policy.logs.map(({ key }) => key).filter(({ name }) => name === checkpoint.origin);
  if (typeof (await verifyNote(note, keys)) === 'string') return null;
  const size = await readLogSize(queries);
  if (checkpoint.size > size) return false;
  return isSameRoot(checkpoint.root, await rootFromTiles(checkpoint.size, tilesOf(queries), size));
}

export const logCalls = (reads: Queries, alarm: (error: Error) => void): Handler[] =>
  allowOnAnyClock(
    handle(reportCheckpoint, async ({ request: { note } }) => {
      const found = await isInHistory(reads, note);
      if (found === false) alarm(new Error(`the public log has two histories: a customer's app keeps\n${note}`));
      return accept({ is_in_history: found });
    }),
    handle(readLoggedHeads, async ({ customer }) => {
      const heads = await readLoggedHeadsOf(reads, customer.id);
      const entries = new Map<bigint, { readonly text: string; readonly leaves: readonly Uint8Array[] }>();
      for (const { entry } of heads)
        if (!entries.has(entry))
          entries.set(entry, {
            text: await readEntryText(reads, entry),
            leaves: await readAccountLeaves(reads, entry),
          });
      return accept(
        heads.map(({ account, asset, n, entry, position }) => {
          const { text = '', leaves = [] } = entries.get(entry) ?? {};
          return {
            account,
            asset,
            n: String(n),
            entry: String(entry),
            text,
            position: String(position),
            path: inclusionPath(leaves, position).map(toHex),
          };
        }),
      );
    }),
  );
