import { openTestCustomers, type TestCustomers } from './customers/testing-customers.ts';
import type { Handler } from './edge/index.ts';
import { openPayees, type Payees, type PayeesDependencies } from './payees/index.ts';

export interface TestIdentity extends TestCustomers {
  readonly payees: Payees;
  /** As if an operator had verified this name. */
  certify(customer: bigint, name: string): void;
}

/** Customers with the rooms of identity, over HTTP, on a clock turned by hand. */
export async function openTestIdentity(change: Partial<PayeesDependencies> = {}): Promise<TestIdentity> {
  const certified = new Map<bigint, string>();
  let payees: Payees | undefined;
  const room = await openTestCustomers({}, ({ database, customers, messages, onFault }): Handler[] => {
    const opened = openPayees({
      database,
      messages,
      customers,
      secrets: { identityKey: Buffer.alloc(32, 9) },
      certifiedName: async (customer) => certified.get(customer) ?? null,
      chains: () => [{ code: 'ethereum', name: 'Ethereum', standard: 'ERC-20' }],
      roleOfAddress: async () => null,
      onFault,
      ...change,
    });
    payees = opened.api;
    return [...opened.handlers];
  });
  if (!payees) throw new Error('the rooms beside customers were not opened');
  return {
    ...room,
    payees,
    certify: (customer, name) => {
      certified.set(customer, name);
    },
  };
}
