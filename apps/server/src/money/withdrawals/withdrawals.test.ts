import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { money } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOT_WALLET_ADDRESS, openWithdrawalsTest, usdt, type WithdrawalsTest } from './testing-withdrawals.ts';
import { CANCEL_KIND } from './withdrawal-kinds.ts';
import { FIRST_CHANNEL_TERMS } from './withdrawal-settings.ts';

let customers = 200n;
const somebody = (): bigint => (customers += 1n);
const PAYPASS = { paypass: '830274' };

describe('withdrawals', () => {
  let room: WithdrawalsTest;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
  });
  afterAll(() => room.close());
  const clean = async (): Promise<void> => expect(await room.violations()).toEqual([]);
  const funded = async (whole: number): Promise<bigint> => {
    const customer = somebody();
    await room.fund(customer, whole);
    return customer;
  };
  const extract = (customer: bigint, amount: number, more: object = {}, key?: string) =>
    room.call('extract', customer, { channel: 'testnet', target: room.wallet(), amount, ...PAYPASS, ...more }, key);

  it('holds amount and fee at once, pays the net amount on the chain, and is done at the required depth', async () => {
    const customer = await funded(500);
    const address = `0x${'1a'.repeat(20)}`;
    const asked = await extract(customer, 120, { target: room.wallet(address) });
    expect(asked).toMatchObject({
      ok: true,
      effect: { status: 'processing', step: 'approved', fee: '1.120000', actual_amount: '118.880000', people: 0 },
    });
    expect(await room.available(customer)).toBe(usdt(380));
    const done = await room.follow(customer, asked.effect.id);
    expect(done).toMatchObject({ status: 'success', step: 'done', confirmations: 3 });
    expect(done.hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await room.paidTo(address)).toBe(usdt(118.88));
    await clean();
  });

  it.each([
    ['channel_unknown', 'channel', { channel: 'dogecoin' }],
    ['payee_unknown', 'target', { target: 'nobody' }],
    ['below_minimum', 'amount', { amount: 9.99 }],
    ['above_maximum', 'amount', { amount: 50_001 }],
    ['exceeds_balance', 'amount', { amount: 501 }],
    ['paypass_wrong', 'paypass', { paypass: '000000' }],
    ['quote_expired', 'quote', { quote: randomUUID() }],
  ])('is refused with %s, and nothing is held', async (refusal, field, change) => {
    const customer = await funded(500);
    const wanted = { channel: 'testnet', target: room.wallet(), amount: 100, ...PAYPASS, ...change };
    expect(await room.call('extract', customer, wanted)).toMatchObject({ ok: false, refusal, field });
    expect(await room.available(customer)).toBe(usdt(500));
  });

  it('lets all of a small balance leave, if the fee leaves something of it', async () => {
    const [small, smaller] = [await funded(1.9), await funded(1.001)];
    const wanted = { channel: 'testnet', target: room.wallet(), ...PAYPASS };
    const refused = { ok: false, refusal: 'below_minimum', field: 'amount' };
    expect(await room.call('extract', small, { ...wanted, amount: 1.899999 })).toMatchObject(refused);
    expect(await room.call('extract', smaller, { ...wanted, amount: 1.001 })).toMatchObject(refused);
    expect(await room.call('extract', small, { ...wanted, amount: 1.9 })).toMatchObject({ ok: true });
    expect(await room.available(small)).toBe(0n);
  });

  it('D14 a quote’s fee is valid for the stated time, once', async () => {
    const customer = await funded(500);
    const target = room.wallet();
    const order = { channel: 'testnet', target, amount: 100 };
    const { effect } = await room.call('quote', customer, order);
    expect(effect).toMatchObject({ fee: '1.100000', actual_amount: '98.900000' });
    const { quote } = effect;
    // The code is for the quote, which fixes the payee too, so it confirms exactly the shown withdrawal.
    for (const change of [{ amount: 101 }, { target: room.wallet() }])
      expect(await room.call('extract', customer, { ...order, ...change, quote, ...PAYPASS })).toMatchObject({
        refusal: 'quote_expired',
      });
    room.terms = {
      ...FIRST_CHANNEL_TERMS,
      chainFee: { ...FIRST_CHANNEL_TERMS.chainFee, fixed: money('USDT', usdt(3)) },
    };
    expect(await room.call('extract', customer, { ...order, quote, ...PAYPASS })).toMatchObject({
      ok: true,
      effect: { fee: '1.100000' },
    });
    room.terms = FIRST_CHANNEL_TERMS;
    expect(room.subjects.at(-1)).toBe(quote);
    expect(await room.call('extract', customer, { ...order, quote, ...PAYPASS })).toMatchObject({
      ok: false,
      refusal: 'quote_expired',
    });
    await clean();
  });

  it('D11 a new payee and changed credentials delay it by 24 hours, and it can be cancelled', async () => {
    const customer = await funded(500);
    const soon = new Date(Date.now() + 3_600_000);
    const fresh = await extract(customer, 100, { target: room.wallet(undefined, { usableFrom: soon }) });
    expect(fresh.effect).toMatchObject({
      step: 'delayed',
      delay_reason: 'new_payee',
      delayed_until: soon.toISOString(),
    });
    room.changedAt = new Date(Date.now() - 1_000);
    const changed = await extract(customer, 100);
    const both = await extract(customer, 50, { target: room.wallet(undefined, { usableFrom: soon }) });
    room.changedAt = null;
    expect(changed.effect).toMatchObject({ step: 'delayed', delay_reason: 'credentials_changed' });
    // The longer one of two delays counts.
    expect(both.effect).toMatchObject({
      step: 'delayed',
      delay_reason: 'credentials_changed',
      delayed_until: changed.effect.delayed_until,
    });
    await room.signer().round();
    await room.chain.mine();
    await room.watch();
    expect(await room.read(customer, fresh.effect.id)).toMatchObject({ step: 'delayed', can_cancel: true });
    // Under the lock only the owner can cancel it as well.
    const byStranger = { id: fresh.effect.id, customer: somebody(), at: new Date() };
    expect(await room.ledger.post(CANCEL_KIND, byStranger, { id: randomUUID(), digest: 'stranger' })).toMatchObject({
      refusal: 'withdrawal_unknown',
    });
    for (const { effect } of [fresh, changed, both])
      expect(await room.call('cancel', customer, { id: effect.id })).toMatchObject({
        ok: true,
        effect: { status: 'failed', step: 'returned', reason: 'cancelled' },
      });
    expect(await room.available(customer)).toBe(usdt(500));
    expect(await room.call('cancel', customer, { id: fresh.effect.id })).toMatchObject({
      refusal: 'withdrawal_not_in_review',
    });
    expect(await room.call('cancel', somebody(), { id: fresh.effect.id })).toMatchObject({
      refusal: 'withdrawal_unknown',
    });
    await clean();
  });

  it('approves nothing automatically while the customer is frozen', async () => {
    const customer = await funded(500);
    const soon = new Date(Date.now() + 1_000);
    const asked = await extract(customer, 100, { target: room.wallet(undefined, { usableFrom: soon }) });
    room.frozen.add(customer);
    await pause(1_100);
    await room.progress(asked.effect.id);
    expect(await room.read(customer, asked.effect.id)).toMatchObject({ status: 'review', step: 'first_check' });
    room.frozen.delete(customer);
    // The freeze comes after the read and before the lock, so the ledger's batch checks again.
    room.frozenMeanwhile.add(customer);
    await room.progress(asked.effect.id);
    expect(await room.read(customer, asked.effect.id)).toMatchObject({ status: 'review', step: 'first_check' });
    room.frozenMeanwhile.delete(customer);
    await room.progress(asked.effect.id);
    expect(await room.read(customer, asked.effect.id)).toMatchObject({ status: 'processing', step: 'approved' });
    await clean();
  });

  it('holds nothing for a customer who is frozen after the first check', async () => {
    const customer = await funded(500);
    room.frozenMeanwhile.add(customer);
    expect(
      await room.call('extract', customer, { channel: 'testnet', target: room.wallet(), amount: 100, ...PAYPASS }),
    ).toMatchObject({ ok: false, refusal: 'account_frozen' });
    expect(await room.available(customer)).toBe(usdt(500));
  });

  it('requires a second factor for exactly its channel, payee, amount and fee if there was no quote', async () => {
    const customer = await funded(500);
    const target = room.wallet();
    await extract(customer, 123.456789, { target });
    // The fee of 1.123456789 is rounded up.
    expect(room.subjects.at(-1)).toBe(`testnet ${target} 123456789 1123457`);
  });

  it('D13 another customer’s deposit address is paid internally, without a fee and without the chain', async () => {
    const [customer, receiver] = [await funded(100), somebody()];
    const { addresses } = await import('../chain/index.ts').then(({ openDepositAddresses }) => ({
      addresses: openDepositAddresses(room.test.database, room.chain.config),
    }));
    const target = room.wallet(await addresses.of(receiver));
    const paid = await extract(customer, 40, { target });
    expect(paid.effect).toMatchObject({ step: 'done', is_internal: true, fee: '0.000000', hash: null });
    expect([await room.available(customer), await room.available(receiver)]).toEqual([usdt(60), usdt(40)]);
    const own = room.wallet(await addresses.of(customer));
    expect(await extract(customer, 40, { target: own })).toMatchObject({ ok: false, refusal: 'payee_unknown' });
    await clean();
  });

  it('A5 the same request again is the same withdrawal; with other content it is refused', async () => {
    const customer = await funded(500);
    const [key, target] = [randomUUID(), room.wallet()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => extract(customer, 100, { target }, key)));
    expect(new Set(answers.map(({ effect }) => effect.id))).toEqual(new Set([key]));
    expect(await room.available(customer)).toBe(usdt(400));
    expect(await extract(customer, 101, { target }, key)).toMatchObject({ refusal: 'idempotency_key_reused' });
    await clean();
  });

  it('compares the sum of a customer’s withdrawals per day with the thresholds, not each one', async () => {
    const customer = await funded(3_000);
    expect((await extract(customer, 600)).effect).toMatchObject({ people: 0, step: 'approved' });
    expect((await extract(customer, 600)).effect).toMatchObject({ people: 1, step: 'first_check' });
    const other = await funded(3_000);
    const together = await Promise.all(Array.from({ length: 4 }, () => extract(other, 600)));
    expect(together.filter(({ effect }) => effect?.people === 0)).toHaveLength(1);
    await clean();
  });

  it('1,000 at once from a balance that covers 10: 10 succeed', async () => {
    const customer = await funded(105);
    const target = room.wallet();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => extract(customer, 10, { target })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    expect(new Set(answers.filter(({ ok }) => !ok).map(({ refusal }) => refusal))).toEqual(
      new Set(['exceeds_balance']),
    );
    expect(await room.available(customer)).toBe(usdt(5));
    await clean();
  });

  it('the day’s limit is exact to the unit, whatever is requested at once', async () => {
    const customer = await funded(1_000);
    room.dailyMax = usdt(55);
    const answers = await Promise.all(Array.from({ length: 50 }, () => extract(customer, 10)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ refusal: 'exceeds_daily_limit', field: 'amount' });
    room.dailyMax = usdt(1_000_000);
    await clean();
  });

  it('D16 L4 the application can’t approve, assign a nonce, or change a request', async () => {
    const customer = await funded(20_000);
    const { effect } = await extract(customer, 12_000);
    expect(effect).toMatchObject({ step: 'first_check', people: 2 });
    const asApp = (text: string) => room.test.database.query({ name: '', text }, []);
    const id = `'${effect.id}'`;
    await expect(asApp(`UPDATE withdrawals.withdrawal SET step = 'approved' WHERE id = ${id}`)).rejects.toThrow(
      /approved/,
    );
    await expect(asApp(`UPDATE withdrawals.withdrawal SET step = 'done' WHERE id = ${id}`)).rejects.toThrow(
      /can't move/,
    );
    for (const change of [`people = 0`, `address = '0x${'66'.repeat(20)}'`, `amount = amount + 1`])
      await expect(asApp(`UPDATE withdrawals.withdrawal SET ${change} WHERE id = ${id}`)).rejects.toThrow(/permission/);
    await expect(
      asApp(
        `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) VALUES (${id}, 'testnet', '${HOT_WALLET_ADDRESS}', 0)`,
      ),
    ).rejects.toThrow(/permission/);
    const asSigner = (text: string) => room.signerDatabase.query({ name: '', text }, []);
    await expect(
      asSigner(
        `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) SELECT ${id}, 'testnet', '${HOT_WALLET_ADDRESS}', coalesce(max(nonce) + 1, 0) FROM withdrawals.payout`,
      ),
    ).rejects.toThrow(/not to be paid/);
    for (const table of ['withdrawals.withdrawal', 'ledger.account', 'customers.customer', 'deposits.deposit'])
      await expect(asSigner(`SELECT * FROM ${table} LIMIT 1`)).rejects.toThrow(/permission/);
    await room.call('cancel', customer, { id: effect.id });
    await clean();
  });
});
