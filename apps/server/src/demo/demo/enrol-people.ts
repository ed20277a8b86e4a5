import { randomUUID } from 'node:crypto';
import type { Ledger } from '../../ledger/index.ts';
import type { Payees } from '../../money/payees/index.ts';
import type { Customers } from '../../people/customers/index.ts';
import { DEMO_CUSTOMER } from './demo-customer.ts';
import { giveDemoMoney } from './fund-demo.ts';

const PEOPLE = [
  { ...DEMO_CUSTOMER, nickname: 'ณิชา', contact: 'nicha@demo.example', usdt: 10_000n },
  // A customer who has just signed up, without any data.
  {
    username: 'anan',
    password: 'Rama8Bridge',
    paypass: '492716',
    nickname: 'อนันต์',
    contact: 'anan@demo.example',
    usdt: 0n,
  },
] as const;

/** Idempotent: existing people are not changed, and each is funded once. */
export async function enrolDemoPeople(
  { customers, ledger, payees }: { customers: Customers; ledger: Ledger; payees: Pick<Payees, 'enrolDemo'> },
  now: Date,
): Promise<void> {
  const enrol = async ({ usdt, ...person }: (typeof PEOPLE)[number]): Promise<void> => {
    const id = await customers.enrolDemo(person, now);
    const isNew = (await ledger.balances(id)).length === 0;
    if (!isNew || usdt === 0n) return;
    await payees.enrolDemo(id, now);
    await giveDemoMoney(
      ledger,
      { to: id, asset: 'USDT', units: usdt * 1_000_000n },
      { id: randomUUID(), digest: 'enrol' },
    );
  };
  // Runs in parallel, because hashing a password occupies a core for a moment.
  await Promise.all(PEOPLE.map(enrol));
}
