import { createECDH, createHash, createPrivateKey, hkdfSync, sign } from 'node:crypto';
import { type Assertion, challengeOfSafe, type Hex } from '@sathorn/treasury';
import type { PasskeyPoint } from './treasury-contracts.ts';

/** A passkey that the server itself holds. */
export interface DemoOwner {
  readonly point: PasskeyPoint;
  /** Answers as an authenticator does at this host. */
  assert(hash: Hex, host: string): Assertion;
}

const PRESENT_AND_VERIFIED = 5;
const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

/**
 * In a demo, operators are no real people: the server owns a key of the treasury for each, and signs with it in their
 * name. Whoever has the server's keys can do the same, and the console says so.
 */
export function demoOwnerOf(sessionKey: Buffer, workName: string): DemoOwner {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', sessionKey, '', `sathorn demo treasury ${workName}`, 32)));
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: ecdh.getPrivateKey('base64url'),
    x: x.toString('base64url'),
    y: y.toString('base64url'),
  };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return {
    point: { x: numberOf(x), y: numberOf(y) },
    assert(hash, host) {
      const said = {
        type: 'webauthn.get',
        challenge: challengeOfSafe(hash),
        origin: `https://${host}`,
        crossOrigin: false,
      };
      const clientData = Buffer.from(JSON.stringify(said));
      const counter = Buffer.alloc(4);
      const party = createHash('sha256').update(host).digest();
      const authenticatorData = Buffer.concat([party, Buffer.from([PRESENT_AND_VERIFIED]), counter]);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
      return { authenticatorData, clientData, signature: sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }) };
    },
  };
}

/** The demo's owners: everybody of these people who may sign a payment run. */
export const demoOwnersOf = (
  sessionKey: Buffer,
  people: readonly { readonly workName: string; readonly roles: readonly string[] }[],
): readonly { readonly workName: string; readonly point: PasskeyPoint }[] =>
  people
    .filter(({ roles }) => roles.includes('finance') || roles.includes('compliance'))
    .map(({ workName }) => ({ workName, point: demoOwnerOf(sessionKey, workName).point }));
