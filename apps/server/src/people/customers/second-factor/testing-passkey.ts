import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** A CBOR head: the major type with a length or number below 2^16. */
function head(kind: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(kind << 5) | n]);
  if (n < 256) return Buffer.from([(kind << 5) | 24, n]);
  return Buffer.from([(kind << 5) | 25, n >> 8, n & 255]);
}
const cborBytes = (data: Buffer): Buffer => Buffer.concat([head(2, data.length), data]);
const cborText = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const cborInt = (n: number): Buffer => (n >= 0 ? head(0, n) : head(1, -1 - n));
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

const PRESENT = 1;
const VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/** Acts as a phone with a passkey: one key pair, no screen. */
export function createTestPasskey({ origin = 'http://localhost', isVerified = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;

  const authData = (rpId: string, extra: Buffer = Buffer.alloc(0)): Buffer => {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (extra.length > 0 ? HAS_CREDENTIAL : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, extra]);
  };
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const answer = (response: Record<string, string>): string =>
    JSON.stringify({ id: url(id), rawId: url(id), type: 'public-key', clientExtensionResults: {}, response });

  return {
    id: url(id),
    /** The answer to a registration's options, in the browser's format. */
    register(options: string): string {
      const { challenge, rp } = JSON.parse(options) as { challenge: string; rp: { id: string } };
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const key = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ]);
      const data = authData(rp.id, Buffer.concat([Buffer.alloc(16), length, id, key]));
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ]);
      return answer({
        clientDataJSON: url(clientData('webauthn.create', challenge)),
        attestationObject: url(attestation),
      });
    },
    /** The answer to the options of a sign-in or an operation. */
    sign(options: string): string {
      const { challenge, rpId } = JSON.parse(options) as { challenge: string; rpId: string };
      const data = authData(rpId);
      const client = clientData('webauthn.get', challenge);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return answer({ clientDataJSON: url(client), authenticatorData: url(data), signature: url(signature) });
    },
  };
}
