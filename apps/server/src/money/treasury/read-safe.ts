import {
  addressWord,
  type Hex,
  type OwnerSignature,
  SENTINEL,
  selectorOf,
  sizedBytes,
  word,
  ZERO_ADDRESS,
} from '@sathorn/treasury';
import { hexQuantityOf, type Rpc, RpcRefusal } from '../chain/index.ts';

/** What the chain says of a Safe at one block. Addresses are in lower case. */
export interface SafeFacts {
  readonly version: string;
  readonly owners: readonly string[];
  readonly threshold: number;
  readonly nonce: bigint;
  /** Contracts that may act without any owner; there should be none. */
  readonly modules: readonly string[];
  /** A contract that may refuse what the owners signed; null if there is none, as it should be. */
  readonly guard: string | null;
}

/** keccak256("guard_manager.guard.address"), where a Safe keeps its guard. */
const GUARD_SLOT = '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8';
const MODULES_MAX = 10;

const callOf = (signature: string, words = ''): string => `0x${selectorOf(signature)}${words}`;
const wordAt = (answer: string, place: number): string => answer.slice(2 + place * 64, 2 + (place + 1) * 64);
const countAt = (answer: string, place: number): number => Number(BigInt(`0x${wordAt(answer, place)}`));
/** Reads a list of addresses whose offset is the first word. */
function addressesOf(answer: string): string[] {
  const start = countAt(answer, 0) / 32;
  return Array.from({ length: countAt(answer, start) }, (_, n) => `0x${wordAt(answer, start + 1 + n).slice(24)}`);
}
const textOf = (answer: string): string =>
  Buffer.from(answer.slice(2 + 2 * 64), 'hex')
    .subarray(0, countAt(answer, 1))
    .toString('utf8');

/** Throws if there is no Safe at the address. */
export async function readSafe(rpc: Rpc, safe: string, height?: number): Promise<SafeFacts> {
  const at = height === undefined ? 'latest' : hexQuantityOf(height);
  const calls = [
    callOf('VERSION()'),
    callOf('getOwners()'),
    callOf('getThreshold()'),
    callOf('nonce()'),
    callOf('getModulesPaginated(address,uint256)', addressWord(SENTINEL) + word(MODULES_MAX)),
  ];
  const [version, owners, threshold, nonce, modules, guard] = await rpc.batch<string>([
    ...calls.map((data): [string, unknown[]] => ['eth_call', [{ to: safe, data }, at]]),
    ['eth_getStorageAt', [safe, GUARD_SLOT, at]],
  ]);
  if (!version || version === '0x' || !owners || !threshold || !nonce || !modules || !guard)
    throw new Error(`there is no Safe at ${safe}`);
  const guarding = `0x${guard.slice(-40)}`.toLowerCase();
  return {
    version: textOf(version),
    owners: addressesOf(owners),
    threshold: Number(BigInt(threshold)),
    nonce: BigInt(nonce),
    modules: addressesOf(modules),
    guard: guarding === ZERO_ADDRESS ? null : guarding,
  };
}

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
