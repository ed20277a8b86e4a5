import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/index.ts';
import { type OwnCluster, openOwnCluster, runAsOwner } from '../../../platform/database/testing.ts';
import { openDepositAddresses } from '../../chain/index.ts';
import { openWithdrawalsTest, usdt, type WithdrawalsTest } from '../testing-withdrawals.ts';

const CUSTOMER = 801n;
const SWEPT = 802n;

describe('B1 D15 a payout and a sweep whose database is killed', () => {
  let cluster: OwnCluster;
  let room: WithdrawalsTest;
  beforeAll(async () => {
    room = await openWithdrawalsTest({}, async () => {
      cluster = await openOwnCluster();
      return cluster;
    });
    // Raises the limits, so that one customer's requests of a day need no people.
    await runAsOwner(
      cluster.owner,
      'INSERT INTO withdrawals.threshold (one_person_from, two_people_from) VALUES (1000000000000, 2000000000000)',
    );
    await room.fund(CUSTOMER, 5_000);
    await room.chain.mine(5);
    await room.watch();
  });
  afterAll(() => room.close());

  /** The signer's connection to a database that is killed at its nth write, before or after it. */
  const struckAt = (nth: number): { readonly database: Database; readonly isStruck: () => boolean } => {
    let left = nth;
    const step = (): void => {
      left -= 1;
      if (left === 0) cluster.kill();
    };
    // Counts only writes, because it makes no difference where the database dies between two of them.
    const struck = async <Result>(work: () => Promise<Result>, isWrite = true): Promise<Result> => {
      if (isWrite) step();
      const result = await work();
      if (isWrite) step();
      return result;
    };
    const plain = room.signerDatabase;
    return {
      isStruck: () => left <= 0,
      database: {
        ...plain,
        query: (statement, ...of) => struck(() => plain.query(statement, ...of), statement.text.startsWith('INSERT')),
        transaction: (work) =>
          struck(() =>
            plain.transaction((transaction) =>
              work({
                isTransaction: true,
                pipelineCommit: () => transaction.pipelineCommit(),
                query: (...of) => struck(() => transaction.query(...of)),
              }),
            ),
          ),
      },
    };
  };
  const untilUp = async (): Promise<void> => {
    for (let n = 0; n < 2_400; n += 1) {
      try {
        await room.test.database.query({ name: '', text: 'SELECT 1' });
        await room.signerDatabase.query({ name: '', text: 'SELECT 1' });
        return;
      } catch {
        await pause(50);
      }
    }
    throw new Error('the database does not come back');
  };

  it('at each write of the signer pays once and sweeps once, and loses nothing', async () => {
    const deposit = await openDepositAddresses(room.test.database, room.chain.config).of(SWEPT);
    let nth = 1;
    let swept = 0n;
    for (; ; nth += 1) {
      const address = `0x${(nth + 0xc000).toString(16).repeat(10)}`;
      const order = { channel: 'testnet', target: room.wallet(address), amount: 20, paypass: '830274' };
      const { id } = (await room.call('extract', CUSTOMER, order)).effect;
      await room.chain.send(deposit, usdt(15));
      await room.chain.mine(4);
      await room.watch();
      swept += usdt(15);
      const { database, isStruck } = struckAt(nth);
      await room
        .signer(database)
        .round()
        .catch(() => undefined);
      await untilUp();
      expect(await room.follow(CUSTOMER, id)).toMatchObject({ step: 'done' });
      expect(await room.paidTo(address)).toBe(usdt(18.98));
      if (!isStruck()) break;
    }
    expect(nth).toBeGreaterThan(8);
    const signer = room.signer();
    for (let n = 0; n < 10 && (n < 3 || (await room.paidTo(deposit)) > 0n); n += 1) {
      await signer.round();
      await room.chain.mine(4);
      await room.watch();
    }
    expect(await room.paidTo(deposit)).toBe(0n);
    const [sum] = await room.test.database.query<{ units: string }>({
      name: '',
      text: `SELECT sum(units)::text AS units FROM withdrawals.sending WHERE kind = 'sweep' AND step = 'done'`,
    });
    expect(sum?.units).toBe(String(swept));
    expect(await room.violations()).toEqual([]);
  }, 400_000);
});
