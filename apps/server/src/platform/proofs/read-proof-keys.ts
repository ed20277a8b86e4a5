import { readProofKeys } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { Queries } from '../database/index.ts';
import { type Handler, handle } from '../edge/handle.ts';
import { readKeys } from './key-store.ts';

const KEYS_ROWS = 10;

export function readProofKeysHandler(database: Queries): Handler {
  const read = async () => {
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
  };
  return handle(readProofKeys, read, { rowsOf: () => KEYS_ROWS });
}
