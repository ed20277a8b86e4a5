import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainReader } from '../chain/index.ts';
import { type DepositsTest, openDepositsTest, usdt } from './testing-deposits.ts';

const COIN = 10n ** 18n;

describe('money that no scan of a chain can see', () => {
  let room: DepositsTest;
  beforeAll(async () => {
    room = await openDepositsTest();
    await room.mineAndWatch(4);
  });
  afterAll(() => room.close());

  /** A contract that passes on its initial coins without an event, and without a transaction to the address. */
  const sendByContract = async (to: string, coins: bigint): Promise<string> => {
    const [from = ''] = await room.chain.rpc<string[]>('eth_accounts');
    const data = `0x60006000600060003473${to.slice(2)}5af100`;
    return room.chain.rpc('eth_sendTransaction', { from, data, value: `0x${coins.toString(16)}`, gas: '0x30d40' });
  };
  const sendCoins = async (to: string, coins: bigint): Promise<void> => {
    const [from = ''] = await room.chain.rpc<string[]>('eth_accounts');
    await room.chain.rpc('eth_sendTransaction', { from, to, value: `0x${coins.toString(16)}` });
  };
  const blind: ChainReader = {
    get rpc() {
      return room.chain.reader.rpc;
    },
    chainId: () => room.chain.reader.chainId(),
    head: () => room.chain.reader.head(),
    blocks: (heights) => room.chain.reader.blocks(heights),
    receipts: (hashes, choose) => room.chain.reader.receipts(hashes, choose),
    countOf: (address, height) => room.chain.reader.countOf(address, height),
    isUsed: (address) => room.chain.reader.isUsed(address),
    balances: (addresses, height) => room.chain.reader.balances(addresses, height),
    coins: (addresses, height) => room.chain.reader.coins(addresses, height),
    tokenLogs: async () => [],
    coinTransfers: async () => [],
  };
  const clean = async (): Promise<void> => {
    const found = (await room.violations()) as { invariant: string }[];
    expect(found.filter(({ invariant }) => !invariant.startsWith('OP'))).toEqual([]);
  };

  it('becomes a case of its owner, to the unit and once, when a contract sent the chain’s coin', async () => {
    const customer = 501n;
    const address = await room.addressOf(customer);
    await sendCoins(address, COIN / 10n);
    await room.mineAndWatch(4);
    const hash = await sendByContract(address, COIN / 5n + 1n);
    // Until the block is deep enough, nobody can say that nothing was overlooked.
    await room.mineAndWatch(1);
    expect(await room.list(customer)).toHaveLength(1);
    await room.mineAndWatch(3);
    await room.mineAndWatch(3);
    const found = await room.list(customer);
    expect(found).toMatchObject([
      { reason: 'native_coin', step: 'recovery', hash: null, from: null, recovery: { units: String(COIN / 5n + 1n) } },
      { reason: 'native_coin', step: 'recovery', recovery: { units: String(COIN / 10n) } },
    ]);
    // Its owner names the transaction and is shown the case.
    expect(await room.call('submitDeposit', customer, { channel: 'testnet', hash })).toMatchObject({
      ok: true,
      effect: { id: found[0]?.id },
    });
    await sendByContract(address, COIN);
    await room.mineAndWatch(4);
    await room.mineAndWatch(3);
    expect((await room.list(customer)).map(({ recovery }) => recovery?.units)).toEqual(
      [COIN, COIN / 5n + 1n, COIN / 10n].map(String),
    );
    await clean();
  });

  it('becomes no case as dust, or while nodes disagree', async () => {
    const customer = 502n;
    const address = await room.addressOf(customer);
    await sendByContract(address, 10n ** 15n);
    await room.mineAndWatch(7);
    expect(await room.list(customer)).toEqual([]);
    await sendByContract(address, COIN);
    const lying = { ...blind, coins: async (addresses: readonly string[]) => addresses.map(() => 9n * COIN) };
    await room.mineAndWatch(7, room.watcher([room.chain.reader, lying]));
    expect(await room.list(customer)).toEqual([]);
    await room.mineAndWatch(3);
    expect(await room.list(customer)).toHaveLength(1);
  });

  it('becomes no case when the house’s wallet sent the coins by hand', async () => {
    const customer = 504n;
    const address = await room.addressOf(customer);
    const { hot } = room.chain.config;
    await room.chain.rpc('anvil_setBalance', hot, `0x${(3n * COIN).toString(16)}`);
    await room.chain.rpc('anvil_impersonateAccount', hot);
    await room.chain.rpc('eth_sendTransaction', { from: hot, to: address, value: `0x${COIN.toString(16)}` });
    await room.mineAndWatch(7);
    await room.mineAndWatch(3);
    expect(await room.list(customer)).toEqual([]);
  });

  it('is credited once by two people when every scan missed a transfer of the token, whoever names its hash', async () => {
    const customer = 503n;
    const address = await room.addressOf(customer);
    const hash = await room.chain.send(address, usdt(70) + 1n);
    await room.mineAndWatch(4, room.watcher([blind, blind]));
    await room.mineAndWatch(3);
    const [counted] = await room.list(customer);
    expect(counted).toMatchObject({ reason: 'counted', step: 'recovery', amount: '70.000001', hash: null });
    const id = counted?.id ?? '';
    const named = await room.call('submitDeposit', customer, { channel: 'testnet', hash });
    expect(named).toMatchObject({ ok: true, effect: { id } });
    expect(await room.list(customer)).toHaveLength(1);
    await clean();

    await room.decide(id, 'credit');
    await room.settleByRule();
    expect(room.faults).toEqual([]);
    expect(await room.available(customer)).toBe(usdt(69.8) + 1n);
    await room.call('submitDeposit', customer, { channel: 'testnet', hash });
    await room.mineAndWatch(8);
    expect(await room.available(customer)).toBe(usdt(69.8) + 1n);
    expect(await room.list(customer)).toMatchObject([{ id, step: 'credited' }]);
    await clean();
  });

  it('can neither be changed nor be a deposit of a hash as well, whoever writes the row', async () => {
    await expect(
      room.asOwner(`UPDATE deposits.deposit SET amount = amount + 1 WHERE reason = 'counted'`),
    ).rejects.toThrow('what was counted is kept');
    await room.asOwner(
      `INSERT INTO deposits.deposit (id, order_number, customer_id, channel, kind, step, amount, created_at, chain, hash, output, token, sender, address, block_height, block_hash, in_block_at)
       SELECT gen_random_uuid(), 'D-1', customer_id, channel, kind, 'confirming', amount, created_at, chain, '0x${'7'.repeat(64)}', 0, token, address, address, block_height, block_hash, in_block_at
       FROM deposits.deposit WHERE reason = 'counted'`,
    );
    expect(await room.list(503n)).toHaveLength(1);
  });
});
