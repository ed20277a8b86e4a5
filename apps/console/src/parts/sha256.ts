/** Returns SHA-256 in hex. Over plain http, as in a trial, the console has no WebCrypto. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  const hash = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : await hashWithout(bytes);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function hashWithout(bytes: BufferSource): Promise<Uint8Array> {
  const { portableSha256 } = await import('@sathorn/proof');
  return portableSha256([
    bytes instanceof ArrayBuffer
      ? new Uint8Array(bytes)
      : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ]);
}
