import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { openDepositAddresses } from '../chain/index.ts';
import { openWithdrawalsTest, usdt, type WithdrawalsTest } from './testing-withdrawals.ts';

const PLANTED: readonly [what: string, invariant: string, statement: string][] = [
  ['a deposit of a larger amount than was credited', 'DW1', 'UPDATE deposits.deposit SET amount = amount + 1'],
  ['a deposit that another customer made', 'DW2', `UPDATE deposits.deposit SET address = '0x${'9'.repeat(40)}'`],
  ['a credit without a deposit', 'DW3', 'DELETE FROM deposits.deposit'],
  [
    'a withdrawal whose hold is another’s',
    'WW1',
    `UPDATE withdrawals.withdrawal w SET hold = o.hold FROM (SELECT id, hold + 1000000 AS hold FROM withdrawals.withdrawal) o WHERE o.id = w.id`,
  ],
  [
    'a withdrawal that is said to be done',
    'WW2',
    `UPDATE withdrawals.withdrawal SET step = 'done', finished_at = now(), journal = gen_random_uuid(), hash = '0x${'5'.repeat(64)}', block_height = 1, block_hash = 'x' WHERE step = 'first_check'`,
  ],
  ['a release that nobody approved', 'WW3', `UPDATE withdrawals.withdrawal SET step = 'approved' WHERE people = 1`],
  [
    'a transfer that was credited without two people',
    'DW4',
    `UPDATE deposits.deposit SET recovery_approval = gen_random_uuid(), recovery_plan = 'credit' WHERE step = 'credited'`,
  ],
  [
    'a case of another network that nobody decided',
    'DW5',
    `INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, reason, amount, created_at, finished_at, network, network_hash, network_token,
       network_amount, opened_by, opened_note, ending, corrected)
     SELECT gen_random_uuid(), 'D-0', customer_id, 'tron', 'crypto', 'closed', 'other_network', 5000000, now(), now(), 'tron', '${'7'.repeat(64)}', 'USDT', '5', 1, 'x', 'credited', 5000000
     FROM deposits.deposit LIMIT 1`,
  ],
  [
    'a payout that was returned though nobody called it lost',
    'WW4',
    `UPDATE withdrawals.withdrawal SET step = 'returned', reason = 'chain_lost' WHERE step = 'done'`,
  ],
  [
    'more paid back than was borne',
    'CU4',
    `INSERT INTO deposits.reversal (deposit_id, round, credit, journal, amount, shortfall, block_height, at)
       SELECT id, 7, gen_random_uuid(), gen_random_uuid(), 5, 5, 1, now() FROM deposits.deposit LIMIT 1;
     INSERT INTO deposits.repayment (id, customer_id, units, at) SELECT gen_random_uuid(), customer_id, 6, now() FROM deposits.reversal JOIN deposits.deposit d ON d.id = deposit_id`,
  ],
  [
    'a sweep that the signer did not send',
    'CU5',
    `UPDATE deposits.hot_transfer SET direction = 'sweep' WHERE direction = 'out'`,
  ],
  ['less on the chain than was read of it', 'CU1', 'UPDATE deposits.observation SET hot = hot - 1'],
  [
    'a payout that the ledger doesn’t know',
    'CU2',
    `UPDATE withdrawals.withdrawal SET step = 'sending', journal = NULL, finished_at = NULL WHERE step = 'done'`,
  ],
  [
    'a payout that left the wallet twice, the second time as another attempt of it',
    'CU10',
    `INSERT INTO withdrawals.outbox (withdrawal_id, attempt, hash, raw, max_fee, is_empty)
       SELECT withdrawal_id, attempt + 7, '0x${'8'.repeat(64)}', raw, max_fee, false FROM withdrawals.outbox;
     INSERT INTO deposits.hot_transfer (chain, hash, output, direction, sender, receiver, amount, block_height, block_hash)
       SELECT chain, '0x${'8'.repeat(64)}', output, direction, sender, receiver, amount, block_height, block_hash FROM deposits.hot_transfer WHERE direction = 'out'`,
  ],
  ['a booked payout that no block has', 'CU6', `DELETE FROM deposits.hot_transfer WHERE direction = 'out'`],
  [
    'a paid withdrawal that says it needed nobody',
    'WW7',
    `UPDATE withdrawals.withdrawal SET people = 0 WHERE people = 1`,
  ],
  [
    'a paid withdrawal to another wallet than the saved one',
    'WW8',
    `UPDATE withdrawals.withdrawal SET address = '0x${'6'.repeat(40)}' WHERE step = 'done'`,
  ],
  [
    'a payout to somebody else',
    'CU3',
    `UPDATE deposits.hot_transfer SET receiver = '0x${'6'.repeat(40)}' WHERE direction = 'out'`,
  ],
  [
    'a payout that left the wallet and was returned as if the chain had refused it',
    'CU3',
    `UPDATE withdrawals.withdrawal SET step = 'returned', reason = 'chain_refused' WHERE step = 'done'`,
  ],
  [
    'something that left by hand, of which two people are said to know',
    'CU7',
    `INSERT INTO withdrawals.foreign_transfer (chain, hash, output, receiver, units, purpose, approval)
     SELECT chain, hash, output, receiver, amount + 1, 'expense', gen_random_uuid() FROM deposits.hot_transfer WHERE direction = 'out'`,
  ],
  [
    'something that left by hand and is booked with nothing',
    'CU7',
    `INSERT INTO withdrawals.foreign_transfer (chain, hash, output, receiver, units, purpose, approval, journal)
     SELECT chain, hash, output, receiver, amount, 'expense', gen_random_uuid(), gen_random_uuid() FROM deposits.hot_transfer WHERE direction = 'out'`,
  ],
  [
    'a withdrawal that was found, of which nothing was taken',
    'CU7',
    `INSERT INTO withdrawals.foreign_transfer (chain, hash, output, receiver, units, purpose, customer_id, payee_id, payee_opening, approval, journal, shortfall)
     SELECT chain, hash, output, receiver, amount, 'found', 901, 'x', 'x', gen_random_uuid(), gen_random_uuid(), 0 FROM deposits.hot_transfer WHERE direction = 'out'`,
  ],
];
const TABLES = [
  'withdrawals.foreign_transfer',
  'deposits.deposit',
  'deposits.observation',
  'deposits.hot_transfer',
  'deposits.reversal',
  'deposits.repayment',
  'withdrawals.withdrawal',
];

