import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { HDKey } from '@scure/bip32';

/** Of receiving addresses, as wallets number them: m/44'/60'/0'/0/index below the account's public key. */
const RECEIVING = 0;

/** In lower case. */
export function deriveAddress(xpub: string, index: number): string {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(RECEIVING).deriveChild(index);
  if (publicKey === null) throw new Error('an extended key without a public key');
  const point = secp256k1.ProjectivePoint.fromHex(publicKey).toRawBytes(false).subarray(1);
  return `0x${Buffer.from(keccak_256(point)).subarray(-20).toString('hex')}`;
}
