import { type Hex, type OwnerSignature, selectorOf, sizedBytes, word } from '@sathorn/treasury';
import { type Rpc, RpcRefusal } from '../chain/index.ts';

/** The call of EIP-1271, and its answer to a valid signature. */
const IS_VALID = selectorOf('isValidSignature(bytes32,bytes)');

/** True if the owner's contract on the chain confirms the signature under this hash. */
export async function isOwnerSignatureValid(
  rpc: Rpc,
  { owner, signature }: OwnerSignature,
  hash: Hex,
): Promise<boolean> {
  const data = `0x${IS_VALID}${hash.slice(2)}${word(64)}${sizedBytes(signature.slice(2))}`;
  try {
    const said = await rpc.call<string>('eth_call', [{ to: owner, data }, 'latest']);
    return said.slice(2, 10) === IS_VALID;
  } catch (error) {
    if (error instanceof RpcRefusal) return false;
    throw error;
  }
}