describe('a breach in deposits or withdrawals', () => {
  let room: WithdrawalsTest;
  let owner: pg.Client;
  const found = async (): Promise<string[]> =>
    (await findViolations(room.test.checker, 'platform'))
      .map(({ invariant }) => invariant)
      .filter((id) => /^(DW|WW|CU)/.test(id));
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    owner = new pg.Client(room.test.owner);
    await owner.connect();
    const [customer, other] = [901n, 902n];
    await room.fund(customer, 3_000);
    const addresses = openDepositAddresses(room.test.database, room.chain.config);
    await room.chain.send(await addresses.of(other), usdt(70));
    const order = { channel: 'testnet', target: room.wallet(), paypass: '830274' };
    const sent = await room.call('extract', customer, { ...order, amount: 500 });
    expect(await room.follow(customer, sent.effect.id)).toMatchObject({ step: 'done' });
    expect((await room.call('extract', customer, { ...order, amount: 1_000 })).effect).toMatchObject({ people: 1 });
    await room.chain.mine(5);
    await room.watch();
    expect(await room.available(other)).toBe(usdt(70));
    await owner.query('CREATE SCHEMA kept');
    for (const table of TABLES) await owner.query(`CREATE TABLE kept.${table.replace('.', '_')} AS TABLE ${table}`);
    await owner.query('SET session_replication_role = replica');
    expect(await found()).toEqual([]);
  });
  afterAll(async () => {
    await owner.end();
    await room.close();
  });

  it.each(PLANTED)('is reported: %s (%s)', async (_what, invariant, statement) => {
    const answers = [await owner.query(statement)].flat();
    for (const { rowCount } of answers) expect(rowCount).toBeGreaterThan(0);
    const ids = await found();
    for (const table of TABLES)
      await owner.query(`DELETE FROM ${table}; INSERT INTO ${table} TABLE kept.${table.replace('.', '_')}`);
    expect(ids).toContain(invariant);
  });
});
