/** Reads a public log from a server that nobody need trust: what does not lead to an accepted root is refused. */
import { type Bytes, leafHash, rootFromPath } from '@sathorn/proof';
import {
  type Checkpoint,
  type CheckpointVerdict,
  consistencyFromTiles,
  inclusionFromTiles,
  isSameRoot,
  judgeCheckpoint,
  type ReadTile,
  readCheckpoint,
  readEntryBundle,
  readNote,
  TILE_WIDTH,
  TileMissing,
  tilePath,
  type WitnessPolicy,
  widthOf,
  writeTile,
} from '@sathorn/transparency';
import { fetchPatiently } from '../verify/public-chain.ts';

/** Reads a file below `/log/`; null if it is not there. Throws if the server can't be reached. */
export type ReadLogFile = (name: string) => Promise<Uint8Array<ArrayBuffer> | null>;

export function openLogFiles(server: string): ReadLogFile {
  return async (name) => {
    const answer = await fetchPatiently(`${server}/log/${name}`);
    if (answer.status === 404 || answer.status === 204) return null;
    if (!answer.ok) throw new Error(`/log/${name} answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
}

/** Reads each tile of hashes once; they never change. */
export function tilesOf(read: ReadLogFile): ReadTile {
  const known = new Map<string, Promise<Uint8Array | undefined>>();
  return (place) => {
    const name = tilePath(place);
    const asked = known.get(name) ?? read(name).then((bytes) => bytes ?? undefined);
    if (place.level !== 'entries') known.set(name, asked);
    return asked;
  };
}

/** Judges a served checkpoint, with a proof made of the log's tiles that it begins with the accepted one before. */
export async function judgeServed(
  note: Uint8Array,
  policy: WitnessPolicy,
  previous: Checkpoint | null,
  tile: ReadTile,
): Promise<CheckpointVerdict> {
  const read = readNote(note);
  const size = typeof read === 'string' ? 0 : (readCheckpoint(read.text)?.size ?? 0);
  const isLarger = previous !== null && previous.size > 0 && size > previous.size;
  const proof = isLarger ? await consistencyOrNone(previous.size, size, tile) : null;
  return judgeCheckpoint({ note, policy, previous, proof });
}

/** Tiles that are missing prove nothing, and the checkpoint is refused for that. */
async function consistencyOrNone(before: number, size: number, tile: ReadTile): Promise<readonly Bytes[] | null> {
  try {
    return await consistencyFromTiles(before, size, tile);
  } catch (error) {
    if (error instanceof TileMissing) return null;
    throw error;
  }
}

/**
 * Reads bundle `index` of the entries; null if it is missing or does not lead to the checkpoint's root. Its own hashes
 * stand for the log's tile, so the way from its first entry to the root covers each of them.
 */
export async function readBundle(
  index: number,
  { size, root }: Checkpoint,
  tile: ReadTile,
): Promise<readonly Bytes[] | null> {
  const width = widthOf(0, index, size);
  const bundle =
    (await tile({ level: 'entries', index, width })) ?? (await tile({ level: 'entries', index, width: TILE_WIDTH }));
  const entries = (bundle && readEntryBundle(bundle))?.slice(0, width);
  const leaves = entries?.map(leafHash);
  if (entries?.length !== width || leaves?.[0] === undefined) return null;
  const own = writeTile(leaves);
  const first = index * TILE_WIDTH;
  try {
    const path = await inclusionFromTiles(first, size, async (place) =>
      place.level === 0 && place.index === index ? own : tile(place),
    );
    const reached = rootFromPath(leaves[0], first, size, path);
    return reached !== undefined && isSameRoot(reached, root) ? entries : null;
  } catch (error) {
    if (error instanceof TileMissing) return null;
    throw error;
  }
}
