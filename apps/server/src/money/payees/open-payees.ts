import type { Module } from '../../platform/module.ts';
import { openSealer } from '../../platform/sealing.ts';
import { addPayeeHandler } from './add-payee.ts';
import { listPayeesHandler } from './list-payees.ts';
import { addressCommitmentOf, digestOfWallet, unsealPayee, unsealPayees } from './payee.ts';
import {
  areSharingPayee,
  findPayeeRow,
  listPayeeRows,
  listUncommittedWallets,
  listWalletsOfAddress,
  type PayeeRow,
  storeAddressCommitment,
} from './payee-store.ts';
import type { Payees, PayeesDependencies, PayeesModule } from './payees.ts';
import { quotePayeeRemovalHandler } from './quote-payee-removal.ts';
import { removePayeeHandler } from './remove-payee.ts';
import { renamePayeeHandler } from './rename-payee.ts';
import { saveDemoPayees } from './save-demo-payees.ts';

export function openPayees(dependencies: PayeesDependencies): Module<Payees> {
  const sealer = openSealer(dependencies.secrets.identityKey, 'payees');
  const module: PayeesModule = { ...dependencies, sealer, onFault: dependencies.onFault ?? (() => undefined) };
  const commit = async (row: PayeeRow): Promise<void> => {
    const payee = unsealPayee(sealer, row);
    if (payee.kind === 'wallet')
      await storeAddressCommitment(module.database, row.id, addressCommitmentOf(sealer, row.id, payee));
  };
  const api: Payees = {
    snapshotFor: async (queries, customer, id) => {
      const row = await findPayeeRow(queries, customer, id);
      if (row === null) return null;
      const payee = unsealPayee(sealer, row);
      if (payee.kind === 'wallet' && row.commitment === null) await commit(row);
      return payee;
    },
    sharePayee: areSharingPayee,
    holdersOf: async (queries, chain, address) =>
      (await listWalletsOfAddress(queries, digestOfWallet(sealer, { coin: 'USDT', chain, address }))).flatMap((row) => {
        const payee = unsealPayee(sealer, row);
        return payee.kind === 'wallet'
          ? [{ id: row.id, customer: row.owner, name: row.name, opening: payee.opening }]
          : [];
      }),
    listOf: async (queries, customer) => unsealPayees(module, await listPayeeRows(queries, customer)),
    enrolDemo: async (customer, now, holder) => {
      const [chain] = module.chains();
      if (chain) await saveDemoPayees(module.database, sealer, { customer, chain: chain.code, now, holder });
    },
  };
  /** Runs once at the first start after the upgrade, so that no attacker can fill in an address of their own later. */
  const commitAll = async (signal: AbortSignal): Promise<void> => {
    let after = '';
    while (!signal.aborted) {
      const rows = await listUncommittedWallets(module.database, after);
      // A row that was written by hand cannot be decrypted. It stays without a commitment, so nothing is paid to it.
      for (const row of rows) await commit(row).catch(module.onFault);
      after = rows.at(-1)?.id ?? '';
      if (after === '') return;
    }
  };
  return {
    api,
    jobs: [{ on: 'housekeeper', run: (signal) => commitAll(signal).catch(module.onFault) }],
    handlers: [
      listPayeesHandler(module),
      addPayeeHandler(module),
      quotePayeeRemovalHandler(module),
      removePayeeHandler(module),
      renamePayeeHandler(module),
    ],
  };
}
