import { payeeRefusal } from '@sathorn/settlement';
import { contractTermsOf } from '../exchange/contracts/index.ts';
import { houseOf } from '../money/chain/index.ts';
import { openPayees } from '../money/payees/index.ts';
import { CERTIFICATION_REFUSAL, openCertifications } from '../people/certifications/index.ts';
import { levelTermsOf, openLevels } from '../staff/levels/index.ts';
import type { Opening } from './opening.ts';

/** Who customers are and what that allows: certification, payees, levels. */
export function openPeople(opening: Opening): void {
  const { rooms, clockGuard, secrets, chain, database, onFault, brand, addresses, leader } = opening;
  rooms.certifications = openCertifications({
    database,
    clock: clockGuard,
    files: rooms.files.api,
    messages: rooms.messages.api,
    secrets,
    timeZone: brand.timeZone,
    dailyMax: () => levelTermsOf(rooms.offer.api.inForce).daily,
    staffName: rooms.operators.api.workNameOf,
    usernameOf: rooms.customers.api.usernameOf,
    approvals: { open: rooms.operators.api.approvals.open, isWaiting: rooms.operators.api.isWaiting },
    audit: rooms.operators.api.audit,
    rewards: {
      inTransaction: rooms.ledger.api.payMany,
      release: (transaction, customer) => rooms.rewards.api.release(transaction, customer),
    },
    onFault,
  });
  rooms.operators.api.addApprovalKind(CERTIFICATION_REFUSAL, rooms.certifications.api.refusalKind);
  rooms.payees = openPayees({
    database,
    messages: rooms.messages.api,
    secrets,
    customers: rooms.customers.api,
    certifiedNames: rooms.certifications.api.certifiedNames,
    // Empty where no withdrawals are paid.
    chains: () => (chain ? [{ code: chain.code, name: chain.name, standard: chain.standard }] : []),
    refusalOfAddress: async (customer, code, given) => {
      if (!addresses || !leader || chain?.code !== code) return null;
      const address = given.toLowerCase();
      const [owners, house, bytecode] = await Promise.all([
        addresses.ownersOf([address]),
        houseOf(database, code, [address]),
        leader.rpc.call<string>('eth_getCode', [address, 'latest']),
      ]);
      return payeeRefusal({
        customer,
        owner: owners.get(address) ?? null,
        isHouse: house.has(address),
        isContract: bytecode.length > 2,
      });
    },
    onFault,
  });
  rooms.levels = openLevels({
    database,
    clock: clockGuard,
    flowsOf: async (queries, customer) => [
      ...(await rooms.deposits.api.inflows(queries, customer)),
      ...(await rooms.withdrawals.api.outflows(queries, customer)),
    ],
    certifiedOf: rooms.certifications.api.certifiedOf,
    signInOf: (customer, now) => rooms.rewards.api.signInState(customer, now),
    terms: () => levelTermsOf(rooms.offer.api.inForce),
    fees: () => contractTermsOf(rooms.offer.api.inForce).fees,
  });
}
