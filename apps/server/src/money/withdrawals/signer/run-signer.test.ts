import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWithdrawalsTest, usdt, type WithdrawalsTest } from '../testing-withdrawals.ts';

const CUSTOMER = 401n;

describe('the signer', () => {
  let room: WithdrawalsTest;
  let count = 0;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.fund(CUSTOMER, 20_000);
  });
  afterAll(() => room.close());

  const ask = async (): Promise<{ id: string; address: string }> => {
    count += 1;
    const address = `0x${(count + 0xa000).toString(16).repeat(10)}`;
    const order = { channel: 'testnet', target: room.wallet(address), amount: 20, paypass: '830274' };
    return { id: (await room.call('extract', CUSTOMER, order)).effect.id, address };
  };
  const attemptsOf = (id: string) =>
    room.test.database.query<{ hash: string; attempt: number; nonce: bigint }>(
      {
        name: '',
        text: 'SELECT hash, attempt, nonce FROM withdrawals.outbox JOIN withdrawals.payout USING (withdrawal_id) WHERE withdrawal_id = $1 ORDER BY attempt',
      },
      [id],
    );
  const isPaidOnce = async ({ id, address }: { id: string; address: string }): Promise<void> => {
    expect(await room.follow(CUSTOMER, id)).toMatchObject({ step: 'done' });
    expect(await room.paidTo(address)).toBe(usdt(18.98));
    expect(await room.violations()).toEqual([]);
  };

  it('raises the fee for the same nonce when no block includes it, and the chain accepts one of them', async () => {
    const payout = await ask();
    const hasty = room.signer(undefined, 0);
    for (let n = 0; n < 3; n += 1) await hasty.round();
    const attempts = await attemptsOf(payout.id);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(attempts.map(({ nonce }) => nonce)).size).toBe(1);
    await isPaidOnce(payout);
    expect(await room.read(CUSTOMER, payout.id)).toMatchObject({ hash: attempts.at(-1)?.hash });
  });

  it('sends again what a node has dropped', async () => {
    const payout = await ask();
    await room.signer().round();
    const [{ hash = '' } = {}] = await attemptsOf(payout.id);
    await room.chain.rpc('anvil_dropTransaction', hash);
    expect(await room.chain.rpc('eth_getTransactionByHash', hash)).toBeNull();
    await isPaidOnce(payout);
    expect(await attemptsOf(payout.id)).toHaveLength(1);
  });

  it('follows a payout whose block was dropped, and pays once', async () => {
    const payout = await ask();
    const snapshot = await room.chain.rpc<string>('evm_snapshot');
    await room.signer().round();
    await room.chain.mine();
    await room.watch();
    expect(await room.read(CUSTOMER, payout.id)).toMatchObject({ step: 'confirming' });
    await room.chain.rpc('evm_revert', snapshot);
    await room.chain.rpc('evm_increaseTime', 7);
    await room.chain.mine(2);
    await room.watch();
    expect(await room.read(CUSTOMER, payout.id)).toMatchObject({ step: 'sending', confirmations: 0 });
    await isPaidOnce(payout);
  });

  it('sends nothing that is not approved, and nothing more than the wallet has', async () => {
    const payout = await ask();
    await room.call('cancel', CUSTOMER, { id: payout.id });
    const order = { channel: 'testnet', target: room.wallet(), amount: 5_000, paypass: '830274' };
    const large = (await room.call('extract', CUSTOMER, order)).effect;
    expect(large).toMatchObject({ step: 'first_check', people: 1 });
    await room.signer().round();
    expect([...(await attemptsOf(large.id))]).toEqual([]);
    await room.call('cancel', CUSTOMER, { id: large.id });
  });

  it('sends booked payouts again after a deep reorganisation, until which the checker halts', async () => {
    await room.chain.mine(3);
    await room.watch();
    const snapshot = await room.chain.rpc<string>('evm_snapshot');
    const payouts = [await ask(), await ask()];
    for (const { id } of payouts) expect(await room.follow(CUSTOMER, id)).toMatchObject({ step: 'done' });
    const custody = async () =>
      (await room.ledger.balances(0n)).filter(
        ({ account: { name, asset } }) => name === 'reserve_hot' && asset === 'USDT',
      );
    const [available, house] = [await room.available(CUSTOMER), await custody()];
    const records = await Promise.all(payouts.map(({ id }) => room.read(CUSTOMER, id)));
    await room.chain.rpc('evm_revert', snapshot);
    await room.chain.rpc('evm_increaseTime', 7);
    await room.chain.mine(20);
    await room.watch();
    for (const { address } of payouts) expect(await room.paidTo(address)).toBe(0n);
    expect(await room.violations()).toMatchObject([
      { invariant: 'CU6', subjects: [expect.any(String), expect.any(String)] },
    ]);
    // Nothing goes back to the customer, who could withdraw it a second time while the first payout is still valid.
    expect(await room.available(CUSTOMER)).toBe(available);
    for (const { id } of payouts) expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'done' });

    room.faults.length = 0;
    const later = await ask();
    const signer = room.signer();
    await signer.lookBack();
    await signer.lookBack();
    expect(room.faults.map(String).filter((said) => said.includes('it is sent again')).length).toBeGreaterThan(1);
    await room.chain.mine();
    await signer.lookBack();
    await room.chain.mine(4);
    await room.watch();
    for (const { address } of payouts) expect(await room.paidTo(address)).toBe(usdt(18.98));
    for (const [n, { id }] of payouts.entries()) {
      expect(await attemptsOf(id)).toHaveLength(1);
      expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'done', hash: records[n]?.hash });
    }
    expect(await room.violations()).toEqual([]);
    expect(await custody()).toEqual(house);
    // A payout that was requested in the meantime takes the next nonce.
    await isPaidOnce(later);
    room.faults.length = 0;
  });

  it('pays nothing more once the key was used elsewhere, because it is then unknown what was paid', async () => {
    const payout = await ask();
    await room.chain.rpc('anvil_setNonce', room.chain.config.hot, '0x63');
    await room.signer().round();
    expect(await attemptsOf(payout.id)).toEqual([]);
    expect(room.faults.map(String).join()).toContain('the wallet has sent 99 transactions');
  });
});
