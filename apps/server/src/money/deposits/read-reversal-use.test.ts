import { money, zero } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerAccount, houseAccount, type JournalKind, type Transfer } from '../../ledger/index.ts';
import { PAYER_ADDRESS } from '../testing-chain.ts';
import { findDeposit } from './deposit-store.ts';
import { notifyDepositor } from './notify-depositor.ts';
import { readReversalUse } from './read-reversal-use.ts';
import { type DepositsTest, openDepositsTest, usdt } from './testing-deposits.ts';

const CUSTOMER = 801n;
const SPOT = customerAccount(CUSTOMER, 'USDT');
const MAKER = houseAccount('maker', 'USDT');
const moved: JournalKind<readonly Transfer[], null, never> = {
  name: 'test.moved',
  customer: () => null,
  accounts: () => [SPOT, MAKER, houseAccount('outbound_clearing', 'USDT'), houseAccount('fee_income', 'USDT')],
  decide: (transfers) => ({ ok: true, effect: { transfers, answer: null } }),
};

describe('a customer’s use of a credit that a reorganisation undid', () => {
  let room: DepositsTest;
  beforeAll(async () => {
    room = await openDepositsTest();
    await room.mineAndWatch(1);
    await room.chain.send(PAYER_ADDRESS, usdt(1_000));
    await room.mineAndWatch(1);
  });
  afterAll(() => room.close());

  const move = (...transfers: Transfer[]) =>
    room.ledger.post(moved, transfers, { id: crypto.randomUUID(), digest: 'moved' });
  const undone = async (id: string) => {
    const row = await findDeposit(room.test.database, id);
    if (!row) throw new Error('the deposit is gone');
    return readReversalUse({ database: room.test.database, ledger: room.ledger }, row);
  };

  it('is read from the ledger and sent to its owner; the reversal is public without a name', async () => {
    // The customer's own 10 USDT, which count as spent first.
    await room.chain.send(await room.addressOf(CUSTOMER), usdt(10));
    await room.mineAndWatch(4);
    const raw = await room.chain.signed(await room.addressOf(CUSTOMER), usdt(30));
    const snapshot = await room.chain.rpc<string>('evm_snapshot');
    await room.chain.rpc('eth_sendRawTransaction', raw);
    await room.mineAndWatch(4);
    expect(await room.available(CUSTOMER)).toBe(usdt(40));
    const id = (await room.list(CUSTOMER)).find(({ amount }) => amount === '30.000000')?.id ?? '';
    expect(await undone(id)).toBeNull();
    // Buys a coin with all of it, sells it for 60 less a fee of 4, and requests a withdrawal of 20.
    const trade = { kind: 'single', code: 'contract_trade' } as const;
    await move({ ...trade, debit: SPOT, credit: MAKER, units: usdt(40) });
    await move(
      { ...trade, debit: MAKER, credit: SPOT, units: usdt(60) },
      { kind: 'single', debit: SPOT, credit: houseAccount('fee_income', 'USDT'), units: usdt(4), code: 'contract_fee' },
    );
    const to = houseAccount('outbound_clearing', 'USDT');
    await move({ kind: 'hold', debit: SPOT, credit: to, units: usdt(20), code: 'withdrawal' });
    await room.chain.rpc('evm_revert', snapshot);
    await room.chain.rpc('evm_increaseTime', 7);
    await room.mineAndWatch(6);
    expect((await room.list(CUSTOMER)).find((one) => one.id === id)).toMatchObject({ step: 'reversed' });

    // The deposit made three quarters of the profit of 16. The withdrawal took the own 10, their 4, and 6 of the 12.
    expect(await undone(id)).toEqual({ used: usdt(30), gained: usdt(12), left: usdt(6) });
    const row = await findDeposit(room.test.database, id);
    const told: unknown[] = [];
    const send = async (...said: unknown[]) => void told.push(said.slice(1, 3));
    if (row) await notifyDepositor({ messages: { send } as never, undoneUse: () => undone(id) }, row, new Date());
    const said = { amount: '30.000000 USDT', gained: '12.000000 USDT', left: '6.000000 USDT' };
    expect(told[0]).toEqual(['deposit_reversed_used', expect.objectContaining(said)]);
    const [published, ...more] = await room.deposits.reversalsSince(new Date(0));
    expect(published).toEqual({
      at: expect.any(Date),
      channel: 'testnet',
      amount: money('USDT', usdt(30)),
      shortfall: zero('USDT'),
    });
    expect(more).toEqual([]);

    // The transfer is on the chain again and is credited again: nothing counts twice, and the reversal stays public.
    await room.chain.rpc('eth_sendRawTransaction', raw);
    await room.mineAndWatch(4);
    expect(await undone(id)).toMatchObject({ gained: usdt(12) });
    expect(await room.deposits.reversalsSince(new Date(0))).toHaveLength(1);
  });
});
