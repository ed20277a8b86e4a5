import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { KeyedHash } from './keyed-hash.ts';

/** Encrypts ledger positions as ids, which do not reveal how many there are. A position always has the same id. */
export interface OpaqueIds {
  seal(sequence: bigint): string;
  /** Null for an id that was not made with this key. */
  open(text: string): bigint | null;
}

const BLOCK_BYTES = 16;

/** One AES block: eight zero bytes, which expose forged ids, and the number. */
export function openOpaqueIds(keyedHash: KeyedHash): OpaqueIds {
  const key = keyedHash('opaque ids');
  return {
    seal: (sequence) => {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.writeBigUInt64BE(sequence, 8);
      const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
    },
    open: (text) => {
      const sealed = Buffer.from(text, 'base64url');
      if (sealed.length !== BLOCK_BYTES) return null;
      const cipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      const block = Buffer.concat([cipher.update(sealed), cipher.final()]);
      return block.readBigUInt64BE(0) === 0n ? block.readBigUInt64BE(8) : null;
    },
  };
}
