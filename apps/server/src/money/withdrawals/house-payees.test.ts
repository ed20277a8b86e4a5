import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAsOwner } from '../../platform/database/testing.ts';
import { declareHouseAddresses, transferCallData } from '../chain/index.ts';
import { HOT_WALLET_ADDRESS, openWithdrawalsTest, usdt, type WithdrawalsTest } from './testing-withdrawals.ts';

const CUSTOMER = 771n;
const TREASURY = `0x${'7e'.repeat(20)}`;

describe('an address of the house', () => {
  let room: WithdrawalsTest;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.fund(CUSTOMER, 5_000);
  });
  afterAll(() => room.close());
  const ask = (address: string, amount = 12) =>
    room.call('extract', CUSTOMER, { channel: 'testnet', target: room.wallet(address), amount, paypass: '830274' });

  it.each([
    ['the wallet of today', async () => HOT_WALLET_ADDRESS],
    ['the token', async () => room.chain.config.token],
    [
      'the wallet of yesterday, on another chain',
      async () => {
        await declareHouseAddresses(room.test.owner, [{ chain: 'yesterday', address: TREASURY, role: 'wallet' }]);
        return TREASURY;
      },
    ],
    [
      'a customer’s deposit address on another chain',
      async () => {
        const address = `0x${'d0'.repeat(20)}`;
        await runAsOwner(
          room.test.owner,
          `INSERT INTO chain.address (chain, customer_id, index, address, xpub_mark) VALUES ('elsewhere', 5, 0, '${address}', 'x')`,
        );
        return address;
      },
    ],
  ])('is refused as a payee when it is quoted and requested: %s', async (_which, addressOf) => {
    const target = room.wallet(await addressOf());
    const order = { channel: 'testnet', target, amount: 12, paypass: '830274' };
    for (const call of ['quote', 'extract'] as const)
      expect(await room.call(call, CUSTOMER, order)).toMatchObject({ refusal: 'address_of_house', field: 'target' });
  });

  it('is refused by the database, whoever inserts the withdrawal', async () => {
    const { effect } = await ask(`0x${'51'.repeat(20)}`);
    await expect(
      runAsOwner(
        room.test.owner,
        `INSERT INTO withdrawals.withdrawal SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'address', '${HOT_WALLET_ADDRESS}'))).*
         FROM withdrawals.withdrawal w WHERE id = '${effect.id}'`,
      ),
    ).rejects.toThrow('the house’s own');
  });

  it('is not paid if it became the house’s after the request, and the next payout goes', async () => {
    const later = `0x${'1a'.repeat(20)}`;
    const { effect } = await ask(later);
    await declareHouseAddresses(room.test.owner, [{ chain: 'any', address: later, role: 'named' }]);
    const other = await ask(`0x${'52'.repeat(20)}`);
    expect(await room.follow(CUSTOMER, other.effect.id)).toMatchObject({ step: 'done' });
    expect(await room.read(CUSTOMER, effect.id)).toMatchObject({ step: 'approved' });
    expect(room.waits).toEqual([{ id: effect.id, waitsFor: 'house_address' }]);
    await expect(
      runAsOwner(
        room.test.owner,
        `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) VALUES ('${effect.id}', 'testnet', '${HOT_WALLET_ADDRESS}', withdrawals.last_nonce('testnet', '${HOT_WALLET_ADDRESS}') + 1)`,
      ),
    ).rejects.toThrow('is not to be paid');
  });

  it('books a transfer of the wallet to itself as outgoing and incoming, to the unit', async () => {
    await room.chain.rpc('anvil_impersonateAccount', HOT_WALLET_ADDRESS);
    const hash = await room.chain.rpc<string>('eth_sendTransaction', {
      from: HOT_WALLET_ADDRESS,
      to: room.chain.config.token,
      data: transferCallData(HOT_WALLET_ADDRESS, usdt(12)),
    });
    await room.chain.mine(4);
    await room.watch();
    const rows = await room.test.database.query<{ direction: string; amount: bigint }>(
      { name: '', text: 'SELECT direction, amount FROM deposits.hot_transfer WHERE hash = $1 ORDER BY direction' },
      [hash],
    );
    expect([...rows]).toEqual([
      { direction: 'in', amount: usdt(12) },
      { direction: 'out', amount: usdt(12) },
    ]);
    // The checker reports that nobody approved it, but chain and books agree.
    expect(await room.violations()).toMatchObject([{ invariant: 'CU3', subjects: [hash] }]);
  });
});
