import { createECDH, createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** A token is valid for at most 24 hours (RFC 8292). */
const VALID_MS = 12 * 3_600_000;
const RENEWED_AFTER_MS = 6 * 3_600_000;

/** Identifies this deployment to push services (VAPID, RFC 8292). */
export interface Vapid {
  /** An uncompressed point of P-256, base64url. Browsers bind their subscriptions to it. */
  readonly publicKey: string;
  /** The `Authorization` header for a push service. */
  authorizationFor(origin: string, now: Date): string;
}

/** Derives the key pair from the secret. A few values are no valid private key, and are derived again. */
function keyPairOf(secret: Buffer): { readonly privateKey: KeyObject; readonly publicKey: Buffer } {
  const pair = createECDH('prime256v1');
  for (let round = 0; ; round += 1) {
    try {
      pair.setPrivateKey(createHmac('sha256', secret).update(`sathorn vapid ${round}`).digest());
      break;
    } catch (error) {
      if (round > 8) throw error;
    }
  }
  const point = pair.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    // Padded to its full length with leading zeros, as JWK requires.
    d: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return { privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), publicKey: point };
}

const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** `contact` is where a push service reaches the operator: a `mailto:` or `https:` address. */
export function openVapid(secret: Buffer, contact: string): Vapid {
  const { privateKey, publicKey: point } = keyPairOf(secret);
  const publicKey = point.toString('base64url');
  const tokens = new Map<string, { readonly token: string; readonly madeAt: number }>();

  const tokenFor = (origin: string, now: number): string => {
    const known = tokens.get(origin);
    if (known && Math.abs(now - known.madeAt) < RENEWED_AFTER_MS) return known.token;
    const claims = { aud: origin, exp: Math.floor((now + VALID_MS) / 1_000), sub: contact };
    const signed = `${json({ typ: 'JWT', alg: 'ES256' })}.${json(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const token = `${signed}.${signature.toString('base64url')}`;
    tokens.set(origin, { token, madeAt: now });
    return token;
  };
  return {
    publicKey,
    authorizationFor: (origin, now) => `vapid t=${tokenFor(origin, now.getTime())}, k=${publicKey}`,
  };
}
