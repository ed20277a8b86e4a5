import type { Ledger } from '../../../ledger/index.ts';
import type { Payees } from '../../../money/payees/index.ts';
import type { Customers } from '../../../people/customers/index.ts';
import { uuidOfName } from '../../../platform/intent.ts';
import { DEMO_CUSTOMER } from '../demo-customer.ts';
import { giveDemoMoney } from '../fund-demo.ts';
import type { DemoPlayer } from './stage.ts';

/**
 * A visitor who signs in as one of these people sees the screens in that person's state. All have the password and the
 * payment password of the demo customer, and a username that describes them.
 */
const ROLES = {
  /** Is certified, and has withdrawals in progress. */
  krit: { nickname: 'กฤต', usdt: 90_000n, payeeName: 'Krit Wongsakul', invitedBy: null },
  /** Waits for primary certification, and for an answer of customer service. */
  malee: { nickname: 'มาลี', usdt: 200n, payeeName: null, invitedBy: 'nicha' },
  /** Waits for advanced certification. */
  somchai: { nickname: 'สมชาย', usdt: 900n, payeeName: null, invitedBy: 'nicha' },
  /** Must repeat a picture for certification. */
  pim: { nickname: 'พิมพ์', usdt: 350n, payeeName: null, invitedBy: 'nicha' },
  /** Disputes results of options, and is frozen by an operator. */
  wanida: { nickname: 'วนิดา', usdt: 1_500n, payeeName: null, invitedBy: null },
  /** Has excluded himself. */
  prasit: { nickname: 'ประสิทธิ์', usdt: 400n, payeeName: null, invitedBy: null },
  /** Has set her own limits. */
  lek: { nickname: 'เล็ก', usdt: 600n, payeeName: null, invitedBy: 'krit' },
} as const;

type Role = keyof typeof ROLES;
export type DemoCast = Readonly<Record<Role | 'nicha', DemoPlayer>>;

interface CastDependencies {
  readonly customers: Pick<Customers, 'enrolDemo'>;
  readonly payees: Pick<Payees, 'enrolDemo'>;
  readonly ledger: Ledger;
}

/** Idempotent: existing people are not changed, and each is funded once. */
export async function enrolDemoCast({ customers, payees, ledger }: CastDependencies, now: Date): Promise<DemoCast> {
  const { username, password, paypass } = DEMO_CUSTOMER;
  const cast: Record<string, DemoPlayer> = {
    nicha: {
      id: await customers.enrolDemo({ ...DEMO_CUSTOMER, contact: 'nicha@demo.example' }, now),
      username,
      paypass,
    },
  };
  for (const [name, { nickname, usdt, payeeName, invitedBy }] of Object.entries(ROLES)) {
    const person = { username: `demo_${name}`, password, paypass, nickname, contact: `${name}@demo.example` };
    const inviter = invitedBy === null ? undefined : cast[invitedBy]?.id;
    const id = await customers.enrolDemo({ ...person, ...(inviter !== undefined && { invitedBy: inviter }) }, now);
    cast[name] = { id, username: person.username, paypass };
    const isNew = (await ledger.balances(id)).length === 0;
    if (!isNew) continue;
    if (payeeName !== null) await payees.enrolDemo(id, now, { realName: payeeName, email: person.contact });
    const gift = { to: id, asset: 'USDT', units: usdt * 1_000_000n } as const;
    await giveDemoMoney(ledger, gift, { id: uuidOfName(`demo cast ${name}`), digest: 'cast' });
  }
  return cast as DemoCast;
}
