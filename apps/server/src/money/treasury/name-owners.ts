import { treasuryContractsOf } from './official-contracts.ts';
import type { TreasuryModule } from './treasury.ts';
import { signerAddressOf } from './treasury-contracts.ts';
import { readTreasuryState } from './treasury-state.ts';
import { insertOwner, readOwners } from './treasury-store.ts';

/**
 * Names the owners that the chain counts and nobody has named yet: a passkey of an operator has one address, and cold
 * owners are listed in the settings. It changes nothing about who counts.
 */
export async function nameOwners({ database, chain, operators, coldOwners }: TreasuryModule): Promise<void> {
  if (!chain?.config.treasury || chain.config.isLocal) return;
  const { code } = chain.config;
  const state = await readTreasuryState(database, code);
  const known = new Set((await readOwners(database, code)).map(({ address }) => address));
  const unnamed = (state?.owners ?? []).filter((address) => !known.has(address));
  if (unnamed.length === 0) return;
  for (const address of unnamed)
    if (coldOwners.includes(address))
      await insertOwner(database, code, { address, operator: null, kind: 'cold', credential: null });
  for (const { id } of await operators.listColleagues(database, ['finance', 'compliance'])) {
    const passkey = await operators.readP256Passkey(database, id);
    if (passkey === null) continue;
    const address = await signerAddressOf(chain.readers[0].rpc, treasuryContractsOf(chain.config), passkey);
    if (unnamed.includes(address))
      await insertOwner(database, code, { address, operator: id, kind: 'passkey', credential: passkey.id });
  }
}
