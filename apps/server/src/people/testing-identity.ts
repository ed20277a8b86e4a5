import { accept, FIRST_LEVEL_TERMS } from '@sathorn/settlement';
import { openPayees, type Payees, type PayeesDependencies } from '../money/payees/index.ts';
import { type Certifications, openCertifications } from './certifications/index.ts';
import { openTestCustomers, type TestCustomers } from './customers/testing-customers.ts';

export interface TestIdentity extends TestCustomers {
  readonly payees: Payees;
  readonly certifications: Certifications;
  /** The log of operators' acts. */
  readonly log: { readonly what: string; readonly customer: bigint; readonly on: { readonly id: string } }[];
}

/** Opens the customers module and the identity modules over HTTP, with a clock set by hand. */
export async function openTestIdentity(change: Partial<PayeesDependencies> = {}): Promise<TestIdentity> {
  const log: TestIdentity['log'] = [];
  let opened: { payees: Payees; certifications: Certifications } | undefined;
  const secrets = { identityKey: Buffer.alloc(32, 9) };
  const room = await openTestCustomers({}, ({ database, clock, customers, messages, files, onFault }) => {
    const certifications = openCertifications({
      database,
      clock,
      messages,
      files,
      secrets,
      timeZone: 'Asia/Bangkok',
      dailyMax: () => FIRST_LEVEL_TERMS.daily,
      staffName: async (operator) => `operator ${operator}`,
      usernameOf: async (customer) => `customer ${customer}`,
      approvals: { open: async () => ({ id: 'a', fingerprint: 'f' }), isWaiting: async () => false },
      audit: { append: async (_transaction, entry) => void log.push(entry) },
      rewards: {
        inTransaction: async (work) => accept(await database.transaction(work)),
        release: async () => false,
      },
      onFault,
    });
    const payees = openPayees({
      database,
      messages,
      customers,
      secrets,
      certifiedNames: certifications.api.certifiedNames,
      chains: () => [{ code: 'ethereum', name: 'Ethereum', standard: 'ERC-20' }],
      refusalOfAddress: async () => null,
      onFault,
      ...change,
    });
    opened = { payees: payees.api, certifications: certifications.api };
    return [...payees.handlers, ...certifications.handlers];
  });
  if (!opened) throw new Error('the rooms beside customers were not opened');
  return { ...room, ...opened, log };
}
