import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OptionsTest, openOptionsTest, usdt } from '../../exchange/options/testing.ts';
import { customerAccount, houseAccount, type JournalKind, type Transfer } from '../../ledger/index.ts';
import { ALLOW_ANY_PURPOSE_SQL } from '../../platform/database/testing.ts';
import { findViolations } from './find-violations.ts';

const [ALICE, BOB, NOBODY] = [1_000_000_001n, 1_000_000_002n, 1_000_000_003n];
const [ALICES, BOBS] = [customerAccount(ALICE, 'USDT'), customerAccount(BOB, 'USDT')];
const POOL = houseAccount('options_pool', 'USDT');

/** Transfers that an attacker with the application's role could post if the ledger did not check their purpose. */
const THEFTS: readonly [what: string, invariant: string, transfer: Transfer][] = [
  [
    'money from one customer to another',
    'K1',
    { kind: 'single', debit: ALICES, credit: BOBS, units: 5n, code: 'demo_money' },
  ],
  [
    'money from the options pool to a customer',
    'K1',
    { kind: 'single', debit: POOL, credit: BOBS, units: 5n, code: 'option_payout' },
  ],
  [
    'a payout that no order promised',
    'K2',
    { kind: 'hold', debit: POOL, credit: BOBS, units: 5n, code: 'option_payout' },
  ],
  [
    'a trade that there was not',
    'C5',
    { kind: 'single', debit: ALICES, credit: BOBS, units: 5n, code: 'contract_trade' },
  ],
  [
    'a fee that no payout was charged',
    'K2',
    { kind: 'single', debit: ALICES, credit: houseAccount('fee_income', 'USDT'), units: 5n, code: 'option_fee' },
  ],
];

const stealing: JournalKind<Transfer, null, never> = {
  name: 'test.steal',
  customer: () => null,
  accounts: (transfer) => ('debit' in transfer ? [transfer.debit, transfer.credit] : []),
  decide: (transfer) => accept({ transfers: [transfer], answer: null }),
};

describe('with all modules', () => {
  let room: OptionsTest;
  let owner: pg.Client;
  const found = async () => (await findViolations(room.test.checker, 'platform')).map(({ invariant }) => invariant);
  beforeAll(async () => {
    room = await openOptionsTest();
    owner = new pg.Client(room.test.owner);
    await owner.connect();
    for (const [id, name] of [
      [ALICE, 'alice'],
      [BOB, 'bob'],
    ] as const) {
      await owner.query(
        `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
         VALUES ($1, $2, $2, $2 || '@demo.example', now(), $2, 'USDT', 'en', $3, '2026-01-01')`,
        [id, name, name.toUpperCase().padEnd(8, 'X')],
      );
      await room.fund(id, '100');
    }
    const options = await room.open();
    await room.publish('BTC', (Math.ceil(room.clock.ms / 1_000) + 2) * 1_000, () => 64_000_000_000n);
    room.clock.ms += 123;
    const bought = { customer: ALICE, coin: 'BTC', direction: 'up', stake: usdt('10'), seconds: 30 } as const;
    await options.buy(bought, room.intent());
    let price = 64_000_000_000n;
    await room.publish('BTC', room.clock.ms + 32_000, () => (price += 10_000n));
    expect(await options.settleDue()).toBe(1);
    await options.buy(bought, room.intent());
  });
  afterAll(async () => {
    await owner.end();
    await room.close();
  });

  it('the products post only what they may', async () => {
    expect(await found()).toEqual([]);
  });

  it('finds an account without an owner', async () => {
    await room.fund(NOBODY, '1');
    expect(await found()).toEqual(['I9']);
    await owner.query(
      `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
       VALUES ($1, 'carol', 'carol', 'carol@demo.example', now(), 'carol', 'USDT', 'en', 'CAROLXXX', '2026-01-01')`,
      [NOBODY],
    );
    expect(await found()).toEqual([]);
  });

  it.each([
    [
      'a trigger that is off',
      'G1',
      'ALTER TABLE ledger.transfer DISABLE TRIGGER append_only',
      'ENABLE TRIGGER append_only',
    ],
  ])('%s is reported', async (_what, invariant, statement, undo) => {
    await owner.query(statement);
    expect(await found()).toEqual([invariant]);
    await owner.query(`ALTER TABLE ledger.transfer ${undo}`);
  });

  it('a right to write the ledger is reported', async () => {
    await owner.query('GRANT UPDATE (units) ON ledger.transfer TO sathorn_app');
    expect(await found()).toEqual(['G2']);
    await owner.query('REVOKE UPDATE (units) ON ledger.transfer FROM sathorn_app');
    expect(await found()).toEqual([]);
  });

  it.each(THEFTS)('%s is reported (%s), where nothing refuses it', async (_what, invariant, transfer) => {
    await owner.query(ALLOW_ANY_PURPOSE_SQL);
    expect((await room.ledger.post(stealing, transfer, room.intent())).ok).toBe(true);
    expect(await found()).toContain(invariant);
  });
});
