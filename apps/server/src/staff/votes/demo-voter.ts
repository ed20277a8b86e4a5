import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import { bytesToSign, canonicalText, type VoterRegistration } from '@sathorn/proof';

/** The PKCS #8 header that precedes the seed of an Ed25519 key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_BYTES = 32;

const keyOf = (sessionKey: Buffer, operator: bigint) =>
  createPrivateKey({
    key: Buffer.concat([
      PKCS8_PREFIX,
      Buffer.from(hkdfSync('sha256', sessionKey, '', `sathorn demo vote ${operator}`, 32)),
    ]),
    format: 'der',
    type: 'pkcs8',
  });

/** In a demo, operators are no real people: the server votes for them with its own keys, and each such vote says so. */
export function demoVoterOf(sessionKey: Buffer, operator: bigint, roles: readonly string[]): VoterRegistration {
  const der = createPublicKey(keyOf(sessionKey, operator)).export({ format: 'der', type: 'spki' });
  return {
    key: der.subarray(-PUBLIC_BYTES).toString('hex'),
    kind: 'demo',
    operator: String(operator),
    party: '',
    roles,
  };
}

export function signAsDemoVoter(sessionKey: Buffer, operator: bigint, body: string): string {
  const bytes = bytesToSign(body);
  if (bytes === undefined) throw new TypeError('only a canonical body with a type is signed');
  return canonicalText({ signature: sign(null, bytes, keyOf(sessionKey, operator)).toString('hex') });
}
