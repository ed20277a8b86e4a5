import type { DepositRecord } from '@sathorn/api';
import { money } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainReader } from '../chain/index.ts';
import { PAYER_ADDRESS } from '../testing-chain.ts';
import { beginRecovery } from './deposit-store.ts';
import { type DepositsTest, openDepositsTest, usdt } from './testing-deposits.ts';

let customers = 700n;
/** A new customer, so that tests don't share balances. */
const somebody = (): bigint => (customers += 1n);

describe('what two people decided about a kept transfer, after a deep reorganisation', () => {
  let room: DepositsTest;
  beforeAll(async () => {
    room = await openDepositsTest();
    await room.mineAndWatch(1);
    await room.chain.send(PAYER_ADDRESS, usdt(1_000));
    await room.mineAndWatch(1);
  });
  afterAll(() => room.close());

  /** The test writes the votes by hand, so it ignores the checker's findings about them. */
  const clean = async (): Promise<void> => {
    const found = (await room.violations()) as { invariant: string }[];
    expect(found.filter(({ invariant }) => !invariant.startsWith('OP'))).toEqual([]);
  };
  const app = (text: string, ...values: unknown[]) => room.test.database.query({ name: '', text }, values);
  const shown = async (customer: bigint, id: string): Promise<DepositRecord | undefined> =>
    (await room.list(customer)).find((one) => one.id === id);
  /** Opens a case of half a dollar that people have decided to credit. It is credited only when the test says so. */
  const decided = async (customer: bigint): Promise<{ id: string; raw: string; leave: () => Promise<unknown> }> => {
    const raw = await room.chain.signed(await room.addressOf(customer), usdt(0.5));
    const snapshot = await room.chain.rpc<string>('evm_snapshot');
    await room.chain.rpc('eth_sendRawTransaction', raw);
    await room.mineAndWatch(5);
    const id = (await room.list(customer))[0]?.id ?? '';
    await room.decide(id, 'credit');
    const leave = async () => {
      await room.chain.rpc('evm_revert', snapshot);
      // Another timestamp gives the new blocks other hashes.
      await room.chain.rpc('evm_increaseTime', 7);
    };
    return { id, raw, leave };
  };
  const settle = async (): Promise<void> => {
    await room.settleByRule();
    await room.settleByRule();
  };

  it('stays valid if the transfer only moved to another block', async () => {
    const customer = somebody();
    const { id, raw, leave } = await decided(customer);
    await leave();
    await room.chain.rpc('eth_sendRawTransaction', raw);
    await room.mineAndWatch(6);
    expect(await shown(customer, id)).toMatchObject({ step: 'recovering' });
    await settle();
    expect(await shown(customer, id)).toMatchObject({ step: 'credited' });
    expect(await room.available(customer)).toBe(usdt(0.3));
    await clean();
  });

  it('becomes stale if the transfer is gone: nothing is credited, and a day later the case ends', async () => {
    const customer = somebody();
    const { id, raw, leave } = await decided(customer);
    const before = room.audited.length;
    await leave();
    await room.mineAndWatch(7);
    await settle();
    const opened = { step: 'recovery', block_height: null, recovery: { plan: null } };
    expect(await shown(customer, id)).toMatchObject(opened);
    expect(await room.available(customer)).toBe(0n);
    expect(room.audited.slice(before)).toEqual(['deposit.recovery_taken_back']);
    expect(room.faults.map(String).join()).toContain('it needs a new decision');
    await clean();
    await room.asOwner(
      `UPDATE deposits.deposit SET orphaned_at = orphaned_at - interval '25 hours' WHERE id = '${id}'`,
    );
    await room.mineAndWatch(1);
    expect(await shown(customer, id)).toMatchObject({ status: 'failed', reason: 'reorganised' });
    // The transfer returns, and waits for people as if for the first time.
    await room.chain.rpc('eth_sendRawTransaction', raw);
    await room.mineAndWatch(5);
    await settle();
    expect(await shown(customer, id)).toMatchObject({ step: 'recovery', reason: 'below_minimum' });
    expect(await room.available(customer)).toBe(0n);
    await room.decide(id, 'credit');
    await settle();
    expect(await room.available(customer)).toBe(usdt(0.3));
    await clean();
  });

  it('is used once, and the database credits nothing but what was decided and posted', async () => {
    const customer = somebody();
    const { id, leave } = await decided(customer);
    const [row] = await app('SELECT recovery_approval AS approval FROM deposits.deposit WHERE id = $1', id);
    const { approval } = row as { approval: string };
    const credit = 'SELECT deposits.credit_recovered($1, 200000, gen_random_uuid(), now())';
    await expect(app(credit, id)).rejects.toThrow('was not posted as decided');
    const reopen = `UPDATE deposits.deposit SET step = 'recovery', recovery_plan = NULL, recovery_approval = NULL, finished_at = now() WHERE id = $1`;
    await expect(app(reopen, id)).rejects.toThrow('is as it was decided');
    await app('UPDATE deposits.deposit SET amount = amount + 1 WHERE id = $1', id);
    await expect(app(credit, id)).rejects.toThrow('nobody decided');
    await app(reopen, id);
    await expect(app(`UPDATE deposits.deposit SET step = 'failed' WHERE id = $1`, id)).rejects.toThrow(
      'still on its chain',
    );
    // Restoring the amount afterwards does not make the old decision valid again.
    await app('UPDATE deposits.deposit SET amount = amount - 1 WHERE id = $1', id);
    const again = beginRecovery(room.test.database, id, { plan: 'credit', approval, fee: money('USDT', usdt(0.2)) });
    await expect(again).rejects.toThrow('was another time');
    await leave();
    await room.mineAndWatch(7);
  });

  // These tests come last, because from here on the books and the chain differ.
  it.each([
    ['more', 40],
    ['less', 0.4],
  ])('is stale when the transfer pays %s: two people decide anew about that amount', async (_what, now) => {
    const customer = somebody();
    const { id, raw, leave } = await decided(customer);
    await leave();
    await room.chain.rpc('eth_sendRawTransaction', raw);
    const data = `0x${usdt(now).toString(16).padStart(64, '0')}`;
    const reader: ChainReader = {
      ...room.chain.reader,
      receipts: async (hashes, choose) =>
        (await room.chain.reader.receipts(hashes, choose)).map(
          (receipt) => receipt && { ...receipt, logs: receipt.logs.map((log) => ({ ...log, data })) },
        ),
    };
    await room.mineAndWatch(6, room.watcher([reader, reader]));
    await settle();
    expect(await shown(customer, id)).toMatchObject({ step: 'recovery', amount: now.toFixed(6) });
    expect(await room.available(customer)).toBe(0n);
    await room.decide(id, 'credit');
    await settle();
    expect(await room.available(customer)).toBe(usdt(now) - usdt(0.2));
  });
});
