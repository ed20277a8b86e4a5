import { changeTreasuryOwners } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { decideTreasuryTransaction, type OwnerChange, SENTINEL, writeOwnerChange } from '@sathorn/treasury';
import type { Queries } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { treasuryContractsOf } from './official-contracts.ts';
import { type OwnerChangeRefusal, ownerChangeRefusalOf } from './owner-change-refusal.ts';
import { readSafe } from './read-safe.ts';
import { storeRun } from './store-run.ts';
import type { TreasuryModule } from './treasury.ts';
import { createLocalSigner, createSignerData, signerAddressOf } from './treasury-contracts.ts';
import { readTreasuryState } from './treasury-state.ts';
import { insertOwner, type OwnerRow, readBusyRun } from './treasury-store.ts';

type Coming = Pick<OwnerRow, 'address' | 'operator' | 'kind' | 'credential'>;

/** The key of the coming owner: an operator's newest passkey, the demo's key, or a cold address. */
async function comingOwner(
  { chain, operators, demoOwner }: TreasuryModule,
  queries: Queries,
  { operator, cold }: { readonly operator?: string | undefined; readonly cold?: string | undefined },
): Promise<Decision<Coming, 'operator_unknown' | 'owner_contract_missing' | 'passkey_missing'>> {
  if (cold !== undefined) return accept({ address: cold, operator: null, kind: 'cold', credential: null });
  const row = operator === undefined ? null : await operators.findColleague(queries, operator);
  if (chain === null || operator === undefined || row === null)
    return refuse('operator_unknown', { field: 'operator' });
  const { rpc } = chain.readers[0];
  const passkey = await operators.readP256Passkey(queries, row.id);
  const point = passkey ?? demoOwner?.(operator).point ?? null;
  if (point === null) return refuse('passkey_missing', { field: 'operator' });
  const contracts = treasuryContractsOf(chain.config);
  // The contract that signs for a passkey must be there before the passkey signs.
  if (chain.config.isLocal) await createLocalSigner(rpc, point);
  const address = await signerAddressOf(rpc, contracts, point);
  if (!chain.config.isLocal && (await rpc.call<string>('eth_getCode', [address, 'latest'])).length <= 2)
    return refuse('owner_contract_missing', {
      field: 'operator',
      params: { to: contracts['safe-webauthn-signer-factory'], data: createSignerData(contracts, point) },
    });
  return accept({ address, operator: row.id, kind: passkey ? 'passkey' : 'demo', credential: passkey?.id ?? null });
}

/** Opens a run that changes the Safe's owners. Two of the present ones sign it, and the signer sends it. */
export function changeTreasuryOwnersHandler(module: TreasuryModule): Handler {
  const { database, chain, audit } = module;
  return handle(changeTreasuryOwners, async ({ operator, request: { change: kind, leaving = '', ...coming }, now }) => {
    const treasury = chain?.config.treasury ?? null;
    if (chain === null || treasury === null) return refuse('treasury_missing');
    const { code, token } = chain.config;
    const { safe, multiSend } = treasury;
    return database.transaction(async (transaction) => {
      const state = await readTreasuryState(transaction, code);
      const facts = await readSafe(chain.readers[0].rpc, safe);
      // The watcher has not read the newest run's block yet.
      if (state?.nonce !== facts.nonce || (await readBusyRun(transaction, code)) !== null) return refuse('run_open');
      const found = kind === 'remove' ? null : await comingOwner(module, transaction, coming);
      if (found !== null && !found.ok) return found;
      const { owners, threshold, nonce } = facts;
      const owner = found?.effect.address ?? '';
      const previous = owners[owners.indexOf(leaving) - 1] ?? SENTINEL;
      const changes: Readonly<Record<typeof kind, OwnerChange>> = {
        add: { kind: 'add', owner, threshold },
        remove: { kind: 'remove', previous, owner: leaving, threshold },
        swap: { kind: 'swap', previous, owner: leaving, next: owner },
      };
      const call = writeOwnerChange(changes[kind], safe, nonce);
      const decision = decideTreasuryTransaction(call, { safe, multiSend, tokens: [token], ...facts });
      if (!decision.ok) return refuse<OwnerChangeRefusal>(ownerChangeRefusalOf(decision.refusal));
      if (found !== null) await insertOwner(transaction, code, found.effect);
      const said = { change: kind, leaving, coming: owner };
      const run = { operator, now, safe, kind: 'owners' as const, call, lines: [], said };
      return accept({ run: await storeRun({ audit }, chain.config, transaction, run) });
    });
  });
}
