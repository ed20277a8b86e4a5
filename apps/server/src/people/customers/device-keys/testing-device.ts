import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import { orderedFields } from '@sathorn/api';
import { bytesOfOrdered, bytesToCommit, type Ordered, writeOrdered } from '@sathorn/proof';

type Signing = Pick<Ordered, 'call' | 'intent'> & { readonly fields: Readonly<Record<string, string>> };

/** Acts as a phone or browser with a key of its own. */
export function createTestDevice() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const id = hash('sha256', point, 'hex').slice(0, 32);

  return {
    id,
    publicKey: point.toString('hex'),
    /** The header `Ordered` for a call. `over` changes what is signed. */
    order(
      { call, intent, fields }: Signing,
      { isHidden = false, ...over }: Partial<Ordered> & { isHidden?: boolean } = {},
    ) {
      const shown = orderedFields(fields);
      const salt = randomBytes(16).toString('hex');
      const signed = isHidden ? hash('sha256', bytesToCommit(salt, shown), 'hex') : shown;
      const body = writeOrdered({ key: id, call, intent, fields: signed, atMs: 1_764_000_000_000, ...over });
      const signature = sign('sha256', bytesOfOrdered(body), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return [Buffer.from(body).toString('base64url'), signature.toString('hex'), ...(isHidden ? [salt] : [])].join(
        '.',
      );
    },
  };
}
