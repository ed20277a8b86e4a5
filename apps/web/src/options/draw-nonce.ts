/** 24 random bytes, in base64url: so the terms can't have been signed before this was generated. */
export function drawNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
