import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSealedId, sealedId } from './sealed-id.ts';
import { openSealer } from './sealing.ts';

describe('a sealed id', () => {
  const sealer = openSealer(randomBytes(32), 'test');

  it('is a new uuid each time, and belongs to exactly these words and this key', () => {
    const id = sealedId(sealer, 'quote', '1');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(sealedId(sealer, 'quote', '1')).not.toBe(id);
    expect(isSealedId(sealer, id, 'quote', '1')).toBe(true);
    for (const said of [['quote', '2'], ['quote'], ['quote', '1', '']])
      expect(isSealedId(sealer, id, ...said)).toBe(false);
    expect(isSealedId(openSealer(randomBytes(32), 'test'), id, 'quote', '1')).toBe(false);
    expect(isSealedId(sealer, randomUUID(), 'quote', '1')).toBe(false);
  });
});
