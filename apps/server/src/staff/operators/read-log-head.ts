import { readLogHead } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readHead } from './entry-store.ts';
import type { Room } from './room.ts';

export function readLogHeadHandler({ database }: Room): Handler {
  return handle(readLogHead, async () => {
    const { n, hash } = await readHead(database);
    return accept({ n: String(n), hash: hash.toString('hex') });
  });
}
