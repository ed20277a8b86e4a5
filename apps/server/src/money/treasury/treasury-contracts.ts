import { readFileSync } from 'node:fs';
import { addressWord, keccak, selectorOf, sizedBytes, word } from '@sathorn/treasury';
import { hexQuantityOf, type Rpc } from '../chain/index.ts';

/** The contracts, in the order in which they are deployed. Each file names its package, version, licence and hash. */
const CONTRACTS = [
  'safe',
  'safe-proxy-factory',
  'multi-send-call-only',
  'compatibility-fallback-handler',
  'safe-webauthn-signer-factory',
  'fcl-p256-verifier',
] as const;
type Contract = (typeof CONTRACTS)[number];

interface ContractFile {
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** SHA-256 of the bytecode. */
  readonly sha256: string;
  readonly bytecode: string;
}

export const readContractFile = (name: Contract): ContractFile =>
  JSON.parse(readFileSync(new URL(`./contracts/${name}.json`, import.meta.url), 'utf8')) as ContractFile;

export type TreasuryContracts = Readonly<Record<Contract, string>>;

/** A point of P-256, the public key of a passkey. */
export interface PasskeyPoint {
  readonly x: bigint;
  readonly y: bigint;
}

/** Precompiled contract of EIP-7951, which verifies P-256. */
const PRECOMPILE = 0x100n;
const CREATE_SIGNER = selectorOf('createSigner(uint256,uint256,uint176)');
const GET_SIGNER = selectorOf('getSigner(uint256,uint256,uint176)');
const CREATE_PROXY = selectorOf('createProxyWithNonce(address,bytes,uint256)');
const CREATION_CODE = selectorOf('proxyCreationCode()');
const SETUP = selectorOf('setup(address[],uint256,address,bytes,address,address,uint256,address)');

/** The contracts from which the address of a passkey's owner follows. */
export type SignerContracts = Pick<TreasuryContracts, 'safe-webauthn-signer-factory' | 'fcl-p256-verifier'>;

/** The precompiled contract is asked first, and the deployed one on a chain that lacks it. */
const verifiersOf = (contracts: SignerContracts): bigint =>
  (PRECOMPILE << 160n) | BigInt(contracts['fcl-p256-verifier']);

/** Calls for the owners of a treasury. */
export const createSignerData = (contracts: SignerContracts, { x, y }: PasskeyPoint): string =>
  `0x${CREATE_SIGNER}${word(x)}${word(y)}${word(verifiersOf(contracts))}`;

/** The address of the contract that signs for a passkey; it is the same before and after that contract is created. */
export async function signerAddressOf(rpc: Rpc, contracts: SignerContracts, { x, y }: PasskeyPoint): Promise<string> {
  const data = `0x${GET_SIGNER}${word(x)}${word(y)}${word(verifiersOf(contracts))}`;
  const answer = await rpc.call<string>('eth_call', [
    { to: contracts['safe-webauthn-signer-factory'], data },
    'latest',
  ]);
  return `0x${answer.slice(-40)}`;
}

export interface SafeCreation {
  readonly owners: readonly string[];
  readonly threshold: number;
  /** Tells apart Safes of the same owners. */
  readonly salt: bigint;
}

function setupData(contracts: TreasuryContracts, { owners, threshold }: SafeCreation): string {
  const zero = word(0);
  const ownersAt = 8 * 32;
  const dataAt = ownersAt + 32 + owners.length * 32;
  const handler = addressWord(contracts['compatibility-fallback-handler']);
  const fixed = word(ownersAt) + word(threshold) + zero + word(dataAt) + handler + zero.repeat(3);
  return SETUP + fixed + word(owners.length) + owners.map(addressWord).join('') + zero;
}

/** The call that creates a Safe. */
export function createSafeData(contracts: TreasuryContracts, creation: SafeCreation): string {
  const setup = sizedBytes(setupData(contracts, creation));
  return `0x${CREATE_PROXY}${addressWord(contracts.safe)}${word(96)}${word(creation.salt)}${setup}`;
}

