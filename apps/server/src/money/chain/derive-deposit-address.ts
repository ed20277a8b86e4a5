import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { HDKey } from '@scure/bip32';

/** The chain of receiving addresses in BIP-44: m/44'/60'/0'/0/index, below the account's public key. */
const RECEIVING = 0;

/** Returns the address in lower case. */
export function deriveDepositAddress(xpub: string, index: number): string {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(RECEIVING).deriveChild(index);
  if (publicKey === null) throw new Error('an extended key without a public key');
  const point = secp256k1.ProjectivePoint.fromHex(publicKey).toRawBytes(false).subarray(1);
  return `0x${Buffer.from(keccak_256(point)).subarray(-20).toString('hex')}`;
}
