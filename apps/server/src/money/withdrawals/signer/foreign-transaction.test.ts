import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAsOwner } from '../../../platform/database/testing.ts';
import { transferCallData } from '../../chain/index.ts';
import { HOT_WALLET_ADDRESS, openWithdrawalsTest, type WithdrawalsTest } from '../testing-withdrawals.ts';

const CUSTOMER = 431n;

describe('a transaction that somebody sent with the house’s key', () => {
  let room: WithdrawalsTest;
  let count = 0;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.fund(CUSTOMER, 900);
  });
  afterAll(() => room.close());

  const ask = async (): Promise<string> => {
    count += 1;
    const target = room.wallet(`0x${(count + 0xd000).toString(16).repeat(10)}`);
    const order = { channel: 'testnet', target, amount: 20, paypass: '830274' };
    return (await room.call('extract', CUSTOMER, order)).effect.id;
  };
  const sendByHand = async (): Promise<string> => {
    await room.chain.rpc('anvil_impersonateAccount', HOT_WALLET_ADDRESS);
    const hash = await room.chain.rpc<string>('eth_sendTransaction', {
      from: HOT_WALLET_ADDRESS,
      to: `0x${'88'.repeat(20)}`,
      value: '0x1',
    });
    await room.chain.mine(3);
    return hash;
  };
  /** Writes the decision of two people as the console would. */
  const agree = async (hash: string, nonce: number | null, more: object = {}): Promise<string> => {
    const id = randomUUID();
    const content = JSON.stringify({ chain: 'testnet', hash, nonce: nonce === null ? null : String(nonce), ...more });
    await runAsOwner(
      room.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
       INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at, is_from_before)
         VALUES ('${id}', 'payout_foreign', '${hash}', '${content}', sha256('{}'), 1, '{finance,compliance}', 91, 'approved', now(), true);
       INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ('${id}', 92, '${randomUUID()}', 'approve', sha256('{}'), 'compliance')`,
    );
    return id;
  };
  const keep = (hash: string, nonce: number, approval: string): Promise<unknown> =>
    room.test.database.query(
      {
        name: '',
        text: `INSERT INTO withdrawals.foreign_transaction (chain, wallet, nonce, hash, approval) VALUES ('testnet', '${HOT_WALLET_ADDRESS}', $1, $2, $3)`,
      },
      [nonce, hash, approval],
    );

  it('stops payouts and reports that, until two people have accounted for it', async () => {
    expect(await room.follow(CUSTOMER, await ask())).toMatchObject({ step: 'done' });
    const [first, second] = [await sendByHand(), await sendByHand()];
    const signer = room.signer();
    await signer.round();
    expect(room.stop).toBe('foreign_transaction');
    const id = await ask();
    await signer.round();
    expect(room.waits).toEqual([{ id, waitsFor: 'foreign_transaction' }]);
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'approved' });

    // One person alone cannot account for it, and no earlier transaction can be left out.
    await expect(keep(first, 1, randomUUID())).rejects.toThrow('nobody has accounted for');
    await keep(second, 2, await agree(second, 2));
    await signer.round();
    expect(room.stop).toBe('foreign_transaction');
    await keep(first, 1, await agree(first, 1));
    expect(await room.follow(CUSTOMER, id, signer)).toMatchObject({ step: 'done' });
    expect([room.stop, room.waits]).toEqual([null, []]);
    const found = (await room.violations()) as { invariant: string }[];
    expect(found.filter(({ invariant }) => /^(CU|DW|WW)/.test(invariant))).toEqual([]);
  });

  it('that moved USDT: two people say what it was, the books follow to the unit, and its halt ends', async () => {
    const row = async <Row extends object>(text: string): Promise<Row | undefined> =>
      (await room.test.database.query<Row>({ name: '', text }, []))[0];
    const hot = async () =>
      BigInt(
        (
          await row<{ units: string }>(
            `SELECT (debits_posted - credits_posted)::text AS units FROM ledger.account WHERE owner = 0 AND asset = 'USDT' AND code = 110`,
          )
        )?.units ?? 0,
      );
    const byHand = async (to: string, units: bigint): Promise<string> => {
      await room.chain.rpc('anvil_impersonateAccount', HOT_WALLET_ADDRESS);
      const data = transferCallData(to, units);
      return room.chain.rpc<string>('eth_sendTransaction', {
        from: HOT_WALLET_ADDRESS,
        to: room.chain.config.token,
        data,
      });
    };
    const next = async () =>
      Number(
        (await row<{ nonce: bigint }>(`SELECT withdrawals.last_nonce('testnet', '${HOT_WALLET_ADDRESS}') + 1 AS nonce`))
          ?.nonce,
      );
    const apply = (id: string, hash: string, content: object): Promise<boolean> =>
      room.test.database.transaction((transaction) =>
        room.withdrawals.foreignKind.apply(
          transaction,
          { id, subject: hash, content: JSON.stringify(content) } as never,
          {} as never,
        ),
      );
    const before = await hot();
    const waiting = await ask();
    const spent = await byHand(`0x${'89'.repeat(20)}`, 7_500_001n);
    const { address, units } = (await row<{ address: string; units: bigint }>(
      `SELECT address, amount - fee AS units FROM withdrawals.withdrawal WHERE id = '${waiting}'`,
    )) ?? { address: '', units: 0n };
    await room.progress(waiting);
    const paid = await byHand(address, units);
    await room.chain.mine(4);
    await room.watch();
    const found = (await room.violations()) as { invariant: string; subjects: string[] }[];
    const [broken] = found.filter(({ invariant }) => invariant.startsWith('CU'));
    expect(broken).toMatchObject({ invariant: 'CU3', subjects: expect.arrayContaining([spent, paid]) });
    await runAsOwner(
      room.test.owner,
      `SELECT ledger.report_violations('{CU3,CU3}', '{${spent},${paid}}', '{x,x}'); SELECT ledger.halt_money('CU3: ${spent}, ${paid}')`,
    );

    const of = (
      hash: string,
      nonce: number,
      to: string,
      amount: bigint,
      purpose: string,
      withdrawal: string | null,
    ) => ({
      chain: 'testnet',
      hash,
      wallet: HOT_WALLET_ADDRESS,
      nonce: String(nonce),
      to: room.chain.config.token,
      value: '0',
      is_first: false,
      transfers: [{ output: '0', to, units: String(amount), purpose, withdrawal, customer: null, payee: null }],
      withdrawal: null,
      customer: null,
    });
    const first = of(spent, await next(), `0x${'89'.repeat(20)}`, 7_500_001n, 'expense', null);
    // One unit more than what left is refused, and so is a withdrawal that it did not pay.
    const wrong = { ...first, transfers: first.transfers.map((one) => ({ ...one, units: '7500002' })) };
    expect(await apply(await agree(spent, Number(first.nonce), wrong), spent, wrong)).toBe(false);
    expect(await apply(await agree(spent, Number(first.nonce), first), spent, { ...first, withdrawal: waiting })).toBe(
      false,
    );
    expect(await apply(await agree(spent, Number(first.nonce), first), spent, first)).toBe(true);
    await room.watch().catch(() => undefined);
    expect((await row<{ halted: string | null }>('SELECT halted FROM ledger.head'))?.halted).toContain('CU3');
    const second = of(paid, await next(), address, units, 'payout', waiting);
    expect(await apply(await agree(paid, Number(second.nonce), second), paid, second)).toBe(true);
    expect(await apply(await agree(paid, Number(second.nonce), second), paid, second)).toBe(false);
    await room.watch();
    expect((await row<{ halted: string | null }>('SELECT halted FROM ledger.head'))?.halted).toBe(null);
    room.faults.length = 0;
    await room.watch();
    expect(await room.read(CUSTOMER, waiting)).toMatchObject({ step: 'done', hash: paid });
    expect(await hot()).toBe(before - 7_500_001n - units);
    await room.signer().round();
    await room.chain.mine(2);
    expect(await room.paidTo(address)).toBe(units);
    const left = (await room.violations()) as { invariant: string }[];
    expect(left.filter(({ invariant }) => /^(CU|DW|WW|K)/.test(invariant))).toEqual([]);
  });

  it('is not believed because of a row: the signer looks it up on the chain', async () => {
    await sendByHand();
    const [row] = await room.test.database.query<{ nonce: bigint }>({
      name: '',
      text: `SELECT withdrawals.last_nonce('testnet', '${HOT_WALLET_ADDRESS}') + 1 AS nonce`,
    });
    const invented = `0x${'ad'.repeat(32)}`;
    await keep(invented, Number(row?.nonce), await agree(invented, Number(row?.nonce)));
    const id = await ask();
    await room.signer().round();
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'approved' });
    expect(room.stop).toBe('foreign_transaction');
  });
});

describe('a wallet whose nonce the database does not know', () => {
  let room: WithdrawalsTest;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    await room.fund(CUSTOMER, 900);
    await room.chain.rpc('anvil_impersonateAccount', HOT_WALLET_ADDRESS);
  });
  afterAll(() => room.close());

  it('pays nothing if the chain has a transaction of it, until two people have accounted for that', async () => {
    const sent: string[] = [];
    for (let n = 0; n < 3; n += 1)
      sent.push(
        await room.chain.rpc<string>('eth_sendTransaction', {
          from: HOT_WALLET_ADDRESS,
          to: `0x${'88'.repeat(20)}`,
          value: '0x1',
        }),
      );
    await room.chain.mine(4);
    await room.watch();
    const target = room.wallet(`0x${'d5'.repeat(20)}`);
    const { id } = (await room.call('extract', CUSTOMER, { channel: 'testnet', target, amount: 20, paypass: '830274' }))
      .effect;
    await room.progress(id);
    const signer = room.signer();
    await signer.round();
    expect(room.stop).toBe('foreign_transaction');
    expect(await room.read(CUSTOMER, id)).toMatchObject({ step: 'approved' });
    await expect(
      room.signerDatabase.query({
        name: '',
        text: `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) VALUES ('${id}', 'testnet', '${HOT_WALLET_ADDRESS}', 3)`,
      }),
    ).rejects.toThrow('does not follow');

    // The newest transaction stands for all earlier ones, which predate this platform.
    const newest = sent.at(-1) ?? '';
    expect(await room.ask('POST /admin/withdrawals/foreign', { hash: newest })).toMatchObject({ ok: true });
    const opening = room.opened.at(-1);
    expect(opening?.fingerprintOf).toMatchObject({ nonce: '2', is_first: true, transfers: [] });
    const [approval, content] = [randomUUID(), JSON.stringify(opening?.fingerprintOf)];
    await runAsOwner(
      room.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
       INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at, is_from_before)
         VALUES ('${approval}', 'payout_foreign', '${newest}', '${content}', sha256('{}'), 1, '{finance,compliance}', 91, 'approved', now(), true);
       INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ('${approval}', 92, '${randomUUID()}', 'approve', sha256('{}'), 'compliance')`,
    );
    await room.test.database.transaction((transaction) =>
      room.withdrawals.foreignKind.apply(transaction, { id: approval, content } as never, {} as never),
    );
    expect(await room.follow(CUSTOMER, id, signer)).toMatchObject({ step: 'done' });
  });

  it('begins with its own nonces, whatever the nonces of another wallet are', async () => {
    const nonces = await room.test.database.query({
      name: '',
      text: `SELECT withdrawals.last_nonce('testnet', '${HOT_WALLET_ADDRESS}') AS own, withdrawals.last_nonce('testnet', '0x${'17'.repeat(20)}') AS other`,
    });
    expect(nonces).toEqual([{ own: 3n, other: -1n }]);
  });

  it('waits while an unknown transaction waits for a block', async () => {
    await room.chain.rpc('eth_sendTransaction', { from: HOT_WALLET_ADDRESS, to: `0x${'88'.repeat(20)}`, value: '0x1' });
    await room.signer().round();
    expect(room.stop).toBe('foreign_transaction');
  });
});
