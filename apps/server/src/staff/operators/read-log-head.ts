import { readLogHead } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readHead } from './entry-store.ts';
import type { OperatorsModule } from './operators.ts';

export function readLogHeadHandler({ database }: OperatorsModule): Handler {
  return handle(readLogHead, async () => {
    const { n, hash } = await readHead(database);
    return accept({ n: String(n), hash: hash.toString('hex') });
  });
}
