import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDepositAddresses, transferCallData } from '../../chain/index.ts';
import { openWithdrawalsTest, usdt, type WithdrawalsTest } from '../testing-withdrawals.ts';

describe('sweeps', () => {
  let room: WithdrawalsTest;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.chain.mine(5);
    await room.watch();
  });
  afterAll(() => room.close());

  const addressOf = (customer: bigint): Promise<string> =>
    openDepositAddresses(room.test.database, room.chain.config).of(customer);
  const deposit = async (customer: bigint, units: bigint): Promise<string> => {
    const address = await addressOf(customer);
    await room.chain.send(address, units);
    await room.chain.mine(4);
    await room.watch();
    return address;
  };
  const settle = async (rounds = 8, signer = room.signer()): Promise<void> => {
    for (let n = 0; n < rounds; n += 1) {
      await signer.round();
      await room.chain.mine();
      await room.watch();
      expect(await room.violations()).toEqual([]);
    }
  };
  /** The balances of the wallet and of the deposit addresses according to the ledger. */
  const booked = async () => {
    const of = (await room.ledger.balances(0n)).filter(({ account }) => account.asset === 'USDT');
    const [hot, clearing] = ['reserve_hot', 'inbound_clearing'].map(
      (name) => of.find(({ account }) => account.name === name)?.available ?? 0n,
    );
    return { hot: -(hot ?? 0n), clearing: -(clearing ?? 0n) };
  };
  const sendings = () =>
    room.test.database.query<{ kind: string; step: string; units: string; sender: string }>({
      name: '',
      text: 'SELECT kind, step, units::text, sender FROM withdrawals.sending ORDER BY at, kind',
    });

  it('brings gas to an address, then the credited money to the wallet, and books it once', async () => {
    const before = await booked();
    const address = await deposit(501n, usdt(120));
    expect(await room.available(501n)).toBe(usdt(120));
    await settle();
    expect(await room.paidTo(address)).toBe(0n);
    const after = await booked();
    expect(after).toEqual({ hot: before.hot + usdt(120), clearing: before.clearing });
    expect((await sendings()).map(({ kind, step }) => [kind, step])).toEqual([
      ['gas', 'done'],
      ['sweep', 'done'],
    ]);
    const paid = await room.test.database.query<{ n: number }>({
      name: '',
      text: 'SELECT count(*)::integer AS n FROM withdrawals.gas_paid WHERE units > 0',
    });
    expect(paid).toEqual([{ n: 2 }]);
  });

  it('leaves what is not worth its gas, and sweeps only what is credited', async () => {
    const address = await deposit(502n, usdt(9));
    await settle(4);
    expect(await room.paidTo(address)).toBe(usdt(9));
    // 13 USDT are worth a sweep. The 50 at the same address are not credited yet.
    await deposit(502n, usdt(4));
    await room.chain.send(address, usdt(50));
    await room.chain.mine();
    await room.watch();
    const signer = room.signer();
    await signer.round();
    await room.chain.mine(4);
    await room.watch();
    await signer.round();
    const [sweep] = (await sendings()).filter(({ kind, sender }) => kind === 'sweep' && sender === address);
    expect(sweep).toMatchObject({ units: String(usdt(63)) });
    await settle();
    expect(await room.available(502n)).toBe(usdt(63));
    expect(await room.paidTo(address)).toBe(0n);
  });

  it('credits deposits that arrive during a sweep, and after one', async () => {
    const address = await deposit(503n, usdt(40));
    const signer = room.signer();
    for (let n = 0; n < 6; n += 1) {
      await signer.round();
      if (n === 2) await room.chain.send(address, usdt(5));
      await room.chain.mine();
      await room.watch();
    }
    await room.chain.mine(4);
    await room.watch();
    expect(await room.available(503n)).toBe(usdt(45));
    await deposit(503n, usdt(20));
    expect(await room.available(503n)).toBe(usdt(65));
    await settle();
    expect(await room.paidTo(address)).toBe(0n);
    expect(room.faults.map(String).filter((fault) => fault.includes('alarm'))).toEqual([]);
  });

  it('sends a booked sweep again after a deep reorganisation, until which the checker halts', async () => {
    const address = await deposit(506n, usdt(80));
    await room.chain.rpc('anvil_setBalance', address, '0xde0b6b3a7640000');
    const snapshot = await room.chain.rpc<string>('evm_snapshot');
    await settle();
    expect(await room.paidTo(address)).toBe(0n);
    const before = await booked();
    await room.chain.rpc('evm_revert', snapshot);
    await room.chain.rpc('evm_increaseTime', 7);
    await room.chain.mine(12);
    await room.watch();
    expect(await room.paidTo(address)).toBe(usdt(80));
    expect(await room.violations()).toMatchObject([{ invariant: 'CU1' }]);
    expect(await booked()).toEqual(before);
    await room.signer().lookBack();
    expect(room.faults.map(String).join()).toContain('which was final: it is sent again');
    room.faults.length = 0;
    await room.chain.mine(4);
    await room.watch();
    await settle(2);
    expect(await room.paidTo(address)).toBe(0n);
    expect(await booked()).toEqual(before);
  });

  it('pays more for the same nonce if no block includes it', async () => {
    const address = await deposit(504n, usdt(30));
    await room.chain.rpc('anvil_setBalance', address, '0xde0b6b3a7640000');
    const hasty = room.signer(undefined, 0);
    for (let n = 0; n < 4; n += 1) await hasty.round();
    await settle();
    expect(await room.paidTo(address)).toBe(0n);
    const attempts = await room.test.database.query<{ n: number }>({
      name: '',
      text: `SELECT count(*)::integer AS n FROM withdrawals.sending_attempt JOIN withdrawals.sending s ON s.id = sending_id WHERE s.sender = '${address}'`,
    });
    expect(attempts[0]?.n).toBeGreaterThan(1);
  });

  it('sends nothing that the database does not know as credited, and one transaction at a time', async () => {
    const address = await addressOf(505n);
    const insert = (kind: string, sender: string, receiver: string, token: string | null) =>
      room.signerDatabase.query(
        {
          name: '',
          text: `INSERT INTO withdrawals.sending (id, chain, kind, sender, receiver, nonce, token, units) VALUES (gen_random_uuid(), 'testnet', $1, $2, $3, 0, $4, 1)`,
        },
        [kind, sender, receiver, token],
      );
    await expect(insert('sweep', address, room.chain.config.hot, room.chain.config.token)).rejects.toThrow(
      'are not to be swept',
    );
    await expect(insert('gas', room.chain.config.hot, `0x${'3'.repeat(40)}`, null)).rejects.toThrow(
      'no gas is to be sent',
    );
    await expect(insert('return', address, `0x${'3'.repeat(40)}`, null)).rejects.toThrow();
  });

  it('sweeps nothing from an address that holds less than is credited there, and reports it', async () => {
    const address = await deposit(507n, usdt(30));
    await room.chain.rpc('anvil_setBalance', address, '0xde0b6b3a7640000');
    // The token's issuer removes the tokens, so the address itself has sent nothing.
    await room.chain.rpc('anvil_impersonateAccount', address);
    const data = transferCallData(`0x${'99'.repeat(20)}`, usdt(20));
    await room.chain.rpc('eth_sendTransaction', { from: address, to: room.chain.config.token, data });
    await room.chain.mine();
    await room.chain.rpc('anvil_setNonce', address, '0x0');
    await room.signer().round();
    expect((await sendings()).filter(({ sender }) => sender === address)).toEqual([]);
    expect(room.faults.map(String).join()).toContain(`${address} holds less than what is credited there`);
  });
});
