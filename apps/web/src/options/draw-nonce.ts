/** 24 random bytes, in base64url: whoever signs the terms can't have signed them before this was drawn. */
export function drawNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
