import { readTreasurySetup } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { OWNERS_MIN, THRESHOLD_MIN } from '@sathorn/treasury';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { checksumAddressOf } from '../chain/index.ts';
import { treasuryContractsOf } from './official-contracts.ts';
import type { TreasuryModule } from './treasury.ts';
import { createSafeData, createSignerData, safeAddressOf, signerAddressOf } from './treasury-contracts.ts';

/** The transactions that make a treasury of the operators' passkeys. Anybody may send them, from any wallet. */
export function readTreasurySetupHandler({ database, chain, operators, coldOwners }: TreasuryModule): Handler {
  return handle(readTreasurySetup, async () => {
    if (chain === null) return refuse('chain_unavailable');
    const { config, readers } = chain;
    if (config.treasury !== null) return refuse('treasury_exists');
    const { rpc } = readers[0];
    const contracts = treasuryContractsOf(config);
    const isThere = async (address: string): Promise<boolean> =>
      (await rpc.call<string>('eth_getCode', [address, 'latest'])).length > 2;
    const people = await Promise.all(
      (await operators.listColleagues(database, ['finance', 'compliance'])).map(async ({ id, work_name }) => {
        const passkey = await operators.readP256Passkey(database, id);
        const address = passkey && (await signerAddressOf(rpc, contracts, passkey));
        return {
          operator: { id: String(id), work_name },
          address,
          is_there: address !== null && (await isThere(address)),
          create: passkey && {
            to: checksumAddressOf(contracts['safe-webauthn-signer-factory']),
            data: createSignerData(contracts, passkey),
          },
        };
      }),
    );
    const owners = [...people.flatMap(({ address }) => address ?? []), ...coldOwners];
    const creation = { owners, threshold: THRESHOLD_MIN, salt: 1n };
    const safe = owners.length < OWNERS_MIN ? null : await safeAddressOf(rpc, contracts, creation);
    return accept({
      chain: config.name,
      owners_min: OWNERS_MIN,
      threshold: THRESHOLD_MIN,
      people: people.map((one) => ({ ...one, address: one.address && checksumAddressOf(one.address) })),
      cold: coldOwners.map(checksumAddressOf),
      safe:
        safe === null
          ? null
          : {
              address: checksumAddressOf(safe),
              is_there: await isThere(safe),
              create: {
                to: checksumAddressOf(contracts['safe-proxy-factory']),
                data: createSafeData(contracts, creation),
              },
            },
    });
  });
}
