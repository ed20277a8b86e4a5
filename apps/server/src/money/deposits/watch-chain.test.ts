import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainReader, RpcFault, RpcRefusal } from '../chain/index.ts';
import { PAYER_ADDRESS } from '../testing-chain.ts';
import { DUST_OPEN_MAX } from './dust-store.ts';
import { WatcherLeaseLostError } from './scan-store.ts';
import { type DepositsTest, openDepositsTest, usdt } from './testing-deposits.ts';
import { readUnassigned } from './unassigned-store.ts';
import { TRANSFERS_EXAMINED_MAX } from './watch-chain.ts';

let customers = 100n;
/** A new customer, so that tests don't share balances. */
const somebody = (): bigint => (customers += 1n);

describe('deposits by chain', () => {
  let room: DepositsTest;
  beforeAll(async () => {
    room = await openDepositsTest();
    await room.mineAndWatch(1);
  });
  afterAll(() => room.close());

  const pay = async (customer: bigint, units: bigint): Promise<string> =>
    room.chain.send(await room.addressOf(customer), units);
  const submit = (customer: bigint, hash: string) => room.call('submitDeposit', customer, { channel: 'testnet', hash });
  const clean = async (): Promise<void> => expect(await room.violations()).toEqual([]);

  it('D9 is found without a submitted hash, and is spendable at the required depth and not before', async () => {
    const customer = somebody();
    const hash = await pay(customer, usdt(250));
    await room.mineAndWatch(1);
    for (const confirmations of [1, 2]) {
      expect(await room.list(customer)).toMatchObject([
        { status: 'pending', step: 'confirming', hash, amount: '250.000000', confirmations, confirmations_needed: 3 },
      ]);
      expect(await room.available(customer)).toBe(0n);
      await room.mineAndWatch(1);
    }
    const [record] = await room.list(customer);
    expect(record).toMatchObject({ status: 'completed', step: 'credited', confirmations: 3 });
    expect(BigInt(record?.credit_height ?? 0) - BigInt(record?.block_height ?? 0)).toBe(2n);
    expect(await room.available(customer)).toBe(usdt(250));
    await room.mineAndWatch(5);
    expect(await room.available(customer)).toBe(usdt(250));
    expect((await room.deposits.completedTotal(room.test.database, customer)).units).toBe(usdt(250));
    await clean();
  });

  it('D1 D2 a hash that is submitted again, in any notation, is the same deposit', async () => {
    const customer = somebody();
    const hash = await pay(customer, usdt(5));
    await room.chain.mine();
    const spellings = [hash, hash.toUpperCase().replace('0X', '0x'), hash.slice(2), hash.slice(2).toUpperCase()];
    const answers = await Promise.all(spellings.map((spelling) => submit(customer, spelling)));
    const ids = new Set(answers.map((answer) => (answer.ok ? answer.effect.id : answer.refusal)));
    expect(ids.size).toBe(1);
    await room.mineAndWatch(4);
    expect(await submit(customer, hash)).toMatchObject({ ok: true, effect: { id: [...ids][0], step: 'credited' } });
    expect(await room.available(customer)).toBe(usdt(5));
    await clean();
  });

  it('D3 another person’s hash credits nobody', async () => {
    const [owner, thief] = [somebody(), somebody()];
    const hash = await pay(owner, usdt(7));
    const outside = await room.chain.send(`0x${'77'.repeat(20)}`, usdt(7));
    await room.chain.mine();
    expect(await submit(thief, hash)).toMatchObject({ ok: false, refusal: 'hash_of_another', field: 'hash' });
    expect(await submit(thief, outside)).toMatchObject({ ok: false, refusal: 'hash_other_address' });
    expect(await submit(thief, 'f'.repeat(64))).toMatchObject({ ok: false, refusal: 'hash_unknown' });
    expect(await submit(thief, 'z'.repeat(64))).toMatchObject({ ok: false, refusal: 'hash_unknown' });
    await room.mineAndWatch(4);
    expect([await room.available(owner), await room.available(thief)]).toEqual([usdt(7), 0n]);
    await clean();
  });

  it('D4 each output of one transaction is credited once, two to one customer too', async () => {
    const [mali, somchai] = [somebody(), somebody()];
    const [to, other] = [await room.addressOf(mali), await room.addressOf(somchai)];
    const hash = await room.chain.sendMany(
      [to, other, to, `0x${'55'.repeat(20)}`],
      [usdt(1), usdt(2), usdt(3), usdt(4)],
    );
    await room.chain.mine();
    await submit(mali, hash);
    await room.mineAndWatch(4);
    expect([await room.available(mali), await room.available(somchai)]).toEqual([usdt(4), usdt(2)]);
    expect(await room.list(mali)).toHaveLength(2);
    await clean();
  });

  it('D5 D6 another contract called USDT, and a failed transaction, move no money here', async () => {
    const customer = somebody();
    const to = await room.addressOf(customer);
    const liar = await room.chain.deploy('lying-token');
    const lie = await room.chain.call(liar, `0xa9059cbb${to.slice(2).padStart(64, '0')}${'f'.padStart(64, '0')}`);
    const failed = await room.chain.call(liar, '0xa9cc4718');
    await room.chain.mine();
    expect(await submit(customer, failed)).toMatchObject({ ok: false, refusal: 'hash_failed' });
    expect(await submit(customer, lie)).toMatchObject({ ok: false, refusal: 'hash_other_token' });
    await room.mineAndWatch(5);
    expect(await room.available(customer)).toBe(0n);
    expect(await room.list(customer)).toMatchObject([{ step: 'recovery', reason: 'other_token', amount: '0.000000' }]);
    await clean();
  });

  it('D5 another token is looked up only when its owner submits the hash, whatever strangers send', async () => {
    const customer = somebody();
    const to = await room.addressOf(customer);
    const liar = await room.chain.deploy('lying-token');
    const event = `0xa9059cbb${to.slice(2).padStart(64, '0')}${'f'.padStart(64, '0')}`;
    const hashes: string[] = [];
    for (let n = 0; n < 3; n++) hashes.push(await room.chain.call(liar, event));
    await room.mineAndWatch(5);
    expect(await room.list(customer)).toEqual([]);
    expect(await submit(customer, hashes[1] ?? '')).toMatchObject({ ok: false, refusal: 'hash_other_token' });
    expect(await room.list(customer)).toMatchObject([{ step: 'recovery', reason: 'other_token', hash: hashes[1] }]);
    expect(await readUnassigned(room.test.database, 'testnet', to)).toBe(0);
    await clean();
  });

  it('a hash with ten thousand events shows the owner’s deposit, five of the other transfers, and no more', async () => {
    const customer = somebody();
    const to = await room.addressOf(customer);
    const flood = await room.chain.deploy('event-flood');
    const word = (value: string | number): string =>
      (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0');
    const hash = await room.chain.call(flood, `0x152d57b9${word(to)}${word(7_000)}`);
    await room.chain.mine(1);
    expect(await submit(customer, hash)).toMatchObject({ ok: false, refusal: 'hash_other_token' });
    expect(await room.list(customer)).toHaveLength(5);
    await room.mineAndWatch(5);
    expect(await room.list(customer)).toHaveLength(5);
    await clean();
  });

  it('events of the token that move nothing are dropped while they are read', async () => {
    const customer = somebody();
    const to = await room.addressOf(customer);
    const flood = await room.chain.deploy('event-flood');
    const word = (value: string | number): string =>
      (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0');
    await room.chain.call(flood, `0x7d30e5a5${word(room.chain.config.token)}${word(to)}${word(1_500)}`);
    await pay(customer, usdt(12));
    await room.chain.mine(1);
    const height = (await room.chain.reader.head()).height;
    expect(await room.chain.reader.tokenLogs(height, height)).toHaveLength(1_501);
    await room.mineAndWatch(4);
    expect(await room.available(customer)).toBe(usdt(12));
    expect(await room.list(customer)).toHaveLength(1);
    await clean();
  });

  it('hundreds of dust transfers in a block are summed unread, and a deposit among them is credited', async () => {
    const customer = somebody();
    const to = await room.addressOf(customer);
    const many = TRANSFERS_EXAMINED_MAX + 60;
    const dust = usdt(0.01);
    const units = Array<bigint>(many).fill(dust);
    await room.chain.sendMany(Array<string>(many + 1).fill(to), [...units, usdt(3)]);
    await room.mineAndWatch(5);
    expect(await room.available(customer)).toBe(usdt(3));
    expect(await room.list(customer)).toHaveLength(DUST_OPEN_MAX + 1);
    const [sum] = await room.test.database.query<{ units: string; n: string }>({
      name: '',
      text: `SELECT sum(units)::text AS units, sum(transfers)::text AS n FROM deposits.crumb WHERE address = '${to}'`,
    });
    expect(sum).toEqual({ units: String(dust * BigInt(many - DUST_OPEN_MAX)), n: String(many - DUST_OPEN_MAX) });
    await clean();
  });

  it('a range that contains more than the node returns is read in parts', async () => {
    const customer = somebody();
    await pay(customer, usdt(13));
    await room.chain.mine(40);
    const { reader } = room.chain;
    const asked: number[] = [];
    const weak: ChainReader = {
      ...reader,
      tokenLogs: async (from, to, choose) => {
        asked.push(to - from + 1);
        if (to - from >= 5) throw new RpcRefusal('eth_getLogs', -32005, 'more than 10000 results');
        return reader.tokenLogs(from, to, choose);
      },
    };
    await room.mineAndWatch(1, room.watcher([weak, weak]));
    expect(Math.max(...asked)).toBeGreaterThan(5);
    expect(await room.available(customer)).toBe(usdt(13));
    await clean();
  });

  it('D6 an event without a balance behind it is not credited', async () => {
    const customer = somebody();
    await pay(customer, usdt(9));
    const poorer: ChainReader = { ...room.chain.reader, balances: async (of) => of.map(() => 0n) };
    const watcher = room.watcher([poorer, poorer]);
    await room.chain.mine(4);
    while (await watcher.round());
    expect(await room.available(customer)).toBe(0n);
    // The nodes agree, so neither is reported.
    expect(watcher.trouble()).toContain('hold less than came there');
    await room.mineAndWatch(1, room.watcher());
    expect(await room.available(customer)).toBe(usdt(9));
    await clean();
  });

  it('D10 less than the minimum is recorded and kept, not lost', async () => {
    const customer = somebody();
    await pay(customer, usdt(0.5));
    await room.mineAndWatch(4);
    expect(await room.available(customer)).toBe(0n);
    expect(await room.list(customer)).toMatchObject([
      { status: 'failed', step: 'recovery', reason: 'below_minimum', amount: '0.500000' },
    ]);
    await clean();
  });

  it('nothing is credited by one node’s word alone: two nodes that disagree raise an alarm', async () => {
    const customer = somebody();
    await pay(customer, usdt(11));
    const other: ChainReader = { ...room.chain.reader, receipts: async (hashes) => hashes.map(() => null) };
    const watcher = room.watcher([room.chain.reader, other]);
    await room.chain.mine(6);
    while (await watcher.round());
    expect(await room.available(customer)).toBe(0n);
    expect(watcher.trouble()).toContain('nodes disagree');
    const liar = room.watcher([other, room.chain.reader]);
    await room.chain.mine(1);
    while (await liar.round());
    expect(await room.available(customer)).toBe(0n);
    await room.mineAndWatch(1, room.watcher());
    expect(await room.available(customer)).toBe(usdt(11));
    await clean();
  });

  it('an outage, and a restart after many blocks, lose nothing', async () => {
    const [before, during] = [somebody(), somebody()];
    await pay(before, usdt(3));
    await room.chain.mine(1);
    const out: ChainReader = {
      ...room.chain.reader,
      tokenLogs: async () => {
        throw new RpcFault('no answer');
      },
    };
    const watcher = room.watcher([out, room.chain.reader]);
    await expect(watcher.round()).rejects.toThrow(RpcFault);
    await pay(during, usdt(4));
    await room.chain.mine(700);
    await room.mineAndWatch(1, room.watcher());
    expect([await room.available(before), await room.available(during)]).toEqual([usdt(3), usdt(4)]);
    await clean();
  });

  it('two watchers at once credit once, and the one that lost its lease writes nothing', async () => {
    const customer = somebody();
    await pay(customer, usdt(6));
    await room.chain.mine(5);
    const results = await Promise.allSettled(
      [room.watcher(), room.watcher(), room.watcher()].map(async (one) => {
        while (await one.round());
      }),
    );
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(WatcherLeaseLostError);
    await room.mineAndWatch(1);
    expect(await room.available(customer)).toBe(usdt(6));
    expect(await room.list(customer)).toHaveLength(1);
    await clean();
  });

  describe('D8 a reorganisation', () => {
    /** Reverts the chain to `snapshot` and mines other blocks instead. */
    const leaveBlocks = async (snapshot: string, blocks: number): Promise<void> => {
      await room.chain.rpc('evm_revert', snapshot);
      // Another timestamp gives the new blocks other hashes.
      await room.chain.rpc('evm_increaseTime', 7);
      await room.chain.mine(blocks);
    };

    it('below the depth removes the deposit’s confirmations, and a returning transaction counts again, once', async () => {
      const customer = somebody();
      await fundPayer(room);
      const raw = await room.chain.signed(await room.addressOf(customer), usdt(20));
      const snapshot = await room.chain.rpc<string>('evm_snapshot');
      await room.chain.rpc('eth_sendRawTransaction', raw);
      await room.mineAndWatch(2);
      expect(await room.list(customer)).toMatchObject([{ step: 'confirming', confirmations: 2 }]);
      await leaveBlocks(snapshot, 3);
      await room.mineAndWatch(1);
      expect(await room.list(customer)).toMatchObject([
        { status: 'pending', step: 'confirming', reason: 'reorganised', confirmations: 0, block_height: null },
      ]);
      await room.chain.rpc('eth_sendRawTransaction', raw);
      await room.mineAndWatch(2);
      expect(await room.available(customer)).toBe(0n);
      await room.mineAndWatch(2);
      expect(await room.list(customer)).toMatchObject([{ step: 'credited', reason: null }]);
      expect(await room.available(customer)).toBe(usdt(20));
      await clean();
    });

    it('above the depth takes back what the customer has; the house pays the rest', async () => {
      const customer = somebody();
      await fundPayer(room);
      const raw = await room.chain.signed(await room.addressOf(customer), usdt(30));
      const snapshot = await room.chain.rpc<string>('evm_snapshot');
      await room.chain.rpc('eth_sendRawTransaction', raw);
      await room.mineAndWatch(4);
      expect(await room.available(customer)).toBe(usdt(30));
      await room.spend(customer, usdt(25));
      await leaveBlocks(snapshot, 6);
      await room.mineAndWatch(1);
      expect(await room.list(customer)).toMatchObject([{ status: 'failed', step: 'reversed', reason: 'reorganised' }]);
      expect(await room.available(customer)).toBe(0n);
      expect((await room.deposits.completedTotal(room.test.database, customer)).units).toBe(0n);
      expect(room.faults.map(String).join()).toContain('its block is gone');
      // A customer who spent a reversed deposit is frozen by rule for 14 days.
      const days = ((room.frozen.get(customer)?.getTime() ?? 0) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(13.9);
      expect(days).toBeLessThan(14.1);
      await room.settleByRule();
      expect(room.frozen.has(customer)).toBe(true);
      await clean();
      // The house paid the 25 that were spent and recovers them from the customer's next deposits.
      await room.chain.send(await room.addressOf(customer), usdt(10));
      await room.mineAndWatch(4);
      await room.settleByRule();
      expect(await room.available(customer)).toBe(0n);
      expect(room.frozen.has(customer)).toBe(true);
      await room.chain.rpc('eth_sendRawTransaction', raw);
      await room.mineAndWatch(4);
      expect((await room.list(customer)).map(({ step }) => step)).toEqual(['credited', 'credited']);
      await Promise.all([room.settleByRule(), room.settleByRule()]);
      expect(await room.available(customer)).toBe(usdt(15));
      expect(room.frozen.has(customer)).toBe(false);
      await room.settleByRule();
      expect(await room.available(customer)).toBe(usdt(15));
      await clean();
    });

    it('moves a named transfer of another token to its new block; the owner may name it again before', async () => {
      const customer = somebody();
      const to = await room.addressOf(customer);
      const liar = await room.chain.deploy('lying-token');
      const snapshot = await room.chain.rpc<string>('evm_snapshot');
      const event = `0xa9059cbb${to.slice(2).padStart(64, '0')}${'f'.padStart(64, '0')}`;
      const hash = await room.chain.call(liar, event);
      await room.mineAndWatch(1);
      await submit(customer, hash);
      const [before] = await room.list(customer);
      await leaveBlocks(snapshot, 2);
      await room.mineAndWatch(1);
      expect(await room.list(customer)).toMatchObject([{ step: 'recovery', block_height: null }]);
      expect(await submit(customer, hash)).toMatchObject({ ok: true, effect: { id: before?.id } });
      expect(await room.chain.call(liar, event)).toBe(hash);
      await room.mineAndWatch(5);
      const [after] = await room.list(customer);
      expect(after).toMatchObject({ id: before?.id, step: 'recovery' });
      expect(BigInt(after?.block_height ?? 0)).toBeGreaterThan(BigInt(before?.block_height ?? 0));
      await clean();
    });

    it('dust of our token and of the coin opens at most 20 cases each, and no real deposit is lost', async () => {
      const customer = somebody();
      await fundPayer(room);
      const address = await room.addressOf(customer);
      const counted = async (from: string, sums: string): Promise<Record<string, string>[]> =>
        room.test.database.query({
          name: '',
          text: `SELECT ${sums} FROM deposits.${from} WHERE address = '${address}'`,
        });
      const dust = () =>
        counted('crumb', 'coalesce(sum(units), 0)::text AS units, coalesce(sum(transfers), 0)::text AS n');
      await room.chain.sendMany(Array(30).fill(address), Array(30).fill(usdt(0.01)));
      await room.mineAndWatch(1);
      expect(await room.list(customer)).toHaveLength(20);
      expect(await dust()).toEqual([{ units: String(usdt(0.1)), n: '10' }]);
      await clean();
      const snapshot = await room.chain.rpc<string>('evm_snapshot');
      await room.chain.sendMany(Array(5).fill(address), Array(5).fill(usdt(0.02)));
      await room.mineAndWatch(2);
      expect(await dust()).toEqual([{ units: String(usdt(0.2)), n: '15' }]);
      await clean();
      await leaveBlocks(snapshot, 3);
      await room.mineAndWatch(4);
      // The second scan has read the first block again, and the second block has left the chain.
      expect(await dust()).toEqual([{ units: String(usdt(0.1)), n: '10' }]);
      await clean();
      const hash = await room.chain.send(address, usdt(0.5));
      await room.mineAndWatch(1);
      expect(await room.call('submitDeposit', customer, { channel: 'testnet', hash })).toMatchObject({
        refusal: 'hash_below_minimum',
      });
      // The owner's real deposit does not count as dust.
      await room.chain.send(address, usdt(2));
      await room.mineAndWatch(4);
      expect(await room.available(customer)).toBe(usdt(2));

      const [faucet = ''] = await room.chain.rpc<string[]>('eth_accounts');
      const give = (value: bigint) =>
        room.chain.rpc('eth_sendTransaction', { from: faucet, to: address, value: `0x${value.toString(16)}` });
      for (let n = 0; n < 23; n += 1) await give(10n ** 13n);
      await give(10n ** 16n);
      await room.mineAndWatch(5);
      const coins = (await room.list(customer)).filter(({ reason }) => reason === 'native_coin');
      expect(coins).toHaveLength(21);
      expect(coins.map(({ recovery }) => recovery?.units)).toContain(String(10n ** 16n));
      expect(await counted('stray', 'transfers::text AS n, coins::text')).toEqual([
        { n: '3', coins: String(3n * 10n ** 13n) },
      ]);
      // Far below the head, an address has one row for all of its dust.
      await room.mineAndWatch(600);
      await room.chain.sendMany(Array(2).fill(address), Array(2).fill(usdt(0.01)));
      await room.mineAndWatch(5);
      expect(await counted('crumb', 'count(*)::text AS n')).toEqual([{ n: '2' }]);
      expect(await dust()).toEqual([{ units: String(usdt(0.62)), n: '13' }]);
      await clean();
    });

    it('that only moves a credited transaction to another block changes no balance', async () => {
      const customer = somebody();
      await fundPayer(room);
      const raw = await room.chain.signed(await room.addressOf(customer), usdt(40));
      const snapshot = await room.chain.rpc<string>('evm_snapshot');
      await room.chain.rpc('eth_sendRawTransaction', raw);
      await room.mineAndWatch(4);
      await room.chain.rpc('evm_revert', snapshot);
      await room.chain.rpc('evm_increaseTime', 9);
      await room.chain.mine(1);
      await room.chain.rpc('eth_sendRawTransaction', raw);
      await room.mineAndWatch(5);
      expect(await room.list(customer)).toMatchObject([{ step: 'credited' }]);
      expect(await room.available(customer)).toBe(usdt(40));
      await clean();
    });
  });
});

async function fundPayer(room: DepositsTest): Promise<void> {
  await room.chain.send(PAYER_ADDRESS, usdt(1_000));
  await room.mineAndWatch(1);
}
