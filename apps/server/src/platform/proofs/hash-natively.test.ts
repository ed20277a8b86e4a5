import { portableSha256, sha256, toHex } from '@sathorn/proof';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nativeSha256 } from './hash-natively.ts';

it('hashes as the browser does, whatever the parts', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }), (parts) => {
      const expected = toHex(portableSha256(parts));
      expect(toHex(nativeSha256(parts))).toBe(expected);
      expect(toHex(sha256(...parts))).toBe(expected);
    }),
  );
});