/** The address of a Safe before it is created (CREATE2, as the proxy factory computes it). */
export async function safeAddressOf(rpc: Rpc, contracts: TreasuryContracts, creation: SafeCreation): Promise<string> {
  const factory = contracts['safe-proxy-factory'];
  const answer = await rpc.call<string>('eth_call', [{ to: factory, data: `0x${CREATION_CODE}` }, 'latest']);
  const length = Number(BigInt(`0x${answer.slice(66, 130)}`)) * 2;
  const code = answer.slice(130, 130 + length) + addressWord(contracts.safe);
  const salt = keccak(keccak(setupData(contracts, creation)) + word(creation.salt));
  return `0x${keccak(`ff${factory.slice(2)}${salt}${keccak(code)}`).slice(-40)}`;
}

const GAS = hexQuantityOf(6_000_000);
/** An address without a key; the local node signs for it. So all local chains have the contracts at the same places. */
const DEPLOYER = '0x7ea50a7000000000000000000000000000000001';

/** The address of what the deployer creates with this nonce (below 128). */
function deployedAddress(nonce: number): string {
  const text = nonce === 0 ? '80' : nonce.toString(16).padStart(2, '0');
  return `0x${keccak(`d694${DEPLOYER.slice(2)}${text}`).slice(-40)}`;
}

export const LOCAL_CONTRACTS = Object.fromEntries(
  CONTRACTS.map((name, nonce) => [name, deployedAddress(nonce)]),
) as TreasuryContracts;

export interface LocalTreasury {
  readonly contracts: TreasuryContracts;
  readonly safe: string;
  /** In the order of the points. */
  readonly owners: readonly string[];
}

/**
 * Deploys on a local chain what is missing: the contracts, and a Safe that two of these passkeys open. Idempotent, and
 * mines at most two blocks.
 */
export async function prepareLocalTreasury(rpc: Rpc, points: readonly PasskeyPoint[]): Promise<LocalTreasury> {
  const contracts = LOCAL_CONTRACTS;
  const isThere = async (address: string): Promise<boolean> =>
    (await rpc.call<string>('eth_getCode', [address, 'latest'])).length > 2;
  /** Sends all transactions and mines one block. */
  const mined = async (calls: readonly { readonly to?: string; readonly data: string }[]): Promise<void> => {
    if (calls.length === 0) return;
    await rpc.call('anvil_impersonateAccount', [DEPLOYER]);
    await rpc.call('anvil_setBalance', [DEPLOYER, hexQuantityOf(10n ** 20n)]);
    const hashes: string[] = [];
    for (const call of calls)
      hashes.push(await rpc.call<string>('eth_sendTransaction', [{ from: DEPLOYER, gas: GAS, ...call }]));
    await rpc.call('evm_mine', []);
    for (const hash of hashes) {
      const receipt = await rpc.call<{ status: string } | null>('eth_getTransactionReceipt', [hash]);
      if (receipt?.status !== '0x1') throw new Error('the local chain refused a contract of the treasury');
    }
  };
  // A node that died in between may have only the first of them.
  const sent = Number(await rpc.call<string>('eth_getTransactionCount', [DEPLOYER, 'latest']));
  await mined(CONTRACTS.slice(sent).map((name) => ({ data: readContractFile(name).bytecode })));
  const owners = await Promise.all(points.map((point) => signerAddressOf(rpc, contracts, point)));
  const creation: SafeCreation = { owners, threshold: 2, salt: 1n };
  const safe = await safeAddressOf(rpc, contracts, creation);
  const missing: { readonly to: string; readonly data: string }[] = [];
  for (const [place, point] of points.entries())
    if (!(await isThere(owners[place] ?? '')))
      missing.push({ to: contracts['safe-webauthn-signer-factory'], data: createSignerData(contracts, point) });
  if (!(await isThere(safe)))
    missing.push({ to: contracts['safe-proxy-factory'], data: createSafeData(contracts, creation) });
  await mined(missing);
  return { contracts, owners, safe };
}

/** Creates on a local chain the contract that signs for a passkey, if it is missing. */
export async function createLocalSigner(rpc: Rpc, point: PasskeyPoint): Promise<void> {
  const address = await signerAddressOf(rpc, LOCAL_CONTRACTS, point);
  if ((await rpc.call<string>('eth_getCode', [address, 'latest'])).length > 2) return;
  const call = { to: LOCAL_CONTRACTS['safe-webauthn-signer-factory'], data: createSignerData(LOCAL_CONTRACTS, point) };
  await rpc.call('anvil_impersonateAccount', [DEPLOYER]);
  await rpc.call('eth_sendTransaction', [{ from: DEPLOYER, gas: GAS, ...call }]);
}
