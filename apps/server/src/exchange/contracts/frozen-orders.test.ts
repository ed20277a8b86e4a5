import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Price, parsePrice } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queries } from '../../platform/database/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import {
  type ContractsTest,
  openContractsTest,
  type RunningContracts,
  readStoredBookHash,
} from './testing-contracts.ts';

const [MALI, NICHA] = [2n, 3n];

describe('an order that meets one of a customer who is being frozen', () => {
  let room: ContractsTest;
  let contracts: RunningContracts;
  let victims = 100n;
  const text = (sql: string) => ({ name: '', text: sql });
  const freeze = (queries: Queries, customer: bigint) =>
    queries.query(
      text(
        `INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, until)
         VALUES (gen_random_uuid(), $1, '{trading}', 'takeover_suspected', 1, 'ploy', clock_timestamp() + interval '1 hour')`,
      ),
      [customer],
    );
  const tradesOf = async (customer: bigint): Promise<number> => {
    const [row] = await room.test.database.query<{ n: number }>(
      text('SELECT count(*)::integer AS n FROM contracts.trade WHERE maker_customer = $1 OR taker_customer = $1'),
      [customer],
    );
    return row?.n ?? 0;
  };
  const sell = (customer: bigint, price: string) =>
    contracts.order(customer, { side: 'sell', type: 'limit', price, quantity: '0.01' });
  const buy = (price = '60100') => contracts.order(MALI, { side: 'buy', type: 'limit', price, quantity: '0.01' });
  /** Creates a customer whose sell order is the best of the book, with somebody else's behind it. */
  const resting = async (): Promise<bigint> => {
    victims += 1n;
    await room.fund(victims, 'BTC', '1');
    expect((await sell(victims, '60000')).ok).toBe(true);
    expect((await sell(NICHA, '60100')).ok).toBe(true);
    return victims;
  };

  beforeAll(async () => {
    room = await openContractsTest();
    room.index.set('BTC', parsePrice('60000') as Price);
    await runAsOwner(room.test.owner, 'ALTER TABLE customers.freeze DROP CONSTRAINT freeze_customer_fkey');
    contracts = await room.open({
      frozenTraders: async (queries) => {
        const sql = `SELECT DISTINCT customer AS id FROM customers.freeze WHERE lifted_at IS NULL AND until > clock_timestamp()`;
        return (await queries.query<{ id: bigint }>(text(sql))).map(({ id }) => id);
      },
    });
    await room.fund(MALI, 'USDT', '100000');
    await room.fund(NICHA, 'BTC', '10');
  });
  afterAll(async () => {
    expect(room.faults).toEqual([]);
    expect(await room.violations()).toEqual([]);
    await room.close();
  });

  it('trades with the next one, however the two events interleave', async () => {
    for (let round = 0; round < 50; round += 1) {
      const victim = await resting();
      const frozen = pause((round % 10) * 6).then(() =>
        room.test.database.transaction((transaction) => freeze(transaction, victim)).then(() => tradesOf(victim)),
      );
      const [dealt, atFreeze] = await Promise.all([buy(), frozen]);
      expect(dealt).toMatchObject({ ok: true, effect: { status: 'filled' } });
      // No trade happens after the freeze. Without a trade, the order has ended and its money is released.
      expect(await tradesOf(victim)).toBe(atFreeze);
      expect(await contracts.open(victim)).toEqual([]);
      expect(await room.funds(victim, 'BTC')).toBe(atFreeze === 0 ? '100000000+0' : '99000000+0');
      expect(await contracts.open(NICHA)).toHaveLength(atFreeze);
      await contracts.revokeAll(NICHA, 'BTC', { id: randomUUID(), digest: 'd' });
    }
    expect(contracts.stateHash('BTC')).toBe(await readStoredBookHash(room.test, 'BTC'));
  });

  it('waits while the freeze is being written', async () => {
    const victim = await resting();
    let dealing: ReturnType<typeof buy> | undefined;
    const order: string[] = [];
    await room.test.database.transaction(async (transaction) => {
      await freeze(transaction, victim);
      dealing = buy();
      void dealing.then(() => order.push('dealt'));
      await pause(300);
      order.push('frozen');
    });
    expect(await dealing).toMatchObject({ ok: true, effect: { status: 'filled', dealt_amount: '601.000000' } });
    expect(order).toEqual(['frozen', 'dealt']);
    expect([await tradesOf(victim), await room.funds(victim, 'BTC')]).toEqual([0, '100000000+0']);
  });

  it('rests if there is no other, and a refused one ends nothing', async () => {
    const victim = await resting();
    await contracts.revokeAll(NICHA, 'BTC', { id: randomUUID(), digest: 'd' });
    await freeze(room.test.database, victim);
    const whole = { side: 'buy', type: 'limit', price: '60000', quantity: '0.01', timeInForce: 'FOK' } as const;
    expect(await contracts.order(MALI, whole)).toMatchObject({ ok: false, refusal: 'fok_not_fillable' });
    expect(await contracts.open(victim)).toHaveLength(1);
    expect(contracts.stateHash('BTC')).toBe(await readStoredBookHash(room.test, 'BTC'));
    expect(await buy('60000')).toMatchObject({ ok: true, effect: { status: 'open', dealt_quantity: '0.00000000' } });
    expect([await contracts.open(victim), await tradesOf(victim)]).toEqual([[], 0]);
    expect(contracts.stateHash('BTC')).toBe(await readStoredBookHash(room.test, 'BTC'));
    await contracts.revokeAll(MALI, 'BTC', { id: randomUUID(), digest: 'd' });
  });

  it('gets no trade that the application’s login could write', async () => {
    const [victim, columns] = [
      await resting(),
      'coin, number, price, quantity, amount, taker_side, maker_sequence, taker_sequence, maker_customer, taker_customer, maker_fee, taker_fee, at_ms',
    ];
    await freeze(room.test.database, victim);
    for (const [maker, taker] of [
      [victim, MALI],
      [MALI, victim],
    ] as const)
      await expect(
        room.test.database.query(
          text(
            `INSERT INTO contracts.trade (${columns}) VALUES ('BTC', 99999, 1, 1000000, 1, 'buy', 99998, 99999, $1, $2, 0, 0, 1)`,
          ),
          [maker, taker],
        ),
      ).rejects.toThrow('frozen');
  });
});
