import { readProofKeys } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { Database } from '../database/index.ts';
import { type Handler, handle } from '../edge/handle.ts';
import { readKeys } from './key-store.ts';

export function readProofKeysHandler(database: Database): Handler {
  return handle(readProofKeys, async () => {
    const keys = await readKeys(database);
    return accept({
      keys: keys.map(({ use, id, publicKeyHex, from, record }) => ({
        use,
        id,
        public_key: publicKeyHex,
        from: from.toISOString(),
        record,
      })),
    });
  });
}
