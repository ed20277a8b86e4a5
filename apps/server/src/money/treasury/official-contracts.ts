import { keccak, MULTI_SEND_CALL_ONLY, ZERO_ADDRESS } from '@sathorn/treasury';
import { type ChainConfig, openRpc, type Rpc } from '../chain/index.ts';
import { readSafe } from './read-safe.ts';
import { LOCAL_CONTRACTS, type TreasuryContracts } from './treasury-contracts.ts';

/** A contract whose code is compared at every start. */
interface OfficialContract {
  readonly address: string;
  /** Keccak-256 of the code on the chain, as the authors publish it. */
  readonly codeHash: string;
}

/** The deployments of Safe 1.5.0, at the same addresses on every network (safe-deployments of its authors). */
export const OFFICIAL_SAFE: Readonly<Record<'safe' | 'multiSendCallOnly', OfficialContract>> = {
  safe: {
    address: '0xff51a5898e281db6dfc7855790607438df2ca44b',
    codeHash: '0xdda019cbd7c867a533a2a86e5c53434fdc50b13122b5a5ddb4a8df61b31c20f2',
  },
  multiSendCallOnly: {
    address: MULTI_SEND_CALL_ONLY,
    codeHash: '0xcdbdcec38d2f1c7d961b0029ff8416b7e86e9974d6f0e9c9580c7d17fcfb6663',
  },
};
/** With the passkey signers 0.2.1 (safe-modules-deployments), from which the addresses of owners follow. */
const OFFICIAL_CONTRACTS: TreasuryContracts = {
  safe: OFFICIAL_SAFE.safe.address,
  'safe-proxy-factory': '0x14f2982d601c9458f93bd70b218933a6f8165e7b',
  'multi-send-call-only': OFFICIAL_SAFE.multiSendCallOnly.address,
  'compatibility-fallback-handler': '0x3efcbb83a4a7afcb4f68d501e2c2203a38be77f4',
  'safe-webauthn-signer-factory': '0x1d31f259ee307358a26dfb23eb365939e8641195',
  'fcl-p256-verifier': '0xa86e0054c51e4894d88762a017ecc5e5235f5dba',
};

/** The contracts of which a treasury is made on a chain. */
export const treasuryContractsOf = ({ isLocal }: Pick<ChainConfig, 'isLocal'>): TreasuryContracts =>
  isLocal ? LOCAL_CONTRACTS : OFFICIAL_CONTRACTS;

async function assertCode(rpc: Rpc, name: string, { address, codeHash }: OfficialContract): Promise<void> {
  const code = await rpc.call<string>('eth_getCode', [address, 'latest']);
  if (code.length > 2 && `0x${keccak(code.slice(2))}` === codeHash) return;
  throw new Error(`${name} at ${address} is not the code that its authors published: the treasury is not opened`);
}

/**
 * Throws unless the address holds a Safe of the official code that is a sound treasury: two of at least three owners,
 * and nothing that acts beside them. Every node is asked.
 */
export async function assertOfficialSafe(
  rpcUrls: readonly string[],
  safe: string,
  official: typeof OFFICIAL_SAFE = OFFICIAL_SAFE,
): Promise<void> {
  for (const url of new Set(rpcUrls)) {
    const rpc = openRpc(url);
    await assertCode(rpc, 'MultiSendCallOnly', official.multiSendCallOnly);
    await assertCode(rpc, 'Safe', official.safe);
    // A Safe keeps the address of its code in its first slot.
    const slot = await rpc.call<string>('eth_getStorageAt', [safe, '0x0', 'latest']);
    if (`0x${slot.slice(-40)}`.toLowerCase() !== official.safe.address)
      throw new Error(`${safe} is not a Safe 1.5.0: the treasury is not opened`);
    const { owners, threshold, modules, guard } = await readSafe(rpc, safe);
    if (owners.length < 3 || threshold < 2 || threshold >= owners.length)
      throw new Error(
        `${safe} needs ${threshold} of ${owners.length} owners; a treasury needs two or more of at least three, and not all`,
      );
    if (modules.length > 0 || (guard ?? ZERO_ADDRESS) !== ZERO_ADDRESS)
      throw new Error(
        `${safe} has a module or a guard, which could act without its owners: the treasury is not opened`,
      );
  }
}
