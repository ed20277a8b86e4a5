import type { ResultOf, readLoggedHeads } from '@sathorn/api';
import { fromHex, leafHash, rootFromPath, utf8Bytes } from '@sathorn/proof';
import { type Checkpoint, inclusionFromTiles, isSameRoot, type ReadTile, readLoggedEntry } from '@sathorn/transparency';
import type { WalkedAccount } from './follow-own-chain.ts';

type LoggedHead = ResultOf<typeof readLoggedHeads>[number];

export interface OwnHeadsCase {
  /** The heads to which this device has walked. */
  readonly walked: readonly WalkedAccount[];
  /** What the server says of the log. */
  readonly logged: readonly LoggedHead[];
  /** The checkpoint that this device accepted. */
  readonly checkpoint: Pick<Checkpoint, 'size' | 'root'>;
  readonly read: ReadTile;
}

/** True if the log begins with entries that include every head to which this device has walked. */
export async function areHeadsLogged({ walked, logged, checkpoint, read }: OwnHeadsCase): Promise<boolean> {
  for (const account of walked) {
    const head = logged.find(({ account: name, asset }) => name === account.name && asset === account.asset);
    if (head?.n !== account.n || !isInEntry(account.hash, head)) return false;
    if (!(await isInLog(head, checkpoint, read))) return false;
  }
  return true;
}

/** True if the entry's root covers the head. */
function isInEntry(hash: string, { text, position, path }: LoggedHead): boolean {
  const [count = '', rootHex = ''] = readLoggedEntry(text)?.heads?.accounts ?? [];
  const [leaf, root, ...beside] = [hash, rootHex, ...path].map((hex) => fromHex(hex, 32));
  if (leaf === undefined || root === undefined || !beside.every((each) => each !== undefined)) return false;
  const found = rootFromPath(leafHash(leaf), Number(position), Number(count), beside);
  return found !== undefined && isSameRoot(found, root);
}

async function isInLog(
  { text, entry }: LoggedHead,
  { size, root }: OwnHeadsCase['checkpoint'],
  read: ReadTile,
): Promise<boolean> {
  const index = Number(entry);
  if (!/^(0|[1-9][0-9]{0,15})$/.test(entry) || index >= size) return false;
  const path = await inclusionFromTiles(index, size, read).catch(() => undefined);
  const found = path && rootFromPath(leafHash(utf8Bytes(text)), index, size, path);
  return found !== undefined && isSameRoot(found, root);
}
