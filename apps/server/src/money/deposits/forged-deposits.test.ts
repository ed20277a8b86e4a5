import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PAYER_ADDRESS } from '../testing-chain.ts';
import { type DepositsTest, openDepositsTest, usdt } from './testing-deposits.ts';

const hex = (digit: string): string => `0x${digit.repeat(64)}`;

describe('L4 whoever has the application’s login', () => {
  let room: DepositsTest;
  beforeAll(async () => {
    room = await openDepositsTest();
    await room.mineAndWatch(1);
    await room.chain.send(PAYER_ADDRESS, usdt(1_000));
    await room.mineAndWatch(1);
  });
  afterAll(() => room.close());

  const app = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    room.test.database.query<Row>({ name: '', text }, values);
  const single = (journal: string, debit: number, owner: bigint, credit: number, units: bigint, code: number) =>
    `SELECT ledger.post_singles('${journal}', 'forged', 'forged', 'USDT', '{0}', '{${debit}}', '{${owner}}', '{${credit}}', '{${units}}', '{${code}}')`;

  describe('writes a credit that no chain has, which is found', () => {
    const CUSTOMER = 821n;
    afterEach(() =>
      room.asOwner(
        `SET session_replication_role = replica; UPDATE deposits.deposit SET step = 'failed', finished_at = now(), journal = NULL, block_height = NULL, block_hash = NULL, in_block_at = NULL WHERE customer_id = ${CUSTOMER} AND step IN ('confirming', 'credited')`,
      ),
    );
    const write = async (
      height: string,
      {
        reason = null,
        at = 'now()',
        seal = 'gen_random_uuid()',
      }: { reason?: string | null; at?: string; seal?: string } = {},
    ): Promise<void> => {
      const [id, journal, address] = [randomUUID(), randomUUID(), await room.addressOf(CUSTOMER)];
      await app(
        `INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, amount, created_at, chain, hash, output, token, sender, address, block_height, block_hash, in_block_at)
         SELECT $1, 'F', $2, chain, 'crypto', 'confirming', $3, now(), chain, $4, 0, $5, $6, $7, ${height}, 'x', now() FROM deposits.cursor`,
        [id, CUSTOMER, usdt(900), `0x${id.replaceAll('-', '').repeat(2)}`, room.chain.config.token, hex('1'), address],
      );
      await app(`SELECT ledger.open_accounts('{${CUSTOMER}}', '{1000}', '{USDT}')`);
      await app(single(journal, 120, CUSTOMER, 1000, usdt(900), 50));
      await app(
        `UPDATE deposits.deposit SET step = 'credited', journal = $2, reason = $3, finished_at = ${at}, credit_seal = ${seal} WHERE id = $1`,
        [id, journal, reason],
      );
    };
    const found = async () => JSON.stringify(await room.violations());

    it.each([
      ['far beyond the chain', '1000000000'],
      ['that was read after the last count of the wallets', 'scanned'],
    ])('in a block %s', async (_where, height) => {
      // As the leader of before would, who has not yet seen the last block.
      await room.mineAndWatch(1, room.watcher());
      await app('DELETE FROM deposits.observation WHERE height = (SELECT max(height) FROM deposits.observation)');
      expect(await found()).not.toContain('CU1');
      await write(height);
      expect(await found()).toContain('CU1');
    });

    it('not as one that was held for weeks: it counts from now on, and keeps its time', async () => {
      await room.mineAndWatch(1, room.watcher());
      await write('scanned', { at: `now() - interval '30 days'` });
      expect(
        await app(
          'SELECT deposits.held_inflow($1, now(), 7)::integer AS held, deposits.held_inflow($1, now(), 0) > 0 AS is_there',
          [CUSTOMER],
        ),
      ).toEqual([{ held: 0, is_there: true }]);
      const older = `UPDATE deposits.deposit SET finished_at = now() - interval '30 days' WHERE customer_id = $1 AND step = 'credited'`;
      await expect(app(older, [CUSTOMER])).rejects.toThrow('was credited at another time');
    });

    it('in place of another customer’s that is on its way, so that the sums are right: its seal is not the watcher’s', async () => {
      const victim = 824n;
      await room.chain.send(await room.addressOf(victim), usdt(900));
      await room.mineAndWatch(1, room.watcher());
      const hide = () =>
        app(
          `UPDATE deposits.deposit SET step = 'recovery', reason = 'native_coin', finished_at = now() WHERE customer_id = $1 AND step = 'confirming' RETURNING id`,
          [victim],
        );
      expect(await hide()).toHaveLength(1);
      await write('scanned');
      const violations = await found();
      expect(violations).toContain('CU9');
      expect(violations).not.toContain('CU1');
      await expect(write('scanned', { seal: 'NULL' })).rejects.toThrow('without the watcher’s seal');
      const unseal = `UPDATE deposits.deposit SET credit_seal = NULL WHERE customer_id = $1 AND step = 'credited'`;
      await expect(app(unseal, [CUSTOMER])).rejects.toThrow('without the watcher’s seal');
      await app(
        `UPDATE deposits.deposit SET step = 'confirming', reason = NULL, finished_at = NULL WHERE customer_id = $1`,
        [victim],
      );
    });

    it('with a count of the wallets to match, whatever comes after it', async () => {
      await room.mineAndWatch(1, room.watcher());
      await write('scanned');
      const raise = (seal: string) =>
        app(
          `WITH gone AS (DELETE FROM deposits.observation WHERE height = (SELECT max(height) FROM deposits.observation) RETURNING *)
           INSERT INTO deposits.observation SELECT chain, height + 1, block_hash, hot, addresses + $1, at, ${seal} FROM gone`,
          [usdt(900)],
        );
      await expect(raise('NULL')).rejects.toThrow('without a seal');
      await raise('gen_random_uuid()');
      const violations = await found();
      expect(violations).toContain('CU8');
      expect(violations).not.toContain('CU1');
    });

    it('not as a transfer of another coin, which the sums leave out', async () => {
      await room.mineAndWatch(1, room.watcher());
      await expect(write('scanned', { reason: 'native_coin' })).rejects.toThrow('credited_token');
    });
  });

  it('exchanges no transfer of the wallet for another one of the same amount, so that the sums are right', async () => {
    await room.chain.send(room.chain.config.hot, usdt(70));
    await room.mineAndWatch(1);
    const exchange = (seal: string) =>
      app(
        `WITH gone AS (DELETE FROM deposits.hot_transfer WHERE amount = $1 RETURNING *)
         INSERT INTO deposits.hot_transfer (chain, hash, output, direction, sender, receiver, amount, block_height, block_hash, seal)
         SELECT chain, $2, output, direction, sender, receiver, amount, block_height, block_hash, ${seal} FROM gone`,
        [usdt(70), hex('7')],
      );
    await expect(exchange('NULL')).rejects.toThrow('without a seal');
    expect(JSON.stringify(await room.violations())).not.toContain('CU11');
    await exchange('seal');
    expect(JSON.stringify(await room.violations())).toContain(`"invariant":"CU11"`);
    await room.asOwner(`DELETE FROM deposits.hot_transfer WHERE hash = '${hex('7')}'`);
  });

  it('credits nobody with what comes to an address of its own, nor opens a case of it', async () => {
    const [thief, address] = [822n, `0x${'7a'.repeat(20)}`];
    await app(
      `INSERT INTO chain.address (chain, customer_id, index, address, xpub_mark) SELECT $1, $2, chain.next_index($1), $3, 'x'`,
      [room.chain.config.code, thief, address],
    );
    await room.chain.send(address, usdt(50));
    await room.mineAndWatch(6);
    await room.mineAndWatch(1);
    expect(await app('SELECT id FROM deposits.deposit WHERE customer_id = $1', [thief])).toEqual([]);
    expect(String(room.faults)).toContain(`${address} is not derived from the house's key`);
  });

  it('reverses no deposit at the house’s cost as if its customer had paid', async () => {
    const customer = 823n;
    await room.chain.send(await room.addressOf(customer), usdt(40));
    await room.mineAndWatch(6);
    const [deposit] = await app<{ id: string; journal: string }>(
      `SELECT id, journal FROM deposits.deposit WHERE customer_id = $1 AND step = 'credited'`,
      [customer],
    );
    const journal = randomUUID();
    await room.asOwner(`SELECT ledger.pay_in_capital('house_capital', 100, 'USDT', 'a', 'b', 'test')`);
    await app(single(journal, 200, 0n, 120, usdt(40), 51));
    const reverse = (shortfall: bigint) =>
      app(
        `INSERT INTO deposits.reversal (deposit_id, round, credit, journal, amount, shortfall, block_height, at) VALUES ($1, 0, $2, $3, $4, $5, 1, now())`,
        [deposit?.id, deposit?.journal, journal, usdt(40), shortfall],
      );
    await expect(reverse(0n)).rejects.toThrow('was not reversed like that');
    await expect(reverse(usdt(39))).rejects.toThrow('was not reversed like that');
    // With its debt it is a reversal.
    await reverse(usdt(40));
  });

  it.each([
    [
      'exchanges the newest count of the wallets',
      `WITH gone AS (DELETE FROM deposits.observation WHERE height = $1 RETURNING *)
       INSERT INTO deposits.observation SELECT chain, height - 1, block_hash, hot, addresses + 1, at, seal FROM gone ON CONFLICT DO NOTHING`,
    ],
    [
      'writes the next count first',
      `INSERT INTO deposits.observation SELECT chain, height + 1, block_hash, hot, addresses + 1, at, seal FROM deposits.observation WHERE height = $1`,
    ],
  ])('%s, which its watcher sees with the next block: money is halted', async (_what, text) => {
    await room.asOwner('UPDATE ledger.head SET halted = NULL');
    await room.mineAndWatch(1);
    const [newest] = await app<{ height: bigint }>('SELECT max(height) AS height FROM deposits.observation');
    await app(text, [newest?.height]);
    await room.mineAndWatch(1);
    expect(await app('SELECT halted FROM ledger.head')).toEqual([{ halted: expect.stringContaining('somebody has') }]);
  });
});
