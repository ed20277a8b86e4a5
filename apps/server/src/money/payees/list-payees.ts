import { listPayees } from '@sathorn/api';
import { BANK_CODES, BANKS } from '@sathorn/identity';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { bankName, PAYEES_MAX, unsealPayees, viewCard, viewWallet } from './payee.ts';
import { listPayeeRows } from './payee-store.ts';
import type { PayeesModule } from './payees.ts';

/** A pattern for the addresses of every supported chain, which are all EVM chains. */
const ADDRESS_PATTERN = '^0x[0-9a-fA-F]{40}$';

export function chainNameOf(module: Pick<PayeesModule, 'chains'>, code: string): string {
  return module.chains().find((chain) => chain.code === code)?.name ?? code;
}

export function listPayeesHandler(module: PayeesModule): Handler {
  return handle(listPayees, async ({ customer, language }) => {
    const [rows, certifiedNames] = await Promise.all([
      listPayeeRows(module.database, customer.id),
      module.certifiedNames(customer.id),
    ]);
    const payees = unsealPayees(module, rows);
    return accept({
      cards: payees.flatMap((payee) => (payee.kind === 'card' ? [viewCard(payee, certifiedNames, language)] : [])),
      wallets: payees.flatMap((payee) =>
        payee.kind === 'wallet' ? [viewWallet(payee, chainNameOf(module, payee.chain))] : [],
      ),
      cards_max: PAYEES_MAX.card,
      wallets_max: PAYEES_MAX.wallet,
      banks: BANK_CODES.map((code) => ({ code, name: bankName(code, language), digits: [...BANKS[code].digits] })),
      chains: module.chains().map(({ code, name, standard }) => ({ code, name, standard, pattern: ADDRESS_PATTERN })),
    });
  });
}
