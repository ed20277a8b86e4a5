import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto';

const CURVE = 'prime256v1';
const TAG = 16;
/** Records are padded to a multiple of this, so that the length does not tell the push service which notice it is. */
const PADDED_TO = 512;
/** The body size that every push service must accept (RFC 8030), including its header of 86 bytes. */
const BODY_MAX = 4_096;

interface BrowserKeys {
  /** The browser's public key, 65 bytes. */
  readonly p256dh: Buffer;
  /** The secret that browser and server share, 16 bytes. */
  readonly auth: Buffer;
}

/** True if these bytes are a point of P-256 in uncompressed form. */
export function isPublicKey(bytes: Buffer): boolean {
  try {
    return bytes.length === 65 && bytes[0] === 4 && ECDH.convertKey(bytes, CURVE).length > 0;
  } catch {
    return false;
  }
}

const derive = (secret: Buffer, salt: Buffer, info: string | Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/**
 * Encrypts a push message for one browser: RFC 8291 within one record of RFC 8188 (`aes128gcm`). `fixed` is for test
 * vectors; otherwise salt and key are new for each message. Throws if the keys are invalid or the text is too long.
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: BrowserKeys,
  fixed?: { readonly salt: Buffer; readonly privateKey: Buffer; readonly paddedTo: number },
): Buffer {
  const own = createECDH(CURVE);
  if (fixed) own.setPrivateKey(fixed.privateKey);
  else own.generateKeys();
  const publicKey = own.getPublicKey();
  const salt = fixed?.salt ?? randomBytes(16);

  const shared = own.computeSecret(p256dh);
  const secret = derive(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]), 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);

  // The byte 2 ends the text of the last record; zeros follow.
  const paddedTo = fixed?.paddedTo ?? PADDED_TO;
  const padded = Buffer.alloc(Math.ceil((plain.length + 1) / paddedTo) * paddedTo);
  plain.copy(padded);
  padded[plain.length] = 2;

  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(BODY_MAX, 16);
  header[20] = publicKey.length;
  const cipher = createCipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG });
  const body = Buffer.concat([header, publicKey, cipher.update(padded), cipher.final(), cipher.getAuthTag()]);
  if (body.length > BODY_MAX) throw new Error(`a push message of ${plain.length} bytes is too long`);
  return body;
}
