import { nameReturnWallet } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { houseAddressesAmong } from '../chain/index.ts';
import { RECOVERY_APPROVAL_KIND } from './deposit-case.ts';
import { findDeposit, lockDeposit, setReturnWallet } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';

/** The wallet must be one that its owner saved before, with all checks of a new payee. No address is typed here. */
export function nameReturnWalletHandler(module: DepositsModule): Handler {
  const { database, payees, customers, findWaiting, changed, viewOf } = module;
  return handle(
    nameReturnWallet,
    async ({ customer: { id: customer }, request: { id, target, paypass, otp }, now }) => {
      const before = await findDeposit(database, id);
      if (before?.customer_id !== customer) return refuse('deposit_unknown', { field: 'id' });
      if (await customers.isFrozen(database, customer, 'withdrawals')) return refuse('account_frozen');
      const payee = await payees.snapshotFor(database, customer, target);
      if (payee?.kind !== 'wallet' || payee.chain !== before.chain) return refuse('payee_unknown', { field: 'target' });
      if (payee.usableFrom !== null && payee.usableFrom > now)
        return refuse('payee_not_usable_yet', { field: 'target', params: { until: payee.usableFrom.toISOString() } });
      const wallet = payee.address.toLowerCase();
      if ((await houseAddressesAmong(database, payee.chain, [wallet])).has(wallet))
        return refuse('address_of_house', { field: 'target' });
      const held = await module.heldUntil(database, customer, now);
      if (held !== null) return refuse('return_delayed', { params: { until: held.toISOString() } });
      if (!(await customers.hasPaymentPassword(customer))) return refuse('paypass_not_set');
      const checked = await customers.checkPaymentPassword(customer, paypass, now);
      if (!checked.ok) return checked.refusal === 'paypass_wrong' ? { ...checked, field: 'paypass' } : checked;
      // A return pays out like a withdrawal, so it requires the same proof, for this deposit and this wallet only.
      const second = await customers.checkSecondFactor(
        customer,
        { kind: 'return', subject: `${id} ${target}` },
        otp,
        now,
      );
      if (!second.ok) return { ...second, field: 'otp' };
      const refused = await database.transaction(async (transaction) => {
        const row = await lockDeposit(transaction, id);
        if (row?.step !== 'recovery' || row.reason === 'below_minimum' || row.reason === 'counted')
          return 'deposit_not_in_recovery' as const;
        if (await findWaiting(transaction, RECOVERY_APPROVAL_KIND, id)) return 'recovery_decided' as const;
        await setReturnWallet(transaction, id, { address: wallet, name: payee.name });
        return null;
      });
      if (refused !== null) return refuse(refused);
      await changed([id]);
      const row = await findDeposit(database, id);
      return row ? accept(viewOf(row)) : refuse('deposit_unknown');
    },
  );
}
