/** What precedes the 32 bytes of an Ed25519 key in the SPKI form of RFC 8410, in hex. */
const SPKI_HEAD = '302a300506032b6570032100';
const PEM = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/;

function hexOfBase64(text: string): string | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Array.from(atob(text), (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/**
 * Reads an Ed25519 public key as tools write it: PEM, its base64 alone, or the 32 bytes in hex or base64. Returns the
 * bytes in hex, whether or not they are a point of the curve; null for anything else.
 */
export function readPublicKeyText(text: string): string | null {
  const [, inside] = PEM.exec(text.trim()) ?? [];
  const bare = (inside ?? text).replace(/\s+/g, '');
  if (inside === undefined && /^[0-9a-f]{64}$/i.test(bare)) return bare.toLowerCase();
  const hex = hexOfBase64(bare);
  if (hex?.length === 64 && inside === undefined) return hex;
  return hex?.length === SPKI_HEAD.length + 64 && hex.startsWith(SPKI_HEAD) ? hex.slice(SPKI_HEAD.length) : null;
}
